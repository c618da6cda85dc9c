// Pose graphs: the poses found are those of a known truth, or a minimum of chi2.
#include <algorithm>
#include <cmath>

#include "helpers.hpp"
#include "outrider/error.hpp"
#include "pose_graph_helpers.hpp"
#include "slam/pose_graph/g2o.hpp"
#include "slam/pose_graph/graph_cost.hpp"
#include "slam/pose_graph/spanning_tree.hpp"

using namespace outrider;

namespace test_pose_graph {
using namespace pose_graph_helpers;
namespace {

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

/// Chi2 of a graph from its definition, and its minimum by Levenberg and Marquardt with dense matrices and slopes from
/// differences: slow, short, and nothing in common with what it is compared with.
class DenseSolver {
  public:
    explicit DenseSolver(const PoseGraph& graph) : graph_(graph) {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            for (const double v : {graph.nodes[i].x, graph.nodes[i].y, graph.nodes[i].yaw})
                add(v, i < graph.fixed.size() && graph.fixed[i]);
        for (std::size_t i = 0; i < graph.landmarks.size(); ++i)
            for (const double v : {graph.landmarks[i].x, graph.landmarks[i].y})
                add(v, i < graph.fixed_landmarks.size() && graph.fixed_landmarks[i]);
    }

    double chi2() const { return sum(errors(values_)); }

    double minimise() {
        double damping = 1e-6, now = chi2();
        for (int k = 0; k < 200; ++k) {
            const std::vector<double> e = errors(values_);
            const std::size_t n = free_.size();
            std::vector<std::vector<double>> slopes;  // of e, by unknown
            for (const std::size_t u : free_) {
                std::vector<double> more = values_, less = values_;
                more[u] += 1e-6;
                less[u] -= 1e-6;
                more = errors(more);
                less = errors(less);
                for (std::size_t i = 0; i < e.size(); ++i) more[i] = (more[i] - less[i]) / 2e-6;
                slopes.push_back(more);
            }
            std::vector<std::vector<double>> a(n, std::vector<double>(n + 1));
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) a[i][j] = product(slopes[i], slopes[j]);
                a[i][i] *= 1 + damping;
                a[i][n] = -product(slopes[i], e);
            }
            const std::vector<double> step = solve(a), before = values_;
            for (std::size_t i = 0; i < n; ++i) values_[free_[i]] += step[i];
            const double then = chi2();
            if (then <= now) {
                damping = std::max(damping / 10, 1e-12);
                now = then;
            } else {
                values_ = before;
                damping *= 10;
            }
        }
        return now;
    }
    const std::vector<double>& values() const { return values_; }

  private:
    void add(double value, bool fixed) {
        if (!fixed) free_.push_back(values_.size());
        values_.push_back(value);
    }
    static double product(const std::vector<double>& a, const std::vector<double>& b) {
        double out = 0;
        for (std::size_t i = 0; i < a.size(); ++i) out += a[i] * b[i];
        return out;
    }
    static double sum(const std::vector<double>& e) { return product(e, e); }
    /// By elimination with the largest pivot; a holds the right side in its last column.
    static std::vector<double> solve(std::vector<std::vector<double>> a) {
        const std::size_t n = a.size();
        for (std::size_t c = 0; c < n; ++c) {
            std::size_t best = c;
            for (std::size_t r = c; r < n; ++r)
                if (std::abs(a[r][c]) > std::abs(a[best][c])) best = r;
            std::swap(a[c], a[best]);
            for (std::size_t r = 0; r < n; ++r)
                if (r != c)
                    for (std::size_t k = n + 1; k-- > c;) a[r][k] -= a[r][c] / a[c][c] * a[c][k];
        }
        std::vector<double> out;
        for (std::size_t i = 0; i < n; ++i) out.push_back(a[i][n] / a[i][i]);
        return out;
    }
    /// Rows of the upper triangular square root of the information matrix times e.
    static void whiten(std::vector<double> e, const std::vector<double>& information, std::vector<double>& out) {
        const std::size_t n = e.size();
        std::vector<double> l(n * n);  // lower, L L' = information
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t c = 0; c <= r; ++c) {
                double left = information[r * n + c];
                for (std::size_t k = 0; k < c; ++k) left -= l[r * n + k] * l[c * n + k];
                l[r * n + c] = r == c ? std::sqrt(left) : left / l[c * n + c];
            }
        for (std::size_t c = 0; c < n; ++c) {
            double value = 0;
            for (std::size_t r = c; r < n; ++r) value += l[r * n + c] * e[r];
            out.push_back(value);
        }
    }
    /// (x, y) seen from a pose.
    static std::vector<double> seen(double x, double y, const double* pose) {
        const double dx = x - pose[0], dy = y - pose[1], c = std::cos(pose[2]), s = std::sin(pose[2]);
        return {c * dx + s * dy, -s * dx + c * dy};
    }
    static void add_pose_error(const double* from, const double* to, const Pose& m, const Matrix3& information,
                               std::vector<double>& out) {
        const double measured[]{m.x, m.y, m.yaw};
        const std::vector<double> there = seen(to[0], to[1], from);
        std::vector<double> e = seen(there[0], there[1], measured);
        e.push_back(std::remainder(to[2] - from[2] - m.yaw, 2 * pi));
        whiten(e, {information.begin(), information.end()}, out);
    }
    std::vector<double> errors(const std::vector<double>& v) const {
        std::vector<double> out;
        const auto node = [&](int i) { return &v[3 * static_cast<std::size_t>(i)]; };
        for (const PoseGraphEdge& e : graph_.edges)
            add_pose_error(node(e.from), node(e.to), e.measured, e.information, out);
        const double origin[3]{};
        for (const PosePrior& p : graph_.priors) add_pose_error(origin, node(p.node), p.measured, p.information, out);
        for (const LandmarkSighting& s : graph_.sightings) {
            const double* at = &v[3 * graph_.nodes.size() + 2 * static_cast<std::size_t>(s.landmark)];
            std::vector<double> e = seen(at[0], at[1], node(s.from));
            e[0] -= s.measured.x;
            e[1] -= s.measured.y;
            whiten(e, {s.information[0], s.information[1], s.information[1], s.information[2]}, out);
        }
        return out;
    }

    const PoseGraph& graph_;
    std::vector<double> values_;
    std::vector<std::size_t> free_;
};

/// A drive round a square with landmarks beside it, which are seen from near, and noise in all that is measured.
Square drive_with_landmarks(std::uint64_t seed, bool edges, double reach_m) {
    Square out = drive(1, 0.05, seed);
    Rng rng(seed, 1, Purpose::placement, 0);
    if (!edges) out.graph.edges.clear();
    out.graph.landmarks = {{2, 3}, {8, 2}, {12, 7}, {5, 5}, {3, 12}, {-2, 6}};
    for (std::size_t i = 0; i < out.truth.size(); ++i)
        for (std::size_t l = 0; l < out.graph.landmarks.size(); ++l) {
            const Point seen = into_body(out.truth[i], out.graph.landmarks[l]);
            if (distance({}, seen) < reach_m)
                out.graph.sightings.push_back({static_cast<int>(i),
                                               static_cast<int>(l),
                                               seen + Point{0.05 * rng.normal(), 0.05 * rng.normal()},
                                               {300, 40, 500}});
        }
    for (Point& p : out.graph.landmarks) p = p + Point{rng.uniform(-1, 1), rng.uniform(-1, 1)};
    for (std::size_t i = 1; i < out.graph.nodes.size(); ++i)
        out.graph.nodes[i] = compose(out.graph.nodes[i], {0.2 * rng.normal(), 0.2 * rng.normal(), 0.1 * rng.normal()});
    return out;
}

void expect_minimum(PoseGraph graph) {
    PoseGraph held = graph;  // by its first node where nothing else holds it
    if (graph.priors.empty() && std::ranges::count(graph.fixed_landmarks, 1) == 0 &&
        std::ranges::count(graph.fixed, 1) == 0) {
        held.fixed.resize(graph.nodes.size());
        held.fixed[0] = 1;
    }
    DenseSolver dense(held);
    CHECK(chi2(graph) == doctest::Approx(dense.chi2()).epsilon(1e-12));
    const double least = dense.minimise();
    for (const GraphStart start : {GraphStart::file, GraphStart::rotations}) {
        PoseGraph found = graph;
        const GraphResult r = optimise(found, {.start = start});
        CHECK(r.converged);
        CHECK(r.ended == doctest::Approx(least).epsilon(1e-9));
        CHECK(chi2(found) == doctest::Approx(r.ended).epsilon(1e-12));
        for (std::size_t i = 0; i < found.nodes.size(); ++i) {
            const double* v = &dense.values()[3 * i];
            CHECK(distance(found.nodes[i].position(), {v[0], v[1]}) < 1e-4);
            CHECK(std::abs(wrap_angle(found.nodes[i].yaw - v[2])) < 1e-4);
        }
        for (std::size_t l = 0; l < found.landmarks.size(); ++l) {
            const double* v = &dense.values()[3 * found.nodes.size() + 2 * l];
            CHECK(distance(found.landmarks[l], {v[0], v[1]}) < 1e-4);
        }
    }
}

TEST_CASE("landmarks and priors count: the minimum is that of a dense solver") {
    const PoseGraph seen = drive_with_landmarks(1, true, 6).graph;
    SUBCASE("edges and landmarks") { expect_minimum(seen); }
    SUBCASE("landmarks alone") { expect_minimum(drive_with_landmarks(2, false, 10).graph); }
    SUBCASE("priors that do not agree") {
        PoseGraph graph = seen;
        graph.priors = {{0, {1, 2, 0.5}, precise}, {17, {11.5, 8, 2.2}, precise}, {30, {1, 11, -2.5}, precise}};
        expect_minimum(graph);
        graph.landmarks.clear();
        graph.sightings.clear();
        expect_minimum(graph);
    }
    SUBCASE("fixed landmarks and nodes") {
        PoseGraph graph = seen;
        graph.fixed_landmarks = {1, 0, 0, 1};
        expect_minimum(graph);
        graph.fixed = {0, 0, 0, 1};
        expect_minimum(graph);
    }
    SUBCASE("one fixed landmark leaves the heading of all open") {
        PoseGraph graph = seen, free = seen;
        graph.fixed_landmarks = {1};
        const GraphResult r = optimise(graph, {});
        CHECK(r.converged);
        CHECK(r.ended == doctest::Approx(optimise(free, {}).ended).epsilon(1e-6));
        CHECK(graph.landmarks[0] == seen.landmarks[0]);
    }
    SUBCASE("with a Cauchy loss a wrong sighting and a wrong prior do little harm") {
        Square square = drive_with_landmarks(3, true, 6);
        square.graph.sightings[3].measured.x += 30;
        square.graph.priors = {{0, {}, precise}, {20, {-40, 3, 1}, precise}};
        const auto off = [&](double cauchy) {
            PoseGraph graph = square.graph;
            GraphOptions options;
            options.cauchy = cauchy;
            optimise(graph, options);
            return farthest(graph.nodes, square.truth);
        };
        CHECK(off(0) > 2);
        CHECK(off(1) < 0.5);
    }
}

TEST_CASE("what a graph does not determine stays finite") {
    PoseGraph graph;
    graph.nodes = {{0, 0, 0}, {3, 3, 1}, {9, 9, 2}};
    graph.landmarks = {{1, 1}, {7, 7}};  // the second one is never seen; the last node measures nothing
    graph.sightings = {{0, 0, {2, 0}, {1, 0, 1}}, {1, 0, {0, 0}, {1, 0, 1}}};
    const GraphResult r = optimise(graph, {});
    CHECK(r.pieces == 3);
    CHECK(r.ended < 1e-12);
    CHECK(distance(graph.landmarks[0], {2, 0}) < 1e-6);
    CHECK(distance(graph.nodes[1].position(), {2, 0}) < 1e-6);
    CHECK(graph.landmarks[1] == Point{7, 7});
    CHECK(graph.nodes[2] == Pose{9, 9, 2});
}

}  // namespace
TEST_CASE("a graph whose loops cross too much to be solved in seconds is refused with what it would cost") {
    const auto graph_of = [](int n, int reach) {
        PoseGraph graph;
        graph.nodes.resize(static_cast<std::size_t>(n));
        for (int a = 0; a < n; ++a)
            for (int b = std::max(0, a - reach); b < a; ++b)
                graph.edges.push_back({b, a, {}, {1, 0, 0, 0, 1, 0, 0, 0, 1}});
        return graph;
    };
    CHECK_NOTHROW(expect_affordable_graph(graph_of(300, 300), "g.g2o"));
    CHECK_NOTHROW(expect_affordable_graph(graph_of(20000, 3), "g.g2o"));
    // All to all: the column of node k has k blocks below it, so 1 + 3 + 6 + ... = (n - 1) n (n + 1) / 6 products.
    CHECK_THROWS_WITH_AS(expect_affordable_graph(graph_of(700, 700), "g.g2o"),
                         doctest::Contains("g.g2o: its 244650 edges cross so much that to solve its equations once "
                                           "takes 57166550 products"),
                         Error);
}

}  // namespace test_pose_graph
