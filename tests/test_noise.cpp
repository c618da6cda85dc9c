// How ranges and speeds err.
#include "helpers.hpp"
#include "simulation/simulation.hpp"
#include "simulator/noise.hpp"

using namespace outrider;

namespace test_noise {

TEST_CASE("ranges drop out, miss, end early, and scatter as their options say") {
    NoiseOptions n;
    n.range_m = 0.02;
    n.range_share = 0.01;
    n.drop_rate = 0.1;
    n.max_spike_rate = 0.05;
    n.near_spike_rate = 0.2;
    Rng rng(1, 0, Purpose::range, 0);
    const double unit = 0.001, wall = 4000, most = 20000;
    int dropped = 0, missed = 0, early = 0, count = 100000;
    double sum = 0, squares = 0, hits = 0, near_sum = 0;
    for (int i = 0; i < count; ++i) {
        const std::uint16_t r = measured_range(n, wall, unit, most, rng);
        if (r == Scan::no_information)
            ++dropped;
        else if (r == Scan::nothing)
            ++missed;
        else if (r < wall - 400)  // over six sigmas
            ++early, near_sum += r;
        else {
            ++hits;
            sum += r;
            squares += (r - wall) * (r - wall);
        }
    }
    CHECK(dropped == doctest::Approx(0.1 * count).epsilon(0.05));
    CHECK(missed == doctest::Approx(0.05 * count).epsilon(0.05));
    CHECK(early == doctest::Approx(0.2 * count * (wall - 400) / wall).epsilon(0.05));
    CHECK(near_sum / early == doctest::Approx((wall - 400) / 2).epsilon(0.03));
    CHECK(sum / hits == doctest::Approx(wall).epsilon(0.01));
    // 20 mm and 1 % of 4 m; a few of the early ones are among them.
    n.near_spike_rate = 0;
    squares = 0;
    for (int i = 0; i < count; ++i) {
        const std::uint16_t r = measured_range(n, wall, unit, most, rng);
        if (r != Scan::no_information && r != Scan::nothing) squares += (r - wall) * (r - wall);
    }
    CHECK(std::sqrt(squares / (0.85 * count)) == doctest::Approx(60).epsilon(0.03));
    // What hits nothing says so, but for what drops out or ends early.
    const double infinite = std::numeric_limits<double>::infinity();
    n = {};
    n.range_m = 1;
    for (int i = 0; i < 100; ++i) CHECK(measured_range(n, infinite, unit, most, rng) == Scan::nothing);
    n.near_spike_rate = 1;
    for (int i = 0; i < 100; ++i) CHECK(measured_range(n, infinite, unit, most, rng) < most);
}

TEST_CASE("without noise no number is drawn and ranges are rounded to the unit") {
    Rng rng(1, 0, Purpose::range, 0), untouched = rng;
    CHECK(measured_range({}, 1234.4, 0.001, 8000, rng) == 1234);
    CHECK(measured_range({}, 0.2, 0.001, 8000, rng) == 1);
    CHECK(rng.next() == untouched.next());
}

TEST_CASE("speeds scatter around what was wanted, below top speed; a robot that thinks longer acts later") {
    struct Travelled final : Observer {
        std::vector<double> travelled;
        int first = -1;
        void on_step(const StepView& view) override {
            const double step_m = norm(view.percepts[1].motion.delta.position());
            if (step_m > 0 && first < 0) first = view.step;
            travelled.push_back(step_m);
        }
    };
    const std::string line(300, '.');
    const auto run = [&](const std::string& set) {
        Travelled travelled;
        const std::vector<std::string> map{line, ".B1" + line.substr(3), line};
        ConfigTable config = parse_config(text_scenario(map,
                                                        "[run]\nsteps=60\n[team]\nstrategy='nearest'\n[body]\n"
                                                        "speed_mps=0.4\n[sensor]\nrange_m=1\n")
                                              .resolved(),
                                          "test");
        config.overlay(parse_config(set, "--set"));
        Notes notes;
        Simulation sim(make_scenario(std::move(config), "test", text_map(map), notes), {});
        sim.add_observer(travelled);
        sim.run();
        return travelled;
    };
    const Travelled plain = run(""), jitter = run("robot.'*'.noise.speed_jitter=0.3"),
                    late = run("robot.'*'.think_steps=7");
    for (const double w : plain.travelled) CHECK(w <= 0.4 + 1e-9);
    double sum = 0, slow = 0;
    for (std::size_t k = 10; k < 50; ++k) {
        CHECK(jitter.travelled[k] <= 0.4 + 1e-9);
        sum += jitter.travelled[k];
        slow += jitter.travelled[k] < 0.39;
    }
    CHECK(slow > 8);
    CHECK(sum / 40 == doctest::Approx(0.4 * (1 - 0.3 * 0.4)).epsilon(0.08));  // half of a normal is cut off
    CHECK(plain.first > 0);
    CHECK(late.first >= plain.first + 7);
}

}  // namespace test_noise
