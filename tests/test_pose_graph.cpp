// Pose graphs: the poses found are those of a known truth, or a minimum of chi2; files come back as they were.
#include <cmath>

#include "helpers.hpp"
#include "slam/pose_graph/g2o.hpp"
#include "slam/pose_graph/spanning_tree.hpp"

using namespace outrider;

namespace test_pose_graph {
namespace {

constexpr Matrix3 precise{400, 20, 0, 20, 300, 10, 0, 10, 5000};

/// A robot that drives round a square several times, and sees on each round after the first where it was before.
struct Square {
    PoseGraph graph;
    std::vector<Pose> truth;
};

Square drive(int rounds, double noise, std::uint64_t seed) {
    Square out;
    Rng rng(seed, 0, Purpose::placement, 0);
    constexpr int around = 40;
    for (int i = 0; i < rounds * around; ++i) {
        const int side = i % around / 10, along = i % 10;
        const Point corners[]{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
        const auto [s, c] = sin_cos(side * pi / 2);
        out.truth.push_back({corners[side].x + along * c, corners[side].y + along * s, wrap_angle(side * pi / 2)});
    }
    const auto measure = [&](int from, int to) {
        Pose seen =
            compose(inverse(out.truth[static_cast<std::size_t>(from)]), out.truth[static_cast<std::size_t>(to)]);
        seen.x += noise * rng.normal();
        seen.y += noise * rng.normal();
        seen.yaw = wrap_angle(seen.yaw + noise / 4 * rng.normal());
        out.graph.edges.push_back({from, to, seen, precise});
    };
    for (int i = 1; i < rounds * around; ++i) measure(i - 1, i);
    for (int i = around; i < rounds * around; i += 3) measure(i, i - around);
    out.graph.nodes = out.truth;
    return out;
}

double farthest(const std::vector<Pose>& a, const std::vector<Pose>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, distance(a[i].position(), b[i].position()));
    return most;
}

/// All nodes but the first somewhere else.
void scatter(PoseGraph& graph, double by_m, std::uint64_t seed) {
    Rng rng(seed, 0, Purpose::placement, 0);
    for (std::size_t i = 1; i < graph.nodes.size(); ++i)
        graph.nodes[i] = {rng.uniform(-by_m, by_m), rng.uniform(-by_m, by_m), rng.uniform(-pi, pi)};
}

TEST_CASE("without noise the truth is found, also from poses that say nothing") {
    Square square = drive(3, 0, 1);
    scatter(square.graph, 50, 2);
    const GraphResult r = optimise(square.graph, {});
    CHECK(r.given > 1000);
    CHECK(r.from_rotations);
    CHECK(r.converged);
    CHECK(r.ended < 1e-12);
    CHECK(r.pieces == 1);
    CHECK(farthest(square.graph.nodes, square.truth) < 1e-6);
}

TEST_CASE("what is found is a minimum: chi2 grows whatever is moved") {
    for (const double cauchy : {0.0, 2.0}) {
        Square square = drive(3, 0.05, 3);
        scatter(square.graph, 5, 4);
        GraphOptions options;
        options.cauchy = cauchy;
        const GraphResult r = optimise(square.graph, options);
        CHECK(r.converged);
        const auto cost = [&](const PoseGraph& graph) {
            if (cauchy == 0) return chi2(graph);
            double sum = 0;
            for (const PoseGraphEdge& e : graph.edges)
                sum += cauchy * cauchy * std::log(1 + squared_error(graph, e) / (cauchy * cauchy));
            return sum;
        };
        const double least = cost(square.graph);
        CHECK(r.ended == doctest::Approx(least));
        const double slope = 1e-4;  // a minimum has none; a step of h changes it by less than curvature x h^2
        for (std::size_t i = 1; i < square.graph.nodes.size(); i += 7)
            for (double Pose::*number : {&Pose::x, &Pose::y, &Pose::yaw})
                for (const double h : {1e-4, -1e-4}) {
                    PoseGraph moved = square.graph;
                    moved.nodes[i].*number += h;
                    CHECK(cost(moved) >= least);
                    CHECK(cost(moved) - least < std::abs(h) * slope + 2e5 * h * h);
                }
        CHECK(farthest(square.graph.nodes, square.truth) < 1);
    }
}

TEST_CASE("squared errors are those of the definition") {
    PoseGraph graph;
    graph.nodes = {{1, 2, 0.3}, {4, -1, 2.0}};
    const Pose measured{0.5, -2, 1.5};
    graph.edges = {{0, 1, measured, precise}};
    const Pose e = compose(inverse(measured), compose(inverse(graph.nodes[0]), graph.nodes[1]));
    const double v[]{e.x, e.y, e.yaw};
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) sum += v[i] * precise[3 * i + j] * v[j];
    CHECK(squared_error(graph, graph.edges[0]) == doctest::Approx(sum));
    CHECK(chi2(graph) == doctest::Approx(sum));
}

TEST_CASE("with a Cauchy loss wrong loops do little harm") {
    const auto with_wrong_loops = [](double cauchy) {
        Square square = drive(3, 0.02, 5);
        Rng rng(6, 0, Purpose::placement, 0);
        for (int k = 0; k < 6; ++k)
            square.graph.edges.push_back({10 * k, 119 - 13 * k, {rng.uniform(-3, 3), 5, rng.uniform(-3, 3)}, precise});
        GraphOptions options;
        options.cauchy = cauchy;
        optimise(square.graph, options);
        return farthest(square.graph.nodes, square.truth);
    };
    CHECK(with_wrong_loops(0) > 1);
    CHECK(with_wrong_loops(1) < 0.3);
}

TEST_CASE("fixed nodes stay, and of a piece without any the first one") {
    Square square = drive(2, 0.05, 7);
    PoseGraph& graph = square.graph;
    const auto n = static_cast<int>(graph.nodes.size());
    graph.fixed.assign(static_cast<std::size_t>(n), 0);
    graph.fixed[5] = graph.fixed[30] = 1;
    for (int i = 0; i < 3; ++i) graph.nodes.push_back({100.0 + i, 1, 0});  // a piece of its own
    graph.fixed.resize(graph.nodes.size());
    graph.edges.push_back({n, n + 1, {2, 0, 0}, precise});
    graph.edges.push_back({n + 1, n + 2, {2, 0, 0}, precise});
    graph.nodes.push_back({7, 7, 7e-3});  // and a node without any edge
    graph.fixed.push_back(0);
    const std::vector<Pose> before = graph.nodes;
    const GraphResult r = optimise(graph, {});
    CHECK(r.converged);
    CHECK(r.pieces == 3);
    for (const int i : {5, 30, n, n + 3})
        CHECK(graph.nodes[static_cast<std::size_t>(i)] == before[static_cast<std::size_t>(i)]);
    CHECK(graph.nodes[0] != before[0]);
    CHECK(graph.nodes[static_cast<std::size_t>(n) + 2].x == doctest::Approx(104));
    PoseGraph alone;
    alone.nodes = {{1, 2, 3}};
    CHECK(optimise(alone, {}).converged);
    CHECK(alone.nodes[0] == Pose{1, 2, 3});
}

TEST_CASE("the same graph gives the same bits") {
    PoseGraph first = drive(3, 0.05, 8).graph, second = first;
    optimise(first, {});
    optimise(second, {});
    CHECK(first.nodes == second.nodes);
}

TEST_CASE("files of g2o come back as they were, with what is not understood") {
    const std::string text =
        "VERTEX_SE2 7 0.1 -2e-3 3\n"
        "# a comment\n"
        "VERTEX_SE2\t40 1 2 -0.5\r\n"
        "\n"
        "EDGE_SE2 40 7 0.25 0.5 1 500 0.5 0 400 0 3000\n"
        "VERTEX_XY 3 1 2\n"
        "VERTEX_XY 4 1 2\n"
        "FIX 40 7\n";
    const G2oFile file = parse_g2o(text, "a.g2o");
    CHECK(file.ids == std::vector<std::int64_t>{7, 40});
    CHECK(file.graph.nodes[1] == Pose{1, 2, -0.5});
    CHECK(file.graph.fixed == std::vector<std::uint8_t>{1, 1});
    REQUIRE(file.graph.edges.size() == 1);
    CHECK(file.graph.edges[0].from == 1);
    CHECK(file.graph.edges[0].information == Matrix3{500, 0.5, 0, 0.5, 400, 0, 0, 0, 3000});
    CHECK(file.unread == std::map<std::string, int>{{"VERTEX_XY", 2}});
    const std::string written = write_g2o(file);
    CHECK(written ==
          "VERTEX_SE2 7 0.1 -0.002 3\nVERTEX_SE2 40 1 2 -0.5\nFIX 7\nFIX 40\n"
          "EDGE_SE2 40 7 0.25 0.5 1 500 0.5 0 400 0 3000\n# a comment\nVERTEX_XY 3 1 2\nVERTEX_XY 4 1 2\n");
    CHECK(write_g2o(parse_g2o(written, "b.g2o")) == written);
}

TEST_CASE("data of a file of g2o belong to the node right before them, and stay where they are") {
    const std::string nodes = "VERTEX_SE2 0 0 0 0\nDATA of 0\nMORE of 0\nVERTEX_SE2 1 1 0 0\n";
    const std::string edge = "EDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n";
    const G2oFile file =
        parse_g2o("DATA of none\n" + nodes + "# a comment\nDATA after it\n" + edge + "DATA late\n", "a");
    CHECK(file.data == std::vector<std::pair<int, std::string>>{{0, "DATA of 0"}, {0, "MORE of 0"}});
    CHECK(file.others == std::vector<std::string>{"DATA of none", "# a comment", "DATA after it", "DATA late"});
    const std::string written = write_g2o(file);
    CHECK(written == nodes + edge + "DATA of none\n# a comment\nDATA after it\nDATA late\n");
    CHECK(write_g2o(parse_g2o(written, "b")) == written);
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

}  // namespace
}  // namespace test_pose_graph
