#include "shared/tours.hpp"

#include <algorithm>

namespace outrider {
namespace {

constexpr double enough = 1e-9;  // least improvement that counts: rounding must not cause an endless loop
constexpr int nothing = -1;      // before the first goal: the start; after the last: the end

double leg(const TourCosts& costs, int from, int to) {
    if (to == nothing) return 0;
    return from == nothing ? costs.start[static_cast<std::size_t>(to)]
                           : costs.between(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
}

int goal_at(const std::vector<int>& tour, std::size_t i) { return i < tour.size() ? tour[i] : nothing; }
int goal_before(const std::vector<int>& tour, std::size_t i) { return i > 0 ? tour[i - 1] : nothing; }

/// Takes `other`, which seems to cost `change` more than the tour, if it is cheaper by a sum over all legs. Most are
/// not, and their change tells at once.
template <class Make>
bool take_if_cheaper(const TourCosts& costs, std::vector<int>& tour, double& cost, double change, Make&& make) {
    if (change > -enough / 2) return false;  // a change that is not a number (no way, twice) goes on
    std::vector<int> other = make();
    const double c = tour_cost(costs, other);
    if (!(c < cost - enough)) return false;
    tour = std::move(other);
    cost = c;
    return true;
}

bool turn_round(const TourCosts& costs, std::vector<int>& tour, double& cost) {
    std::vector<double> along(tour.size(), 0), against(tour.size(), 0);  // from the first goal to each, and back
    for (std::size_t i = 1; i < tour.size(); ++i) {
        along[i] = along[i - 1] + leg(costs, tour[i - 1], tour[i]);
        against[i] = against[i - 1] + leg(costs, tour[i], tour[i - 1]);
    }
    for (std::size_t i = 0; i < tour.size(); ++i)
        for (std::size_t last = i + 1; last < tour.size(); ++last) {
            const int before = goal_before(tour, i), after = goal_at(tour, last + 1);
            const double now = leg(costs, before, tour[i]) + (along[last] - along[i]) + leg(costs, tour[last], after);
            const double then =
                leg(costs, before, tour[last]) + (against[last] - against[i]) + leg(costs, tour[i], after);
            if (take_if_cheaper(costs, tour, cost, then - now, [&] {
                    std::vector<int> other = tour;
                    std::reverse(other.begin() + static_cast<std::ptrdiff_t>(i),
                                 other.begin() + static_cast<std::ptrdiff_t>(last) + 1);
                    return other;
                }))
                return true;
        }
    return false;
}

bool move_stretch(const TourCosts& costs, std::vector<int>& tour, double& cost) {
    std::vector<int> rest;
    for (std::size_t length = 1; length <= std::min<std::size_t>(3, tour.size()); ++length)
        for (std::size_t i = 0; i + length <= tour.size(); ++i) {
            const auto first = tour.begin() + static_cast<std::ptrdiff_t>(i);
            const auto last = first + static_cast<std::ptrdiff_t>(length);
            const int head = tour[i], tail = tour[i + length - 1];
            const auto detour = [&](int from, int to) {
                return leg(costs, from, head) + leg(costs, tail, to) - leg(costs, from, to);
            };
            const double saved = detour(goal_before(tour, i), goal_at(tour, i + length));
            rest.assign(tour.begin(), first);
            rest.insert(rest.end(), last, tour.end());
            for (std::size_t k = 0; k <= rest.size(); ++k) {
                if (k == i) continue;
                if (take_if_cheaper(costs, tour, cost, detour(goal_before(rest, k), goal_at(rest, k)) - saved, [&] {
                        std::vector<int> other = rest;
                        other.insert(other.begin() + static_cast<std::ptrdiff_t>(k), first, last);
                        return other;
                    }))
                    return true;
            }
        }
    return false;
}

}  // namespace

double tour_cost(const TourCosts& costs, const std::vector<int>& tour) {
    double sum = 0;
    for (std::size_t i = 0; i < tour.size(); ++i) sum += leg(costs, i == 0 ? -1 : tour[i - 1], tour[i]);
    return sum;
}

Insertion cheapest_insertion(const TourCosts& costs, const std::vector<int>& tour, int goal) {
    Insertion best;
    for (std::size_t i = 0; i <= tour.size(); ++i) {
        const int before = i == 0 ? -1 : tour[i - 1];
        double extra = leg(costs, before, goal);
        if (i < tour.size()) extra += leg(costs, goal, tour[i]) - leg(costs, before, tour[i]);
        if (extra < best.cost) best = {i, extra};
    }
    return best;
}

void improve_tour(const TourCosts& costs, std::vector<int>& tour) {
    double cost = tour_cost(costs, tour);
    while (turn_round(costs, tour, cost) || move_stretch(costs, tour, cost)) {
    }
}

std::vector<int> short_tour(const TourCosts& costs) {
    std::vector<int> left, tour;
    for (std::size_t g = 0; g < costs.start.size(); ++g)
        if (costs.start[g] < no_path) left.push_back(static_cast<int>(g));
    while (!left.empty()) {
        Insertion best;
        std::size_t which = 0;
        for (std::size_t i = 0; i < left.size(); ++i)
            if (const Insertion here = cheapest_insertion(costs, tour, left[i]); i == 0 || here.cost < best.cost) {
                best = here;
                which = i;
            }
        tour.insert(tour.begin() + static_cast<std::ptrdiff_t>(best.position), left[which]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(which));
    }
    improve_tour(costs, tour);
    return tour;
}

}  // namespace outrider
