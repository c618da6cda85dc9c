// People to be found.
#pragma once

#include "features/victims/sensor.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class Victims final : public Copied<Victims, WorldPart> {
  public:
    /// victims, and decoys (warm things that are nobody): in the team's frame.
    Victims(std::vector<Victim> victims, std::vector<Point> decoys, const VictimOptions& options, std::size_t robots)
        : victims_(std::move(victims)), decoys_(std::move(decoys)), options_(options), stood_(robots) {}
    void begin(WorldState& state) override;
    void sense(const WorldState& state, RobotId robot, Percept& percept) override;

    const std::vector<Victim>& victims() const { return victims_; }

  private:
    std::vector<Victim> victims_;
    std::vector<Point> decoys_;
    VictimOptions options_;
    std::vector<int> stood_;  // by robot: for so many steps
};

}  // namespace outrider
