// Every shipped map and scenario loads, and its robots can go somewhere.
#include <filesystem>

#include "helpers.hpp"
#include "pictures/picture.hpp"
#include "scenario/suite.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_environments {

TEST_CASE("every scenario in environments/ loads and can be explored") {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(OUTRIDER_SOURCE_DIR "/environments")) {
        if (entry.path().extension() != ".toml") continue;
        CAPTURE(entry.path().string());
        Notes notes;
        const Scenario s = make_scenario(load_config(entry.path().string()), entry.path().stem().string(),
                                         entry.path().parent_path().string(), notes);
        // What its map and its places mean is beyond doubt.
        for (const std::string& note : notes)
            for (const char* doubt : {"map.unknown", ".yaml", "edge of the map"})
                CHECK(note.find(doubt) == std::string::npos);
        const Grid<std::uint8_t> sensable = *sensable_cells(s);
        const auto free = std::count(s.walls.cells().begin(), s.walls.cells().end(), 0);
        const auto reach = std::count(sensable.cells().begin(), sensable.cells().end(), 1);
        CHECK(static_cast<double>(reach) > 0.5 * static_cast<double>(free));
        Simulation sim(s, {});
        for (int i = 0; i < 3; ++i) sim.step();
        CHECK(sim.metrics().steps().back().team_cells > 50);
        ++count;
    }
    CHECK(count >= 24);
}

TEST_CASE("every suite is what it says: maps of the frozen content that a team can explore") {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(OUTRIDER_SOURCE_DIR "/environments/suites")) {
        if (entry.path().extension() != ".toml") continue;
        CAPTURE(entry.path().string());
        const Suite suite = make_suite(load_config(entry.path().string()), entry.path().string());
        CHECK(suite.name.find('@') != std::string::npos);
        CHECK(suite.metrics.size() >= 4);
        CHECK(suite.maps.size() >= 3);
        ++count;
        if (!suite.maps_from.empty()) continue;  // other people's
        for (std::size_t i = 0; i < suite.maps.size(); ++i) {
            Notes notes;
            const Scenario s = suite.scenario(i, notes);
            CHECK(s.robots.size() == 5);
        }
    }
    CHECK(count == 23);
}

TEST_CASE("a suite of other people's maps finds them in OUTRIDER_MAP_FOLDERS, by their content") {
    const TemporaryFolder folder, elsewhere, wrong;
    fs::create_directories(elsewhere / "easy");
    fs::create_directories(wrong / "easy");
    const Grid<std::uint8_t> walls = text_map({"......", "......", "......"});
    write_map(elsewhere / "easy/a.png", {walls, {}}, false);
    write_map(wrong / "easy/a.png", {text_map({".#....", "......", "......"}), {}}, false);
    MapOptions options;
    const Suite suite = make_suite(
        parse_config("maps_from = 'The Lab'\n[[maps]]\nfile='easy/a.png'\nhash='" +
                         map_hash(read_map(options, elsewhere / "easy/a.png").walls).hex() + "'\nx_m=0.15\ny_m=0.15\n",
                     "s.toml"),
        folder / "s@1.toml");
    const auto outcome = [&](const std::string& folders) -> std::string {
        setenv("OUTRIDER_MAP_FOLDERS", folders.c_str(), 1);
        std::string out;
        try {
            Notes notes;
            out = suite.scenario(0, notes).name;
        } catch (const Error& e) {
            out = e.what();
        }
        unsetenv("OUTRIDER_MAP_FOLDERS");
        return out;
    };
    CHECK(outcome(elsewhere.path()) == "s@1/01");
    CHECK(outcome("/nowhere::" + elsewhere.path()) == "s@1/01");
    CHECK(outcome(wrong.path()).find("its content has the hash") != std::string::npos);
    const std::string missing = outcome("/nowhere");
    CHECK(missing.find("s@1: easy/a.png: the maps of this suite do not come with Outrider. Get them from The Lab, and "
                       "set OUTRIDER_MAP_FOLDERS=FOLDER[:FOLDER...]") == 0);
    CHECK(missing.find("it is none of /nowhere") != std::string::npos);
    CHECK_THROWS_WITH_AS(
        make_suite(parse_config("maps_from = 3\n[[maps]]\nfile='a'\nhash='b'\n", "s.toml"), "s@1.toml"),
        "s.toml:1:1: maps_from: expected a text that says who has the maps", Error);
}

TEST_CASE("a suite whose map or metric is not what it says is refused") {
    const TemporaryFolder folder;
    write_map(folder / "a.png", {text_map({"......", "......", "......"}), {}}, false);
    const auto error = [&](const std::string& hash, const std::string& more) -> std::string {
        try {
            const Suite suite = make_suite(
                parse_config(more + "\n[[maps]]\nfile='a.png'\nhash='" + hash + "'\nx_m=0.15\ny_m=0.15\n", "s.toml"),
                folder / "s@1.toml");
            Notes notes;
            return suite.scenario(0, notes).name;
        } catch (const Error& e) {
            return e.what();
        }
    };
    MapOptions options;
    const std::string hash = map_hash(read_map(options, folder / "a.png").walls).hex();
    CHECK(error(hash, "[metrics]\nt90_base=1\n") == "s@1/01");
    CHECK(error("12", "").find("its content has the hash") != std::string::npos);
    CHECK(error(hash, "[metrics]\nt90_base=2\n").find("another version of the metric 't90_base'") != std::string::npos);
    CHECK(error(hash, "[metrics]\nspeed=1\n").find("unknown metric 'speed'") != std::string::npos);
    CHECK(error(hash, "[metrics]\nt90_bsae=1\n").find("unknown metric 't90_bsae'; did you mean 't90_base'?") !=
          std::string::npos);
}

TEST_CASE("there is no live-lock at the start: in the office the team knows an eighth by step 60") {
    Notes notes;
    Scenario s = make_scenario(load_config(OUTRIDER_SOURCE_DIR "/environments/office.toml"), "office",
                               OUTRIDER_SOURCE_DIR "/environments", notes);
    s.run.steps = 61;
    for (const char* strategy : {"mresim_greedy", "nearest"})
        for (const FrontierKind kind : {FrontierKind::unknown, FrontierKind::unsafe}) {
            for (RobotEntry& robot : s.robots)
                if (robot.role != Role::base) robot.strategy = strategy;
            s.frontier.kind = kind;
            CAPTURE(strategy);
            CHECK(run_scenario(s).team_share >= 0.125);
        }
}

TEST_CASE("a check counts and draws free, unreachable and narrow places") {
    const std::vector<std::string> rows{"################",  //
                                        "#......#.......#",  //
                                        "#......#.......#",  //
                                        "#..B.1.........#",  //
                                        "#......#.......#",  //
                                        "#......#########",  //
                                        "#......#..#....#",  //
                                        "################"};
    const CheckReport point = check_scenario(text_scenario(rows), false);
    CHECK(point.free == 6 * 6 + 1 + 7 * 4 + 2 + 4);
    CHECK(point.reached == 6 * 6 + 1 + 7 * 4);
    CHECK(point.only_seen == 0);
    CHECK(point.unseen == 6);
    CHECK(point.narrow == 0);
    const CheckReport disc = check_scenario(text_scenario(rows, "[body]\nradius_m=0.1\n"), true);
    CHECK(disc.reached == 6 * 6);       // the room of the start, into its corners
    CHECK(disc.only_seen > 1 + 7 * 2);  // much of the other room, through the door
    CHECK(disc.only_seen + disc.unseen == 1 + 7 * 4 + 2 + 4);
    CHECK(disc.narrow == 1 + 2 + 4);  // the door, and the closets of one cell's height
    CHECK(disc.picture.width >= 320);
    CHECK(disc.picture.values.size() == static_cast<std::size_t>(disc.picture.width * disc.picture.height * 3));
}

}  // namespace test_environments
