// Floor that a robot's camera has cleared: nobody lies there.
#pragma once

#include "messages/victim_options.hpp"
#include "robot/parts/cell_marks.hpp"
#include "robot/robot_part.hpp"

namespace outrider {

/// The free cells in view of the camera, and those under the robot, as cleared. pose: in the frame of the map.
CellMarks cleared_cells(const KnownMap& map, const Pose& pose, double radius_m);

/// Of each robot of a team that clears floor, also of those without a camera.
class ClearedFloor final : public RobotPart {
  public:
    explicit ClearedFloor(bool has_camera) : has_camera_(has_camera) {}
    void after_drawing(Knowledge& known, const Percept& percept) override;

  private:
    bool has_camera_;
};

}  // namespace outrider
