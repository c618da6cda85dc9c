#include "simulator/noise.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {

std::uint16_t measured_range(const NoiseOptions& noise, double length, double unit_m, double most, Rng& rng) {
    const bool hit = std::isfinite(length);
    if (noise.spikes()) {
        const double chance = rng.uniform();
        const double dropped = noise.drop_rate, missed = dropped + noise.max_spike_rate;
        if (chance < dropped) return Scan::no_information;
        if (chance < missed) return Scan::nothing;
        if (chance < missed + noise.near_spike_rate)
            return static_cast<std::uint16_t>(std::max(1.0, std::floor(rng.uniform() * (hit ? length : most))));
    }
    if (!hit) return Scan::nothing;
    if (noise.ranges_err()) {
        const double sigmas = rng.normal();
        length += sigmas * noise.range_m / unit_m + sigmas * noise.range_share * length;
    }
    return exact_range(std::max(0.0, length), most);
}

}  // namespace outrider
