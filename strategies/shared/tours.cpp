#include "shared/tours.hpp"

#include <algorithm>

namespace outrider {
namespace {

constexpr double enough = 1e-9;  // least improvement that counts: rounding must not cause an endless loop

double leg(const TourCosts& costs, int from, int to) {
    return from < 0 ? costs.start[static_cast<std::size_t>(to)]
                    : costs.between(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
}

bool turn_round(const TourCosts& costs, std::vector<int>& tour, double& cost) {
    std::vector<int> other;
    for (std::size_t i = 0; i < tour.size(); ++i)
        for (std::size_t k = i + 2; k <= tour.size(); ++k) {
            other = tour;
            std::reverse(other.begin() + static_cast<std::ptrdiff_t>(i),
                         other.begin() + static_cast<std::ptrdiff_t>(k));
            const double c = tour_cost(costs, other);
            if (!(c < cost - enough)) continue;
            tour = other;
            cost = c;
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
            const std::vector<int> stretch(first, last);
            for (std::size_t k = 0; k + length <= tour.size(); ++k) {
                if (k == i) continue;
                rest.assign(tour.begin(), first);
                rest.insert(rest.end(), last, tour.end());
                rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(k), stretch.begin(), stretch.end());
                const double c = tour_cost(costs, rest);
                if (!(c < cost - enough)) continue;
                tour = rest;
                cost = c;
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
        if (costs.start[g] < no_way) left.push_back(static_cast<int>(g));
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
