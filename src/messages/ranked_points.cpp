#include "messages/ranked_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace outrider {

std::vector<std::size_t> best_first(const Overlay& overlay, const std::optional<Point>& chosen) {
    std::vector<std::size_t> order(overlay.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::vector<double>& scores = overlay.values;
    if (scores.size() != order.size()) return order;
    // Scores that are no numbers come last.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::isnan(scores[b]) ? !std::isnan(scores[a]) : scores[a] > scores[b];
    });
    const auto place = std::find_if(order.begin(), order.end(), [&](std::size_t k) {
        return chosen && distance(*chosen, overlay.points[k]) < 1e-6;
    });
    const auto numbers = std::find_if(order.begin(), order.end(), [&](std::size_t k) { return std::isnan(scores[k]); });
    if (place < numbers && place - order.begin() > numbers - 1 - place) std::reverse(order.begin(), numbers);
    return order;
}

}  // namespace outrider
