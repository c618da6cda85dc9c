#include "slam/pose_graph/pose_graph.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/disjoint_sets.hpp"
#include "outrider/error.hpp"
#include "slam/eigen3.hpp"
#include "slam/pose_graph/graph_system.hpp"

namespace outrider {
namespace {

constexpr double small_decrease = 1e-10;  // of chi2, as a share: converged
constexpr double least_decrease = 1e-15;
constexpr double most_damping = 1e12;

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Which nodes and landmarks stay: those that are fixed, and the first node of each piece that nothing holds in the
/// frame of the map. Returns the number of pieces.
int anchor(const PoseGraph& graph, std::vector<std::uint8_t>& fixed) {
    DisjointSets pieces_of(fixed.size());
    for (const PoseGraphEdge& e : graph.edges) pieces_of.join(e.from, e.to);
    for (const LandmarkSighting& e : graph.sightings) pieces_of.join(e.from, pose_of_landmark(graph, e.landmark));
    std::vector<std::uint8_t> anchored(fixed.size());
    const auto hold = [&](int i) { anchored[static_cast<std::size_t>(pieces_of.least(i))] = 1; };
    for (std::size_t i = 0; i < fixed.size(); ++i)
        if (fixed[i]) hold(static_cast<int>(i));
    for (const PosePrior& prior : graph.priors) hold(prior.node);
    int pieces = 0;
    for (std::size_t i = 0; i < fixed.size(); ++i)
        if (pieces_of.least(static_cast<int>(i)) == static_cast<int>(i)) {
            ++pieces;
            if (!anchored[i]) fixed[i] = 1;
        }
    return pieces;
}

/// Ends of edges and the like are nodes and landmarks that are there.
void expect_ends(const PoseGraph& graph) {
    const auto expect = [](int i, std::size_t count) {
        OUTRIDER_CHECK(i, >=, 0);
        OUTRIDER_CHECK(i, <, static_cast<std::ptrdiff_t>(count));
    };
    for (const PoseGraphEdge& e : graph.edges)
        for (const int end : {e.from, e.to}) expect(end, graph.nodes.size());
    for (const PosePrior& prior : graph.priors) expect(prior.node, graph.nodes.size());
    for (const LandmarkSighting& e : graph.sightings) {
        expect(e.from, graph.nodes.size());
        expect(e.landmark, graph.landmarks.size());
    }
}

/// Levenberg and Marquardt, without damping as long as every step is one down.
class Descent {
  public:
    Descent(const GraphSystem& system, const PoseGraph& graph, const Loss& loss, GraphResult& result)
        : system_(system), graph_(graph), loss_(loss), result_(result), h_(system.zeros()), b_(system.size()) {
        solver_.analyzePattern(h_);
    }

    void run(std::vector<Pose>& poses, int iterations) {
        double damping = 0, now = result_.begun;
        for (; result_.iterations < iterations && !result_.converged; ++result_.iterations) {
            system_.linearise(poses, loss_, h_, b_);
            for (bool down = false; !down;) {
                const Eigen::VectorXd whole = step(damping);
                for (const double part : {1.0, 0.5, 0.25, 0.125}) {
                    if (!whole.allFinite()) break;
                    std::vector<Pose> next = system_.moved(poses, part * whole);
                    const double then = total(graph_, next, loss_);
                    down = then <= now;
                    if (!down) continue;
                    result_.converged = now - then <= small_decrease * now + least_decrease;
                    poses = std::move(next);
                    now = then;
                    damping = damping > 1e-6 ? damping / 10 : 0;
                    break;
                }
                if (!down && (damping = std::max(damping * 10, 1e-4)) > most_damping) {
                    result_.converged = true;  // no step is one down
                    break;
                }
            }
        }
        result_.ended = now;
    }

  private:
    /// An error in the matrix, as from numbers that overflow, gives no step: the caller then damps more.
    Eigen::VectorXd step(double damping) {
        Eigen::SparseMatrix<double>* matrix = &h_;
        if (damping > 0) {
            damped_ = h_;
            for (Eigen::Index i = 0; i < system_.size(); ++i) damped_.coeffRef(i, i) *= 1 + damping;
            matrix = &damped_;
        }
        const double begun = cpu_s();
        solver_.factorize(*matrix);
        result_.factorising_s += cpu_s() - begun;
        ++result_.factorisations;
        if (solver_.info() != Eigen::Success) return Eigen::VectorXd::Constant(system_.size(), std::nan(""));
        return solver_.solve(-b_);
    }

    const GraphSystem& system_;
    const PoseGraph& graph_;
    const Loss loss_;
    GraphResult& result_;
    Eigen::SparseMatrix<double> h_, damped_;
    Eigen::VectorXd b_;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> solver_;
};

}  // namespace

double squared_error(const PoseGraph& graph, const PoseGraphEdge& edge) {
    const Eigen::Vector3d e = error_of(graph.nodes[static_cast<std::size_t>(edge.from)],
                                       graph.nodes[static_cast<std::size_t>(edge.to)], edge.measured);
    return e.dot(eigen(edge.information) * e);
}

double squared_error(const PoseGraph& graph, const LandmarkSighting& sighting) {
    const Point landmark = graph.landmarks[static_cast<std::size_t>(sighting.landmark)];
    const Eigen::Vector3d e =
        error_of(graph.nodes[static_cast<std::size_t>(sighting.from)], {landmark.x, landmark.y, 0}, sighting);
    return e.dot(information_of(sighting) * e);
}

double squared_error(const PoseGraph& graph, const PosePrior& prior) {
    const Eigen::Vector3d e = error_of({}, graph.nodes[static_cast<std::size_t>(prior.node)], prior.measured);
    return e.dot(eigen(prior.information) * e);
}

double chi2(const PoseGraph& graph) { return total(graph, all_poses(graph), {0}); }

GraphResult optimise(PoseGraph& graph, const GraphOptions& options) {
    const double begun = cpu_s();
    expect_ends(graph);
    GraphResult result;
    std::vector<std::uint8_t> fixed = graph.fixed;
    fixed.resize(graph.nodes.size());
    fixed.insert(fixed.end(), graph.fixed_landmarks.begin(), graph.fixed_landmarks.end());
    fixed.resize(graph.nodes.size() + graph.landmarks.size());
    result.pieces = anchor(graph, fixed);
    const Loss loss{options.cauchy * options.cauchy};
    const GraphSystem system(graph, fixed);
    std::vector<Pose> poses = all_poses(graph);
    result.given = result.begun = total(graph, poses, loss);
    if (options.start != GraphStart::file) {
        std::vector<Pose> start = system.from_rotations();
        const double cost = total(graph, start, loss);
        result.from_rotations = options.start == GraphStart::rotations || cost < result.given;
        if (result.from_rotations) {
            poses = std::move(start);
            result.begun = cost;
        }
    }
    if (system.empty()) {
        result.ended = result.begun;
        result.converged = true;
    } else {
        Descent(system, graph, loss, result).run(poses, options.iterations);
    }
    for (std::size_t i = 0; i < graph.landmarks.size(); ++i)
        graph.landmarks[i] = poses[graph.nodes.size() + i].position();
    poses.resize(graph.nodes.size());
    graph.nodes = std::move(poses);
    if (result.factorisations > 0) result.factorising_s /= result.factorisations;
    result.all_s = cpu_s() - begun;
    return result;
}

}  // namespace outrider
