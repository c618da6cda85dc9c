#include "base/output.hpp"
#include "helpers.hpp"
#include "outrider/detail/settings.hpp"
#include "scenario/imports/marmotlab.hpp"
#include "scenario/imports/mresim.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;

namespace test_scenario {
namespace {

const std::vector<std::string> room{"############",  //
                                    "#..........#",  //
                                    "#....##....#",  //
                                    "#..........#",  //
                                    "############"};

std::string error_of(const std::string& toml) {
    Notes notes;
    try {
        make_scenario(parse_config(toml, "s.toml"), "s", text_map(room), notes);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a scenario without anything gets a base and a team in the middle, and says where") {
    Notes notes;
    const Scenario s = make_scenario(ConfigTable{}, "s", text_map(room), notes);
    REQUIRE(s.robots.size() == 5);
    CHECK(s.robots[0].role == Role::base);
    CHECK(s.robots[0].name == "base");
    CHECK(s.robots[4].name == "r4");
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(s.walls[s.start_cell(i)] == 0);
        for (std::size_t k = 0; k < i; ++k) CHECK(s.start_cell(i) != s.start_cell(k));
    }
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with("placed base ("));
}

TEST_CASE("whoever has no place stands beside those that have one, and not on them") {
    Notes notes;
    const auto walls = rooms_map(120, 90, 2);
    Cell at{60, 40};
    while (walls[at] != 0) ++at.x;
    const Point p = walls.lattice().centre(at);
    const std::string second = fmt::format("[[robot]]\n[[robot]]\nx_m={}\ny_m={}\n", to_text(p.x), to_text(p.y));
    for (const char* bases : {"bases=0\n", "bases=1\n"}) {
        const std::string text = std::string("[team]\n") + bases + "robots=3\n" + second;
        const Scenario s = make_scenario(parse_config(text, "s"), "s", walls, notes);
        for (std::size_t i = 0; i < s.robots.size(); ++i) {
            CHECK(distance(walls.lattice().centre(s.start_cell(i)), p) < 2);
            for (std::size_t k = 0; k < i; ++k)
                if (s.robots[k].role != Role::base) CHECK(s.start_cell(i) != s.start_cell(k));
        }
        const Scenario again = make_scenario(parse_config(s.resolved(), "resolved"), "other", walls, notes);
        CHECK(again.hash() == s.hash());
    }
}

TEST_CASE("a list of tables where one table is expected is an error with its place") {
    const char* expected =
        ": expected a single table, [robot.body], [robot.sensor], [robot.noise] or [robot.battery]; only sensors may "
        "be "
        "several, [[robot.sensor]]";
    CHECK(error_of("[[robot]]\nname='a'\n[[robot.noise]]\nrange_m=3\n") ==
          std::string("s.toml:3:1: [[robot.noise]]") + expected);
    CHECK(error_of("[[robot]]\n[[robot]]\n  [[robot.lidar]]\n") ==
          std::string("s.toml:3:3: [[robot.lidar]]") + expected);
    CHECK(
        error_of("[[base]]\nbody=[{radius_m=1}]\n").starts_with("s.toml:2:7: [[base.body]]: expected a single table"));
    CHECK(error_of("[[robot]]\n[robot.body]\n[[robot.body.wheel]]\n") ==
          "s.toml:3:1: [[robot[1].body.wheel]]: no list of tables is expected here");
    CHECK(error_of("[sensor]\n[[sensor.beam]]\n") == "s.toml:2:1: [[sensor.beam]]: no list of tables is expected here");
}

TEST_CASE("options of single robots are set by number, name or for all of them") {
    Notes notes;
    const auto made = [&](const std::vector<std::string>& sets, const std::string& toml = "") {
        ConfigTable config = parse_config(toml, "s.toml");
        for (const std::string& set : sets) config.overlay(parse_config(set, "--set"));
        return make_scenario(std::move(config), "s", text_map(room), notes);
    };
    const std::string named =
        "[noise]\nrange_m=0.5\n[team]\nrobots=3\n[[robot]]\nname='ann'\n[robot.body]\nradius_m=0.05\n";
    const Scenario s =
        made({"robot.'*'.noise.range_m=0.02", "robot.2.noise.range_m=0.03", "robot.ann.dies_at_step=50",
              "robot.r3.body.speed_mps=0.4", "robot.'*'.sensor.preset='urg04lx'", "base.1.radio_range_m=7"},
             named);
    CHECK(s.noise.range_m == 0.5);
    CHECK(s.robots[0].noise.range_m == 0.5);
    CHECK(s.robots[0].radio_range_m == 7);
    CHECK(s.robots[1].noise.range_m == 0.02);
    CHECK(s.robots[2].noise.range_m == 0.03);
    CHECK(s.robots[1].dies_at_step == 50);
    CHECK(s.robots[2].dies_at_step == -1);
    CHECK(s.robots[1].body.radius_m == 0.05);
    CHECK(s.robots[3].body.speed_mps == 0.4);
    for (const std::size_t i : {1u, 2u, 3u}) CHECK(s.robots[i].sensor.range_m == 5.6);
    const Scenario again = make_scenario(parse_config(s.resolved(), "again"), "s", text_map(room), notes);
    CHECK(again.hash() == s.hash());
    CHECK(made({}, named).resolved().find("noise]\n", made({}, named).resolved().find("[[robot]]")) ==
          std::string::npos);  // what is as in the team is not listed
    const auto error = [&](const std::string& set) -> std::string {
        try {
            made({set}, named);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    CHECK(error("robot.4.dies_at_step=3").find("robot.4: expected a number from 1 to 3, the name of one, or *") !=
          std::string::npos);
    CHECK(error("robot.1.dies=3").find("robot.1.dies") != std::string::npos);
    CHECK(error("robot.'*'.body.speed=3").find("robot.*.body.speed") != std::string::npos);
    CHECK(error("robot.dies_at_step=3").find("expected [[robot]]") != std::string::npos);
    CHECK(error("robot.1.dies_at_step=-7").find("robot.1.dies_at_step = -7") != std::string::npos);
    CHECK(error("base.1.body.speed_mps=1").find("a base station does not move") != std::string::npos);
    CHECK(error("robot.1.engine.power=1").find("unknown table 'robot.1.engine'; known here: body, sensor, noise") !=
          std::string::npos);
}

TEST_CASE("a robot has as many sensors as it is given, and sees with all of them") {
    Notes notes;
    const std::string text =
        "[team]\nrobots=2\n[sensor]\nfov_deg=90\nbeams=46\n[[robot]]\n[[robot.sensor]]\n[[robot.sensor]]\n"
        "mount_yaw_deg=180\nrange_m=3\n[[robot.sensor]]\npreset='none'\n";
    const Scenario s = make_scenario(parse_config(text, "s.toml"), "s", text_map(room), notes);
    REQUIRE(s.robots[1].further_sensors.size() == 2);
    CHECK(s.robots[1].sees_m() == 20);
    const std::vector<Briefing> briefings = make_briefings(s);
    REQUIRE(briefings[1].sensors.size() == 2);
    CHECK(briefings[2].sensors.size() == 1);
    CHECK(briefings[1].sensors[0].beams == 46);
    CHECK(briefings[1].sensors[1].beams == 46);  // what is not said is as in [sensor]
    CHECK(briefings[1].sensors[1].mount.yaw == doctest::Approx(pi));
    const Scenario again = make_scenario(parse_config(s.resolved(), "again"), "s", text_map(room), notes);
    CHECK(again.hash() == s.hash());
    const auto driver = make_driver(s);
    std::vector<Percept> percepts(s.robots.size());
    REQUIRE(driver->sense(percepts));
    REQUIRE(percepts[1].scans.size() == 2);
    CHECK(percepts[2].scans.size() == 1);
    // Ahead and behind: together they see the whole way between the walls along the heading.
    const auto ahead = percepts[1].scans[0].ranges[23], behind = percepts[1].scans[1].ranges[23];
    const Body& body = driver->world().bodies()[1];
    CHECK(ahead > 0);
    CHECK(behind > 0);
    const Point front = body.pose.position() + Point{std::cos(body.pose.yaw), std::sin(body.pose.yaw)} *
                                                   (ahead * briefings[1].sensors[0].range_unit_m + 0.01);
    const Point back = body.pose.position() - Point{std::cos(body.pose.yaw), std::sin(body.pose.yaw)} *
                                                  (behind * briefings[1].sensors[1].range_unit_m + 0.01);
    const WallField& field = driver->world().field();
    CHECK(field.wall(driver->world().lattice().cell_of(front)));
    CHECK(field.wall(driver->world().lattice().cell_of(back)));
    CHECK(error_of("[[robot]]\n[[robot.sensor]]\n[[robot.sensor]]\nbeams=0\n").find("robot[1].sensor[2].beams = 0") !=
          std::string::npos);
}

TEST_CASE("robots that are placed have room for their bodies, or a message says that there is none") {
    Notes notes;
    const auto placed = [&](const std::vector<std::string>& rows) {
        const auto walls = text_map(rows);
        const Scenario s = make_scenario(
            parse_config("[team]\nrobots=2\n[[robot]]\n[[robot]]\nbody={radius_m=0.4}\n", "s.toml"), "s", walls, notes);
        double nearest = 1e9;
        for (std::size_t i = 0; i < walls.cells().size(); ++i)
            if (walls.cells()[i] != 0)
                nearest = std::min(
                    nearest, distance(Point{s.robots[2].x_m, s.robots[2].y_m}, walls.lattice().centre(walls.cell(i))));
        return nearest;
    };
    std::vector<std::string> rows(40, "#" + std::string(60, '.') + "#");
    rows.front() = rows.back() = std::string(62, '#');
    for (int x = 0; x < 62; x += 4)
        for (int y = 0; y < 25; ++y) rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = '#';
    CHECK(placed(rows) > 0.4);
    CHECK_THROWS_WITH_AS(placed(room), doctest::Contains("there is no room for 'r2' with its radius of 0.4 m"), Error);
}

TEST_CASE("a team is placed in a building, not on the margin around it, and a note says so") {
    // A building in the middle of a page.
    const auto page = [](int margin, int side, bool door) {
        const int size = side + 2 * margin;
        std::vector<std::string> rows(static_cast<std::size_t>(size), std::string(static_cast<std::size_t>(size), '.'));
        const auto put = [&](int x, int y) { rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = '#'; };
        for (int k = margin; k < margin + side; ++k) {
            put(k, margin);
            put(k, margin + side - 1);
            put(margin, k);
            put(margin + side - 1, k);
        }
        if (door) rows[static_cast<std::size_t>(margin)][static_cast<std::size_t>(margin + side / 2)] = '.';
        return text_map(rows);
    };
    const auto placed = [&](const Grid<std::uint8_t>& walls, const std::string& toml, Notes& notes) {
        const Scenario s = make_scenario(parse_config(toml, "s.toml"), "s", walls, notes);
        const Cell base = s.start_cell(0);
        for (std::size_t i = 0; i < s.robots.size(); ++i) CHECK(connected_cells(s.walls, {base})[s.start_cell(i)]);
        return base;
    };
    const auto inside = [](Cell c, int margin, int side) {
        return std::min(c.x, c.y) > margin && std::max(c.x, c.y) < margin + side - 1;
    };
    Notes notes;
    CHECK(inside(placed(page(20, 40, false), "", notes), 20, 40));
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].starts_with("the largest free area, 48 m2, lies along the edge of the map"));
    CHECK(notes[0].find(
              "the largest enclosed one, 14.44 m2; --base X,Y, or x_m and y_m of [[base]], places it elsewhere") !=
          std::string::npos);
    // Whoever says where is believed.
    notes.clear();
    placed(page(20, 40, false), "[[base]]\nx_m=0.5\ny_m=0.5\n", notes);
    CHECK(notes.size() == 1);
    // The building is the larger part, a door joins both, or there is only a hut in the open.
    for (const auto& walls : {page(2, 40, false), page(20, 40, true), page(40, 20, false)}) {
        notes.clear();
        placed(walls, "", notes);
        CHECK(notes.size() == 1);
    }
}

TEST_CASE("the resolved text of a scenario gives the same scenario again") {
    const std::string toml = R"toml(
        [comm]
        range_m = 3.5
        [start]
        jitter_cells = 2
        random_heading = true
        [run]
        seed = 7
        [[base]]
        x_m = 0.25
        y_m = 0.15
        [[robot]]
        name = "scout"
        x_m = 0.55
        y_m = 0.15
        sensor = { preset = "urg04lx", range_m = 4 }
        body = { speed_mps = 0.4 }
        dies_at_step = 30
        parent = "base"
        [[robot]]
        strategy = "nearest(hysteresis_share=0)"
    )toml";
    Notes notes;
    const Scenario s = make_scenario(parse_config(toml, "s.toml"), "s", text_map(room), notes);
    CHECK(s.team.robots == 2);
    CHECK(s.robots[1].sensor.beams == 667);
    CHECK(s.robots[1].sensor.range_m == 4);
    CHECK(s.robots[1].body.speed_mps == 0.4);
    CHECK(s.robots[2].body.speed_mps == 1);
    CHECK(s.robots[0].radio_range_m == 20);
    CHECK(s.robots[2].radio_range_m == 3.5);
    const Scenario again = make_scenario(parse_config(s.resolved(), "resolved"), "other", text_map(room), notes);
    CHECK(again.resolved() == s.resolved());
    CHECK(again.hash() == s.hash());
    CHECK(run_scenario(again).digest == run_scenario(s).digest);
    // Another seed moves the starts; the map's content is part of the hash.
    const Scenario other = make_scenario(
        parse_config(std::string(toml).replace(toml.find("seed = 7"), 8, "seed = 8"), "s"), "s", text_map(room), notes);
    CHECK(other.hash() != s.hash());
    CHECK((other.start_cell(1) != s.start_cell(1) || other.robots[1].yaw_deg != s.robots[1].yaw_deg));
    auto other_map = room;
    other_map[2][5] = '.';
    CHECK(make_scenario(parse_config(toml, "s"), "s", text_map(other_map), notes).hash() != s.hash());
}

TEST_CASE("mistakes in a scenario are named with their place") {
    CHECK(error_of("") == "");
    CHECK(error_of("[comm]\nrnage_m = 5") == "s.toml:2:1: unknown option 'comm.rnage_m'; did you mean 'comm.range_m'?");
    CHECK(error_of("[com]\nrange_m = 5") == "s.toml:1:1: unknown section 'com'; did you mean 'comm'?");
    CHECK(error_of("[comm]\nrange_m = -5").starts_with("s.toml:2:1: comm.range_m = -5: expected a number, 0 to"));
    CHECK(error_of("[comm]\nrange_m = nan").starts_with("s.toml:2:1: comm.range_m = nan: expected a number"));
    CHECK(error_of("[comm]\nrange_m = 'far'").starts_with("s.toml:2:1: comm.range_m = \"far\": expected a number"));
    CHECK(error_of("[run]\nsteps = 2.5").starts_with("s.toml:2:1: run.steps = 2.5: expected a whole number"));
    CHECK(error_of("[team]\nrobots = 0").starts_with("s.toml:2:1: team.robots = 0: expected a whole number, 1 to"));
    CHECK(error_of("[robot]\nx_m = 1") == "s.toml:1:1: 'robot': expected [[robot]]");
    CHECK(error_of("[[comm]]\nrange_m = 1") == "s.toml:1:1: 'comm': expected [comm]");
    CHECK(error_of("steps = 4").starts_with("s.toml:1:1: 'steps' stands outside of any section"));
    CHECK(error_of("[[robot]]\nx_m = 0.25").find("needs both x_m and y_m") != std::string::npos);
    CHECK(error_of("[[robot]]\nx_m = 0.55\ny_m = 0.25") == "s.toml:1:1: 'r1' starts at (0.55, 0.25) m, in a wall");
    CHECK(error_of("[[robot]]\nx_m = 5.5\ny_m = 0.25") ==
          "s.toml:1:1: 'r1' starts at (5.50, 0.25) m, outside of the map (1.20 x 0.50 m)");
    const std::string two = "[[robot]]\nx_m=0.25\ny_m=0.15\n[[robot]]\nx_m=0.29\ny_m=0.15\n";
    CHECK(error_of(two) ==
          "s.toml:4:1: 'r1' and 'r2' start in the same cell at (0.29, 0.15) m; start.shared = \"allow\" permits it");
    CHECK(error_of("[start]\nshared = 'allow'\n" + two) == "");
    CHECK(error_of("[body]\nradius_m = 0.25\n[[robot]]\nx_m=0.15\ny_m=0.15").find("too close to a wall") !=
          std::string::npos);
    CHECK(error_of("[team]\nstrategy = 'nearst'").find("unknown strategy 'nearst'; did you mean 'nearest'?") !=
          std::string::npos);
    CHECK(error_of("[team]\nstrategy = 'nearest(speed=3)'").find("unknown option 'nearest.speed'") !=
          std::string::npos);
    CHECK(error_of("[team]\nstrategy = 'nearest(period_steps=0)'")
              .find("nearest.period_steps = 0: expected a whole number, 1 to 10000") != std::string::npos);
    CHECK(error_of("[team]\nrobots = 200").find("no free cell left near the base") != std::string::npos);
    CHECK(error_of("[sensor]\nrange_m = 100").find("use a coarser range_unit_m") != std::string::npos);
    CHECK(error_of("[sensor]\nrange_m = 0.5\nrange_unit_m = 1").find("use a finer range_unit_m") != std::string::npos);
    CHECK(error_of("[[robot]]\nname='a'\n[[robot]]\nname='a'") == "s.toml:3:1: two robots are called 'a'");
    CHECK(error_of("[[robot]]\nname='a'\nparent='a'") == "s.toml:1:1: robot 'a' is its own parent or child");
    CHECK(error_of("[[robot]]\nname=''") == "s.toml:1:1: name = \"\": expected a name, or no line for one");
    CHECK(
        error_of("[[robot]]\nname='c'\nparent='a'\n[[robot]]\nname='a'\nparent='b'\n[[robot]]\nname='b'\nparent='a'") ==
        "s.toml:4:1: robot 'a' reports to itself over its parents; their line has to end at a base");
    CHECK(error_of("[[base]]\nname='home'\n[[robot]]\nname='a'\nparent='b'\n[[robot]]\nname='b'\nparent='home'") == "");
    CHECK(error_of("[[robot]]\nparent='x'").find("has 'x' as parent or child") != std::string::npos);
    CHECK(error_of("[[robot]]\nrole='base'").starts_with("s.toml:1:1: role = \"base\" in [[robot]]"));
    CHECK(error_of("[[base]]\nrole='relay'").starts_with("s.toml:1:1: role = \"relay\" in [[base]]"));
    CHECK(error_of("[[base]]\nbody = { speed_mps = 1 }").find("a base station does not move") != std::string::npos);
    CHECK(error_of("[body]\nspeed_mps = 0") == "s: no robot can move: body.speed_mps is 0 for all of them");
    CHECK(error_of("[[robot]]\nwheels = { n = 4 }").find("unknown table 'robot[1].wheels'") != std::string::npos);
    Notes notes;
    CHECK_THROWS_WITH_AS(make_scenario(parse_config("[comm]\n", "s.toml"), "s", "", notes), doctest::Contains("no map"),
                         Error);
}

TEST_CASE("options that deserve a word are noted") {
    Notes notes;
    make_scenario(parse_config("[mapping]\nupdate = 'per_beam'\n[noise]\nodometry_share = 0.05", "s"), "s",
                  text_map(room), notes);
    REQUIRE(notes.size() == 3);
    CHECK(notes[1].find("stay unknown") != std::string::npos);
    CHECK(notes[2].find("dead reckoning") != std::string::npos);
}

TEST_CASE("what a robot is told beforehand is in the team's frame and does not depend on the map around it") {
    Notes notes;
    const std::string toml = "[[base]]\nx_m = 0.25\ny_m = 0.15\n[[robot]]\nx_m = 0.45\ny_m = 0.35\nyaw_deg = 90\n";
    const Scenario s = make_scenario(parse_config(toml, "s"), "s", text_map(room), notes);
    const std::vector<Briefing> briefings = make_briefings(s);
    CHECK(briefings[1].bases.size() == 1);
    CHECK(s.walls.lattice().cell_of(briefings[1].bases[0].second.position()) == Cell{0, 0});
    CHECK(s.walls.lattice().cell_of(briefings[1].start.position()) == Cell{2, 2});
    CHECK(briefings[1].start.yaw == doctest::Approx(pi / 2));
    // The same surroundings in a larger map, further from its edges: the same numbers to the last bit.
    std::vector<std::string> wide(20, std::string(60, '#'));
    for (std::size_t i = 0; i < room.size(); ++i) wide[i + 6].replace(33, room[i].size(), room[i]);
    const std::string moved = "[[base]]\nx_m = 3.55\ny_m = 1.05\n[[robot]]\nx_m = 3.75\ny_m = 1.25\nyaw_deg = 90\n";
    const Scenario other = make_scenario(parse_config(moved, "s"), "s", text_map(wide), notes);
    CHECK(make_briefings(other)[1].start == briefings[1].start);
    CHECK(make_briefings(other)[1].bases[0].second == briefings[1].bases[0].second);
}

TEST_CASE("team files of MRESim are converted, their mistakes named by line") {
    const TemporaryFolder folder;
    Raster map{800, 600, 1, std::vector<std::uint8_t>(800 * 600, 1)};  // anything but 0 is free
    OutputFile png(folder / "m.png", false);
    png.write(encode_png(map));
    png.commit();
    write_text(folder / "team",
               "1 Base 370 520 0.0 0 200 1000 BaseStation 1 1\n2 A 330 520 1.5 150 180 1000 Explorer 3 1\n"
               "3 B 330 520 0 200 200 1000 Relay 1 2");
    Notes notes;
    const Scenario s = make_scenario(import_mresim(folder / "team", folder / "m.png", notes), "team", "", notes);
    REQUIRE(s.robots.size() == 3);
    CHECK(s.start_cell(0) == Cell{370, 79});
    CHECK(s.start_cell(1) == Cell{330, 79});
    CHECK(s.robots[1].yaw_deg == doctest::Approx(degrees(-1.5)));
    CHECK(s.robots[1].sensor.range_m == doctest::Approx(15));
    CHECK(s.robots[1].radio_range_m == doctest::Approx(18));
    CHECK(s.robots[1].parent == "B");
    CHECK(s.robots[2].child == "A");
    CHECK(s.robots[2].role == Role::relay);
    CHECK(s.radio.range_rule == RangeRule::first);
    CHECK(s.stop.of == StopOf::base);
    CHECK(notes.back() == "'A' and 'B' start in the same cell");
    write_text(folder / "bad",
               "1 Base 370 520 0.0 0 200 1000 BaseStation 1 1\n2 A 330 x 1.5 150 180 1000 Explorer 3 1\n");
    CHECK_THROWS_WITH_AS(import_mresim(folder / "bad", folder / "m.png", notes),
                         doctest::Contains("bad:2: expected 11 columns"), Error);
    write_text(folder / "bad", "1 Base 370 520 0.0 0 200 1000 King 1 1\n");
    CHECK_THROWS_WITH_AS(import_mresim(folder / "bad", folder / "m.png", notes),
                         doctest::Contains("bad:1: role 'King'"), Error);
    write_text(folder / "bad", "\n");
    CHECK_THROWS_WITH_AS(import_mresim(folder / "bad", folder / "m.png", notes), doctest::Contains("no robot in it"),
                         Error);
}

TEST_CASE("maps of ARiADNE and IR2 become scenarios that start where they mark it, with a pixel to a metre") {
    TemporaryFolder folder;
    const auto write_picture = [&](const char* name, int channels, const std::vector<std::uint8_t>& start) {
        Raster map{60, 40, channels, {}};
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 60; ++x) {
                const bool wall = x < 3 || y < 3 || x > 56 || y > 36, marked = x >= 10 && x < 14 && y >= 6 && y < 10;
                for (int c = 0; c < channels; ++c)
                    map.values.push_back(marked ? start[static_cast<std::size_t>(c)] : wall ? 127 : 195);
            }
        write_text(folder / name, encode_png(map));
        return folder / name;
    };
    for (const std::string& file :
         {write_picture("ir2.png", 1, {208}), write_picture("ariadne.png", 3, {255, 216, 0})}) {
        Notes notes;
        Scenario s = make_scenario(import_marmotlab(file), "map", "", notes);
        CHECK(s.robots[0].role == Role::base);
        CHECK(distance({s.robots[0].x_m, s.robots[0].y_m}, {12, 32}) < 0.75);  // rows are counted from above there
        CHECK(s.walls.lattice().cell_m == 1);
        CHECK(std::count(s.walls.cells().begin(), s.walls.cells().end(), 0) == 54 * 34);
        CHECK(s.robots[1].sensor.range_m == 80);
        Simulation sim(std::move(s));
        sim.step();
        CHECK(sim.metrics().steps().back().team_share > 0.99);  // one look all around
    }
    CHECK_THROWS_WITH_AS(import_marmotlab(write_picture("no.png", 1, {195})),
                         doctest::Contains("no.png: no pixel marks a start (grey 208"), Error);
}

}  // namespace test_scenario
