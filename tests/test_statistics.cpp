// Against values of scipy 1.10 (tools/scipy_values.py prints them), and known answers.
#include <cmath>

#include "batch/compare.hpp"
#include "batch/statistics.hpp"
#include "helpers.hpp"

using namespace outrider;

namespace test_statistics {
namespace {

const std::vector<double> plain{1.1, -0.4, 2.7, 3.2, -1.9, 0.8, 5.5, 4.1, -0.2, 2.2};
const std::vector<double> tied{1, -1, 2, 3, 3, -2, 5, 5, 0, 4, 4, -3, 0, 6, 1};
std::vector<double> large() {
    std::vector<double> out;
    for (int i = 0; i < 60; ++i) out.push_back((i * 37) % 101 - 38 + i / 1000.0);
    return out;
}

}  // namespace

TEST_CASE("statistics are those of scipy") {
    CHECK(quantile(plain, 0) == -1.9);
    CHECK(quantile(plain, 0.25) == doctest::Approx(0.05));
    CHECK(median(plain) == doctest::Approx(1.65));
    CHECK(quantile(plain, 0.9) == doctest::Approx(4.24));
    CHECK(quantile(plain, 1) == 5.5);
    CHECK(normal_quantile(0.975) == doctest::Approx(1.959963984540054));
    const std::vector<double> x{3, 1, 4, 1, 5, 9, 2, 6}, y{5, 3, 5, 8, 9, 7, 9};
    CHECK(probability_below(x, y) == doctest::Approx(0.7767857142857143));
    CHECK(probability_below(y, x) == doctest::Approx(1 - 0.7767857142857143));
    const std::vector<double> p{0.01, 0.04, 0.03, 0.005, 0.5}, adjusted{0.04, 0.09, 0.09, 0.025, 0.5};
    for (std::size_t i = 0; i < p.size(); ++i) CHECK(holm(p)[i] == doctest::Approx(adjusted[i]));
    const std::vector<double> sample = large();
    const Interval interval = bootstrap_median(sample, 0.95);  // other random numbers than scipy's
    CHECK(interval.low == doctest::Approx(-0.999).epsilon(3));
    CHECK(interval.high == doctest::Approx(23.5).epsilon(0.15));
    CHECK(bootstrap_median(sample, 0.95).low == interval.low);
}

TEST_CASE("statistics of samples that are not paired, across maps and over time are those of scipy") {
    const std::vector<double> other{0.3, 5.9, 7.1, -3.3, 8.8, 9.4};
    MannWhitney u = mann_whitney(std::span(plain).first(7), other);
    CHECK(u.u == 12);
    CHECK(u.p == doctest::Approx(0.23426573426573427).epsilon(1e-12));
    CHECK(mann_whitney(other, std::span(plain).first(7)).p == u.p);
    const std::vector<double> x{3, 1, 4, 1, 5, 9, 2, 6}, y{5, 3, 5, 8, 9, 7, 9};
    u = mann_whitney(x, y);
    CHECK(u.u == 12.5);
    CHECK(u.p == doctest::Approx(0.07983871964585261).epsilon(1e-12));
    std::vector<double> thrice;
    for (int i = 0; i < 3; ++i)
        for (const double v : plain) thrice.push_back(v + 11.5);
    u = mann_whitney(large(), thrice);
    CHECK(u.u == 864);
    CHECK(u.p == doctest::Approx(0.761202565465596).epsilon(1e-12));

    CHECK(interquartile_mean(plain) == doctest::Approx(1.6333333333333335));
    CHECK(interquartile_mean(tied) == 2);
    CHECK(interquartile_mean(large()) == doctest::Approx(11.53));
    const std::vector<int> one_stratum(plain.size(), 0);
    const Estimate iqm = stratified_iqm(plain, one_stratum, 0.95);
    CHECK(iqm.value == interquartile_mean(plain));
    CHECK(iqm.interval.low == doctest::Approx(0.1).epsilon(0.2));  // other random numbers than scipy's
    CHECK(iqm.interval.high == doctest::Approx(3.283333333333333).epsilon(0.05));
    // What differs between maps only is no uncertainty: within each, all values are alike.
    const std::vector<double> two_maps{1, 1, 1, 1, 9, 9, 9, 9};
    const std::vector<int> maps{0, 0, 0, 0, 1, 1, 1, 1};
    CHECK(stratified_iqm(two_maps, maps, 0.95).interval.low == 5);
    CHECK(stratified_iqm(two_maps, maps, 0.95).interval.high == 5);

    // Maps with one run each: what differs between them is all that is known of the scatter.
    std::vector<int> each;
    for (int i = 0; i < 10; ++i) each.push_back(i);
    CHECK(stratified_iqm(plain, each, 0.95).interval.low == iqm.interval.low);
    CHECK(stratified_iqm(plain, each, 0.95).interval.high == iqm.interval.high);

    // Remission times of Freireich et al. 1963.
    const std::vector<double> times{6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35};
    const std::vector<bool> seen{true,  true,  true,  false, true, false, true,  false, false, true, true,
                                 false, false, false, true,  true, false, false, false, false, false};
    const Survival survival = kaplan_meier(times, seen);
    REQUIRE(survival.steps.size() == 8);
    CHECK(survival.steps[3].time == 10);
    CHECK(survival.steps[3].survival == doctest::Approx(0.7529411764705882));
    CHECK(survival.steps[3].interval.low == doctest::Approx(0.5031995107999564));
    CHECK(survival.steps[3].interval.high == doctest::Approx(0.8893618351692656));
    CHECK(survival.steps[7].survival == doctest::Approx(0.44817927170868355));
    CHECK(survival.steps[7].interval.low == doctest::Approx(0.18805200595923233));
    CHECK(survival.median() == 23);
}

TEST_CASE("between a time and never there is no time") {
    const std::vector<double> half{30, 20, 61, 61}, most{30, 20, 40, 61};
    CHECK(time_quantile(half, 0.5, 60) == 61);
    CHECK(time_quantile(half, 0.25, 60) == 27.5);
    CHECK(time_quantile(half, 1.0 / 3, 60) == 30);
    CHECK(time_quantile(half, 0.75, 60) == 61);
    CHECK(time_quantile(most, 0.5, 60) == 35);
    CHECK(time_quantile(most, 0.75, 60) == 61);
    CHECK(time_quantile(most, 0.5, 100) == median(most));
}

TEST_CASE("the probability of a value below another is what counting all pairs says") {
    const std::vector<double> a = large();
    double wins = 0;
    for (const double u : a)
        for (const double v : tied) wins += u < v ? 1 : u == v ? 0.5 : 0;
    CHECK(probability_below(a, tied) == wins / static_cast<double>(a.size() * tied.size()));
}

TEST_CASE("what differs by rounding alone is a tie wherever values are ranked") {
    CHECK(is_tie(4498.817997326, 4498.817996536));
    CHECK_FALSE(is_tie(4498.8179, 4498.8180));
    CHECK(is_tie(0, 0));
    CHECK_FALSE(is_tie(0, 1e-300));  // relative to the larger
    CHECK(is_tie(-2, -2 - 1e-9));
    CHECK_FALSE(is_tie(-1e-12, 1e-12));
    const double length = 4498.817997326, dust = 7.9e-7;
    const std::vector<double> x{length, 10, 20, 30, 40, 50}, y{length - dust, 11, 22, 33, 44, 55};
    CHECK(differences(x, y) == std::vector<double>{0, 1, 2, 3, 4, 5});
    CHECK(probability_below(std::vector<double>{length - dust}, std::vector<double>{length}) == 0.5);
    CHECK(probability_below(std::vector<double>{length - dust}, std::vector<double>{length - 1, length, length + 1}) ==
          0.5);
    const std::vector<double> noisy{length - dust, length, length + dust}, flat{length, length, length};
    CHECK(mann_whitney(noisy, flat).p == 1);
}

TEST_CASE("large samples get the interval that small ones tend to") {
    std::vector<double> sample;
    Rng rng(3, -1, Purpose::bootstrap, 1);
    for (int i = 0; i < 6000; ++i) sample.push_back(rng.normal());
    const Interval direct = bootstrap_median(sample, 0.95);
    const Interval resampled = bootstrap_median(std::span(sample).first(5000), 0.95);
    CHECK(direct.high - direct.low == doctest::Approx(resampled.high - resampled.low).epsilon(0.2));
    CHECK(direct.low < quantile(sample, 0.5));
    CHECK(direct.high > quantile(sample, 0.5));
    const std::vector<int> strata(sample.size(), 0);
    const Interval means = stratified_iqm(sample, strata, 0.95).interval;
    CHECK(means.high - means.low == doctest::Approx(2 * 1.96 * 1.1 / std::sqrt(6000.0)).epsilon(0.2));
}

TEST_CASE("odd samples have stated answers") {
    CHECK(mann_whitney({}, plain).p == 1);
    CHECK(mann_whitney(tied, tied).p == 1);
    CHECK(interquartile_mean(std::vector<double>{4}) == 4);
    CHECK(kaplan_meier({}, {}).steps.size() == 1);
    CHECK(std::isnan(kaplan_meier({}, {}).median()));
    CHECK(kaplan_meier(std::vector<double>{2, 3}, {true, true}).steps.back().survival == 0);
    const std::vector<double> one{2};
    CHECK(median(one) == 2);
    CHECK(bootstrap_median(one, 0.95).low == 2);
    CHECK(holm({}).empty());
    CHECK_THROWS_AS(quantile({}, 0.5), CheckFailure);
}

TEST_CASE("strategies are compared on the same starts, and the result does not depend on the threads") {
    Notes notes;
    const Scenario s = make_scenario(parse_config("[team]\nrobots=2\n[run]\nsteps=60\n", "small"), "small",
                                     rooms_map(200, 150, 6), notes);
    const std::vector<std::string> strategies{"nearest", "random_walk"}, metrics{"t50_team", "t99_base", "auc_team"};
    const Comparison one = compare({s}, strategies, 4, 1, metrics, {});
    const Comparison three = compare({s}, strategies, 4, 3, metrics, {});
    for (std::size_t k = 0; k < 2; ++k) {
        REQUIRE(one.runs[k].size() == 4);
        for (std::size_t m = 0; m < metrics.size(); ++m) CHECK(one.values(k, m) == three.values(k, m));
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(one.runs[k][i].seed == i + 1);
            CHECK(one.runs[k][i].end_reason == three.runs[k][i].end_reason);
        }
    }
    CHECK(one.done == 8);
    const std::atomic<bool> interrupted{true};
    const Comparison none = compare({s}, strategies, 4, 1, metrics, {}, &interrupted);
    CHECK(none.done == 0);
    CHECK(none.of == 8);
    CHECK(none.runs[1].empty());
    std::atomic<bool> later{false};
    const auto after_three = [&](int done, int) { later = done == 3; };
    const Comparison part = compare({s}, strategies, 4, 1, metrics, after_three, &later);
    CHECK(part.done == 3);  // the pair of the third run is missing
    for (std::size_t k = 0; k < 2; ++k) {
        REQUIRE(part.runs[k].size() == 1);
        CHECK(part.runs[k][0].values[2] == one.runs[k][0].values[2]);
    }
    CHECK(one.censored(1, 1) == 4);  // a random walk never tells the base 99 % in 60 steps
    for (const double v : one.values(1, 1)) CHECK(v == 61);
    // The same seed gives the same starts, whatever the strategy; another seed gives others.
    const Scenario a = variant(s, "nearest", 3), b = variant(s, "random_walk", 3), c = variant(s, "nearest", 4);
    bool moved = false;
    for (std::size_t i = 0; i < a.robots.size(); ++i) {
        CHECK(a.start_cell(i) == b.start_cell(i));
        CHECK(a.robots[i].yaw_deg == b.robots[i].yaw_deg);
        moved = moved || a.start_cell(i) != c.start_cell(i);
    }
    CHECK(moved);
    CHECK(less_is_better("t90_base"));
    for (const char* more : {"auc_base", "paths_found", "skeleton_true", "map_complete"})
        CHECK_FALSE(less_is_better(more));
}

}  // namespace test_statistics
