#include <cmath>

#include "grid/ir2_radio.hpp"
#include "helpers.hpp"
#include "outrider/map.hpp"
#include "radio/links.hpp"

using namespace outrider;

namespace test_ir2_radio {
namespace {

/// As the model's authors work: cells of a metre.
const Lattice metres{1};

RadioOptions ir2(double loss_db = 0) {
    RadioOptions radio;
    radio.model = RadioModel::ir2;
    radio.ir2_loss_db = loss_db;
    return radio;
}

/// Length in walls of the line between two cells, by sampling.
double sampled_blocked_m(const Grid<std::uint8_t>& walls, Cell a, Cell b) {
    const int samples = 40000;
    int hits = 0;
    for (int k = 0; k < samples; ++k) {
        const double t = (k + 0.5) / samples;
        const double x = a.x + 0.5 + t * (b.x - a.x), y = a.y + 0.5 + t * (b.y - a.y);
        hits += walls.get({static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y))}, 1) != 0;
    }
    return std::hypot(b.x - a.x, b.y - a.y) * hits / samples;
}

TEST_CASE("IR2's signal costs nothing near by, falls with the free way from 35 m on, and with the thickness of walls") {
    const auto signal = [](double blocked, double free, Ir2Losses losses = {}) {
        return ir2_dbm({blocked, free}, losses);
    };
    CHECK(signal(0, 1) == -51);
    CHECK(signal(0, 34.9) == -51);
    CHECK(signal(0, 350) == doctest::Approx(-71));
    CHECK(signal(1, 10) == -51);
    CHECK(signal(2, 10) == doctest::Approx(-51 - 12.0412));
    CHECK(signal(10, 350) == doctest::Approx(-51 - 40 - 20));
    CHECK(signal(0.2, 10) == -51);  // never a gain
    CHECK(signal(2, 10, {3, 5}) == doctest::Approx(-51 - 12.0412 - 3));
    CHECK(signal(0, 35, {3, 5}) == doctest::Approx(-56));
    // 19 dB are left: 35 m x 10^(19 / 20).
    CHECK(max_link_m(ir2(), 1e6) == doctest::Approx(311.9).epsilon(0.001));
    CHECK(max_link_m(ir2(), 50) == 50);
}

TEST_CASE("links by IR2's radio are those of the formula, for every pair") {
    const Grid<std::uint8_t> drawn = random_map(400, 120, 5, 0.004);
    Grid<std::uint8_t> walls(drawn.width(), drawn.height(), 0, metres);
    for (int y = 0; y < walls.height(); ++y)
        for (int x = 0; x < walls.width(); ++x) walls[{x, y}] = drawn[{x, y}];
    const WallField field(walls);
    const KnownMap known = known_all(walls);
    Rng rng(3, 0, Purpose::placement, 0);
    int linked = 0, through_walls = 0, expected = 0;
    for (const double loss : {0.0, 13.0}) {
        const Ir2Losses losses = Ir2Losses::draw(ir2(loss), 4);
        std::vector<Transceiver> team;
        while (team.size() < 40) {
            const Cell c{static_cast<int>(rng.uniform(0, 400)), static_cast<int>(rng.uniform(0, 120))};
            if (!walls[c]) team.push_back({metres.centre(c), 1e6});
        }
        const std::vector<Link> links = find_links(field, metres, ir2(loss), team, {losses});
        for (RobotId a = 0; a < 40; ++a)
            for (RobotId b = a + 1; b < 40; ++b) {
                const Cell from = metres.cell_of(team[static_cast<std::size_t>(a)].position),
                           to = metres.cell_of(team[static_cast<std::size_t>(b)].position);
                const double length = std::hypot(to.x - from.x, to.y - from.y),
                             blocked = sampled_blocked_m(walls, from, to);
                const double signal = ir2_dbm({blocked, length - blocked}, losses);
                const auto link =
                    std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.a == a && l.b == b; });
                const bool found = link != links.end();
                linked += found;
                through_walls += found && blocked > 0;
                if (std::abs(signal - ir2_cutoff_dbm) > 0.2) CHECK(found == (signal > ir2_cutoff_dbm));
                if (found && blocked > 0.1) CHECK(link->signal_dbm == doctest::Approx(signal).epsilon(0.005));
                // Who knows the whole map expects no link that is not there.
                const bool hopes = believed_linked(known, ir2(loss), 1e6, from, to);
                CHECK(hopes == believed_linked(known, ir2(loss), 1e6, to, from));
                if (hopes) CHECK(found);
                expected += hopes;
            }
    }
    CHECK(linked > 100);
    CHECK(through_walls > 20);
    CHECK(expected > linked / 3);
}

TEST_CASE("IR2's radio ends at its range, at death, and in the unknown a robot expects walls") {
    const Grid<std::uint8_t> walls(300, 3, 0, metres);
    const WallField field(walls);
    const auto linked = [&](double x, double range) {
        return !find_links(field, metres, ir2(), std::vector<Transceiver>{{{0.5, 1.5}, range}, {{x, 1.5}, range}})
                    .empty();
    };
    CHECK(linked(60.5, 61));
    CHECK_FALSE(linked(61.5, 61));
    CHECK(linked(299.5, 1e6));
    const KnownMap nothing(metres);
    CHECK(believed_linked(nothing, ir2(), 1e6, {0, 0}, {2, 0}));
    CHECK_FALSE(believed_linked(nothing, ir2(), 1e6, {0, 0}, {4, 0}));
}

TEST_CASE("IR2's losses are drawn once for each run, by its seed") {
    const auto drawn = [](std::uint64_t seed) { return Ir2Losses::draw(ir2(13), seed); };
    double least = 13, most = 0, sum = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Ir2Losses losses = drawn(seed);
        for (const double db : {losses.blocked_db, losses.free_db}) {
            least = std::min(least, db);
            most = std::max(most, db);
            sum += db;
        }
    }
    CHECK(least >= 0);
    CHECK(least < 0.1);
    CHECK(most > 12.9);
    CHECK(most < 13);
    CHECK(sum / 1000 == doctest::Approx(6.5).epsilon(0.05));
    CHECK(drawn(7).blocked_db == drawn(7).blocked_db);
    CHECK(drawn(7).blocked_db != drawn(7).free_db);
    CHECK(Ir2Losses::draw(ir2(0), 7).free_db == 0);
}

TEST_CASE("a team explores with IR2's radio, hears less behind thick walls, and runs the same again") {
    std::vector<std::string> rows(40, std::string(120, '.'));
    for (std::size_t y = 0; y < 30; ++y) rows[y].replace(60, 6, "######");
    rows[35][10] = 'B';
    rows[35][12] = '1';
    rows[35][14] = '2';
    const std::string toml =
        "run.steps = 45\ncomm.range_m = 1000\ncomm.base_range_m = 1000\nsensor.range_m = 20\n"
        "body.speed_mps = 2\nteam.strategy = \"minpos(goal_spacing=0)\"\n";
    const auto run = [&](const std::string& more) { return run_scenario(text_scenario(rows, toml + more, 1)); };
    const Outcome open = run("radio.model = \"circle\"\n"), walled = run("radio.model = \"ir2\"\n"),
                  again = run("radio.model = \"ir2\"\n"), weak = run("radio.model = \"ir2\"\nradio.ir2_loss_db = 13\n");
    CHECK(walled.digest == again.digest);
    CHECK(walled.digest != open.digest);
    CHECK(walled.base_share < open.base_share);
    CHECK(weak.digest != again.digest);
    CHECK(walled.team_share > 0.5);
}

}  // namespace
}  // namespace test_ir2_radio
