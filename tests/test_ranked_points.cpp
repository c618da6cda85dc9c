// The order in which people are shown the candidates of a choice.
#include "messages/ranked_points.hpp"

#include <doctest/doctest.h>

#include <cmath>

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

}  // namespace test_ranked_points
