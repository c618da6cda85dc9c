// How small a difference a plan would show: against simulated sweeps.
#include <cmath>

#include "batch/statistics/power.hpp"
#include "batch/statistics/sign_flip.hpp"
#include "helpers.hpp"

using namespace outrider;

namespace test_statistics_power {

TEST_CASE("the smallest difference of a plan is shown in about four of five sweeps") {
    Rng rng(9, -1, Purpose::bootstrap, 4);
    for (const auto& [count, tests, repetitions] : {std::tuple{std::size_t{7}, std::size_t{1}, 2000},
                                                    {std::size_t{7}, std::size_t{3}, 2000},
                                                    {std::size_t{9}, std::size_t{1}, 2000},
                                                    {std::size_t{12}, std::size_t{3}, 1000},
                                                    {std::size_t{12}, std::size_t{18}, 1000},
                                                    {std::size_t{24}, std::size_t{3}, 200}}) {
        const std::optional<double> found = smallest_found({0.4, 1}, {count, 5, tests});
        REQUIRE(found);
        double shown = 0;
        for (int k = 0; k < repetitions; ++k) {
            std::vector<double> means;
            for (std::size_t m = 0; m < count; ++m) means.push_back(*found + std::sqrt(0.16 + 1 / 5.0) * rng.normal());
            shown += sign_flip(means).p * static_cast<double>(tests) < 0.05;
        }
        CAPTURE(count);
        CAPTURE(tests);
        MESSAGE(fmt::format("{} maps, {} tests: {:.0f} % of 80", count, tests, 100 * shown / repetitions));
        CHECK(shown / repetitions > 0.7);
        CHECK(shown / repetitions < 0.88);
    }
}

TEST_CASE("the number of maps that a difference takes is the first that finds it") {
    const Spread spread{0.08, 0.2};
    CHECK_FALSE(smallest_found(spread, {5, 30, 1}));
    CHECK_FALSE(smallest_found(spread, {6, 30, 3}));
    CHECK_FALSE(smallest_found(spread, {0, 30, 1}));
    for (const double difference : {0.05, 0.1, 0.2}) {
        const std::size_t maps = maps_to_find(difference, spread, {1, 3, 3});
        CHECK(*smallest_found(spread, {maps, 3, 3}) <= difference);
        if (const auto fewer = smallest_found(spread, {maps - 1, 3, 3})) CHECK(*fewer > difference);
    }
    CHECK(maps_to_find(1, spread, {1, 3, 3}) == 7);
    CHECK(maps_to_find(1e-6, spread, {1, 3, 3}) == 0);
    // More starts help as long as they scatter; what lies between maps they leave.
    CHECK(*smallest_found(spread, {12, 30, 3}) < *smallest_found(spread, {12, 3, 3}));
    CHECK(*smallest_found({0.08, 0}, {12, 30, 3}) == *smallest_found({0.08, 0}, {12, 3, 3}));
}

TEST_CASE("spreads between and within maps are told apart") {
    const std::vector<double> by_hand{1, 3, 5, 7};  // means 2 and 6, within 2 each
    const std::vector<int> two{0, 0, 1, 1};
    CHECK(spread_of(by_hand, two).within == doctest::Approx(std::sqrt(2.0)));
    CHECK(spread_of(by_hand, two).between == doctest::Approx(std::sqrt(8.0 - 1)));
    CHECK(spread_of({}, {}).between == 0);
    CHECK(spread_of(by_hand, std::vector<int>(4, 0)).between == 0);
    const Spread each = spread_of(by_hand, std::vector<int>{0, 1, 2, 3});
    CHECK(each.within == 0);
    CHECK(each.between == doctest::Approx(std::sqrt(20.0 / 3)));
    std::vector<double> drawn;
    std::vector<int> of;
    Rng rng(4, -1, Purpose::bootstrap, 5);
    for (int m = 0; m < 2000; ++m) {
        const double of_map = 0.5 + std::sqrt(0.3) * rng.normal();
        for (int k = 0; k < 4; ++k) {
            drawn.push_back(of_map + std::sqrt(0.7) * rng.normal());
            of.push_back(m);
        }
    }
    const Spread spread = spread_of(drawn, of);
    CHECK(spread.between == doctest::Approx(std::sqrt(0.3)).epsilon(0.06));
    CHECK(spread.within == doctest::Approx(std::sqrt(0.7)).epsilon(0.03));
}

}  // namespace test_statistics_power
