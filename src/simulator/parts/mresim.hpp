// What MRESim does in another way: the section [mresim].
#pragma once

#include "sensing/sampled_rays.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

/// Level rays look only at points a cell's length apart.
class SampledRays final : public Copied<SampledRays, WorldPart> {
  public:
    void adjust(const WorldState& state, const Rays& rays, std::span<double> lengths) const override {
        const Lattice& lattice = state.world.lattice();
        if (rays.level)
            sample_rays(state.world.field(), lattice.to_cells(rays.origin_m), rays.directions,
                        lattice.cells(rays.range_m), lengths);
    }
};

/// Messages go over the links of where their senders were when they decided.
class LinksBeforeMove final : public Copied<LinksBeforeMove, WorldPart> {
  public:
    void on_air(const WorldState&, std::span<Transceiver> radios, std::span<const Outbox>) override {
        std::vector<Point> now;
        for (const Transceiver& radio : radios) now.push_back(radio.position);
        for (std::size_t i = 0; i < decided_at_.size(); ++i) radios[i].position = decided_at_[i];
        decided_at_ = std::move(now);
    }

  private:
    std::vector<Point> decided_at_;  // by robot, in the step before
};

}  // namespace outrider
