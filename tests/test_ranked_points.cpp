// The order in which people are shown the candidates of a choice.
#include "messages/ranked_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "outrider/rng.hpp"

using namespace outrider;

namespace test_ranked_points {
namespace {

Overlay scored(std::vector<double> scores) {
    std::vector<Point> points;
    for (std::size_t k = 0; k < scores.size(); ++k) points.push_back({static_cast<double>(k), 0});
    return Overlay::candidates("score", points, std::move(scores));
}

using Order = std::vector<std::size_t>;

}  // namespace

TEST_CASE("candidates come best first: the highest, or the lowest where the chosen one scores low") {
    CHECK(best_first(scored({2, 5, 3}), {}) == Order{1, 2, 0});
    CHECK(best_first(scored({2, 5, 3}), Point{1, 0}) == Order{1, 2, 0});  // a gain
    CHECK(best_first(scored({2, 5, 3}), Point{0, 0}) == Order{0, 2, 1});  // a cost
    CHECK(best_first(scored({2, 5, 3}), Point{9, 9}) == Order{1, 2, 0});  // chosen elsewhere
    CHECK(best_first(scored({4, 4, 4}), Point{1, 0}) == Order{0, 1, 2});  // equal ones in the strategy's order
    CHECK(best_first(scored({2, NAN, 3, 1}), Point{3, 0}) == Order{3, 0, 2, 1});
    CHECK(best_first(scored({NAN, 2}), Point{0, 0}) == Order{1, 0});
}

TEST_CASE("candidates without scores keep the strategy's order") {
    CHECK(best_first(Overlay::candidates("places", {{0, 0}, {1, 0}, {2, 0}}), Point{2, 0}) == Order{0, 1, 2});
    CHECK(best_first(scored({}), {}).empty());
}

TEST_CASE("of many points the best that stand apart are shown, and the chosen one always") {
    Rng rng(7, 0, Purpose::placement, 0);
    for (int times = 0; times < 200; ++times) {
        Overlay o = Overlay::candidates("places");
        const std::size_t count = 1 + rng.below(60);
        for (std::size_t k = 0; k < count; ++k) {
            o.points.push_back({0.1 * rng.below(100), 0.1 * rng.below(100)});
            o.values.push_back(rng.below(1000));
        }
        std::optional<Point> chosen;
        if (rng.below(2)) chosen = o.points[rng.below(static_cast<std::uint32_t>(count))];
        const std::size_t most = 1 + rng.below(12);
        const Order order = best_first(o, chosen), shown = best_apart(o, chosen, 1.5, most);
        CHECK(!shown.empty());
        CHECK(shown.size() <= most);
        const auto is_chosen = [&](std::size_t k) { return chosen && distance(o.points[k], *chosen) < 1e-6; };
        CHECK(std::any_of(shown.begin(), shown.end(), is_chosen) == chosen.has_value());
        const auto rank = [&](std::size_t k) { return std::find(order.begin(), order.end(), k) - order.begin(); };
        for (std::size_t a = 0; a < shown.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                CHECK(rank(shown[b]) < rank(shown[a]));
                CHECK(distance(o.points[shown[a]], o.points[shown[b]]) >= 1.5);
            }
        // Who was left out is near to one that is shown, or there was no room.
        for (const std::size_t k : order)
            CHECK((shown.size() == most || std::any_of(shown.begin(), shown.end(), [&](std::size_t s) {
                       return distance(o.points[k], o.points[s]) < 1.5;
                   })));
    }
}

}  // namespace test_ranked_points
