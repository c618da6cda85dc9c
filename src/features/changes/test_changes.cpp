// Worlds that change: doors, rubble, walls that come and go.
#include <set>

#include "features/changes/scenario.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "simulation/simulation.hpp"
#include "world/world.hpp"

using namespace outrider;

namespace test_changes {
namespace {

/// A room on the left and one on the right, with a door of five cells.
const std::vector<std::string> rooms{
    "##############################", "#.............#..............#", "#.............#..............#",
    "#..B1........................#", "#............................#", "#............................#",
    "#............................#", "#............................#", "#.............#..............#",
    "#.............#..............#", "##############################"};
/// Its door, in the map's cells of 0.1 m from below.
constexpr const char* door = "[[change]]\nx_m=1.4\ny_m=0.3\nwidth_m=0.1\nheight_m=0.5\n";

/// A corridor between two rooms, with a door of eight cells to each.
std::vector<std::string> floor_rows() {
    std::vector<std::string> rows(75, "#" + std::string(118, '.') + "#");
    for (const std::size_t y : {0u, 28u, 29u, 45u, 46u, 74u}) rows[y] = std::string(120, '#');
    for (const std::size_t y : {28u, 29u}) rows[y].replace(30, 8, "........");
    for (const std::size_t y : {45u, 46u}) rows[y].replace(80, 8, "........");
    rows[60].replace(10, 2, "B1");
    return rows;
}

}  // namespace

TEST_CASE(
    "changes come at their steps, again and again, or once when somebody is near; they wait for who stands there") {
    const Grid<std::uint8_t> walls = text_map({"......", "......", "......"});
    const auto at = [](double x, double y, double radius = 0) { return ChangingWalls::Robot{{x, y}, radius, true}; };
    const std::vector<ChangingWalls::Robot> nobody;
    ChangingWalls plain(walls, {{{{1, 1}, {2, 1}}, ChangeTo::wall, {3}}, {{{1, 1}}, ChangeTo::free, {5}}});
    std::vector<int> changed;
    for (int step = 0; step < 8; ++step)
        if (plain.update(step, nobody)) changed.push_back(step);
    CHECK(changed == std::vector{3, 5});
    CHECK(plain.walls()[{1, 1}] == 0);
    CHECK(plain.walls()[{2, 1}] == 1);
    CHECK(plain.walls()[{0, 1}] == 0);

    ChangingWalls again(walls, {{{{1, 1}}, ChangeTo::toggle, {2}, 3}});
    std::vector<int> shut;
    for (int step = 0; step < 12; ++step) {
        again.update(step, nobody);
        if (again.walls()[{1, 1}]) shut.push_back(step);
    }
    CHECK(shut == std::vector{2, 3, 4, 8, 9, 10});

    ChangingWalls near(walls, {{{{5, 1}}, ChangeTo::wall, {}, 0, 0.2}});
    CHECK_FALSE(near.update(0, std::vector{at(0.05, 0.15)}));
    CHECK_FALSE(near.update(1, std::vector{at(0.29, 0.15)}));
    CHECK(near.update(2, std::vector{at(0.31, 0.15)}));
    CHECK_FALSE(near.update(3, std::vector{at(0.31, 0.15)}));

    ChangingWalls waits(walls, {{{{1, 1}, {2, 1}}, ChangeTo::wall, {1}}});
    CHECK_FALSE(waits.update(0, nobody));
    CHECK_FALSE(waits.update(1, std::vector{at(0.25, 0.15)}));
    CHECK_FALSE(waits.update(2, std::vector{at(0.45, 0.15, 0.12)}));
    CHECK(waits.update(3, std::vector{at(0.45, 0.15)}));
    CHECK(waits.done().size() == 1);
    CHECK(waits.done()[0].wall);
}

TEST_CASE("heaps by chance are drawn as they fall due, and wait while somebody stands there") {
    const Grid<std::uint8_t> walls = text_map({"######", "#....#", "######"});
    const RandomSteps each(3600, 1, Rng(1, -1, Purpose::changes, 0));
    const auto changes = [&] {
        return std::vector<Change>{{.to = ChangeTo::wall, .debris = FallingDebris(walls, each, each.rng_after(1000))}};
    };
    ChangingWalls open(walls, changes()), kept(walls, changes());
    const std::vector<ChangingWalls::Robot> nobody, everywhere{{{0.3, 0.15}, 1, true}};
    CHECK_FALSE(kept.update(0, everywhere));
    for (int step = 0; step < 100; ++step) open.update(step, nobody);
    for (int step = 1; step < 100; ++step) CHECK_FALSE(kept.update(step, everywhere));
    CHECK(open.walls() != walls);
    CHECK(kept.walls() == walls);
    CHECK(kept.update(100, nobody));
    open.update(100, nobody);
    CHECK(kept.walls() == open.walls());
}

TEST_CASE("rays, links and bodies meet the walls as they are now") {
    const Grid<std::uint8_t> walls = text_map({"....................", "....................", "...................."});
    World world(walls, {{{0.55, 0.15, 0}}, {{0.75, 0.15, 0}, 0.1}}, 1);
    CHECK(world.field().walls_between({2, 1}, {15, 1}, 9) == 0);
    std::vector<Cell> wall;
    for (int y = 0; y < 3; ++y) wall.push_back({10, y});
    world.change(wall, true);
    CHECK(world.field().walls_between({2, 1}, {15, 1}, 9) == 1);
    CHECK(world.field().wall({10, 1}));
    const Move move = world.move(0, {{{0.9, 0}}, {}, 1});
    CHECK(move.bumped);
    CHECK(world.body(0).pose.x < 1.0);
    CHECK(world.move(1, {{{0.9, 0}}, {}, 1}).bumped);
    CHECK(world.body(1).pose.x <= 0.9);
    world.change(wall, false);
    CHECK_FALSE(world.move(0, {{{0.3, 0}}, {}, 1}).bumped);
    const Cell on_robot = world.lattice().cell_of(world.body(0).pose.position());
    CHECK_THROWS(world.change(std::span(&on_robot, 1), true));
}

TEST_CASE("distances to walls that changed are those of a field made anew") {
    Rng rng(6, 0, Purpose::map, 0);
    for (const auto& [width, height, density] :
         {std::tuple(97, 61, 0.002), std::tuple(300, 200, 0.03), std::tuple(9, 7, 0.1)}) {
        Grid<std::uint8_t> walls = width > 200 ? rooms_map(width, height, 3) : random_map(width, height, 8, density);
        walls.set_origin({-20, 5});
        WallField field(walls);
        for (int i = 0; i < 300; ++i) {
            std::vector<Cell> cells;
            const auto below = [&](int n) { return static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); };
            const Cell first = walls.origin() + Cell{below(width), below(height)};
            for (int n = below(8) + 1; n > 0; --n)
                if (const Cell c = first + Cell{below(5), below(5)}; walls.contains(c)) cells.push_back(c);
            const bool wall = i % 2 == 0;
            for (const Cell c : cells) walls[c] = wall;
            field.set(cells, wall);
            const WallField anew(walls);
            const auto n = static_cast<std::size_t>(field.width()) * static_cast<std::size_t>(field.height());
            REQUIRE(std::equal(field.data(), field.data() + n, anew.data()));
        }
    }
}

TEST_CASE("a team learns what changed: a way that opens is explored, one that closes is given up") {
    const char* options = "[run]\nsteps=400\n[team]\nstrategy='STRATEGY'\n[body]\nspeed_mps=0.2\n[sensor]\nrange_m=1\n";
    for (const char* strategy : {"nearest", "mresim_greedy", "burgard", "minpos", "role_based", "time_preference"}) {
        CAPTURE(strategy);
        std::string toml = options;
        toml.replace(toml.find("STRATEGY"), 8, strategy);
        // Shut at once, open from step 8 on.
        std::string opens = toml + door + "to='wall'\nat=0\n" + door + "to='free'\nat=4\n";
        Simulation open(text_scenario(rooms, opens), {});
        const auto late = summary_of(open, open.run());
        CHECK(late.at("walls_changed") == 2);
        CHECK(late.at("known_ever_share") >= late.at("final_team"));
        // Shut for good when somebody comes near: the other room is never seen whole, and the team comes to an end.
        Simulation shut(text_scenario(rooms, toml + door + "to='wall'\nat=1\n"), {});
        const EndReason end = shut.run();
        const auto early = summary_of(shut, end);
        CHECK(early.at("walls_changed") == 1);
        CHECK(early.at("known_ever_share") < 0.7);
        CHECK(early.at("stale_share") == 0);
        CHECK(end == EndReason::all_home);
    }
}

TEST_CASE("a door does not close on a robot out of service") {
    const std::string toml =
        "[run]\nsteps=20\n[team]\nrobots=1\nstrategy='nearest'\n[[robot]]\nname='r1'\ndies_at_step=2\n";
    Simulation whole(text_scenario(rooms, toml), {});
    whole.run();
    const Point lies = whole.driver().world().poses().back().position() + whole.scenario().team_origin_m();
    const Point base = whole.driver().world().poses().front().position() + whole.scenario().team_origin_m();
    REQUIRE(norm(lies - base) > 0.5);  // it is not the base that the wall waits for
    const auto change = [](double x, double y) {
        return fmt::format("[[change]]\nx_m={}\ny_m={}\nwidth_m=0.2\nheight_m=0.2\nto='wall'\nat=5\n", x, y);
    };
    Simulation sim(text_scenario(rooms, toml + change(lies.x - 0.1, lies.y - 0.1)), {});
    const auto values = summary_of(sim, sim.run());
    CHECK(values.at("deaths") == 1);
    CHECK(values.at("walls_changed") == 0);
    const World& world = sim.driver().world();
    for (const Pose& pose : world.poses()) CHECK_FALSE(world.field().wall(world.lattice().cell_of(pose.position())));
}

TEST_CASE("the time until somebody notices a change is what an observer of the maps finds") {
    // Somebody drives to and fro; the door shuts behind him.
    Simulation sim(
        text_scenario(
            rooms, std::string("[run]\nsteps=200\n[team]\nstrategy='nearest(goal_spacing=0)'\n[body]\nspeed_mps=0.2\n"
                               "[sensor]\nrange_m=0.5\n") +
                       door + "to='wall'\nat=9\n"),
        {});
    struct Watch final : Observer {
        std::vector<Cell> cells;
        int noticed = -1;
        bool wrong = false;
        void on_step(const StepView& view) override {
            for (const Robot& robot : view.team)
                for (const Cell c : cells) {
                    wrong |= view.step == 9 && robot.map().is_free(c);
                    if (view.step > 9 && noticed < 0 && robot.map().is_occupied(c)) noticed = view.step;
                }
        }
    } watch;
    watch.cells = changes_of(sim.scenario()).at(0).cells;
    for (Cell& c : watch.cells) c = c - sim.scenario().team_origin();
    sim.add_observer(watch);
    const auto values = summary_of(sim, sim.run());
    REQUIRE(watch.wrong);
    REQUIRE(watch.noticed > 10);
    CHECK(values.at("notice_steps") == watch.noticed - 9);
}

TEST_CASE("what was seen before a change is stale until it is seen again, whatever others say") {
    const char* options =
        "[run]\nsteps=200\n[team]\nstrategy='nearest'\n[body]\nspeed_mps=0.2\n[sensor]\nrange_m=1\nbeams=721\nfov_deg="
        "360\n";
    // Behind the robot, when all is explored: nobody looks there again.
    Simulation sim(
        text_scenario(rooms, std::string(options) +
                                 "[[change]]\nx_m=2.5\ny_m=0.1\nwidth_m=0.3\nheight_m=0.3\nto='wall'\nat=120\n"),
        {});
    const auto values = summary_of(sim, sim.run());
    if (sim.progress().steps > 120) CHECK(values.at("stale_share") > 0);
    CHECK(values.at("known_ever_share") > 0.99);
}

TEST_CASE("doors of a map are found between its walls, close it whole, and none is found in a bare room") {
    const Grid<std::uint8_t> walls = text_map(floor_rows());
    const auto doors = find_doors(walls, {10, 10}, 1);
    REQUIRE(doors.size() == 2);
    Grid<std::uint8_t> shut = walls;
    for (const auto& cells : doors)
        for (const Cell c : cells) {
            CHECK(walls[c] == 0);
            shut[c] = 1;
        }
    CHECK(connected_cells(walls, {{10, 10}})[{10, 65}] == 1);
    const auto count_parts = [](const Grid<std::uint8_t>& grid) {
        const Grid<std::int32_t> labels = label_components(grid);
        return *std::max_element(labels.cells().begin(), labels.cells().end());
    };
    CHECK(count_parts(walls) == 1);
    CHECK(count_parts(shut) == 3);
    CHECK(find_doors(walls, {10, 10}, 0.7).empty());
    CHECK(find_doors(Grid<std::uint8_t>(140, 60, 0, Lattice{0.1}), {1, 1}, 1).empty());
    // In rooms: every door is of free cells, none overlaps another one, and all of them part the map.
    Grid<std::uint8_t> many = rooms_map(300, 200, 7);
    std::set<Cell> taken;
    const auto found = find_doors(many, {1, 1}, 1.5);
    CHECK(found.size() > 3);
    for (const auto& cells : found)
        for (const Cell c : cells) {
            CHECK(many[c] == 0);
            CHECK(taken.insert(c).second);
        }
    for (const Cell c : taken) many[c] = 1;
    CHECK(count_parts(many) > static_cast<int>(found.size() * 3 / 4));
}

TEST_CASE("doors and debris follow from the seed, come as often as they should, and beside walls") {
    Scenario s = text_scenario(floor_rows(),
                               "[run]\nsteps=360000\n[changes]\ndoors_per_hour=36\ndoor_m=1\ndebris_per_hour=10\n");
    std::vector<Change> all = changes_of(s);
    REQUIRE(all.size() == 3);
    CHECK(all[0].to == ChangeTo::toggle);
    REQUIRE(all[2].debris);
    CHECK(all[2].to == ChangeTo::wall);
    const auto first = [](std::vector<Change> changes, int steps) {
        std::vector<Cell> heap;
        for (int step = 0; heap.empty() && step < steps; ++step) heap = changes[2].debris->fall(step);
        return std::pair(changes[0].random->next(), heap);
    };
    CHECK(first(changes_of(s), s.run.steps) == first(all, s.run.steps));
    CHECK(first(changes_of(redrawn(s, 2)), s.run.steps) != first(all, s.run.steps));
    int toggles = 0, heaps = 0;
    for (int step = 0; step < s.run.steps; ++step) {
        toggles += all[0].due(step);
        const std::vector<Cell> heap = all[2].debris->fall(step);
        heaps += !heap.empty();
        bool beside = heap.empty();
        for (const Cell c : heap) {
            CHECK(s.walls[c] == 0);
            for (const Cell d : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}})
                beside |= s.walls.get(c + d, 1) != 0;
        }
        REQUIRE(beside);
    }
    CHECK(toggles == doctest::Approx(3600).epsilon(0.05));
    CHECK(heaps == doctest::Approx(1000).epsilon(0.1));
}

TEST_CASE("a changing world gives one digest at any number of threads, its log runs again, and names the changes") {
    TemporaryFolder folder;
    const std::string toml =
        "[run]\nsteps=120\n[team]\nrobots=5\n[body]\nspeed_mps=0.2\n[sensor]\nrange_m=1.5\n[changes]\ndoors_per_hour="
        "600\n"
        "door_m=1\ndebris_per_hour=300\n[noise]\nrange_m=0.02\ndrop_rate=0.05\nmax_spike_rate=0.01\nnear_spike_rate=0."
        "01\n"
        "range_share=0.01\nspeed_jitter=0.1\n[battery]\nwh=0.5\n[radio]\nfading_db=4\nsensed_noise_db=1\n[failure]"
        "\nrate_per_hour=60\nrepair_steps=10\n";
    Hash128 first;
    for (const int threads : {1, 2, 3, 8}) {
        Simulation sim(text_scenario(rooms, toml), {.threads = threads,
                                                    .log_path = folder / (std::to_string(threads) + ".olog"),
                                                    .log_level = LogLevel::full});
        sim.run();
        if (threads == 1) first = sim.progress().digest;
        CHECK(sim.progress().digest == first);
    }
    LogReader one(folder / "1.olog"), eight(folder / "8.olog");
    CHECK(one.digest() == eight.digest());
    int changed = 0;
    for (const LogReader::Event& e : one.events()) changed += e.kind == "changed";
    CHECK(changed > 3);
    Simulation again(one.scenario(), {});
    again.run();
    CHECK(again.progress().digest == first);
}

TEST_CASE("twin worlds: what changes where nobody looks changes no decision") {
    struct Hashes final : Observer {
        std::vector<Hash128> all;
        void on_step(const StepView& view) override {
            all.insert(all.end(), view.robot_hashes.begin(), view.robot_hashes.end());
        }
    };
    std::vector<std::string> closed = rooms;
    for (std::string& row : closed) row[14] = '#';
    const std::string common = "[run]\nsteps=60\n[body]\nspeed_mps=0.2\n[sensor]\nrange_m=0.6\n";
    Hashes here, there;
    int changed = 0;
    for (Hashes* hashes : {&here, &there}) {
        Simulation sim(
            text_scenario(closed, common + "[[change]]\nx_m=2\ny_m=0.3\nwidth_m=0.5\nheight_m=0.5\nto='toggle'\n" +
                                      (hashes == &here ? "at=2\nevery=3\n" : "at=1000\n")),
            {});
        sim.add_observer(*hashes);
        const auto values = summary_of(sim, sim.run());
        changed += static_cast<int>(values.at("walls_changed"));
    }
    CHECK(changed >= 1);
    CHECK(here.all.size() > 10);
    CHECK(here.all == there.all);
}

TEST_CASE("mistakes in changes are named with what was expected; a scenario with changes reads back as itself") {
    const auto error_of = [&](const std::string& text) -> std::string {
        try {
            text_scenario(rooms, text);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    };
    const auto has = [&](const std::string& text, const char* message) {
        const std::string error = error_of(text);
        CHECK_MESSAGE(error.find(message) != std::string::npos, text << "\n  -> " << error);
    };
    has(std::string(door) + "to='wall'\n", "expected either a step from 0 on, or a distance above 0");
    has(std::string(door) + "at=3\nwithin_m=2\n", "expected either a step from 0 on, or a distance above 0");
    has(std::string(door) + "at=-2\n", "at = -2");
    has(std::string(door) + "within_m=2\nevery=5\n", "happens once");
    has("[[change]]\nx_m=1\nat=3\n", "no y_m; a rectangle has x_m, y_m, width_m and height_m");
    has("[[change]]\nx_m=2.5\ny_m=0\nwidth_m=1\nheight_m=0.5\nat=3\n", "leaves the map, which is 3 by 1.1 m");
    has("[[change]]\nx_m=1.01\ny_m=0.01\nwidth_m=0.01\nheight_m=0.01\nat=3\n", "no middle of a cell");
    has("[[change]]\nx_m=1\ny_m=0\nwidth_m=1\nheight_m=0.5\nat=3\nto='door'\n", "wall, free, toggle");
    has("[change]\nat=3\n", "expected [[change]]");
    has("[changes]\ndoors_per_hour=-1\n", "doors_per_hour = -1");
    has("[noise]\ndrop_rate=0.6\nnear_spike_rate=0.6\n", "add up to 1.2; expected at most 1");
    const Scenario s =
        text_scenario(rooms, std::string(door) + "within_m=2\nto='toggle'\n[changes]\ndebris_per_hour=3\n");
    Notes notes;
    const Scenario again = make_scenario(parse_config(s.resolved(), "again"), "test", text_map(rooms), notes);
    CHECK(again.resolved() == s.resolved());
    CHECK(again.lists.get<ChangeEntry>().size() == 1);
}

}  // namespace test_changes
