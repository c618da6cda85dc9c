// Smoke in the air: what each sensor makes of it.
#pragma once

#include "features/smoke/smoke.hpp"
#include "scenario/entries.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class SmokyAir final : public Copied<SmokyAir, WorldPart> {
  public:
    /// smoke: in the team's frame; effects: by robot, then sensor.
    SmokyAir(std::vector<SmokeDisc> smoke, std::vector<std::vector<SmokeEffect>> effects)
        : smoke_(std::move(smoke)), effects_(std::move(effects)) {}
    void dim(const WorldState& state, const Rays& rays, std::span<const double> lengths, std::span<double> echoes,
             std::span<std::uint8_t> lost) const override;

  private:
    std::vector<SmokeDisc> smoke_;
    std::vector<std::vector<SmokeEffect>> effects_;
};

}  // namespace outrider
