#include "features/smoke/world.hpp"

#include <algorithm>

namespace outrider {

void SmokyAir::dim(const WorldState& state, const Rays& rays, std::span<const double> lengths, std::span<double> echoes,
                   std::span<std::uint8_t> lost) const {
    const auto robot = static_cast<std::size_t>(rays.robot);
    const SmokeEffect effect = effects_[robot][rays.sensor];
    if (effect == SmokeEffect::ignore) return;
    const double unit_m = state.equipment[robot].sensors[rays.sensor].spec().range_unit_m;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const double reach_m = std::min(lengths[i] * state.world.lattice().cell_m, rays.range_m),
                     clear_m = clear_length_m(smoke_, rays.origin_m, rays.directions[i], reach_m);
        if (clear_m >= reach_m) continue;
        echoes[i] = clear_m / unit_m;
        lost[i] |= effect == SmokeEffect::blind;
    }
}

}  // namespace outrider
