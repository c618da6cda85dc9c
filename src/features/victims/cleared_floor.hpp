// Floor that a robot's camera has cleared: nobody lies there.
#pragma once

#include "messages/victim_options.hpp"
#include "robot/parts/cell_marks.hpp"
#include "robot/robot_part.hpp"

namespace outrider {

/// What is seen from a place: so far, and so far to either side of straight ahead.
struct FieldOfView {
    double range_m = 0, half_angle = 0;
};
inline constexpr FieldOfView camera_view{ClearingCamera::range_m, ClearingCamera::half_angle},
    thermal_view{ThermalLook::range_m, pi};

/// The free cells in view, and those under the robot, as cleared. pose: in the frame of the map.
CellMarks cleared_cells(const KnownMap& map, const Pose& pose, double radius_m, const FieldOfView& view = camera_view);

/// Of each robot of a team that clears floor, also of those without a camera.
class ClearedFloor final : public Copied<ClearedFloor, RobotPart> {
  public:
    explicit ClearedFloor(bool has_camera) : has_camera_(has_camera) {}
    void after_drawing(Knowledge& known, const Percept& percept) override;

  private:
    bool has_camera_;
};

}  // namespace outrider
