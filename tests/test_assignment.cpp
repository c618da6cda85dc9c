// Assignments, clusters, tours and gains that coordinating strategies share, against brute force.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "helpers.hpp"
#include "outrider/ray.hpp"
#include "plan/sight.hpp"
#include "shared/gain.hpp"
#include "shared/teamwork.hpp"
#include "shared/tours.hpp"

using namespace outrider;

namespace test_assignment {
namespace {

CostMatrix random_costs(std::size_t rows, std::size_t columns, Rng& rng, bool whole, double gaps) {
    CostMatrix costs(rows, columns);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            const double cost = whole ? rng.below(6) : rng.uniform(0, 100);
            costs(r, c) = rng.uniform() < gaps ? no_path : cost;
        }
    return costs;
}

/// (pairs, sum) of the best assignment, by trying all.
std::pair<int, double> best_by_trying(const CostMatrix& costs, std::size_t row, std::vector<bool>& taken) {
    if (row == costs.rows()) return {0, 0};
    std::pair<int, double> best = best_by_trying(costs, row + 1, taken);
    for (std::size_t c = 0; c < costs.columns(); ++c) {
        if (taken[c] || costs(row, c) == no_path) continue;
        taken[c] = true;
        auto [pairs, sum] = best_by_trying(costs, row + 1, taken);
        taken[c] = false;
        ++pairs;
        sum += costs(row, c);
        if (pairs > best.first || (pairs == best.first && sum < best.second)) best = {pairs, sum};
    }
    return best;
}

std::pair<int, double> value_of(const CostMatrix& costs, const std::vector<int>& assigned) {
    std::pair<int, double> value{0, 0};
    std::vector<bool> taken(costs.columns(), false);
    for (std::size_t r = 0; r < costs.rows(); ++r) {
        if (assigned[r] < 0) continue;
        const auto c = static_cast<std::size_t>(assigned[r]);
        CHECK_FALSE(taken[c]);
        taken[c] = true;
        CHECK(costs(r, c) < no_path);
        ++value.first;
        value.second += costs(r, c);
    }
    return value;
}

TourCosts random_tour_costs(int goals, Rng& rng) {
    std::vector<Point> places;
    for (int i = 0; i <= goals; ++i) places.push_back({rng.uniform(0, 100), rng.uniform(0, 100)});
    const auto n = static_cast<std::size_t>(goals);
    TourCosts costs{std::vector<double>(n), CostMatrix(n, n, 0)};
    for (std::size_t i = 0; i < n; ++i) {
        costs.start[i] = distance(places[n], places[i]);
        for (std::size_t k = 0; k < n; ++k) costs.between(i, k) = distance(places[i], places[k]);
    }
    return costs;
}

}  // namespace

TEST_CASE("the Hungarian method finds what trying all assignments finds, also with impossible pairs") {
    Rng rng(1, 0, Purpose::placement, 0);
    for (int i = 0; i < 600; ++i) {
        const std::size_t rows = 1 + rng.below(5), columns = 1 + rng.below(6);
        const CostMatrix costs = random_costs(rows, columns, rng, i % 2 == 0, i % 3 == 0 ? 0.4 : 0);
        std::vector<bool> taken(columns, false);
        const auto [pairs, sum] = best_by_trying(costs, 0, taken);
        const auto [got_pairs, got_sum] = value_of(costs, hungarian(costs));
        CHECK(got_pairs == pairs);
        CHECK(got_sum == doctest::Approx(sum));
    }
    CHECK(hungarian(CostMatrix(0, 3)).empty());
    CHECK(hungarian(CostMatrix(2, 0)) == std::vector<int>{-1, -1});
    CHECK(hungarian(CostMatrix(2, 2)) == std::vector<int>{-1, -1});
}

TEST_CASE("cheapest pairs are taken in the order of their cost, and all rows get something when asked") {
    CostMatrix costs(3, 2);
    costs(0, 0) = 5;
    costs(0, 1) = 4;
    costs(1, 0) = 6;
    costs(1, 1) = 1;
    costs(2, 0) = 9;
    CHECK(cheapest_pairs(costs) == std::vector<int>{0, 1, -1});
    CHECK(assign_all(costs, cheapest_pairs) == std::vector<int>{0, 1, 0});
    CHECK(assign_all(costs, hungarian) == std::vector<int>{0, 1, 0});
    CHECK(assign_all(CostMatrix(2, 1), hungarian) == std::vector<int>{-1, -1});
}

TEST_CASE("by priority: each position goes to the nearest robot left, and a failure takes none from those above it") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Rng rng(seed, 2, Purpose::placement, 0);
        const std::size_t robots = rng.below(7), positions = rng.below(7);
        CostMatrix costs = random_costs(robots, positions, rng, true, 0.2);
        const std::vector<int> out = by_priority(costs);
        REQUIRE(out.size() == robots);
        std::vector<int> robot(positions, -1);
        for (std::size_t r = 0; r < robots; ++r) {
            if (out[r] < 0) continue;
            CHECK(robot[static_cast<std::size_t>(out[r])] == -1);
            robot[static_cast<std::size_t>(out[r])] = static_cast<int>(r);
        }
        for (std::size_t p = 0; p < positions; ++p)
            for (std::size_t r = 0; r < robots; ++r) {
                const bool left = out[r] < 0 || static_cast<std::size_t>(out[r]) > p;
                if (!left || costs(r, p) == no_path) continue;
                REQUIRE(robot[p] >= 0);
                const auto taker = static_cast<std::size_t>(robot[p]);
                CHECK(std::pair(costs(taker, p), taker) < std::pair(costs(r, p), r));
            }
        if (robots == 0) continue;
        const std::size_t dead = rng.below(static_cast<std::uint32_t>(robots));
        const int lost = out[dead] < 0 ? static_cast<int>(positions) : out[dead];
        for (std::size_t p = 0; p < positions; ++p) costs(dead, p) = no_path;
        const std::vector<int> after = by_priority(costs);
        for (std::size_t r = 0; r < robots; ++r)
            if (out[r] >= 0 && out[r] < lost) CHECK(after[r] == out[r]);
    }
}

TEST_CASE("k-means puts every point with the nearest centre, and centres in the middle of their points") {
    Rng rng(2, 0, Purpose::placement, 0);
    for (int i = 0; i < 50; ++i) {
        std::vector<Point> points;
        for (int k = 0; k < 40; ++k) points.push_back({rng.uniform(0, 10), rng.uniform(0, 10)});
        const std::size_t count = 1 + rng.below(5);
        const std::vector<Point> seeds = spread_centres(points, count);
        CHECK(seeds.size() == count);
        const Clustering c = kmeans(points, seeds, 1000);
        for (std::size_t k = 0; k < count; ++k) {
            Point sum;
            int n = 0;
            for (std::size_t p = 0; p < points.size(); ++p) {
                if (c.cluster[p] != static_cast<int>(k)) continue;
                sum = sum + points[p];
                ++n;
                for (const Point& other : c.centres)
                    CHECK(distance(points[p], c.centres[k]) <= distance(points[p], other) + 1e-12);
            }
            REQUIRE(n > 0);
            CHECK(distance(sum * (1.0 / n), c.centres[k]) < 1e-9);
        }
    }
    const std::vector<Point> same(4, Point{1, 1});
    CHECK(spread_centres(same, 3).size() == 1);
    CHECK(spread_centres({}, 3).empty());
}

TEST_CASE("the best split of a few points in two is found from spread seeds") {
    const std::vector<Point> points{{0, 0}, {1, 0}, {0, 1}, {9, 9}, {10, 9}, {9, 10}};
    const auto within = [&](const std::vector<int>& cluster) {
        double sum = 0;
        for (std::size_t a = 0; a < points.size(); ++a)
            for (std::size_t b = 0; b < points.size(); ++b)
                if (cluster[a] == cluster[b]) sum += std::pow(distance(points[a], points[b]), 2);
        return sum;
    };
    double least = 1e9;
    for (int mask = 1; mask < 63; ++mask) {
        std::vector<int> cluster;
        for (int k = 0; k < 6; ++k) cluster.push_back(mask >> k & 1);
        least = std::min(least, within(cluster));
    }
    CHECK(within(kmeans(points, spread_centres(points, 2), 20).cluster) == doctest::Approx(least));
}

TEST_CASE("tours: insertion costs what the tour grows by, and improvement ends near the best order") {
    Rng rng(3, 0, Purpose::placement, 0);
    int best_found = 0, cases = 0;
    for (int i = 0; i < 60; ++i) {
        const int goals = 2 + i % 6;
        const TourCosts costs = random_tour_costs(goals, rng);
        std::vector<int> order(static_cast<std::size_t>(goals));
        std::iota(order.begin(), order.end(), 0);
        const std::vector<int> but_last(order.begin(), order.end() - 1);
        const Insertion in = cheapest_insertion(costs, but_last, goals - 1);
        double least = no_path;
        for (std::size_t k = 0; k <= but_last.size(); ++k) {
            std::vector<int> longer = but_last;
            longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(k), goals - 1);
            least = std::min(least, tour_cost(costs, longer) - tour_cost(costs, but_last));
        }
        CHECK(in.cost == doctest::Approx(least));
        double best = no_path;
        do best = std::min(best, tour_cost(costs, order));
        while (std::next_permutation(order.begin(), order.end()));
        const std::vector<int> tour = short_tour(costs);
        CHECK(tour.size() == static_cast<std::size_t>(goals));
        CHECK(std::is_permutation(tour.begin(), tour.end(), order.begin()));
        CHECK(tour_cost(costs, tour) <= 1.2 * best);
        best_found += tour_cost(costs, tour) < best + 1e-9;
        ++cases;
    }
    CHECK(best_found >= cases * 9 / 10);
    TourCosts unreachable{{no_path, 1}, CostMatrix(2, 2, 1)};
    CHECK(short_tour(unreachable) == std::vector<int>{1});
}

TEST_CASE("a tour is improved by the first change that makes it cheaper, whichever way costs go") {
    // All stretches turned round, then all of up to three goals moved, by their definitions.
    const auto improved = [](const TourCosts& costs, const std::vector<int>& tour) -> std::optional<std::vector<int>> {
        const int n = static_cast<int>(tour.size());
        const auto cheaper = [&](const std::vector<int>& other) {
            return tour_cost(costs, other) < tour_cost(costs, tour) - 1e-9;
        };
        for (int i = 0; i < n; ++i)
            for (int k = i + 2; k <= n; ++k) {
                std::vector<int> other = tour;
                std::reverse(other.begin() + i, other.begin() + k);
                if (cheaper(other)) return other;
            }
        for (int length = 1; length <= std::min(3, n); ++length)
            for (int i = 0; i + length <= n; ++i)
                for (int k = 0; k + length <= n; ++k) {
                    std::vector<int> other = tour;
                    other.erase(other.begin() + i, other.begin() + i + length);
                    other.insert(other.begin() + k, tour.begin() + i, tour.begin() + i + length);
                    if (cheaper(other)) return other;
                }
        return {};
    };
    Rng rng(6, 0, Purpose::placement, 0);
    for (int i = 0; i < 80; ++i) {
        CAPTURE(i);
        const int goals = 2 + i % 14;
        TourCosts costs = random_tour_costs(goals, rng);
        for (int from = 0; from < goals; ++from)
            for (int to = 0; to < goals; ++to) {
                double& cost = costs.between(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
                if (i % 4 == 1) cost *= rng.uniform(0.5, 1.5);  // by direction
                if (i % 4 == 2 && rng.below(6) == 0) cost = no_path;
                if (i % 4 == 3) cost = std::round(cost / 20);  // many alike
            }
        std::vector<int> tour(static_cast<std::size_t>(goals));
        std::iota(tour.begin(), tour.end(), 0);
        std::vector<int> expected = tour;
        while (const auto better = improved(costs, expected)) expected = *better;
        improve_tour(costs, tour);
        CHECK(tour == expected);
    }
}

TEST_CASE("Choquet: additive weights give the weighted sum, others what the definition says") {
    Rng rng(4, 0, Purpose::placement, 0);
    for (int i = 0; i < 100; ++i) {
        const std::array<double, 3> w{0.5, 0.3, 0.2}, u{rng.uniform(), rng.uniform(), rng.uniform()};
        std::array<double, 8> additive{}, other{0, 0.5, 0.3, 0.95, 0.2, 0.7, 0.4, 1};
        for (std::size_t mask = 0; mask < 8; ++mask)
            for (std::size_t k = 0; k < 3; ++k) additive[mask] += mask >> k & 1 ? w[k] : 0;
        CHECK(choquet(u, additive) == doctest::Approx(w[0] * u[0] + w[1] * u[1] + w[2] * u[2]));
        // The integral over levels: of each level the weight of the criteria that reach it.
        double integral = 0;
        constexpr int levels = 20000;
        for (int k = 0; k < levels; ++k) {
            std::size_t mask = 0;
            for (std::size_t c = 0; c < 3; ++c) mask |= static_cast<std::size_t>(u[c] > (k + 0.5) / levels) << c;
            integral += other[mask] / levels;
        }
        CHECK(choquet(u, other) == doctest::Approx(integral).epsilon(0.001));
    }
}

TEST_CASE("unknown in sight: the whole disc where nothing is known, nothing in a closed room, a part through a door") {
    const KnownMap nothing(Lattice{0.1});
    CHECK(unknown_in_sight(nothing, {5, 5}, 30, 64) == doctest::Approx(pi * 900).epsilon(1e-9));
    CHECK(unknown_within(nothing, {5, 5}, 1) == 5);
    Grid<std::uint8_t> closed(80, 80, 0, Lattice{0.1});
    for (int i = 20; i <= 60; ++i)
        for (const Cell c : {Cell{i, 20}, {i, 60}, {20, i}, {60, i}}) closed[c] = 1;
    KnownMap room(Lattice{0.1});
    const auto learn = [&](const Grid<std::uint8_t>& walls) {  // the room with its walls, nothing else
        room = KnownMap(Lattice{0.1});
        for (int y = 20; y <= 60; ++y)
            for (int x = 20; x <= 60; ++x) {
                CellTile claim;
                const Cell c{x, y};
                claim.set(c, walls[c] ? CellState::occupied : CellState::free);
                room.observe(tile_of(c), claim, 0);
            }
    };
    learn(closed);
    CHECK(unknown_in_sight(room, {40, 40}, 35, 64) == 0);
    Grid<std::uint8_t> open = closed;
    for (int x = 35; x <= 45; ++x) open[{x, 60}] = 0;
    learn(open);
    // By hand: unknown cells of which the middle is in range and in sight.
    int in_sight = 0;
    for (int y = 0; y < 110; ++y)
        for (int x = 0; x < 110; ++x)
            if (room.state({x, y}) == CellState::unknown && squared_distance({x, y}, {40, 40}) <= 35 * 35)
                in_sight += walk_segment({40.5, 40.5}, {x + 0.5, y + 0.5},
                                         [&](Cell c, double) { return !room.is_occupied(c); });
    REQUIRE(in_sight > 50);
    CHECK(unknown_in_sight(room, {40, 40}, 35, 720) == doctest::Approx(in_sight).epsilon(0.06));
    int near = 0;
    for (int y = 0; y < 110; ++y)
        for (int x = 0; x < 110; ++x)
            near += room.state({x, y}) == CellState::unknown && squared_distance({x, y}, {55, 50}) <= 20 * 20;
    CHECK(unknown_within(room, {55, 50}, 20) == near);
}

TEST_CASE("discs overlap wholly at distance 0, not at all from two radii on, and as counting says in between") {
    CHECK(disc_overlap(0, 10) == doctest::Approx(1));
    CHECK(disc_overlap(20, 10) == 0);
    int both = 0, one = 0;
    for (int y = -200; y <= 200; ++y)
        for (int x = -200; x <= 300; ++x) {
            const bool a = x * x + y * y <= 40000, b = (x - 150) * (x - 150) + y * y <= 40000;
            one += a;
            both += a && b;
        }
    CHECK(disc_overlap(150, 200) == doctest::Approx(double(both) / one).epsilon(0.01));
}

}  // namespace test_assignment
