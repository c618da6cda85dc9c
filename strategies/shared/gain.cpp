#include "shared/gain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "outrider/error.hpp"

namespace outrider {

int unknown_within(const MapView& map, Cell centre, double radius_cells) {
    int count = 0;
    const int reach = static_cast<int>(radius_cells);
    for (int dy = -reach; dy <= reach; ++dy) {
        const int dx = static_cast<int>(std::sqrt(radius_cells * radius_cells - dy * dy));
        const int y = centre.y + dy, last = centre.x + dx;
        for (int x = centre.x - dx; x <= last;) {  // a row of a tile at a time
            const int end = std::min(last, x | 63), width = end - x + 1;
            const std::uint64_t known = map.known_word({x & ~63, y}) >> (x & 63);
            const std::uint64_t window = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
            count += width - std::popcount(known & window);
            x = end + 1;
        }
    }
    return count;
}

double disc_overlap(double distance, double radius) {
    const double h = distance / (2 * radius);
    if (h >= 1) return 0;
    const double w = std::sqrt(1 - h * h);
    return 2 / pi * (atan2(w, h) - h * w);
}

double choquet(std::span<const double> utilities, std::span<const double> capacity) {
    OUTRIDER_CHECK(capacity.size(), ==, std::size_t{1} << utilities.size());
    OUTRIDER_CHECK(utilities.size(), <=, 16u);
    std::array<std::size_t, 16> order{};
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(utilities.size());
    std::iota(order.begin(), end, std::size_t{0});
    std::stable_sort(order.begin(), end, [&](std::size_t a, std::size_t b) { return utilities[a] < utilities[b]; });
    std::size_t at_least = capacity.size() - 1;  // the criteria with this utility or more
    double sum = 0, before = 0;
    for (auto i = order.begin(); i != end; ++i) {
        sum += (utilities[*i] - before) * capacity[at_least];
        before = utilities[*i];
        at_least &= ~(std::size_t{1} << *i);
    }
    return sum;
}

}  // namespace outrider
