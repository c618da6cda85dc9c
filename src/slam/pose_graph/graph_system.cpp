#include "slam/pose_graph/graph_system.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "base/disjoint_sets.hpp"
#include "slam/eigen3.hpp"

namespace outrider {
namespace {

/// How much a measured position counts in the linear problem of places.
double weight_of(const PoseGraphEdge& edge) { return (edge.information[0] + edge.information[4]) / 2; }
double weight_of(const PosePrior& prior) { return (prior.information[0] + prior.information[4]) / 2; }
double weight_of(const LandmarkSighting& sighting) { return (sighting.information[0] + sighting.information[2]) / 2; }

}  // namespace

GraphSystem::GraphSystem(const PoseGraph& graph, const std::vector<std::uint8_t>& fixed)
    : graph_(graph), unknown_(number(fixed)), pattern_(count_, pairs()) {
    for (const PoseGraphEdge& e : graph.edges) places_.emplace_back(place(e.from), place(e.to));
    for (const LandmarkSighting& e : graph.sightings)
        seen_.emplace_back(place(e.from), place(pose_of_landmark(graph, e.landmark)));
}

std::vector<Pose> GraphSystem::from_rotations() const {
    std::vector<Pose> out = all_poses(graph_);
    if (empty()) return out;
    find_rotations(out);
    find_places(out);
    return out;
}

void GraphSystem::linearise(const std::vector<Pose>& poses, const Loss& loss, Eigen::SparseMatrix<double>& h,
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
        add_both(h, b, from, to, residual(poses[static_cast<std::size_t>(sighting.from)], poses[landmark], sighting),
                 information_of(sighting), loss);
    }
    // What nothing depends on, as the heading of a landmark, stays: 1 x = 0.
    for (int p = 0; p < count_; ++p)
        for (int c = 0; c < 3; ++c)
            if (double& entry = h.valuePtr()[pattern_.diagonal(3, p, c)]; entry == 0) entry = 1;
}

std::vector<Pose> GraphSystem::moved(std::vector<Pose> poses, const Eigen::VectorXd& step) const {
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const int p = place(static_cast<int>(i));
        if (p < 0) continue;
        poses[i].x += step[3 * p];
        poses[i].y += step[3 * p + 1];
        poses[i].yaw = wrap_angle(poses[i].yaw + step[3 * p + 2]);
    }
    return poses;
}

std::vector<int> GraphSystem::number(const std::vector<std::uint8_t>& fixed) {
    std::vector<int> out(fixed.size(), -1);
    for (std::size_t i = 0; i < fixed.size(); ++i)
        if (!fixed[i]) out[i] = count_++;
    return out;
}

std::vector<std::pair<int, int>> GraphSystem::pairs() const {
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

int GraphSystem::place(int node) const {
    const int unknown = unknown_[static_cast<std::size_t>(node)];
    return unknown < 0 ? -1 : pattern_.place(unknown);
}

void GraphSystem::add_both(Eigen::SparseMatrix<double>& h, Eigen::VectorXd& b, int from, int to, const Residual& r,
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

void GraphSystem::add(Eigen::SparseMatrix<double>& h, Eigen::VectorXd& b, int at, const Eigen::Matrix3d& jacobian,
                      const Eigen::Matrix3d& weighted, const Residual& r) const {
    const Eigen::Matrix3d turned = jacobian.transpose() * weighted, block = turned * jacobian;
    for (int c = 0; c < 3; ++c) {
        const int first = pattern_.diagonal(3, at, c);
        for (int row = c; row < 3; ++row) h.valuePtr()[first + row - c] += block(row, c);
    }
    b.segment<3>(3 * at) += turned * r.error;
}

void GraphSystem::find_rotations(std::vector<Pose>& poses) const {
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

void GraphSystem::find_places(std::vector<Pose>& poses) const {
    Eigen::SparseMatrix<double> h = pattern_.zeros<double>(1);
    Eigen::MatrixX2d b = Eigen::MatrixX2d::Zero(count_, 2);
    for (std::size_t k = 0; k < graph_.edges.size(); ++k) {
        const PoseGraphEdge& edge = graph_.edges[k];
        const auto [from, to] = places_[k];
        const Pose &start = poses[static_cast<std::size_t>(edge.from)], &end = poses[static_cast<std::size_t>(edge.to)];
        add_offset(h, b, weight_of(edge), from, to, start, end, transform({0, 0, start.yaw}, edge.measured.position()));
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

void GraphSystem::add_offset(Eigen::SparseMatrix<double>& h, Eigen::MatrixX2d& b, double w, int from, int to,
                             const Pose& start, const Pose& end, Point offset) const {
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

std::vector<int> GraphSystem::unturned() const {
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

}  // namespace outrider
