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
    write_text(folder / "in.g2o", text + "PARAMS_SE2OFFSET 0 1 2 0\n");
    const ProgramResult r = outrider_in(folder, "graph in.g2o -o out.g2o --png graph.png");
    CHECK(r.code == 0);
    CHECK(r.out.find("in.g2o: 8 nodes, 11 edges, 4 of them loops") != std::string::npos);
    CHECK(r.out.find("begun from rotations") != std::string::npos);
    CHECK(r.err.find("note: in.g2o: 1 line with PARAMS_SE2OFFSET not read; they are written as they are") !=
          std::string::npos);
    const G2oFile found = read_g2o(folder / "out.g2o");
    CHECK(found.ids.back() == 70);
    CHECK(found.others == std::vector<std::string>{"PARAMS_SE2OFFSET 0 1 2 0"});
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
    write_text(folder / "text.g2o", "# hello\n");
    CHECK(outrider_in(folder, "graph text.g2o").err.find("no node (VERTEX_SE2, VERTEX2) and no edge") !=
          std::string::npos);
    CHECK(outrider_in(folder, "graph in.g2o --start middle").code == 2);
}

TEST_CASE("outrider graph uses landmarks and priors") {
    const TemporaryFolder folder;
    const std::string nodes =
        "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1.1 0.1 0.05\nVERTEX_SE2 2 2.0 0.2 0.1\nFIX 0\n"
        "EDGE_SE2 0 1 1.0 0 0 100 0 0 100 0 400\nEDGE_SE2 1 2 1.0 0 0 100 0 0 100 0 400\n";
    write_text(folder / "in.g2o", nodes +
                                      "VERTEX_XY 100 1 1.2\nEDGE_SE2_XY 0 100 1 1 500 0 500\n"
                                      "EDGE_SE2_XY 1 100 0 1 500 0 500\nEDGE_SE2_XY 2 100 -1 1 500 0 500\n");
    const ProgramResult r = outrider_in(folder, "graph in.g2o -o out.g2o --png graph.png");
    CHECK(r.code == 0);
    CHECK(r.err.empty());
    CHECK(r.out.find("in.g2o: 3 nodes, 2 edges, 0 of them loops, 1 landmark seen 3 times\n") != std::string::npos);
    CHECK(r.out.find("edges that disagree  0 of 5 (more than 16.27 for three numbers, 13.82 for two)") !=
          std::string::npos);
    const PoseGraph found = read_g2o(folder / "out.g2o").graph;  // all that was measured agrees
    CHECK(chi2(found) < 1e-12);
    CHECK(distance(found.landmarks.at(0), {1, 1}) < 1e-6);
    CHECK(distance(found.nodes.at(2).position(), {2, 0}) < 1e-6);
    write_text(folder / "prior.g2o", nodes + "EDGE_PRIOR_SE2 2 2 0.5 0 100 0 0 100 0 400\n");
    const ProgramResult prior = outrider_in(folder, "graph prior.g2o --json");
    CHECK(prior.code == 0);
    CHECK(prior.out.find("\"landmarks\": 0, \"sightings\": 0, \"priors\": 1") != std::string::npos);
    CHECK(prior.out.find("\"edges_that_disagree\": 0") != std::string::npos);
}

TEST_CASE("a pose graph takes no more memory than the budget, whatever its lines are") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& line) {
        std::string text = "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 0\n";
        while (text.size() < 700'000) text += line;
        write_text(folder / "in.g2o", text);
        return outrider_in(folder, "graph in.g2o", "OUTRIDER_MEMORY_MB=16");
    };
    const ProgramResult r = run("#\n");  // a line of two bytes is kept in many more
    CHECK(r.code == 2);
    CHECK(r.err.find("in.g2o: refused: its lines of data would take ") != std::string::npos);
    CHECK(r.err.find("set OUTRIDER_MEMORY_MB in the environment to more") != std::string::npos);
    CHECK(run("EDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n").code == 0);
    CHECK(run("FIX 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n").code == 0);  // named often, kept once
    // A small file whose loops cross so much that the factor of its equations is almost full.
    std::string text;
    for (int i = 0; i < 1500; ++i)
        for (const int to : {i + 1, i * 7919 % 1500, i * 104729 % 1499, i * 1299709 % 1493, i * 611953 % 1489})
            if (to < 1500 && to != i) text += fmt::format("EDGE_SE2 {} {} 1 0 0 1 0 0 1 0 1\n", i, to);
    write_text(folder / "crossed.g2o", text);
    const ProgramResult crossed = outrider_in(folder, "graph crossed.g2o", "OUTRIDER_MEMORY_MB=16");
    CHECK(crossed.code == 2);
    CHECK(crossed.err.find("crossed.g2o: refused: its system of equations would take ") != std::string::npos);
}

}  // namespace test_cli_graph
