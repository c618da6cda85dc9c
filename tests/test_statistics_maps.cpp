// Differences over maps: exact against counting every choice of signs, and right as often as they say on simulated
// maps.
#include <cmath>

#include "batch/difference.hpp"
#include "batch/statistics/sign_flip.hpp"
#include "helpers.hpp"

using namespace outrider;

namespace test_statistics_maps {
namespace {

const double never = std::nan("");

/// The share of all choices of signs whose sum is as far from 0, by its definition.
double by_hand(const std::vector<double>& values) {
    double seen = 0, count = 0;
    for (const double v : values) seen += v;
    for (std::size_t signs = 0; signs < std::size_t{1} << values.size(); ++signs) {
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) sum += (signs >> i & 1) != 0 ? -values[i] : values[i];
        count += std::abs(sum) >= std::abs(seen) - 1e-9;
    }
    return std::ldexp(count, -static_cast<int>(values.size()));
}

std::vector<double> moved(std::vector<double> values, double by) {
    for (double& v : values) v += by;
    return values;
}

/// Differences of pairs on simulated maps: their variance is 1, the correlation of two of a map is `within`.
struct Maps {
    double within = 0;
    std::vector<int> pairs = std::vector<int>(12, 30);         // of each map
    std::vector<double> scatter = std::vector<double>(12, 1);  // each map's, as a factor

    std::vector<PairPlace> places() const {
        std::vector<PairPlace> out;
        for (std::size_t m = 0; m < pairs.size(); ++m)
            for (int k = 0; k < pairs[m]; ++k) out.push_back({static_cast<int>(m), k});
        return out;
    }
    std::vector<double> draw(Rng& rng, double mean) const {
        std::vector<double> out;
        for (std::size_t m = 0; m < pairs.size(); ++m) {
            const double of_map = std::sqrt(within) * rng.normal();
            for (int k = 0; k < pairs[m]; ++k)
                out.push_back(mean + scatter[m] * (of_map + std::sqrt(1 - within) * rng.normal()));
        }
        return out;
    }
};

struct Rates {
    double covered = 0, shown = 0, shown_as_pairs = 0;  // the last: if pairs were independent of each other
};

Rates rates(const Maps& maps, double mean, int repetitions, std::uint64_t seed = 5) {
    const std::vector<PairPlace> places = maps.places();
    const std::vector<double> zeros(places.size());
    Rng rng(seed, -1, Purpose::bootstrap, 2);
    Rates out;
    for (int k = 0; k < repetitions; ++k) {
        const std::vector<double> d = maps.draw(rng, mean);
        Difference t = compare_samples(zeros, d, places, true, true);
        adjust({&t});
        out.covered += t.interval.low <= mean && mean <= t.interval.high;
        out.shown += t.shown();
        double sum = 0, squares = 0;
        const double n = static_cast<double>(d.size());
        for (const double v : d) sum += v, squares += v * v;
        out.shown_as_pairs += std::abs(sum) > 1.96 * std::sqrt(squares - sum * sum / n);
    }
    for (double* rate : {&out.covered, &out.shown, &out.shown_as_pairs}) *rate /= repetitions;
    return out;
}

}  // namespace

TEST_CASE("p is the share of all choices of signs that are as far from nothing") {
    Rng rng(1, -1, Purpose::bootstrap, 3);
    for (std::size_t n = 1; n <= 11; ++n)
        for (int round = 0; round < 6; ++round) {
            std::vector<double> values;
            for (std::size_t i = 0; i < n; ++i)  // every other round with ties and zeros
                values.push_back(round % 2 == 0 ? rng.normal() + 0.5 : static_cast<double>(rng.below(5)) - 1);
            CAPTURE(n);
            CHECK(sign_flip(values).p == doctest::Approx(by_hand(values)).epsilon(1e-12));
        }
    // numpy, all 2^10 and 2^15 choices
    const std::vector<double> plain{1.1, -0.4, 2.7, 3.2, -1.9, 0.8, 5.5, 4.1, -0.2, 2.2};
    const std::vector<double> tied{1, -1, 2, 3, 3, -2, 5, 5, 0, 4, 4, -3, 0, 6, 1};
    CHECK(sign_flip(plain).p == 0.04296875);
    CHECK(sign_flip(plain).interval.low == doctest::Approx(0.1));
    CHECK(sign_flip(plain).interval.high == doctest::Approx(10.0 / 3));
    CHECK(sign_flip(tied).p == 0.026611328125);
    CHECK(sign_flip(tied).interval.low == doctest::Approx(1.0 / 3));
    CHECK(sign_flip(tied).interval.high == doctest::Approx(3.4));
}

TEST_CASE("an interval holds the means that are not rejected, and no others") {
    Rng rng(2, -1, Purpose::bootstrap, 3);
    for (std::size_t n = 6; n <= 12; ++n) {
        std::vector<double> values;
        for (std::size_t i = 0; i < n; ++i) values.push_back(rng.normal());
        const SignFlip f = sign_flip(values);
        CAPTURE(n);
        CHECK(sign_flip(moved(values, -f.interval.low + 1e-6)).p < 0.05);
        CHECK(sign_flip(moved(values, -f.interval.low - 1e-6)).p >= 0.05);
        CHECK(sign_flip(moved(values, -f.interval.high - 1e-6)).p < 0.05);
        CHECK(sign_flip(moved(values, -f.interval.high + 1e-6)).p >= 0.05);
    }
}

TEST_CASE("beyond sixteen values random choices come near all of them, and are the same each time") {
    Rng rng(3, -1, Purpose::bootstrap, 3);
    std::vector<double> values;
    for (int i = 0; i < 20; ++i) values.push_back(rng.normal() + 0.5);
    const SignFlip f = sign_flip(values);
    CHECK(f.p == doctest::Approx(by_hand(values)).epsilon(0.05));
    CHECK(f.p == sign_flip(values).p);
    CHECK(sign_flip(moved(values, -f.interval.low - 1e-6)).p >= 0.05);
    CHECK(sign_flip(moved(values, -f.interval.high + 1e-6)).p >= 0.05);
    CHECK(sign_flip(std::vector<double>(100, 3.0)).p == std::ldexp(1, -15));  // never 0
}

TEST_CASE("few values cannot give a small p, and the program says how many it takes") {
    for (std::size_t n = 1; n <= 16; ++n) {
        CHECK(sign_flip(std::vector<double>(n, 2.0)).p == smallest_p(n));
        CHECK(std::isnan(sign_flip(std::vector<double>(n, 2.0)).interval.low) == (n < 6));
    }
    CHECK(smallest_p(0) == 1);
    CHECK(smallest_p(5) == 0.0625);
    CHECK(values_needed(1) == 6);
    CHECK(values_needed(2) == 7);
    CHECK(values_needed(3) == 7);
    CHECK(values_needed(30) == 11);
    CHECK(values_needed(1638) == 16);
    CHECK(values_needed(1639) == 0);
}

TEST_CASE("ties, zeros and nothing are no evidence") {
    CHECK(sign_flip({}).p == 1);
    CHECK(sign_flip(std::vector<double>(8, 0.0)).p == 1);
    CHECK(sign_flip(std::vector<double>(8, 0.0)).interval.low == 0);
    CHECK(sign_flip(std::vector<double>(8, 0.0)).interval.high == 0);
    CHECK(sign_flip(std::vector<double>{1, -1, 2, -2, 3, -3}).p == 1);
    // A map without a difference is no evidence: six of eight say what six say.
    CHECK(sign_flip(std::vector<double>{1, 2, 3, 4, 5, 6, 0, 0}).p == 0.03125);
    CHECK(sign_flip(std::vector<double>{0.1, 0.2, -0.3, 1, 1, 1}).p == by_hand({0.1, 0.2, -0.3, 1, 1, 1}));
}

TEST_CASE("each map counts once, whatever its number of pairs; what is missing is left out") {
    // Map 0 has four pairs, the others one; map 8 has none with both values.
    std::vector<PairPlace> places{{0, 1}, {0, 2}, {0, 3}, {0, 4}};
    std::vector<double> a{10, 10, 10, 10}, b{11, 13, 11, 13};
    for (int m = 1; m < 8; ++m) {
        places.push_back({m, 1});
        a.push_back(10);
        b.push_back(10.0 + m);
    }
    places.push_back({8, 1});
    a.push_back(never);
    b.push_back(3);
    const Difference t = compare_samples(a, b, places, true, true);
    CHECK(t.maps == 8);
    CHECK(t.pairs == 11);
    CHECK(t.better_a == 11);
    CHECK(t.better_maps_a == 8);
    CHECK(t.mean == (2 + 1 + 2 + 3 + 4 + 5 + 6 + 7) / 8.0);
    CHECK(t.p == 2 / 256.0);
    CHECK(t.p == sign_flip(std::vector<double>{2, 1, 2, 3, 4, 5, 6, 7}).p);
    CHECK_FALSE(t.favours_b);
    // The order of the pairs, and what the maps are called, changes nothing.
    std::reverse(a.begin(), a.end());
    std::reverse(b.begin(), b.end());
    std::reverse(places.begin(), places.end());
    CHECK(compare_samples(a, b, places, true, true).p == t.p);
}

TEST_CASE("a single map is tested over its starts; repetitions of a start are alike, too") {
    std::vector<PairPlace> places;
    std::vector<double> a, b, means;
    for (int start = 1; start <= 7; ++start) {
        for (const int more : {0, 2}) {
            places.push_back({4, start});
            a.push_back(50);
            b.push_back(50 - start - more);
        }
        means.push_back(-start - 1);
    }
    Difference t = compare_samples(a, b, places, true, true);
    CHECK(t.test == Difference::Test::starts);
    CHECK(t.single_map());
    CHECK(t.pairs == 14);
    CHECK(t.units == 7);
    CHECK(t.p == sign_flip(means).p);
    CHECK(t.favours_b);
    adjust({&t});
    CHECK(t.shown());
    Difference few =
        compare_samples(std::span(a).first(4), std::span(b).first(4), std::span(places).first(4), true, true);
    adjust({&few});
    CHECK_FALSE(few.possible);
    CHECK(few.needed == 6);
}

TEST_CASE("runs without a common start are compared map by map, or ranked on a single map") {
    std::vector<PairPlace> places;
    std::vector<double> a, b;
    for (int m = 0; m < 6; ++m)
        for (int start = 0; start < 4; ++start) {
            places.push_back({m, start});
            a.push_back(start < 2 ? 10 + start : never);
            b.push_back(start < 2 ? never : 20.0 + start + m);
        }
    Difference t = compare_samples(a, b, places, true, false);
    CHECK_FALSE(t.paired);
    CHECK(t.test == Difference::Test::maps);
    CHECK(t.maps == 6);
    CHECK(t.mean == 22.5 + 2.5 - 10.5);
    CHECK(t.p == 0.03125);
    t = compare_samples(std::span(a).first(4), std::span(b).first(4), std::span(places).first(4), true, false);
    CHECK(t.test == Difference::Test::runs);
    CHECK(t.p == t.smallest);  // two against two in the one order of six that is clearest, on either side
    adjust({&t});
    CHECK_FALSE(t.possible);
    CHECK_FALSE(compare_samples(a, b, places, true, true).made());
    for (std::size_t i = 0; i < places.size(); ++i) places[i].map = std::isnan(a[i]) ? 1 : 0;
    CHECK_FALSE(compare_samples(a, b, places, true, false).made());  // no map in common
}

TEST_CASE("what no result could show is told apart from what this one does not, after the correction") {
    std::vector<Difference> tests(3);
    for (std::size_t k = 0; k < 3; ++k) {  // 5, 6 and 12 maps
        const std::size_t maps[] = {5, 6, 12};
        std::vector<PairPlace> places;
        for (std::size_t m = 0; m < maps[k]; ++m) places.push_back({static_cast<int>(m), 1});
        const std::vector<double> zeros(maps[k]), ones(maps[k], 1.0);
        tests[k] = compare_samples(zeros, ones, places, true, true);
    }
    adjust({&tests[0], &tests[1], &tests[2]});
    CHECK_FALSE(tests[0].possible);
    CHECK_FALSE(tests[1].possible);  // 0.03125, second of three: twice that
    CHECK(tests[2].possible);
    CHECK(tests[2].shown());
    CHECK(tests[0].needed == 7);
    adjust({&tests[1]});
    CHECK(tests[1].possible);
    CHECK(tests[1].shown());
    for (const Difference& t : tests) CHECK((t.possible || !t.shown()));
}

TEST_CASE("on simulated maps an interval of 95 % holds the truth, and nothing is shown where nothing is") {
    constexpr int repetitions = 4000;
    for (const double within : {0.0, 0.3, 0.8}) {
        Maps maps;
        maps.within = within;
        const Rates none = rates(maps, 0, repetitions), some = rates(maps, 0.7, repetitions, 6);
        CAPTURE(within);
        MESSAGE(
            fmt::format("12 maps x 30 starts, correlation {}: {:.1f} % covered, {:.1f} % false alarms; as 360 "
                        "independent pairs {:.1f} %",
                        within, 100 * some.covered, 100 * none.shown, 100 * none.shown_as_pairs));
        CHECK(some.covered > 0.93);
        CHECK(some.covered < 0.97);
        CHECK(none.shown > 0.04);
        CHECK(none.shown < 0.06);
        if (within > 0) CHECK(none.shown_as_pairs > 0.4);
    }
    // Maps with one pair to thirty, and maps that scatter by a tenth to three times as much.
    Maps uneven;
    uneven.within = 0.3;
    uneven.pairs = {1, 1, 2, 3, 5, 8, 13, 21, 30, 30, 30, 30};
    uneven.scatter = {3, 0.1, 1, 1, 0.3, 2, 1, 0.1, 3, 1, 0.5, 1};
    const Rates rate = rates(uneven, 0, repetitions);
    MESSAGE(fmt::format("uneven maps: {:.1f} % covered, {:.1f} % false alarms", 100 * rate.covered, 100 * rate.shown));
    CHECK(rate.covered > 0.93);
    CHECK(rate.covered < 0.97);
    CHECK(rate.shown > 0.04);
    CHECK(rate.shown < 0.06);
}

TEST_CASE("larger differences are shown more often") {
    Maps maps;
    maps.within = 0.3;
    double before = 0;
    for (const double mean : {0.0, 0.2, 0.4, 0.6, 0.8}) {
        const double shown = rates(maps, mean, 600).shown;
        CHECK(shown > before);
        before = shown;
    }
    CHECK(before > 0.95);
}

}  // namespace test_statistics_maps
