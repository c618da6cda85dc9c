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

std::vector<std::size_t> best_apart(const Overlay& overlay, const std::optional<Point>& chosen, double apart_m,
                                    std::size_t most) {
    const std::vector<std::size_t> order = best_first(overlay, chosen);
    const auto is_chosen = [&](std::size_t k) { return chosen && distance(*chosen, overlay.points[k]) < 1e-6; };
    const auto there = std::find_if(order.begin(), order.end(), is_chosen);
    std::vector<std::size_t> out;
    for (auto k = order.begin(); k != order.end() && out.size() < most; ++k) {
        if (k < there && there != order.end() && out.size() + 1 == most) continue;  // its place is kept
        const auto near = [&](std::size_t other) {
            return distance(overlay.points[*k], overlay.points[other]) < apart_m;
        };
        const bool covered = std::any_of(out.begin(), out.end(), near) || (there != order.end() && near(*there));
        if (k == there || !covered) out.push_back(*k);
    }
    return out;
}

}  // namespace outrider
