// What MRESim does in another way: the section [mresim].
#pragma once

#include "sensing/sampled_rays.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

/// Level rays look only at points a cell's length apart.
class SampledRays final : public WorldPart {
  public:
    void adjust(const WorldState& state, const Rays& rays, std::span<double> lengths) const override;
};

/// Messages go over the links of where their senders were when they decided.
class LinksBeforeMove final : public WorldPart {
  public:
    void on_air(const WorldState& state, std::span<Transceiver> radios, std::span<const Outbox> sent) override;

  private:
    std::vector<Point> decided_at_;  // by robot, in the step before
};

}  // namespace outrider
