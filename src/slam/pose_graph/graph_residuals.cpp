#include "slam/pose_graph/graph_residuals.hpp"

#include "slam/eigen3.hpp"

namespace outrider {

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

std::vector<Pose> all_poses(const PoseGraph& graph) {
    std::vector<Pose> out = graph.nodes;
    for (const Point& p : graph.landmarks) out.push_back({p.x, p.y, 0});
    return out;
}
int pose_of_landmark(const PoseGraph& graph, int landmark) { return static_cast<int>(graph.nodes.size()) + landmark; }

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

}  // namespace outrider
