// outrider graph, from the outside.
#include "helpers.hpp"
#include "program.hpp"
#include "slam/pose_graph/g2o.hpp"

using namespace outrider;

namespace test_cli_graph {

TEST_CASE("outrider graph says what it found, writes it, and draws it") {
    const TemporaryFolder folder;
    // Twice round a square of four places; the poses of the file say nothing.
    std::string text;
    for (int i = 0; i < 8; ++i) text += fmt::format("VERTEX_SE2 {} {} {} {}\n", 10 * i, 7 * i % 5, 3 * i % 4, i);
    for (int i = 1; i < 8; ++i)
        text += fmt::format("EDGE_SE2 {} {} 2 0.0{} 1.5707963 500 0 0 500 0 9000\n", 10 * (i - 1), 10 * i, i);
    for (int i = 4; i < 8; ++i) text += fmt::format("EDGE_SE2 {} {} 0 0 0 500 0 0 500 0 9000\n", 10 * (i - 4), 10 * i);
    write_text(folder / "in.g2o", text + "VERTEX_XY 1000 1 2\n");
    const ProgramResult r = outrider_in(folder, "graph in.g2o -o out.g2o --png graph.png");
    CHECK(r.code == 0);
    CHECK(r.out.find("in.g2o: 8 nodes, 11 edges, 4 of them loops") != std::string::npos);
    CHECK(r.out.find("begun from rotations") != std::string::npos);
    CHECK(r.err.find("note: in.g2o: 1 line with VERTEX_XY not read; they are written as they are") !=
          std::string::npos);
    const G2oFile found = read_g2o(folder / "out.g2o");
    CHECK(found.ids.back() == 70);
    CHECK(found.others == std::vector<std::string>{"VERTEX_XY 1000 1 2"});
    const std::vector<Pose>& nodes = found.graph.nodes;
    CHECK(nodes[0] == Pose{0, 0, 0});
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(distance(nodes[i].position(), nodes[i + 4].position()) < 0.1);
        CHECK(distance(nodes[i].position(), nodes[i + 1].position()) == doctest::Approx(2).epsilon(0.05));
    }
    CHECK(read_text(folder / "graph.png").starts_with("\x89PNG"));
    write_text(folder / "edges.g2o", text.substr(text.find("EDGE_SE2")));
    const ProgramResult edges = outrider_in(folder, "graph edges.g2o");
    CHECK(edges.code == 0);
    CHECK(edges.out.find("along a tree of edges, since the file has no poses") != std::string::npos);
    const auto ended = [](const std::string& out) {
        const std::size_t at = out.find("rotations");
        return out.substr(at, out.find(" after") - at);
    };
    CHECK(ended(edges.out) == ended(r.out));
    const ProgramResult again = outrider_in(folder, "graph in.g2o -o out.g2o");
    CHECK(again.code == 2);
    CHECK(again.err.find("out.g2o") != std::string::npos);
    const ProgramResult cut = outrider_in(folder, "graph in.g2o --start file --iterations 1");
    CHECK(cut.code == 1);
    CHECK(cut.out.find("not converged, --iterations sets more") != std::string::npos);
    CHECK(outrider_in(folder, "graph nothing.g2o").err.find("nothing.g2o: cannot be read; expected a pose graph") !=
          std::string::npos);
    write_text(folder / "text.g2o", "hello\n");
    CHECK(outrider_in(folder, "graph text.g2o").err.find("no node (VERTEX_SE2, VERTEX2) and no edge") !=
          std::string::npos);
    CHECK(outrider_in(folder, "graph in.g2o --start middle").code == 2);
}

}  // namespace test_cli_graph
