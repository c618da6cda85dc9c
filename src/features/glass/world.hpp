// Walls of glass.
#pragma once

#include "features/glass/glass.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class GlassWalls final : public Copied<GlassWalls, WorldPart> {
  public:
    explicit GlassWalls(std::shared_ptr<const Glass> glass) : glass_(std::move(glass)) {}
    void adjust(const WorldState& state, const Rays& rays, std::span<double> lengths) const override {
        const Lattice& lattice = state.world.lattice();
        if (rays.level)
            pass_glass(*glass_, state.world.field(), lattice.to_cells(rays.origin_m), rays.directions,
                       lattice.cells(rays.range_m), lengths);
    }

  private:
    std::shared_ptr<const Glass> glass_;
};

}  // namespace outrider
