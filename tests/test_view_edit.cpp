// The window's edit mode: teams and walls that are changed, undone, and saved as a scenario that runs.
#include <filesystem>
#include <map>

#include "features/failures/options.hpp"
#include "helpers.hpp"
#include "view/edit_model.hpp"

using namespace outrider;
using namespace outrider::view;

namespace test_view_edit {

TEST_CASE("an edited team is saved as a scenario that runs") {
    const TemporaryFolder folder;
    Notes notes;
    const Scenario office = make_scenario(load_config(OUTRIDER_SOURCE_DIR "/environments/small_office.toml"), "office",
                                          OUTRIDER_SOURCE_DIR "/environments", notes);
    EditModel edit(office);
    CHECK_FALSE(edit.changed());
    CHECK(edit.problem() == "");
    const std::size_t added = edit.add(Role::explorer, {12.05, 5.05});
    edit.robot(added).strategy = "nearest";
    edit.robot(added).sensor.range_m = 4;
    const std::size_t base = edit.add(Role::base, {11.05, 6.05});
    CHECK(base == 1);  // after the base that was there, before the robots
    edit.move(added + 1, {13.01, 5.0});
    edit.save(folder / "sub/team.toml", false);
    CHECK_THROWS_AS(edit.save(folder / "sub/team.toml", false), Error);
    const Scenario again = make_scenario(load_config(folder / "sub/team.toml"), "team", folder / "sub", notes);
    REQUIRE(again.robots.size() == office.robots.size() + 2);
    CHECK(again.robots.back().strategy == "nearest");
    CHECK(again.robots.back().sensor.range_m == 4);
    CHECK(again.robots.back().x_m == doctest::Approx(13.05));
    CHECK(again.team.bases == 2);
    CHECK(again.walls == office.walls);
    SimulationOptions options;
    options.stop_after = 5;
    Simulation(again, options).run();
    edit.move(added + 1, {-50, 0});
    CHECK(edit.problem() != "");
    CHECK_THROWS_AS(edit.save(folder / "bad.toml", false), Error);
    edit.remove(added + 1);
    CHECK(edit.problem() == "");
    // What was to happen to a robot goes with it.
    Scenario failing = office;
    failing.lists.edit<EventEntry>() = {{office.robots[2].name, 5, 9, FailureKind::blind, ""}};
    EditModel fewer(failing);
    fewer.remove(2);
    CHECK(fewer.problem() == "");
    CHECK(fewer.scenario().lists.get<EventEntry>().empty());
    // The first of its kind is as a scenario without an entry for it has it.
    EditModel anew(office);
    const RobotEntry was = office.robots[0];
    while (anew.robots().size() > 1) anew.remove(1);
    const std::size_t first = anew.add(Role::explorer, {office.robots[1].x_m, office.robots[1].y_m});
    anew.remove(0);
    CHECK(anew.add(Role::base, {was.x_m, was.y_m}) == 0);
    CHECK(anew.problem() == "");
    CHECK(anew.robots()[0].strategy == "stay");
    CHECK(anew.robots()[0].radio_range_m == office.comm.base_range_m);
    CHECK(anew.robots()[0].sensor.preset == SensorPreset::none);
    CHECK(anew.robots()[first].strategy == office.team.strategy);
    CHECK(anew.robots()[first].radio_range_m == office.comm.range_m);
}

TEST_CASE("walls are drawn and removed, undone and redone, and saved with the scenario as its map") {
    const TemporaryFolder folder;
    Notes notes;
    const std::vector<std::string> rows{"########", "#......#", "#.B1...#", "#......#", "########"};
    const Scenario room = text_scenario(rows, "[team]\nstrategy='nearest'\n");
    EditModel edit(room);
    const auto walls = [&] { return edit.scenario().walls; };
    const double cell = room.map.cell_m;
    const auto at = [&](int x, int y) { return Point{(x + 0.5) * cell, (y + 0.5) * cell}; };
    edit.settle();
    edit.draw(at(5, 1), at(5, 3), cell, true);
    edit.settle();
    edit.draw(at(0, 2), at(-9, 2), cell, false);  // a door to nowhere, and on over the edge of the map
    edit.draw(at(5, 2), at(5, 2), 0, false);      // back as it was: no longer a change
    edit.settle();
    Grid<std::uint8_t> expected = room.walls;
    expected[{5, 1}] = expected[{5, 3}] = 1;
    expected[{0, 2}] = 0;
    CHECK(walls() == expected);
    CHECK(edit.drawn() == std::map<Cell, std::uint8_t>{{{5, 1}, 1}, {{0, 2}, 0}, {{5, 3}, 1}});
    REQUIRE(edit.undo());
    CHECK(edit.drawn().size() == 3);
    CHECK(walls()[{5, 2}] == 1);
    REQUIRE(edit.undo());
    CHECK(walls() == room.walls);
    REQUIRE(edit.redo());
    REQUIRE(edit.redo());
    CHECK(walls() == expected);
    edit.save(folder / "closed.toml", false);
    CHECK(load_scenario(folder / "closed.toml", {}, notes).walls == expected);
    // A line of three cells: one to each side of its middle.
    edit.draw(at(5, 2), at(5, 2), 3 * cell, true);
    CHECK(edit.drawn().size() == 9 + 1);  // (5, 1) and (5, 3) are among the nine
    CHECK(edit.problem() == "");
    edit.draw(at(3, 2), at(3, 2), cell, true);
    CHECK(edit.problem().find("wall") != std::string::npos);  // the robot stands there
    CHECK_THROWS_AS(edit.save(folder / "bad.toml", false), Error);
    CHECK_FALSE(std::filesystem::exists(folder / "bad.png"));
    REQUIRE(edit.undo());
    // Nothing is overwritten unasked, the map as little as the scenario.
    std::filesystem::remove(folder / "closed.toml");
    CHECK_THROWS_AS(edit.save(folder / "closed.toml", false), Error);
    CHECK_FALSE(std::filesystem::exists(folder / "closed.toml"));
}

TEST_CASE("an edited scenario finds its images from wherever it is saved") {
    const TemporaryFolder folder;
    Notes notes;
    const std::string toml = read_text(OUTRIDER_SOURCE_DIR "/environments/small_office.toml");
    const Scenario office = parse_scenario(toml + "\n[glass]\nfile = \"small_office.png\"\n", "office",
                                           OUTRIDER_SOURCE_DIR "/environments", {}, notes);
    EditModel edit(office);
    edit.save(folder / "sub/team.toml", false);
    const Scenario again = make_scenario(load_config(folder / "sub/team.toml"), "team", folder / "sub", notes);
    REQUIRE(again.layers.glass);
    CHECK(*again.layers.glass == *office.layers.glass);
}

}  // namespace test_view_edit
