// The field as it really is.
#pragma once

#include "features/NAME/options.hpp"
#include "scenario/feature.hpp"

namespace outrider {

class CamelField final : public Copied<CamelField, WorldPart> {
  public:
    /// middle: in the team's frame.
    CamelField(Point middle, double reach_m, double turn_rad, std::size_t robots)
        : middle_(middle), reach_m_(reach_m), turn_rad_(turn_rad), inside_(robots) {}

    void sense(const WorldState& state, RobotId robot, Percept& percept) override;
    /// By robot: whether it was within reach in this step, and in the one before.
    const std::vector<std::array<bool, 2>>& inside() const { return inside_; }

  private:
    Point middle_;
    double reach_m_, turn_rad_;
    std::vector<std::array<bool, 2>> inside_;
};

ScenarioFeature NAME_scenario();

}  // namespace outrider
