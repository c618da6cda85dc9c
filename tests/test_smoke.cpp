// Smoke that swallows beams, bodies that cannot jump to their speed, and the failures of a soccer team.
#include "helpers.hpp"
#include "simulator/failures.hpp"
#include "simulator/smoke.hpp"
#include "world/world.hpp"

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

TEST_CASE("a body speeds up by its acceleration, and begins anew after it stood or bumped") {
    const Grid<std::uint8_t> walls(100, 5, 0, Lattice{0.1});
    World world(walls, {{{0.55, 0.25, 0}, 0, 1, Kinematics::holonomic, 0, true, 0, 0.25}}, 1);
    const auto drive = [&](double length) {
        const double before = world.body(0).travelled_m;
        world.move(0, {.path_body = {{length, 0}}, .final_heading = {}, .speed_mps = 1});
        return world.body(0).travelled_m - before;
    };
    for (const double expected : {0.25, 0.5, 0.75, 1.0, 1.0}) CHECK(drive(3) == doctest::Approx(expected));
    world.move(0, {});
    CHECK(drive(3) == doctest::Approx(0.25));
    CHECK(drive(0.2) == doctest::Approx(0.2));
    drive(30);
    drive(30);
    for (int k = 0; k < 12; ++k) drive(30);  // into the wall at the right end
    CHECK(world.body(0).speed_now == 0);
    CHECK(world.body(0).pose.x > 9.9);
}

TEST_CASE("the robots of a soccer team stand still a fifth of the time, a minute at a time") {
    Notes notes;
    const Scenario s = make_scenario(
        parse_config("[team]\nrobots = 5\n[run]\nsteps = 200000\n[failure]\npreset = \"soccer_2008\"\n", "test"),
        "test", rooms_map(200, 150, 1), notes);
    CHECK(s.failure.rate_per_hour == 15.3);
    std::array<double, 6> running{};
    const std::vector<Failure> failures = s.failures();
    std::vector<std::vector<Failure>> of(s.robots.size());
    for (const Failure& f : failures) {
        REQUIRE(f.kind == FailureKind::stuck);
        of[static_cast<std::size_t>(f.robot)].push_back(f);
    }
    std::vector<std::size_t> next(of.size());
    for (int step = 1000; step < 200'000; ++step) {
        std::size_t up = 0;
        for (std::size_t i = 1; i < of.size(); ++i) {  // 0 is the base
            while (next[i] < of[i].size() && of[i][next[i]].until <= step) ++next[i];
            up += next[i] == of[i].size() || of[i][next[i]].from > step;
        }
        running[up] += 1.0 / 199'000;
    }
    const std::array published{0.003, 0.045, 0.035, 0.161, 0.393, 0.363};
    for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(running[k] - published[k]) < 0.06);
    double mean = 0;
    for (std::size_t k = 0; k < 6; ++k) mean += static_cast<double>(k) * running[k] / 5;
    CHECK(mean == doctest::Approx(0.797).epsilon(0.02));
    // What is said besides changes it.
    const Scenario other =
        make_scenario(parse_config("[failure]\npreset = \"soccer_2008\"\nrepair_steps = 10\n", "test"), "test",
                      rooms_map(200, 150, 1), notes);
    CHECK(other.failure.repair_steps == 10);
    CHECK(other.failure.rate_per_hour == 15.3);
}

}  // namespace test_smoke
