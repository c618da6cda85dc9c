// Smoke that swallows beams.
#include "features/smoke/smoke.hpp"
#include "helpers.hpp"

using namespace outrider;

namespace test_smoke {
namespace {

/// A corridor of 12 m; the robot at its left end looks along it.
std::vector<std::string> corridor() {
    std::vector<std::string> rows(7, "#" + std::string(118, '.') + "#");
    rows.front() = rows.back() = std::string(120, '#');
    rows[2][3] = 'B';
    rows[3][5] = '1';
    return rows;
}

/// What the robot measures straight ahead in step 0.
std::uint16_t ahead(const std::string& toml) {
    Simulation sim(text_scenario(corridor(), "[team]\nstrategy = \"stay\"\n[run]\nsteps = 1\n" + toml), {});
    std::uint16_t range = 0;
    struct Look final : Observer {
        explicit Look(std::uint16_t& r) : range(r) {}
        void on_step(const StepView& view) override {
            range = view.percepts[1].scans.at(0).ranges[view.percepts[1].scans[0].ranges.size() / 2];
        }
        std::uint16_t& range;
    } look(range);
    sim.add_observer(look);
    sim.run();
    return range;
}

}  // namespace

TEST_CASE("a beam ends where density times metres exceed the limit, however discs overlap") {
    const std::vector<SmokeDisc> one{{{10, 0}, 3, 0.002}};
    const Point east{1, 0};
    CHECK(clear_length_m(one, {0, 0}, east, 5) == 5);
    CHECK(clear_length_m(one, {0, 0}, east, 30) == doctest::Approx(7 + smoke_limit_m / 0.002));
    CHECK(clear_length_m(one, {10, 0}, east, 30) == doctest::Approx(smoke_limit_m / 0.002));
    CHECK(clear_length_m(one, {12, 0}, east, 30) == 30);  // a metre of it is left
    CHECK(clear_length_m(one, {0, 3}, east, 30) == 30);   // passes beside it
    CHECK(clear_length_m(one, {20, 0}, east, 30) == 30);
    CHECK(clear_length_m({}, {0, 0}, east, 30) == 30);
    // Against small steps along the beam, with discs anywhere.
    Rng rng(5, 0, Purpose::placement, 0);
    for (int k = 0; k < 200; ++k) {
        std::vector<SmokeDisc> discs;
        for (int d = 0; d < 4; ++d)
            discs.push_back({{rng.uniform(-8, 8), rng.uniform(-8, 8)}, rng.uniform(0.3, 4), rng.uniform(2e-4, 4e-3)});
        const double angle = rng.uniform(0, 2 * pi), length = rng.uniform(1, 15);
        const auto [s, c] = sin_cos(angle);
        const Point from{rng.uniform(-5, 5), rng.uniform(-5, 5)}, direction{c, s};
        double lost = 0, t = 0;
        constexpr double tick = 1e-3;
        for (; t < length && lost <= smoke_limit_m; t += tick)
            for (const SmokeDisc& disc : discs)
                if (distance(from + direction * (t + tick / 2), disc.middle) < disc.radius_m)
                    lost += disc.density * tick;
        CHECK(std::abs(clear_length_m(discs, from, direction, length) - std::min(t, length)) < 0.02);
    }
}

TEST_CASE("in smoke a sensor says nothing, measures the smoke, or does not mind; before it nobody notices") {
    const std::string disc = "[[smoke]]\nx_m = 6\ny_m = 0.35\nradius_m = 2\ndensity = 0.01\n";
    const std::uint16_t plain = ahead("");
    CHECK(plain == doctest::Approx(11350).epsilon(0.001));
    CHECK(ahead(disc) == Scan::no_information);
    CHECK(ahead("[sensor]\nsmoke = \"stop\"\n" + disc) == doctest::Approx(4000 - 550 + 575).epsilon(0.002));
    CHECK(ahead("[sensor]\nsmoke = \"ignore\"\n" + disc) == plain);
    CHECK(ahead("[sensor]\nrange_m = 3\n" + disc) == Scan::nothing);
    CHECK(ahead("[sensor]\npreset = \"lms200\"\n" + disc) == doctest::Approx(4025).epsilon(0.002));
    const std::pair<const char*, const char*> refused[] = {
        {"[[smoke]]\nx_m = 3\n", "smoke needs both x_m and y_m"},
        {"[[smoke]]\nx_m = 30\ny_m = 0.3\n", "its middle (30, 0.3) m is not on the map"},
        {"[[smoke]]\nx_m = 3\ny_m = 0.3\nradius_m = -1\n", "smoke[1].radius_m"},
        {"[smoke]\nx_m = 3\n", "expected [[smoke]]"},
        {"[sensor]\nsmoke = \"thick\"\n", "sensor.smoke"}};
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(text_scenario(corridor(), entry.first), doctest::Contains(entry.second), Error);
    }
    // Smoke is part of the scenario, and of its hash.
    const Scenario s = text_scenario(corridor(), disc);
    CHECK(s.resolved().find("[[smoke]]") != std::string::npos);
    CHECK(s.hash() != text_scenario(corridor()).hash());
}

}  // namespace test_smoke
