// The radio that robots do not know: presets, fading, and what they are told of the signal.
#include "helpers.hpp"
#include "radio/links.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;

namespace test_fading {
namespace {

Fading fading(double db, double over_m = 2, int over_steps = 10, std::uint64_t seed = 3) {
    RadioSection radio;
    radio.fading_db = db;
    radio.fading_m = over_m;
    radio.fading_steps = over_steps;
    return {radio, seed};
}

struct Moments {
    double n = 0, sum = 0, squares = 0;
    void add(double x) {
        ++n;
        sum += x;
        squares += x * x;
    }
    double mean() const { return sum / n; }
    double deviation() const { return std::sqrt(squares / n - mean() * mean()); }
};

}  // namespace

TEST_CASE("fading is symmetric, normal with the given deviation everywhere, and never beyond three of them") {
    const Fading f = fading(4);
    Rng rng(1, 0, Purpose::map, 0);
    Moments all, at_corners;
    double beyond_two = 0;
    for (int i = 0; i < 40000; ++i) {
        const Point a{rng.uniform(-90, 90), rng.uniform(-90, 90)}, b{rng.uniform(-90, 90), rng.uniform(-90, 90)};
        const int step = static_cast<int>(rng.below(100000));
        const double x = f.db(a, b, step);
        CHECK(x == f.db(b, a, step));
        CHECK(std::abs(x) <= f.most_db());
        all.add(x);
        beyond_two += std::abs(x) > 8;
        at_corners.add(f.db({std::floor(a.x) * 2, std::floor(a.y) * 2}, b, step / 10 * 10));
    }
    CHECK(all.mean() == doctest::Approx(0).epsilon(0.08));
    CHECK(all.deviation() == doctest::Approx(4).epsilon(0.03));
    CHECK(at_corners.deviation() == doctest::Approx(4).epsilon(0.03));
    CHECK(beyond_two / all.n == doctest::Approx(0.0455).epsilon(0.1));
    CHECK(fading(0).db({0, 0}, {1, 1}, 5) == 0);
    CHECK(fading(4, 2, 10, 8).db({0.5, 0}, {9, 1}, 5) != f.db({0.5, 0}, {9, 1}, 5));
}

TEST_CASE("fading changes little over a tenth of its length and its steps, and is another one farther away") {
    const Fading f = fading(4, 2, 50);
    Rng rng(2, 0, Purpose::map, 0);
    Moments near, far, soon, late;
    for (int i = 0; i < 4000; ++i) {
        const Point a{rng.uniform(0, 90), rng.uniform(0, 90)}, b{rng.uniform(0, 90), rng.uniform(0, 90)};
        const int step = static_cast<int>(rng.below(100000));
        const double x = f.db(a, b, step);
        near.add(f.db(a + Point{0.2, 0}, b, step) - x);
        far.add(f.db(a + Point{20, 0}, b + Point{0, 20}, step) - x);
        soon.add(f.db(a, b, step + 5) - x);
        late.add(f.db(a, b, step + 500) - x);
    }
    CHECK(near.deviation() < 1);
    CHECK(soon.deviation() < 1.5);
    CHECK(far.deviation() == doctest::Approx(4 * std::sqrt(2)).epsilon(0.05));
    CHECK(late.deviation() == doctest::Approx(4 * std::sqrt(2)).epsilon(0.05));
    const Fading stays = fading(4, 2, 0);
    CHECK(stays.db({1, 2}, {3, 4}, 0) == stays.db({1, 2}, {3, 4}, 12345));
}

TEST_CASE("links over fading are those of brute force, and only those when nothing fades") {
    const Grid<std::uint8_t> walls = rooms_map(300, 200, 4);
    const WallField field(walls);
    Rng rng(5, 0, Purpose::map, 0);
    std::vector<Transceiver> radios;
    for (int i = 0; i < 40; ++i) radios.push_back({{rng.uniform(0, 30), rng.uniform(0, 20)}, rng.uniform(1, 8)});
    RadioSection radio;
    radio.fading_db = 6;
    const Fading f(radio, 9);
    for (const int step : {0, 7, 123}) {
        std::vector<Link> expected;
        for (std::size_t a = 0; a < radios.size(); ++a)
            for (std::size_t b = a + 1; b < radios.size(); ++b) {
                const Lattice& lattice = walls.lattice();
                const Point p = radios[a].position, q = radios[b].position;
                const double signal = path_loss_dbm(radio, std::min(radios[a].range_m, radios[b].range_m),
                                                    std::max(distance(p, q), lattice.cell_m),
                                                    field.walls_between(lattice.cell_of(p), lattice.cell_of(q), 1000)) +
                                      f.db(p, q, step);
                if (signal > radio.cutoff_dbm)
                    expected.push_back({static_cast<RobotId>(a), static_cast<RobotId>(b), signal});
            }
        const std::vector<Link> links = find_links(field, walls.lattice(), radio, radios, {{}, f, step});
        REQUIRE(links.size() == expected.size());
        CHECK(links.size() > 20);
        for (std::size_t k = 0; k < links.size(); ++k) {
            CHECK(links[k].a == expected[k].a);
            CHECK(links[k].b == expected[k].b);
            CHECK(links[k].signal_dbm == doctest::Approx(expected[k].signal_dbm));
        }
    }
}

TEST_CASE("the radio of USARSim reaches as far behind walls as its server says") {
    const Scenario s = text_scenario({".B1."}, "[radio]\npreset='wss'\n");
    CHECK(s.robots[1].radio_range_m == wss_range_m);
    const auto reach = [&](int walls) {
        double low = 0, high = 1e6;
        for (int i = 0; i < 100; ++i) {
            const double middle = (low + high) / 2;
            (path_loss_dbm(s.radio, s.robots[1].radio_range_m, middle, walls) > s.radio.cutoff_dbm ? low : high) =
                middle;
        }
        return low;
    };
    const double said[] = {43e3, 10e3, 2.3e3, 545, 127, 29.6};
    for (int walls = 0; walls < 6; ++walls) CHECK(reach(walls) == doctest::Approx(said[walls]).epsilon(0.02));
    CHECK(reach(50) == reach(5));
    CHECK(path_loss_dbm(s.radio, wss_range_m, 2, 0) == doctest::Approx(-49.67).epsilon(1e-5));
    // Options of the section change the preset, wherever they stand, and a robot may have another radio; a resolved
    // scenario reads back as itself.
    const Scenario other = text_scenario({".B.."},
                                         "[comm]\nrange_m=20\n[radio]\nmax_walls=7\npreset='wss'\n[[robot]]\n"
                                         "radio_range_m=9\nx_m=0.25\ny_m=0.05\n");
    CHECK(other.radio.max_walls == 7);
    CHECK(other.robots[1].radio_range_m == 9);
    CHECK(other.robots[0].radio_range_m == wss_range_m);
    Notes notes;
    CHECK(make_scenario(parse_config(other.resolved(), "again"), "test", text_map({".B.."}), notes).resolved() ==
          other.resolved());
}

TEST_CASE("robots are told a signal with noise, and nothing else changes") {
    struct Signals final : Observer {
        std::vector<double> heard;
        Moments error;
        const std::vector<double>* exact = nullptr;
        void on_step(const StepView& view) override {
            for (const Percept& p : view.percepts)
                for (const LinkReport& l : p.links) {
                    if (exact) error.add(l.signal_dbm - exact->at(heard.size()));
                    heard.push_back(l.signal_dbm);
                }
        }
    };
    const std::vector<std::string> map{"........................................",
                                       "B12.....................................",
                                       "........................................"};
    const auto run = [&](const char* toml, Signals& signals) {
        Simulation sim(text_scenario(map, std::string("[run]\nsteps=200\n[team]\nstrategy='stay'\n") + toml), {});
        sim.add_observer(signals);
        sim.run();
    };
    Signals plain, noisy;
    run("", plain);
    noisy.exact = &plain.heard;
    run("[radio]\nsensed_noise_db=2\n", noisy);
    REQUIRE(plain.heard.size() == noisy.heard.size());
    REQUIRE(plain.heard.size() > 10);
    CHECK(noisy.error.deviation() == doctest::Approx(2).epsilon(0.3));
}

TEST_CASE("only path loss fades") {
    CHECK_THROWS_WITH_AS(text_scenario({".B1."}, "[radio]\nmodel='circle'\nfading_db=4\n"),
                         doctest::Contains("expected radio.model = path_loss"), Error);
}

}  // namespace test_fading
