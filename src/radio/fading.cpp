#include "radio/fading.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/rng.hpp"

namespace outrider {
namespace {

/// A corner of the lattice of places and how much it counts.
struct Corner {
    std::int32_t x, y;
    double weight;
};

/// The four corners around a place.
std::array<Corner, 4> corners_of(Point p, double over_m) {
    const double x = std::floor(p.x / over_m), y = std::floor(p.y / over_m);
    const double right = p.x / over_m - x, above = p.y / over_m - y;
    const auto i = static_cast<std::int32_t>(x), j = static_cast<std::int32_t>(y);
    return {Corner{i, j, (1 - right) * (1 - above)}, Corner{i + 1, j, right * (1 - above)},
            Corner{i, j + 1, (1 - right) * above}, Corner{i + 1, j + 1, right * above}};
}

}  // namespace

void RadioSection::apply_preset() {
    if (preset != RadioPreset::wss) return;
    model = RadioModel::path_loss;
    reference_dbm = cutoff_dbm = -93;
    exponent = 1;
    wall_db = 6.325;
    max_walls = 5;
}

double Fading::db(Point a, Point b, int step) const {
    if (!any()) return 0;
    std::array<Corner, 8> corners;
    std::size_t count = 0;
    for (const Point& place : {a, b})
        for (const Corner& c : corners_of(place, over_m_)) {
            const auto same = std::find_if(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count),
                                           [&](const Corner& o) { return o.x == c.x && o.y == c.y; });
            if (same == corners.begin() + static_cast<std::ptrdiff_t>(count))
                corners[count++] = c;
            else
                same->weight += c.weight;
        }
    // In a fixed order, so that the sum is the same from both ends.
    std::sort(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Corner& p, const Corner& q) { return std::pair(p.y, p.x) < std::pair(q.y, q.x); });
    const int before = over_steps_ > 0 ? step / over_steps_ : 0;
    const double later = over_steps_ > 0 ? static_cast<double>(step % over_steps_) / over_steps_ : 0;
    double sum = 0, squares = 0;
    for (std::size_t k = 0; k < count; ++k)
        for (const int tick : {0, 1}) {
            const double weight = corners[k].weight * (tick == 0 ? 1 - later : later);
            if (weight <= 0) continue;
            constexpr std::uint32_t stream_mask = (1u << 24) - 1;
            Rng rng(seed_, corners[k].x, Purpose::fading, before + tick,
                    static_cast<std::uint32_t>(corners[k].y) & stream_mask);
            sum += weight * rng.normal();
            squares += weight * weight;
        }
    return sigma_db_ * std::clamp(sum / std::sqrt(squares), -most_sigmas, most_sigmas);
}

}  // namespace outrider
