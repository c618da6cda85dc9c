#include "robot/team_frames.hpp"

#include <algorithm>
#include <cmath>

#include "slam/manifold/patch_graph.hpp"

namespace outrider {
namespace {

/// A relation joins two frames when the heading is known so well (standard deviation), and is taken back when so many
/// measurements in a row differ from it: by so much, and beyond what both errors explain (chi2, three degrees of
/// freedom).
constexpr double joining_rad = radians(1.2);
constexpr double differing_m = 0.3, differing_chi2 = 11.3;
constexpr int most_contradictions = 3;
/// Measurements are not independent of each other: the more there are, the less another one adds. No relation gets
/// better than this.
constexpr double least_m = 0.01, least_rad = 0.001;

Pose difference(const Pose& a, const Pose& b) { return {a.x - b.x, a.y - b.y, wrap_angle(a.yaw - b.yaw)}; }

}  // namespace

Matrix3 at_origin(const Matrix3& covariance, Point at, Point frame) { return carried(covariance, frame - at, {}); }

void TeamFrames::take_newer(std::span<const FrameRelation> theirs) {
    for (const FrameRelation& r : theirs) {
        const auto in_team = [&](RobotId robot) {
            return robot >= 0 && static_cast<std::size_t>(robot) < base_.size();
        };
        if (r.from == self_ || r.from == r.to || !in_team(r.from) || !in_team(r.to)) continue;  // it knows better
        FrameRelation& mine = relations_[{r.from, r.to}];
        if (mine.version >= r.version) continue;
        mine = r;
        changed_ = true;
    }
}

void TeamFrames::measure(RobotId other, const Pose& frame, const Matrix3& covariance, Point at) {
    FrameRelation& r = relations_[{self_, other}];
    r.from = self_;
    r.to = other;
    changed_ = true;
    if (r.version == 0 || r.covariance == Matrix3{}) {
        r = {self_, other, frame, covariance, false, r.version + 1};
    } else {
        const Pose off = difference(frame, r.measured);
        Matrix3 both = covariance;
        for (std::size_t k = 0; k < 9; ++k) both[k] += r.covariance[k];
        Matrix3 inverse_both, before, now, together;
        if (!invert3(both, inverse_both) || !invert3(r.covariance, before) || !invert3(covariance, now)) return;
        const Vector3 e{off.x, off.y, off.yaw}, weighed = product(inverse_both, e);
        const double chi2 = e[0] * weighed[0] + e[1] * weighed[1] + e[2] * weighed[2];
        const Point before_there = transform(r.measured, transform(inverse(frame), at));
        if (chi2 > differing_chi2 && distance(before_there, at) > differing_m) {
            contradict(other);
            return;
        }
        // The mean, weighted by information: r + C_r (C_r + C)^-1 (measured - r).
        const Vector3 step = product(r.covariance, weighed);
        r.measured = {r.measured.x + step[0], r.measured.y + step[1], wrap_angle(r.measured.yaw + step[2])};
        for (std::size_t k = 0; k < 9; ++k) before[k] += now[k];
        if (invert3(before, together)) r.covariance = together;
        r.covariance[0] += least_m * least_m;
        r.covariance[4] += least_m * least_m;
        r.covariance[8] += least_rad * least_rad;
        ++r.version;
    }
    contradicted_[other] = 0;
    r.stands = r.stands || std::sqrt(r.covariance[8]) < joining_rad;
}

void TeamFrames::contradict(RobotId other) {
    const auto found = relations_.find({self_, other});
    if (found == relations_.end() || found->second.covariance == Matrix3{}) return;
    if (++contradicted_[other] >= most_contradictions) take_back(found->second);
}

void TeamFrames::take_back(FrameRelation& r) {
    undone_ += r.stands;
    r.stands = false;
    r.covariance = {};
    ++r.version;
    contradicted_[r.to] = 0;
    changed_ = true;
}

std::vector<FrameRelation> TeamFrames::relations() const {
    std::vector<FrameRelation> out;
    for (const auto& [pair, relation] : relations_) out.push_back(relation);
    return out;
}

bool TeamFrames::settle(double cell_m) {
    constexpr double away_m = 10;
    if (!std::exchange(changed_, false)) return false;
    place_all();
    bool moved = false;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        moved |= places_[i].has_value() != used_[i].has_value();
        if (!places_[i] || !used_[i]) continue;
        const Pose off = difference(*places_[i], *used_[i]);
        moved |= norm(off.position()) + away_m * std::abs(off.yaw) > cell_m / 2;
    }
    if (moved) used_ = places_;
    return moved;
}

/// The places of all that are joined with this robot, by the relations that stand: as they agree best.
void TeamFrames::place_all() {
    std::vector<RobotId> joined{self_};
    std::vector<std::optional<Pose>> from_here(places_.size());  // the frames in that of this robot
    from_here[static_cast<std::size_t>(self_)] = Pose{};
    for (std::size_t k = 0; k < joined.size(); ++k) {
        const Pose here = *from_here[static_cast<std::size_t>(joined[k])];
        for (const auto& [pair, r] : relations_) {
            if (!r.stands || (r.from != joined[k] && r.to != joined[k])) continue;
            const RobotId next = r.from == joined[k] ? r.to : r.from;
            auto& place = from_here[static_cast<std::size_t>(next)];
            if (place) continue;
            place = compose(here, r.from == joined[k] ? r.measured : inverse(r.measured));
            joined.push_back(next);
        }
    }
    std::sort(joined.begin(), joined.end(), [&](RobotId a, RobotId b) {
        const bool base_a = base_[static_cast<std::size_t>(a)], base_b = base_[static_cast<std::size_t>(b)];
        return base_a != base_b ? base_b : a < b;
    });
    leader_ = joined.front();
    std::fill(places_.begin(), places_.end(), std::nullopt);
    PoseGraph graph;
    std::map<RobotId, int> node;
    const Pose to_leader = inverse(*from_here[static_cast<std::size_t>(leader_)]);
    for (const RobotId robot : joined) {
        node[robot] = static_cast<int>(graph.nodes.size());
        graph.nodes.push_back(robot == leader_ ? Pose{}
                                               : compose(to_leader, *from_here[static_cast<std::size_t>(robot)]));
        graph.fixed.push_back(robot == leader_);
    }
    for (const auto& [pair, r] : relations_) {
        Matrix3 information;
        if (!r.stands || !node.contains(r.from) || !node.contains(r.to)) continue;
        if (invert3(turned(r.covariance, -r.measured.yaw), information))
            graph.edges.push_back({node[r.from], node[r.to], r.measured, information});
    }
    if (graph.edges.size() + 1 > joined.size()) {  // more than a tree: they may disagree
        GraphOptions how;
        how.start = GraphStart::file;
        optimise(graph, how);
    }
    for (const RobotId robot : joined)
        places_[static_cast<std::size_t>(robot)] = graph.nodes[static_cast<std::size_t>(node[robot])];
}

}  // namespace outrider
