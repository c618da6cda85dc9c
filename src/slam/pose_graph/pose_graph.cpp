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

/// An edge with the squared error s: what it counts, and the weight of its terms.
struct Loss {
    double square;  // c^2; 0: none
    double value(double s) const { return square > 0 ? square * outrider::log(1 + s / square) : s; }
    double weight(double s) const { return square > 0 ? 1 / (1 + s / square) : 1; }
};

/// A graph as a system of equations: which nodes are unknown, and where their blocks are.
class System {
  public:
    System(const PoseGraph& graph, const std::vector<std::uint8_t>& fixed)
        : graph_(graph), unknown_(number(fixed)), pattern_(count_, pairs()) {
        for (const PoseGraphEdge& e : graph.edges) places_.emplace_back(place(e.from), place(e.to));
    }
    bool empty() const { return count_ == 0; }

    /// The poses with rotations that agree best with the measured ones, and places that follow from these: two linear
    /// problems, so it needs no first guess (Carlone et al., ICRA 2015, compare such starts).
    std::vector<Pose> from_rotations() const {
        std::vector<Pose> out = graph_.nodes;
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
            const Eigen::Matrix3d information = eigen(edge.information);
            const double s = r.error.dot(information * r.error);
            const Eigen::Matrix3d weighted = loss.weight(s) * information;
            if (from >= 0) add(h, b, from, r.by_from, weighted, r);
            if (to >= 0) add(h, b, to, r.by_to, weighted, r);
            if (from < 0 || to < 0) continue;
            const Eigen::Matrix3d cross = r.by_from.transpose() * weighted * r.by_to;  // row from, column to
            const Eigen::Matrix3d below = from > to ? cross : Eigen::Matrix3d(cross.transpose());
            for (int c = 0; c < 3; ++c) {
                const int at = pattern_.below(3, std::max(from, to), std::min(from, to), c);
                for (int row = 0; row < 3; ++row) h.valuePtr()[at + row] += below(row, c);
            }
        }
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
        return out;
    }
    int place(int node) const {
        const int unknown = unknown_[static_cast<std::size_t>(node)];
        return unknown < 0 ? -1 : pattern_.place(unknown);
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
            const double w = (edge.information[0] + edge.information[4]) / 2;
            const Point way = transform({0, 0, start.yaw}, edge.measured.position());
            if (from >= 0) {
                h.valuePtr()[pattern_.diagonal(1, from, 0)] += w;
                const Point target = to >= 0 ? Point{} - way : end.position() - way;
                b.row(from) += w * Eigen::RowVector2d(target.x, target.y);
            }
            if (to >= 0) {
                h.valuePtr()[pattern_.diagonal(1, to, 0)] += w;
                const Point target = from >= 0 ? way : start.position() + way;
                b.row(to) += w * Eigen::RowVector2d(target.x, target.y);
            }
            if (from >= 0 && to >= 0) h.valuePtr()[pattern_.below(1, std::max(from, to), std::min(from, to), 0)] -= w;
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

    const PoseGraph& graph_;
    int count_ = 0;
    std::vector<int> unknown_;  // of each node; -1: fixed
    BlockPattern pattern_;
    std::vector<std::pair<int, int>> places_;  // of the ends of each edge
};

double total(const PoseGraph& graph, const std::vector<Pose>& poses, const Loss& loss) {
    double sum = 0;
    for (const PoseGraphEdge& edge : graph.edges) {
        const Eigen::Vector3d e = error_of(poses[static_cast<std::size_t>(edge.from)],
                                           poses[static_cast<std::size_t>(edge.to)], edge.measured);
        sum += loss.value(e.dot(eigen(edge.information) * e));
    }
    return sum;
}

/// Which nodes stay: those that are fixed, and the first of each piece that has none. Returns the number of pieces.
int anchor(const PoseGraph& graph, std::vector<std::uint8_t>& fixed) {
    DisjointSets pieces_of(graph.nodes.size());
    for (const PoseGraphEdge& e : graph.edges) pieces_of.join(e.from, e.to);
    std::vector<std::uint8_t> anchored(graph.nodes.size());
    for (std::size_t i = 0; i < fixed.size(); ++i)
        if (fixed[i]) anchored[static_cast<std::size_t>(pieces_of.least(static_cast<int>(i)))] = 1;
    int pieces = 0;
    for (std::size_t i = 0; i < fixed.size(); ++i)
        if (pieces_of.least(static_cast<int>(i)) == static_cast<int>(i)) {
            ++pieces;
            if (!anchored[i]) fixed[i] = 1;
        }
    return pieces;
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

double chi2(const PoseGraph& graph) { return total(graph, graph.nodes, {0}); }

GraphResult optimise(PoseGraph& graph, const GraphOptions& options) {
    const double begun = cpu_s();
    for (const PoseGraphEdge& e : graph.edges) {
        OUTRIDER_CHECK(std::min(e.from, e.to), >=, 0);
        OUTRIDER_CHECK(std::max(e.from, e.to), <, std::ssize(graph.nodes));
    }
    GraphResult result;
    std::vector<std::uint8_t> fixed = graph.fixed;
    fixed.resize(graph.nodes.size());
    result.pieces = anchor(graph, fixed);
    const Loss loss{options.cauchy * options.cauchy};
    const System system(graph, fixed);
    result.given = result.begun = total(graph, graph.nodes, loss);
    std::vector<Pose> poses = graph.nodes;
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
    graph.nodes = std::move(poses);
    if (result.factorisations > 0) result.factorising_s /= result.factorisations;
    result.all_s = cpu_s() - begun;
    return result;
}

}  // namespace outrider
