#include "features/victims/cleared_floor.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/ray.hpp"
#include "robot/knowledge.hpp"
#include "robot/parts/cell_marks.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {

CellMarks cleared_cells(const KnownMap& map, const Pose& pose, double radius_m, const FieldOfView& view) {
    const Lattice& lattice = map.lattice();
    CellMarks seen;
    const Point from = lattice.to_cells(pose.position());
    const double range = lattice.cells(view.range_m);
    // At the range, rays are half a cell apart.
    const int rays = 2 * std::max(1, static_cast<int>(std::ceil(2 * view.half_angle * range))) + 1;
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(wrap_angle(pose.yaw + view.half_angle * (2.0 * k / (rays - 1) - 1)));
        walk_ray(Ray(from, {c, s}), range, [&](Cell at, double) {
            if (!map.is_free(at)) return false;
            seen.add(at);
            return true;
        });
    }
    seen.add_disc(lattice, pose.position(), radius_m);
    seen.add(lattice.cell_of(pose.position()));
    return seen;
}

void ClearedFloor::after_drawing(Knowledge& known, const Percept&) {
    if (has_camera_) cleared_cells(known.map, known.pose, known.briefing.radius_m).set(known, Mark::cleared);
}

std::unique_ptr<RobotPart> make_cleared_floor_part(const Briefing& briefing, const RobotOptions& options) {
    const bool has_camera = !options.has("thermal_search") && !briefing.sensors.empty() && briefing.me().mobile;
    return options.has("clearing") ? std::make_unique<ClearedFloor>(has_camera) : nullptr;
}

}  // namespace outrider
