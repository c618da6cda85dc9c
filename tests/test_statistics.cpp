// Against values of scipy 1.10 (tools/scipy_values.py prints them), and known answers.
#include <cmath>

#include "batch/compare.hpp"
#include "batch/statistics.hpp"
#include "helpers.hpp"

using namespace outrider;

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
    Wilcoxon w = wilcoxon_signed_rank(plain);
    CHECK(w.statistic == 8);
    CHECK(w.p == doctest::Approx(0.048828125).epsilon(1e-12));
    w = wilcoxon_signed_rank(tied);
    CHECK(w.statistic == 13.5);
    CHECK(w.pairs == 13);
    CHECK(w.p == doctest::Approx(0.024839602008465324).epsilon(1e-12));
    w = wilcoxon_signed_rank(large());
    CHECK(w.statistic == 541);
    CHECK(w.p == doctest::Approx(0.005900870631494955).epsilon(1e-12));
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

TEST_CASE("odd samples have stated answers") {
    CHECK(wilcoxon_signed_rank({}).p == 1);
    const std::vector<double> zeros{0, 0, 0}, one{2};
    CHECK(wilcoxon_signed_rank(zeros).p == 1);
    CHECK(wilcoxon_signed_rank(one).p == 1);
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
    CHECK_FALSE(less_is_better("auc_base"));
}
