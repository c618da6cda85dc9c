#include "slam/manifold/patch_graph.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// A section ends after so much way, or so many patches.
constexpr double section_m = 10;
constexpr int section_patches = 40;

}  // namespace

Matrix3 carried(const Matrix3& first, Point distance, const Matrix3& second) {
    const double dx = distance.x, dy = distance.y;
    const double xx = first[0], xy = first[1], xt = first[2], yy = first[4], yt = first[5], tt = first[8];
    const double x_t = xt - dy * tt, y_t = yt + dx * tt;
    Matrix3 out{xx - 2 * dy * xt + dy * dy * tt,
                xy + dx * xt - dy * yt - dx * dy * tt,
                x_t,
                0,
                yy + 2 * dx * yt + dx * dx * tt,
                y_t,
                0,
                0,
                tt};
    out[3] = out[1];
    out[6] = out[2];
    out[7] = out[5];
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += second[k];
    return out;
}

Matrix3 scaled(const Matrix3& m, double by) {
    Matrix3 out = m;
    for (double& v : out) v *= by;
    return out;
}

Matrix3 turned(const Matrix3& m, double yaw) {
    const auto [s, c] = sin_cos(yaw);
    const double xx = c * c * m[0] - 2 * c * s * m[1] + s * s * m[4],
                 yy = s * s * m[0] + 2 * c * s * m[1] + c * c * m[4],
                 xy = c * s * (m[0] - m[4]) + (c * c - s * s) * m[1];
    const double xt = c * m[2] - s * m[5], yt = s * m[2] + c * m[5];
    return {xx, xy, xt, xy, yy, yt, xt, yt, m[8]};
}

double position_sigma(const Matrix3& m) {
    const double half = (m[0] + m[4]) / 2, off = (m[0] - m[4]) / 2;
    return std::sqrt(half + std::sqrt(off * off + m[1] * m[1]));
}

int PatchGraph::add(std::vector<Point> ends, Point sensor, const Pose& pose, double travelled_m, bool apart) {
    const int id = count();
    bool begin = patches_.empty() || apart;
    if (!begin) {
        const int first = first_of_section_.back();
        begin = id - first >= section_patches || travelled_m - patch(first).travelled_m >= section_m;
    }
    if (begin) first_of_section_.push_back(id);
    patches_.push_back({std::move(ends), sensor, travelled_m, sections() - 1});
    graph_.nodes.push_back(pose);
    graph_.fixed.push_back(id == 0);
    neighbours_.emplace_back();
    return id;
}

void PatchGraph::relate(int from, int to, const Pose& measured, const Matrix3& covariance) {
    Matrix3 information;  // g2o has it in the frame of the measured pose
    const bool positive = invert3(turned(covariance, -measured.yaw), information);
    OUTRIDER_CHECK(positive, ==, true);
    const int number = static_cast<int>(graph_.edges.size());
    graph_.edges.push_back({from, to, measured, information});
    covariances_.push_back(covariance);
    neighbours_[static_cast<std::size_t>(from)].push_back({to, number});
    neighbours_[static_cast<std::size_t>(to)].push_back({from, number});
}

void PatchGraph::forget(const std::vector<int>& numbers) {
    for (auto n = numbers.rbegin(); n != numbers.rend(); ++n) {
        graph_.edges.erase(graph_.edges.begin() + *n);
        covariances_.erase(covariances_.begin() + *n);
    }
    for (auto& list : neighbours_) list.clear();
    for (std::size_t k = 0; k < graph_.edges.size(); ++k) {
        const PoseGraphEdge& e = graph_.edges[k];
        neighbours_[static_cast<std::size_t>(e.from)].push_back({e.to, static_cast<int>(k)});
        neighbours_[static_cast<std::size_t>(e.to)].push_back({e.from, static_cast<int>(k)});
    }
}

std::vector<Reached> PatchGraph::reach(int from, double limit_m) const {
    // Dijkstra, by the standard deviation of the position; of equal ones the lower number.
    std::vector<Reached> out(patches_.size());
    using Entry = std::tuple<double, int, int, Matrix3>;  // deviation, patch, relations, covariance
    const auto later = [](const Entry& a, const Entry& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) > std::tie(std::get<0>(b), std::get<1>(b));
    };
    std::priority_queue<Entry, std::vector<Entry>, decltype(later)> open(later);
    open.push({0.0, from, 0, Matrix3{}});
    while (!open.empty()) {
        const auto [sigma, at, relations, covariance] = open.top();
        open.pop();
        Reached& here = out[static_cast<std::size_t>(at)];
        if (here.relations >= 0) continue;
        here = {covariance, relations};
        for (const Neighbour& next : neighbours_[static_cast<std::size_t>(at)]) {
            if (out[static_cast<std::size_t>(next.patch)].relations >= 0) continue;
            const PoseGraphEdge& e = graph_.edges[static_cast<std::size_t>(next.relation)];
            const Matrix3 measured = turned(covariances_[static_cast<std::size_t>(next.relation)], pose(e.from).yaw);
            const Matrix3 then = carried(covariance, pose(next.patch).position() - pose(at).position(), measured);
            const double off = std::max(sigma, position_sigma(then));
            if (off <= limit_m) open.push({off, next.patch, relations + 1, then});
        }
    }
    return out;
}

GraphResult PatchGraph::optimise(const GraphOptions& options) { return outrider::optimise(graph_, options); }

}  // namespace outrider
