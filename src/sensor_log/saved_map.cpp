#include "sensor_log/saved_map.hpp"

#include "base/input.hpp"
#include "outrider/error.hpp"
#include "slam/pose_graph/g2o.hpp"

namespace outrider {
namespace {

/// The line of CARMEN and g2o; there is no odometry in it, so the pose of the robot stands for it.
std::string scan_line(const SavedScan& saved, const Pose& body) {
    const RecordedScan& scan = saved.scan;
    const std::size_t n = scan.ranges.size();
    const Pose laser = compose(body, scan.mount);
    std::string out =
        fmt::format("ROBOTLASER1 0 {} {} {} {} 0 0 {}", scan.first_angle,
                    scan.step_angle * static_cast<double>(n == 0 ? 0 : n - 1), scan.step_angle, scan.max_range_m, n);
    for (const float r : scan.ranges) out += fmt::format(" {}", r);
    return out + fmt::format(" 0 {} {} {} {} {} {} 0 0 0 0 0 {} outrider {}", laser.x, laser.y, laser.yaw, body.x,
                             body.y, body.yaw, saved.time_s, saved.time_s);
}

/// No scan is farther from the first one.
constexpr double map_reach_m = 10'000;

/// Of the measured pose, in the frame of the first node; false: rounding leaves none that can be inverted again.
bool covariance_of(const PoseGraphEdge& e, Matrix3& covariance) {
    Matrix3 of_measured, again;
    if (!invert3(e.information, of_measured)) return false;
    covariance = turned(of_measured, e.measured.yaw);
    return invert3(turned(covariance, -e.measured.yaw), again);
}

/// How well the pose of a scan is known, seen from the one before, where the method did not measure it.
constexpr double assumed_m = 0.05, assumed_rad = radians(1);

void relate(PoseGraph& graph, std::size_t from, std::size_t to) {
    constexpr double m = 1 / (assumed_m * assumed_m), rad = 1 / (assumed_rad * assumed_rad);
    graph.edges.push_back({static_cast<int>(from),
                           static_cast<int>(to),
                           compose(inverse(graph.nodes[from]), graph.nodes[to]),
                           {m, 0, 0, 0, m, 0, 0, 0, rad}});
}

/// Of the first `count` nodes; of equal ones the last.
std::size_t nearest(const PoseGraph& graph, std::size_t count, const Pose& at) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i)
        if (distance(graph.nodes[i].position(), at.position()) <= distance(graph.nodes[best].position(), at.position()))
            best = i;
    return best;
}

}  // namespace

SavedMap read_saved_map(const std::string& path) {
    return parse_saved_map(read_file(path, "a map saved by outrider slam --save", 20), path);
}

SavedMap parse_saved_map(std::string_view text, const std::string& name) {
    G2oFile file = parse_g2o(text, name);
    SavedMap out;
    out.scans.resize(file.graph.nodes.size());
    bool any = false;
    for (const auto& data : file.data) {
        const int node = data.first;
        const std::string& line = data.second;
        if (!line.starts_with("ROBOTLASER1 ")) continue;
        std::optional<SavedScan>& saved = out.scans[static_cast<std::size_t>(node)];
        const auto wrong = [&](const std::string& what) {
            fail("{}: the scan of node {}: {}", name, file.ids[static_cast<std::size_t>(node)], what);
        };
        if (saved) wrong("there are two");
        try {
            saved.emplace();
            saved->scan = parse_robot_laser(line, saved->time_s);
            expect_angles(saved->scan);
        } catch (const Error& error) {
            wrong(error.what());
        }
        if (!is_on_robot(saved->scan.mount)) wrong("its scanner is not on the robot");
        any = true;
    }
    if (!file.landmark_ids.empty() || !file.graph.priors.empty())
        fail("{}: landmarks (VERTEX_XY) or priors (EDGE_PRIOR_SE2); expected a map saved by outrider slam --save",
             name);
    if (!any) fail("{}: no scans (ROBOTLASER1); expected a map saved by outrider slam --save", name);
    for (std::size_t i = 0; i < file.graph.nodes.size(); ++i)
        if (distance(file.graph.nodes[i].position(), file.graph.nodes[0].position()) > map_reach_m)
            fail("{}: node {} is farther than {} km from the first one", name, file.ids[i], map_reach_m / 1000);
    for (const PoseGraphEdge& e : file.graph.edges)
        if (Matrix3 covariance; !covariance_of(e, covariance))
            fail("{}: the edge from {} to {}: the numbers of its information matrix are too far apart", name,
                 file.ids[static_cast<std::size_t>(e.from)], file.ids[static_cast<std::size_t>(e.to)]);
    out.graph = std::move(file.graph);
    return out;
}

std::string write_saved_map(const SavedMap& map) {
    G2oFile file;
    file.graph = map.graph;
    for (std::size_t i = 0; i < map.scans.size(); ++i) {
        file.ids.push_back(static_cast<std::int64_t>(i));
        if (map.scans[i]) file.data.emplace_back(static_cast<int>(i), scan_line(*map.scans[i], map.graph.nodes[i]));
    }
    return write_g2o(file);
}

PatchGraph patches_of(const SavedMap& map) {
    PatchGraph out;
    std::vector<Point> ends, usable;
    double travelled_m = 0;
    for (std::size_t i = 0; i < map.scans.size(); ++i) {
        const Pose& at = map.graph.nodes[i];
        if (i > 0) travelled_m += distance(at.position(), map.graph.nodes[i - 1].position());
        ends.clear();
        if (map.scans[i]) beam_ends(map.scans[i]->scan, ends);
        const std::span<const Point> kept = usable_ends(ends, usable);
        out.add({kept.begin(), kept.end()}, map.scans[i] ? map.scans[i]->scan.mount.position() : Point{}, at,
                travelled_m, false);
    }
    for (const PoseGraphEdge& e : map.graph.edges) {
        Matrix3 covariance;
        const bool possible = covariance_of(e, covariance);
        OUTRIDER_CHECK(possible, ==, true);
        out.relate(e.from, e.to, e.measured, covariance);
    }
    return out;
}

SavedMap map_to_save(const SensorLog& log, const SlamRun& run, const SavedMap* before) {
    SavedMap out;
    if (before) out = *before;
    const auto old = out.scans.size();
    for (const SlamRun::Kept& kept : run.kept) {
        const LogEntry& entry = log.entries[kept.entry];
        out.scans.emplace_back(SavedScan{log.scans[static_cast<std::size_t>(entry.scan)], entry.time_s});
        out.graph.nodes.push_back(kept.pose);
    }
    if (const PatchGraph* graph = run.slam->graph()) {
        OUTRIDER_CHECK(static_cast<std::size_t>(graph->count()), ==, out.scans.size());
        for (int id = 0; id < graph->count(); ++id) out.graph.nodes[static_cast<std::size_t>(id)] = graph->pose(id);
        out.graph.edges = graph->relations();
    } else if (!run.kept.empty()) {
        if (old > 0) relate(out.graph, nearest(out.graph, old, run.kept.front().pose), old);
        for (std::size_t i = old + 1; i < out.scans.size(); ++i) relate(out.graph, i - 1, i);
    }
    if (!out.scans.empty() && !run.trajectory.empty()) {
        out.scans.emplace_back();
        out.graph.nodes.push_back(run.trajectory.back().pose);
        relate(out.graph, nearest(out.graph, out.scans.size() - 1, out.last()), out.scans.size() - 1);
    }
    return out;
}

}  // namespace outrider
