// Files of pose graphs: they come back as they were, mistakes are refused with their line.
#include <algorithm>
#include <cmath>

#include "helpers.hpp"
#include "pose_graph_helpers.hpp"
#include "slam/pose_graph/g2o.hpp"
#include "slam/pose_graph/spanning_tree.hpp"

using namespace outrider;

namespace test_graph_files {
using namespace pose_graph_helpers;

TEST_CASE("files of g2o come back as they were, with what is not understood") {
    const std::string text =
        "VERTEX_SE2 7 0.1 -2e-3 3\n"
        "# a comment\n"
        "VERTEX_SE2\t40 1 2 -0.5\r\n"
        "\n"
        "EDGE_SE2 40 7 0.25 0.5 1 500 0.5 0 400 0 3000\n"
        "PARAMS_SE2OFFSET 3 1 2 0\n"
        "PARAMS_SE2OFFSET 4 1 2 0\n"
        "FIX 40 7\n";
    const G2oFile file = parse_g2o(text, "a.g2o");
    CHECK(file.ids == std::vector<std::int64_t>{7, 40});
    CHECK(file.graph.nodes[1] == Pose{1, 2, -0.5});
    CHECK(file.graph.fixed == std::vector<std::uint8_t>{1, 1});
    REQUIRE(file.graph.edges.size() == 1);
    CHECK(file.graph.edges[0].from == 1);
    CHECK(file.graph.edges[0].information == Matrix3{500, 0.5, 0, 0.5, 400, 0, 0, 0, 3000});
    CHECK(file.unread == std::map<std::string, int>{{"PARAMS_SE2OFFSET", 2}});
    const std::string written = write_g2o(file);
    CHECK(written ==
          "VERTEX_SE2 7 0.1 -0.002 3\nVERTEX_SE2 40 1 2 -0.5\nFIX 7\nFIX 40\n"
          "EDGE_SE2 40 7 0.25 0.5 1 500 0.5 0 400 0 3000\n# a comment\nPARAMS_SE2OFFSET 3 1 2 0\nPARAMS_SE2OFFSET 4 1 "
          "2 0\n");
    CHECK(write_g2o(parse_g2o(written, "b.g2o")) == written);
}

TEST_CASE("data of a file of g2o belong to the node right before them, and stay where they are") {
    const std::string nodes = "VERTEX_SE2 0 0 0 0\nDATA of 0\nMORE of 0\nVERTEX_SE2 1 1 0 0\n";
    const std::string edge = "EDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n";
    const G2oFile file =
        parse_g2o("ODOM of none\n" + nodes + "# a comment\nFLASER after it\n" + edge + "RLASER late\n", "a");
    CHECK(file.data == std::vector<std::pair<int, std::string>>{{0, "DATA of 0"}, {0, "MORE of 0"}});
    CHECK(file.others == std::vector<std::string>{"ODOM of none", "# a comment", "FLASER after it", "RLASER late"});
    const std::string written = write_g2o(file);
    CHECK(written == nodes + edge + "ODOM of none\n# a comment\nFLASER after it\nRLASER late\n");
    CHECK(write_g2o(parse_g2o(written, "b")) == written);
}

TEST_CASE("words that are not known are refused: what they say would be left out") {
    const std::string node = "VERTEX_SE2 0 0 0 0\n", edge = "EDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n";
    const auto refused = [](const std::string& text, int line, const std::string& word) {
        const std::string what = fmt::format(
            "a.g2o:{}: the word '{}' is not known; expected VERTEX_SE2, VERTEX_XY, EDGE_SE2, EDGE_SE2_XY, "
            "EDGE_PRIOR_SE2, FIX, VERTEX2, EDGE2",
            line, word);
        CHECK_THROWS_WITH_AS(parse_g2o(text, "a.g2o"), what.c_str(), Error);
    };
    for (const char* word : {"VERTEX_SE3:QUAT", "EDGE_SE3:QUAT", "EDGE_BEARING_SE2_XY", "EDGE_PRIOR_SE2_XY", "EQUIV",
                             "VERTEX_S", "EDGE", "VER", "FI"}) {
        refused(node + word + " 0 1 2\n", 2, word);
        refused(edge + word + " 0 1 2", 2, word);
    }
    refused("hello\n", 1, "hello");
    refused(node + edge + "DATA 1\n", 3, "DATA");
    refused(std::string(60, 'A'), 1, std::string(40, 'A'));
    CHECK(parse_g2o(node + "DATA 1\nVERTEX_TAG 3\n", "a.g2o").data.size() == 2);
}

TEST_CASE("a file of g2o that is cut anywhere is refused or read, and what is read is written again") {
    const std::string text =
        "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1.1 0.1 0.05\nROBOTLASER1 0 1 2\nVERTEX_XY 100 1 1.2\nFIX 0\n"
        "EDGE_SE2 0 1 1 0 0 100 0 0 100 0 400\nEDGE_SE2_XY 0 100 1 1 500 0 500\n"
        "EDGE_PRIOR_SE2 1 1 0 0.5 100 1 2 200 3 300\nEDGE2 1 0 -1 0 0 1 0 1 1 0 0\n";
    int refused = 0;
    for (std::size_t n = 0; n < text.size(); ++n) try {
            G2oFile file = parse_g2o(text.substr(0, n), "cut.g2o");
            const std::string written = write_g2o(file);
            CHECK(write_g2o(parse_g2o(written, "again.g2o")) == written);
            CHECK(std::isfinite(optimise(file.graph, {.iterations = 2}).ended));
        } catch (const Error& error) {
            const std::string line = fmt::format("cut.g2o:{}: ", 1 + std::ranges::count(text.substr(0, n), '\n'));
            CHECK(std::string(error.what()).starts_with(line));
            ++refused;
        }
    CHECK(refused > 150);
}

TEST_CASE("landmarks and priors of a file of g2o are read and written") {
    const std::string text =
        "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1.1 0.1 0.05\nVERTEX_SE2 2 2 0.2 0.1\nVERTEX_XY 100 1 1.2\nFIX 0\nFIX 100\n"
        "EDGE_SE2 0 1 1 0 0 100 0 0 100 0 400\nEDGE_SE2 1 2 1 0 0 100 0 0 100 0 400\n"
        "EDGE_SE2_XY 0 100 1 1 500 0 500\nEDGE_SE2_XY 1 100 0 1 500 7 500\n"
        "EDGE_PRIOR_SE2 2 2 0 0.5 100 1 2 200 3 300\n";
    G2oFile file = parse_g2o(text, "a.g2o");
    CHECK(file.unread.empty());
    CHECK(file.landmark_ids == std::vector<std::int64_t>{100});
    CHECK(file.graph.fixed_landmarks == std::vector<std::uint8_t>{1});
    REQUIRE(file.graph.sightings.size() == 2);
    CHECK(file.graph.sightings[1].information == std::array<double, 3>{500, 7, 500});
    REQUIRE(file.graph.priors.size() == 1);
    CHECK(file.graph.priors[0].node == 2);
    CHECK(file.graph.priors[0].information == Matrix3{100, 1, 2, 1, 200, 3, 2, 3, 300});
    CHECK(write_g2o(file) == text);
    // Landmarks begin where they were first seen, where the file has no poses.
    file = parse_g2o(text.substr(text.find("EDGE_SE2 0 1")), "a.g2o");
    CHECK(file.without_poses);
    CHECK(file.graph.nodes == std::vector<Pose>{{}, {1, 0, 0}, {2, 0, 0}});
    CHECK(file.graph.landmarks == std::vector<Point>{{1, 1}});
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"VERTEX_XY 0 1 1\n", "a.g2o:12: node 0 is named twice"},
        {"VERTEX_XY 101 1\n", "a.g2o:12: expected y in metres, got ''"},
        {"EDGE_SE2_XY 0 101 1 1 1 0 1\n", "a.g2o:12: there is no landmark 101 (VERTEX_XY)"},
        {"EDGE_SE2_XY 0 1 1 1 1 0 1\n", "a.g2o:12: there is no landmark 1 (VERTEX_XY)"},
        {"EDGE_SE2_XY 0 0 1 1 1 0 1\n", "a.g2o:12: node 0 sees itself; expected a landmark"},
        {"EDGE_SE2_XY 100 100 1 1 1 0 1\n", "a.g2o:12: node 100 sees itself; expected a landmark"},
        {"EDGE_SE2_XY 0 100 1 1 1 0\n", "a.g2o:12: expected three numbers of the information matrix, got ''"},
        {"EDGE_SE2_XY 0 100 1 1 1 1 1\n", "a.g2o:12: the information matrix is not positive definite"},
        {"EDGE_SE2 0 100 1 1 0 1 0 0 1 0 1\n", "a.g2o:12: there is no node 100"},
        {"EDGE_PRIOR_SE2 100 1 1 0 1 0 0 1 0 1\n", "a.g2o:12: there is no node 100"},
        {"EDGE_PRIOR_SE2 0 1 1 0 1 0 0 1 0\n", "a.g2o:12: expected six numbers of the information matrix, got ''"}};
    for (const auto& [line, what] : mistakes)
        CHECK_THROWS_WITH_AS(parse_g2o(text + line, "a.g2o"), what.c_str(), Error);
    CHECK_THROWS_WITH_AS(parse_g2o("EDGE_PRIOR_SE2 3 0 0 0 1 0 0 1 0 1\nEDGE_SE2_XY 5 3 1 1 1 0 1\n", "a.g2o"),
                         "a.g2o:2: node 3 is seen as a landmark", Error);
}

TEST_CASE("a file of TORO is read, whose information matrix has another order") {
    const std::string text = "VERTEX2 3 0 0 0\nVERTEX2 4 1 0.5 0.25\nEDGE2 3 4 1 0.5 0.25 500 1 400 3000 2 3\nFIX 3\n";
    const G2oFile file = parse_g2o(text, "a.graph");
    REQUIRE(file.graph.edges.size() == 1);
    CHECK(file.graph.edges[0].information == Matrix3{500, 1, 2, 1, 400, 3, 2, 3, 3000});
    CHECK(file.graph.fixed == std::vector<std::uint8_t>{1, 0});
    CHECK(file.unread.empty());
    CHECK(write_g2o(file) ==
          "VERTEX_SE2 3 0 0 0\nVERTEX_SE2 4 1 0.5 0.25\nFIX 3\nEDGE_SE2 3 4 1 0.5 0.25 500 1 2 400 3 3000\n");
    // The chi2 of a graph does not depend on the format that it is kept in.
    Square square = drive(2, 0.05, 10);
    std::string toro;
    for (const PoseGraphEdge& e : square.graph.edges) {
        const Matrix3& m = e.information;
        toro += fmt::format("EDGE2 {} {} {} {} {} {} {} {} {} {} {}\n", e.from, e.to, e.measured.x, e.measured.y,
                            e.measured.yaw, m[0], m[1], m[4], m[8], m[2], m[5]);
    }
    PoseGraph read = parse_g2o(toro, "a.graph").graph;
    read.nodes = square.graph.nodes;
    CHECK(optimise(read, {}).ended == optimise(square.graph, {}).ended);
    CHECK_THROWS_WITH_AS(parse_g2o("EDGE2 3 4 1 0.5 0.25 500 1 400 3000 2\n", "a.graph"),
                         "a.graph:1: expected six numbers of the information matrix, got ''", Error);
}

TEST_CASE("edges alone are enough: they begin along a tree, and end at the same chi2") {
    Square square = drive(3, 0.02, 9);
    G2oFile whole;
    whole.graph = square.graph;
    for (std::size_t i = 0; i < square.truth.size(); ++i) whole.ids.push_back(1000 - 3 * static_cast<std::int64_t>(i));
    const std::string text = write_g2o(whole), edges = text.substr(text.find("EDGE_SE2"));
    G2oFile alone = parse_g2o(edges, "a.g2o");
    CHECK(alone.without_poses);
    CHECK_FALSE(parse_g2o(text, "a.g2o").without_poses);
    CHECK(alone.ids == std::vector<std::int64_t>(whole.ids.rbegin(), whole.ids.rend()));
    CHECK(alone.graph.nodes[0] == Pose{});
    const double given = chi2(alone.graph);
    CHECK(given > 0);
    const GraphResult here = optimise(alone.graph, {.start = GraphStart::file}), there = optimise(whole.graph, {});
    CHECK(here.given == doctest::Approx(given));
    CHECK(here.ended == doctest::Approx(there.ended).epsilon(1e-9));
    // Without noise the tree is the truth, seen from the node with the least number, whichever way edges point.
    square = drive(2, 0, 1);
    for (std::size_t k = 0; k < square.graph.edges.size(); k += 3) {
        PoseGraphEdge& e = square.graph.edges[k];
        std::swap(e.from, e.to);
        e.measured = inverse(e.measured);
    }
    CHECK(farthest(poses_along_tree(square.graph), square.truth) < 1e-9);
}

TEST_CASE("pieces of edges alone each begin at the origin, along the fewest edges") {
    const std::string edge = " 1 0 0 100 0 0 100 0 400\n";
    const G2oFile file = parse_g2o("EDGE_SE2 1 2" + edge + "EDGE_SE2 2 3" + edge + "EDGE_SE2 3 4" + edge +
                                       "EDGE_SE2 1 4" + edge + "EDGE_SE2 9 8" + edge + "FIX 3 3\n",
                                   "a.g2o");
    CHECK(file.ids == std::vector<std::int64_t>{1, 2, 3, 4, 8, 9});
    CHECK(file.graph.nodes == std::vector<Pose>{{}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}, {}, {-1, 0, 0}});
    CHECK(file.graph.fixed == std::vector<std::uint8_t>{0, 0, 1, 0, 0, 0});
    CHECK(parse_g2o("", "a.g2o").graph.nodes.empty());
    CHECK(poses_along_tree({}).empty());
    CHECK_THROWS_WITH_AS(
        parse_g2o("EDGE_SE2 1 2" + edge + "FIX 1\nFIX 2\n", "a.g2o"),
        "a.g2o:3: expected one fixed node, since no line VERTEX_SE2 or VERTEX2 says where it is; got 1 and 2", Error);
    CHECK_THROWS_WITH_AS(parse_g2o("EDGE_SE2 1 2" + edge + "FIX 3\n", "a.g2o"), "a.g2o:2: there is no node 3", Error);
}

TEST_CASE("a file of g2o with a mistake is refused with its line") {
    const std::string two = "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 0\n";
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"VERTEX_SE2 0 1 1 1\n", "a.g2o:3: node 0 is named twice"},
        {"VERTEX_SE2 x 1 1 1\n", "a.g2o:3: expected the number of a node, got 'x'"},
        {"VERTEX_SE2 5 1 nan 1\n", "a.g2o:3: expected y in metres, got 'nan'"},
        {"VERTEX_SE2 5 1 1e200 1\n", "a.g2o:3: expected y in metres, got '1e200'"},
        {"VERTEX_SE2 5 1 -1e13 1\n", "a.g2o:3: expected y in metres of at most 1e+12, got -1e+13"},
        {"VERTEX_SE2 5 inf 1 1\n", "a.g2o:3: expected x in metres, got 'inf'"},
        {"VERTEX_SE2 99999999999999999999 1 1 1\n",
         "a.g2o:3: expected the number of a node, got '99999999999999999999'"},
        {"EDGE_SE2 0 1 1 0 0 1 0 0 1 0 nan\n", "a.g2o:3: expected six numbers of the information matrix, got 'nan'"},
        {"EDGE_SE2 0 1 1 0 0 1 0 0 1 0 1 4\n", "a.g2o:3: expected the end of the line, got '4'"},
        {"VERTEX_SE2 5 1 1\n", "a.g2o:3: expected an angle in radians, got ''"},
        {"VERTEX_SE2 5 1 1 0 9\n", "a.g2o:3: expected the end of the line, got '9'"},
        {"EDGE_SE2 0 9 1 0 0 1 0 0 1 0 1\n", "a.g2o:3: there is no node 9"},
        {"EDGE_SE2 1 1 1 0 0 1 0 0 1 0 1\n", "a.g2o:3: an edge from node 1 to itself"},
        {"EDGE_SE2 0 1 1 0 0 1 0 0 1 0\n", "a.g2o:3: expected six numbers of the information matrix, got ''"},
        {"EDGE_SE2 0 1 1 0 0 1 2 0 1 0 1\n", "a.g2o:3: the information matrix is not positive definite"},
        {"EDGE_SE2 0 1 1 0 0 0 0 0 0 0 0\n", "a.g2o:3: the information matrix is not positive definite"},
        {"FIX 3\n", "a.g2o:3: there is no node 3"},
        {"FIX\n", "a.g2o:3: expected the number of a node, got ''"}};
    for (const auto& [line, text] : mistakes) CHECK_THROWS_WITH_AS(parse_g2o(two + line, "a.g2o"), text.c_str(), Error);
}

}  // namespace test_graph_files
