#include "simulator/parts/mresim.hpp"

#include <utility>

namespace outrider {

void SampledRays::adjust(const WorldState& state, const Rays& rays, std::span<double> lengths) const {
    const Lattice& lattice = state.world.lattice();
    if (rays.level)
        sample_rays(state.world.field(), lattice.to_cells(rays.origin_m), rays.directions, lattice.cells(rays.range_m),
                    lengths);
}

void LinksBeforeMove::on_air(const WorldState&, std::span<Transceiver> radios, std::span<const Outbox>) {
    const bool first = decided_at_.empty();
    decided_at_.resize(radios.size());
    for (std::size_t i = 0; i < radios.size(); ++i) {
        const Point now = radios[i].position;
        if (!first) radios[i].position = decided_at_[i];
        decided_at_[i] = now;
    }
}

}  // namespace outrider
