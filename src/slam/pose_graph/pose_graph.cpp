#include "slam/pose_graph/pose_graph.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <ctime>

#include "base/disjoint_sets.hpp"
#include "outrider/error.hpp"
#include "slam/eigen3.hpp"
#include "slam/pose_graph/block_matrix.hpp"

namespace outrider {
namespace {

constexpr double small_decrease = 1e-10;  // of chi2, as a share: converged
constexpr double least_decrease = 1e-15;
constexpr double most_damping = 1e12;

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// What an edge says of the poses at its ends, and how that changes with them.
struct Residual {
    Eigen::Vector3d error;
    Eigen::Matrix3d by_from, by_to;
};

Eigen::Vector3d error_of(const Pose& from, const Pose& to, const Pose& measured) {
    const Pose seen = compose(inverse(from), to);
    const Point off = into_body(measured, seen.position());
    return {off.x, off.y, wrap_angle(to.yaw - from.yaw - measured.yaw)};
}

Residual residual(const Pose& from, const Pose& to, const Pose& measured) {
    Residual out;
    out.error = error_of(from, to, measured);
    const auto [s, c] = sin_cos(from.yaw + measured.yaw);
    const double dx = to.x - from.x, dy = to.y - from.y;
    out.by_to << c, s, 0, -s, c, 0, 0, 0, 1;
    out.by_from << -c, -s, c * dy - s * dx, s, -c, -c * dx - s * dy, 0, 0, -1;
    return out;
}

/// A landmark is a pose whose heading nothing says: its blocks are as large as those of nodes.
Eigen::Vector3d error_of(const Pose& from, const Pose& landmark, const LandmarkSighting& sighting) {
    const Point off = into_body(from, landmark.position()) - sighting.measured;
    return {off.x, off.y, 0};
}

Residual residual(const Pose& from, const Pose& landmark, const LandmarkSighting& sighting) {
    Residual out;
    out.error = error_of(from, landmark, sighting);
    const auto [s, c] = sin_cos(from.yaw);
    const double dx = landmark.x - from.x, dy = landmark.y - from.y;
    out.by_to << c, s, 0, -s, c, 0, 0, 0, 0;
    out.by_from << -c, -s, c * dy - s * dx, s, -c, -c * dx - s * dy, 0, 0, 0;
    return out;
}

Eigen::Matrix3d information_of(const LandmarkSighting& sighting) {
    const auto& [xx, xy, yy] = sighting.information;
    Eigen::Matrix3d out;
    out << xx, xy, 0, xy, yy, 0, 0, 0, 0;
    return out;
}

/// How much a measured position counts in the linear problem of places.
double weight_of(const PoseGraphEdge& edge) { return (edge.information[0] + edge.information[4]) / 2; }
double weight_of(const PosePrior& prior) { return (prior.information[0] + prior.information[4]) / 2; }
double weight_of(const LandmarkSighting& sighting) { return (sighting.information[0] + sighting.information[2]) / 2; }

/// Nodes, and after them landmarks.
std::vector<Pose> all_poses(const PoseGraph& graph) {
    std::vector<Pose> out = graph.nodes;
    for (const Point& p : graph.landmarks) out.push_back({p.x, p.y, 0});
    return out;
}
int pose_of_landmark(const PoseGraph& graph, int landmark) { return static_cast<int>(graph.nodes.size()) + landmark; }

/// An edge with the squared error s: what it counts, and the weight of its terms.
struct Loss {
    double square;  // c^2; 0: none
    double value(double s) const { return square > 0 ? square * outrider::log(1 + s / square) : s; }
    double weight(double s) const { return square > 0 ? 1 / (1 + s / square) : 1; }
};

/// A graph as a system of equations: which nodes and landmarks are unknown, and where their blocks are.
class System {
  public:
    System(const PoseGraph& graph, const std::vector<std::uint8_t>& fixed)
        : graph_(graph), unknown_(number(fixed)), pattern_(count_, pairs()) {
        for (const PoseGraphEdge& e : graph.edges) places_.emplace_back(place(e.from), place(e.to));
        for (const LandmarkSighting& e : graph.sightings)
            seen_.emplace_back(place(e.from), place(pose_of_landmark(graph, e.landmark)));
    }
    bool empty() const { return count_ == 0; }

    /// The poses with rotations that agree best with the measured ones, and places that follow from these: two linear
    /// problems, so it needs no first guess (Carlone et al., ICRA 2015, compare such starts).
    std::vector<Pose> from_rotations() const {
        std::vector<Pose> out = all_poses(graph_);
        if (empty()) return out;
        find_rotations(out);
        find_places(out);
        return out;
    }

    /// H dx = -b at these poses: fills in both.
    void linearise(const std::vector<Pose>& poses, const Loss& loss, Eigen::SparseMatrix<double>& h,
                   Eigen::VectorXd& b) const {
        std::fill_n(h.valuePtr(), h.nonZeros(), 0.0);
        b.setZero();
        for (std::size_t k = 0; k < graph_.edges.size(); ++k) {
            const PoseGraphEdge& edge = graph_.edges[k];
            const auto [from, to] = places_[k];
            if (from < 0 && to < 0) continue;
            const Residual r = residual(poses[static_cast<std::size_t>(edge.from)],
                                        poses[static_cast<std::size_t>(edge.to)], edge.measured);
            add_both(h, b, from, to, r, eigen(edge.information), loss);
        }
        for (const PosePrior& prior : graph_.priors)
            if (const int p = place(prior.node); p >= 0)
                add_both(h, b, -1, p, residual({}, poses[static_cast<std::size_t>(prior.node)], prior.measured),
                         eigen(prior.information), loss);
        for (std::size_t k = 0; k < graph_.sightings.size(); ++k) {
            const LandmarkSighting& sighting = graph_.sightings[k];
            const auto [from, to] = seen_[k];
            if (from < 0 && to < 0) continue;
            const auto landmark = static_cast<std::size_t>(pose_of_landmark(graph_, sighting.landmark));
            add_both(h, b, from, to,
                     residual(poses[static_cast<std::size_t>(sighting.from)], poses[landmark], sighting),
                     information_of(sighting), loss);
        }
        // What nothing depends on, as the heading of a landmark, stays: 1 x = 0.
        for (int p = 0; p < count_; ++p)
            for (int c = 0; c < 3; ++c)
                if (double& entry = h.valuePtr()[pattern_.diagonal(3, p, c)]; entry == 0) entry = 1;
    }
    Eigen::SparseMatrix<double> zeros() const { return pattern_.zeros<double>(3); }
    std::vector<Pose> moved(std::vector<Pose> poses, const Eigen::VectorXd& step) const {
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const int p = place(static_cast<int>(i));
            if (p < 0) continue;
            poses[i].x += step[3 * p];
            poses[i].y += step[3 * p + 1];
            poses[i].yaw = wrap_angle(poses[i].yaw + step[3 * p + 2]);
        }
        return poses;
    }
    Eigen::Index size() const { return 3 * Eigen::Index{count_}; }

  private:
    std::vector<int> number(const std::vector<std::uint8_t>& fixed) {
        std::vector<int> out(fixed.size(), -1);
        for (std::size_t i = 0; i < fixed.size(); ++i)
            if (!fixed[i]) out[i] = count_++;
        return out;
    }
    std::vector<std::pair<int, int>> pairs() const {
        std::vector<std::pair<int, int>> out;
        for (const PoseGraphEdge& e : graph_.edges) {
            const int a = unknown_[static_cast<std::size_t>(e.from)], b = unknown_[static_cast<std::size_t>(e.to)];
            if (a >= 0 && b >= 0) out.emplace_back(a, b);
        }
        for (const LandmarkSighting& e : graph_.sightings) {
            const int a = unknown_[static_cast<std::size_t>(e.from)],
                      b = unknown_[static_cast<std::size_t>(pose_of_landmark(graph_, e.landmark))];
            if (a >= 0 && b >= 0) out.emplace_back(a, b);
        }
        return out;
    }
    int place(int node) const {
        const int unknown = unknown_[static_cast<std::size_t>(node)];
        return unknown < 0 ? -1 : pattern_.place(unknown);
    }

    void add_both(Eigen::SparseMatrix<double>& h, Eigen::VectorXd& b, int from, int to, const Residual& r,
                  const Eigen::Matrix3d& information, const Loss& loss) const {
        const double s = r.error.dot(information * r.error);
        const Eigen::Matrix3d weighted = loss.weight(s) * information;
        if (from >= 0) add(h, b, from, r.by_from, weighted, r);
        if (to >= 0) add(h, b, to, r.by_to, weighted, r);
        if (from < 0 || to < 0) return;
        const Eigen::Matrix3d cross = r.by_from.transpose() * weighted * r.by_to;  // row from, column to
        const Eigen::Matrix3d below = from > to ? cross : Eigen::Matrix3d(cross.transpose());
        for (int c = 0; c < 3; ++c) {
            const int at = pattern_.below(3, std::max(from, to), std::min(from, to), c);
            for (int row = 0; row < 3; ++row) h.valuePtr()[at + row] += below(row, c);
        }
    }
    void add(Eigen::SparseMatrix<double>& h, Eigen::VectorXd& b, int at, const Eigen::Matrix3d& jacobian,
             const Eigen::Matrix3d& weighted, const Residual& r) const {
        const Eigen::Matrix3d turned = jacobian.transpose() * weighted, block = turned * jacobian;
        for (int c = 0; c < 3; ++c) {
            const int first = pattern_.diagonal(3, at, c);
            for (int row = c; row < 3; ++row) h.valuePtr()[first + row - c] += block(row, c);
        }
        b.segment<3>(3 * at) += turned * r.error;
    }

    /// Unit vectors as complex numbers z: z_to = z_from e^(i yaw) in the sense of least squares; lengths do not matter.
    void find_rotations(std::vector<Pose>& poses) const {
        using Complex = std::complex<double>;
        Eigen::SparseMatrix<Complex> h = pattern_.zeros<Complex>(1);
        Eigen::VectorXcd b = Eigen::VectorXcd::Zero(count_);
        const auto unit = [](double yaw) {
            const auto [s, c] = sin_cos(yaw);
            return Complex(c, s);
        };
        for (std::size_t k = 0; k < graph_.edges.size(); ++k) {
            const PoseGraphEdge& edge = graph_.edges[k];
            const auto [from, to] = places_[k];
            const double w = edge.information[8];
            const Complex turn = unit(edge.measured.yaw);
            if (from >= 0) h.valuePtr()[pattern_.diagonal(1, from, 0)] += w;
            if (to >= 0) h.valuePtr()[pattern_.diagonal(1, to, 0)] += w;
            if (from >= 0 && to >= 0)  // below the diagonal, H(to, from) = -w e^(i yaw), H(from, to) its conjugate
                h.valuePtr()[pattern_.below(1, std::max(from, to), std::min(from, to), 0)] -=
                    w * (to > from ? turn : std::conj(turn));
            else if (to >= 0)
                b[to] += w * turn * unit(poses[static_cast<std::size_t>(edge.from)].yaw);
            else if (from >= 0)
                b[from] += w * std::conj(turn) * unit(poses[static_cast<std::size_t>(edge.to)].yaw);
        }
        for (const PosePrior& prior : graph_.priors)
            if (const int p = place(prior.node); p >= 0) {
                h.valuePtr()[pattern_.diagonal(1, p, 0)] += prior.information[8];
                b[p] += prior.information[8] * unit(prior.measured.yaw);
            }
        for (const int i : unturned()) {
            h.valuePtr()[pattern_.diagonal(1, place(i), 0)] += 1;
            b[place(i)] += unit(poses[static_cast<std::size_t>(i)].yaw);
        }
        Eigen::SimplicialLDLT<Eigen::SparseMatrix<Complex>, Eigen::Lower, Eigen::NaturalOrdering<int>> solver(h);
        if (solver.info() != Eigen::Success) return;
        const Eigen::VectorXcd z = solver.solve(b);
        for (std::size_t i = 0; i < poses.size(); ++i)
            if (const int p = place(static_cast<int>(i)); p >= 0 && std::abs(z[p]) > 0 && std::isfinite(std::abs(z[p])))
                poses[i].yaw = outrider::atan2(z[p].imag(), z[p].real());
    }

    /// With these rotations the measured poses are differences of places.
    void find_places(std::vector<Pose>& poses) const {
        Eigen::SparseMatrix<double> h = pattern_.zeros<double>(1);
        Eigen::MatrixX2d b = Eigen::MatrixX2d::Zero(count_, 2);
        for (std::size_t k = 0; k < graph_.edges.size(); ++k) {
            const PoseGraphEdge& edge = graph_.edges[k];
            const auto [from, to] = places_[k];
            const Pose &start = poses[static_cast<std::size_t>(edge.from)],
                       &end = poses[static_cast<std::size_t>(edge.to)];
            add_offset(h, b, weight_of(edge), from, to, start, end,
                       transform({0, 0, start.yaw}, edge.measured.position()));
        }
        for (const PosePrior& prior : graph_.priors)
            if (const int p = place(prior.node); p >= 0)
                add_offset(h, b, weight_of(prior), -1, p, {}, {}, prior.measured.position());
        for (std::size_t k = 0; k < graph_.sightings.size(); ++k) {
            const LandmarkSighting& sighting = graph_.sightings[k];
            const Pose &start = poses[static_cast<std::size_t>(sighting.from)],
                       &end = poses[static_cast<std::size_t>(pose_of_landmark(graph_, sighting.landmark))];
            add_offset(h, b, weight_of(sighting), seen_[k].first, seen_[k].second, start, end,
                       transform({0, 0, start.yaw}, sighting.measured));
        }
        Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> solver(h);
        if (solver.info() != Eigen::Success) return;
        const Eigen::MatrixX2d found = solver.solve(b);
        if (!found.allFinite()) return;
        for (std::size_t i = 0; i < poses.size(); ++i)
            if (const int p = place(static_cast<int>(i)); p >= 0) {
                poses[i].x = found(p, 0);
                poses[i].y = found(p, 1);
            }
    }

    void add_offset(Eigen::SparseMatrix<double>& h, Eigen::MatrixX2d& b, double w, int from, int to, const Pose& start,
                    const Pose& end, Point offset) const {
        if (from >= 0) {
            h.valuePtr()[pattern_.diagonal(1, from, 0)] += w;
            const Point target = to >= 0 ? Point{} - offset : end.position() - offset;
            b.row(from) += w * Eigen::RowVector2d(target.x, target.y);
        }
        if (to >= 0) {
            h.valuePtr()[pattern_.diagonal(1, to, 0)] += w;
            const Point target = from >= 0 ? offset : start.position() + offset;
            b.row(to) += w * Eigen::RowVector2d(target.x, target.y);
        }
        if (from >= 0 && to >= 0) h.valuePtr()[pattern_.below(1, std::max(from, to), std::min(from, to), 0)] -= w;
    }

    /// Poses whose heading no edge leads to from a fixed node or a prior: landmarks, and the first node of each part
    /// that only landmarks join to others. They keep the heading that they have.
    std::vector<int> unturned() const {
        std::vector<int> out;
        if (graph_.landmarks.empty()) return out;
        DisjointSets parts(unknown_.size());
        for (const PoseGraphEdge& e : graph_.edges) parts.join(e.from, e.to);
        std::vector<std::uint8_t> turned_by(unknown_.size());
        const auto turn = [&](int node) { turned_by[static_cast<std::size_t>(parts.least(node))] = 1; };
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (unknown_[i] < 0) turn(static_cast<int>(i));
        for (const PosePrior& prior : graph_.priors) turn(prior.node);
        for (std::size_t i = 0; i < unknown_.size(); ++i)
            if (parts.least(static_cast<int>(i)) == static_cast<int>(i) && !turned_by[i] && unknown_[i] >= 0)
                out.push_back(static_cast<int>(i));
        return out;
    }

    const PoseGraph& graph_;
    int count_ = 0;
    std::vector<int> unknown_;  // of each node and each landmark; -1: fixed
    BlockPattern pattern_;
    std::vector<std::pair<int, int>> places_;  // of the ends of each edge
    std::vector<std::pair<int, int>> seen_;    // the same of sightings
};

double total(const PoseGraph& graph, const std::vector<Pose>& poses, const Loss& loss) {
    double sum = 0;
    for (const PoseGraphEdge& edge : graph.edges) {
        const Eigen::Vector3d e = error_of(poses[static_cast<std::size_t>(edge.from)],
                                           poses[static_cast<std::size_t>(edge.to)], edge.measured);
        sum += loss.value(e.dot(eigen(edge.information) * e));
    }
    for (const PosePrior& prior : graph.priors) {
        const Eigen::Vector3d e = error_of({}, poses[static_cast<std::size_t>(prior.node)], prior.measured);
        sum += loss.value(e.dot(eigen(prior.information) * e));
    }
    for (const LandmarkSighting& sighting : graph.sightings) {
        const auto landmark = static_cast<std::size_t>(pose_of_landmark(graph, sighting.landmark));
        const Eigen::Vector3d e = error_of(poses[static_cast<std::size_t>(sighting.from)], poses[landmark], sighting);
        sum += loss.value(e.dot(information_of(sighting) * e));
    }
    return sum;
}

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
    Descent(const System& system, const PoseGraph& graph, const Loss& loss, GraphResult& result)
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

    const System& system_;
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
    const System system(graph, fixed);
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
