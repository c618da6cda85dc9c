// The window as a user meets it, without a display: the mouse is moved by the test, and the state and the pixels are
// looked at.
#include <fstream>

#include "base/sqlite.hpp"
#include "desk.hpp"
#include "log/log_reader.hpp"
#include "outrider/error.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;
using namespace outrider::view;
namespace fs = std::filesystem;

TEST_CASE("each layer's box turns it on and off for all robots, and a robot's dot for that robot") {
    Desk desk(office);
    for (const char* key : {"walls", "free", "safe", "frontier", "undelivered", "tint", "age", "location"}) {
        CAPTURE(key);
        const auto layer = static_cast<std::size_t>(desk.model().layers.find(key));
        const Tri before = desk.model().layers.state(layer);
        desk.click(std::string("layer/") + key);
        CHECK(desk.model().layers.state(layer) == (before == Tri::on ? Tri::off : Tri::on));
        desk.click(std::string("layer/") + key);
        CHECK(desk.model().layers.state(layer) == (before == Tri::on ? Tri::on : Tri::off));
    }
    desk.click("free/1");
    CHECK_FALSE(desk.model().layers.shown(LayerId::free, 1));
    CHECK(desk.model().layers.state(static_cast<std::size_t>(desk.model().layers.find("free"))) == Tri::some);
    desk.click("preset/9");
    CHECK(desk.model().preset == 8);
    CHECK_FALSE(desk.model().layers.shown(LayerId::free, 2));
    desk.key(SDLK_1);
    CHECK(desk.model().layers.shown(LayerId::free, 2));
}

TEST_CASE("every button of a robot's panel switches its layers for that robot alone") {
    Desk desk(office);
    desk.model().layers.offer("rendezvous", Overlay::Meaning::meeting);
    desk.model().layers.offer("rendezvous_through", Overlay::Meaning::meeting_through_wall);
    desk.model().layers.offer("rendezvous_candidates_through", Overlay::Meaning::meeting_candidate_through_wall);
    desk.frames(1);
    for (const PanelButton& button : panel_buttons()) {
        CAPTURE(button.label);
        const std::vector<std::size_t> layers = layers_of(button, desk.model().layers);
        REQUIRE(!layers.empty());
        const auto all_on = [&](std::size_t robot) {
            bool on = true;
            for (const std::size_t k : layers) on = on && desk.model().layers.on(k, robot);
            return on;
        };
        const bool mine = all_on(1), other = all_on(2);
        desk.click(fmt::format("robot/1/{}", button.label));
        CHECK(all_on(1) == !mine);
        CHECK(all_on(2) == other);
        desk.click(fmt::format("robot/1/{}", button.label));
        CHECK(all_on(1) == mine);
    }
}

TEST_CASE("what is not shown is not on the screen: free space, frontiers, walls") {
    Desk desk(sample);
    desk.model().go_to(60);
    desk.wait([&] { return desk.model().step() == 60; });
    const Theme& t = theme(false);
    desk.model().layers.apply("walls free:all");
    desk.frames(3);
    CHECK(desk.share_of(t.free) > 0.3);
    CHECK(desk.share_of(t.wall) > 0.003);
    CHECK(desk.share_of(t.frontier) < 0.0005);
    desk.model().layers.apply("walls free:all frontier:all");
    desk.wait([&] { return desk.share_of(t.frontier) > 0.001; });
    desk.model().layers.apply("frontier:all");
    desk.frames(3);
    CHECK(desk.share_of(t.free) < 0.05);
    CHECK(desk.share_of(t.wall) < 0.001);
    desk.click("theme");
    desk.frames(3);
    CHECK(desk.share_of(theme(true).unknown) > 0.3);
}

TEST_CASE("scrubbing a log shows the step under the mouse while it is held, and a click jumps") {
    Desk desk(sample);
    const int last = desk.model().last();
    CHECK(last > 100);
    const Rect bar = desk.rect("timeline");
    const float y = (bar.low.y + bar.high.y) / 2, w = bar.high.x - bar.low.x;
    desk.move({bar.low.x + w * 0.25f, y});
    desk.press(true);
    desk.wait([&] { return std::abs(desk.model().step() - last / 4) <= 1; });
    desk.move({bar.low.x + w * 0.5f, y});
    desk.wait([&] { return std::abs(desk.model().step() - last / 2) <= 1; });
    desk.press(false);
    desk.click(ImVec2{bar.low.x + w * 0.75f, y});
    desk.wait([&] { return std::abs(desk.model().step() - 3 * last / 4) <= 1; });
}

TEST_CASE("the buttons and keys of playback: play, pause, step both ways, ends, events, loop") {
    Desk desk(sample);
    ViewModel& model = desk.model();
    desk.click("forward");
    desk.wait([&] { return model.step() == 1; });
    desk.key(SDLK_RIGHT, true);
    desk.wait([&] { return model.step() == 11; });
    desk.click("back");
    desk.wait([&] { return model.step() == 10; });
    desk.click("last");
    desk.wait([&] { return model.step() == model.last(); });
    desk.click("first");
    desk.wait([&] { return model.step() == 0; });
    desk.click("event forward");
    desk.wait([&] { return model.step() > 0; });
    const int event = model.step();
    desk.click("event forward");
    desk.wait([&] { return model.step() > event; });
    desk.click("event back");
    desk.wait([&] { return model.step() == event; });
    desk.click("play");
    CHECK(model.playing());
    desk.wait([&] { return model.step() > event + 2; });
    desk.key(SDLK_SPACE);
    CHECK_FALSE(model.playing());
    const int speed = model.speed();
    desk.key(SDLK_UP);
    CHECK(model.speed() == speed + 1);
    desk.click("loop");
    CHECK(model.loop().first == model.step());
    desk.key(SDLK_l);
    CHECK(model.loop().second > model.loop().first);
    desk.key(SDLK_l);
    CHECK(model.loop() == std::pair(-1, -1));
}

TEST_CASE("a live run steps on and back, and says how it ended") {
    Desk desk(office);
    desk.click("forward");
    desk.wait([&] { return desk.model().step() == 1; });
    desk.model().go_to(30);
    desk.wait([&] { return desk.model().step() == 30; });
    desk.click("back");
    desk.wait([&] { return desk.model().step() == 29; });
    desk.click("last");
    desk.wait([&] { return desk.model().progress().ended && desk.model().step() == desk.model().progress().last; });
    CHECK(desk.model().progress().end != "");
    // A click into the past shows it, and the end is where it was.
    const int last = desk.model().last();
    const Rect bar = desk.rect("timeline");
    desk.click(bar.centre());
    desk.wait([&] { return std::abs(desk.model().step() - last / 2) <= 1; });
    CHECK(desk.model().last() == last);
    CHECK(desk.model().row(last) != nullptr);
    desk.key(SDLK_END);
    desk.wait([&] { return desk.model().step() == last; });
}

TEST_CASE("a robot is picked on the map and in its panel, and its reasons are told; a cell tells its history") {
    Desk desk(sample);
    desk.model().go_to(60);
    desk.wait([&] { return desk.model().step() == 60; });
    desk.click(desk.pixel(desk.model().shown_pose(1).position()));
    CHECK(desk.model().selection.robot == 1);
    CHECK(desk.app.ui().tab == Tab::why);
    desk.click("card/2");
    CHECK(desk.model().selection.robot == 2);
    desk.key(SDLK_o);
    CHECK(desk.model().layers.solo_robot() == 2);
    desk.key(SDLK_c);
    CHECK(desk.model().follow == 2);
    desk.key(SDLK_f);
    CHECK_FALSE(desk.model().follow);
    desk.key(SDLK_ESCAPE);
    CHECK_FALSE(desk.model().selection.robot);
    const Point free = desk.model().shown_pose(0).position() + Point{1, 0.4};
    desk.click(desk.pixel(free));
    REQUIRE(desk.model().selection.cell);
    CHECK(*desk.model().selection.cell == desk.model().cell_at(free));
}

TEST_CASE("the map is dragged and zoomed, measured, and the panels hide") {
    Desk desk(office);
    const Rect map = desk.rect("map");
    const Point before = desk.model().camera.centre;
    desk.drag(map.centre(), {map.centre().x + 50, map.centre().y + 20});
    CHECK(desk.model().camera.centre.x < before.x);
    CHECK(desk.model().camera.centre.y > before.y);
    const double scale = desk.model().camera.pixels_per_m;
    desk.move(map.centre());
    desk.mouse.wheel = 2;
    desk.frames(1);
    desk.mouse.wheel = 0;
    CHECK(desk.model().camera.pixels_per_m == doctest::Approx(scale * 1.44));
    desk.click("fit");
    CHECK(desk.model().camera.pixels_per_m == doctest::Approx(scale));
    desk.key(SDLK_m);
    desk.click(desk.pixel({0, 0}));
    desk.click(desk.pixel({3, 4}));
    REQUIRE(desk.app.ui().measure.size() == 2);
    CHECK(distance(desk.app.ui().measure[0], desk.app.ui().measure[1]) == doctest::Approx(5).epsilon(0.02));
    desk.key(SDLK_TAB);
    CHECK(desk.rect("map").high.x - desk.rect("map").low.x == doctest::Approx(1280));
    desk.key(SDLK_TAB);
    CHECK(desk.rect("map").low.x > 200);
    desk.key(SDLK_F1);
    CHECK(desk.app.ui().help);
}

TEST_CASE("way-points are clicked and sent, and the robot drives there") {
    Desk desk(office);
    desk.click("card/1");
    desk.click("tab/Operate");
    desk.click("set way-points");
    const Point to = desk.model().shown_pose(1).position() + Point{1.5, 0.5};
    desk.click(desk.pixel(to));
    REQUIRE(desk.app.ui().waypoints.size() == 1);
    desk.click("send way-points");
    CHECK(desk.app.ui().waypoints.empty());
    CHECK(desk.model().ordered(1) == "1 way-point");
    desk.model().step_by(12);
    desk.wait([&] { return desk.model().step() == 12; });
    CHECK(distance(desk.model().shown_pose(1).position(), to) < 0.3);
    desk.click("autonomous");
    desk.key(SDLK_i);
    CHECK(desk.model().ordered(1) == "drive");
}

TEST_CASE("a start is dragged in the editor, a robot added, and the team saved and run") {
    Desk desk(office);
    desk.click("tab/Edit");
    desk.click("begin editing");
    REQUIRE(desk.app.ui().edit);
    EditModel& edit = *desk.app.ui().edit;
    const RobotEntry before = edit.robots()[1];
    const Point offset = desk.model().info().map_offset;
    const ImVec2 from = desk.pixel(Point{before.x_m, before.y_m} - offset);
    desk.drag(from, {from.x + 40, from.y});
    CHECK(edit.robots()[1].x_m > before.x_m + 0.5);
    CHECK(edit.changed());
    const std::size_t count = edit.robots().size();
    desk.click("add robot");
    CHECK(edit.robots().size() == count + 1);
    edit.move(count, {before.x_m, before.y_m});
    desk.frames(1);
    desk.click("run team");
    desk.wait([&] { return desk.model().step() == 0; });
    CHECK(desk.model().info().robots() == count + 1);
}

TEST_CASE("edits are undone and redone, a drag at once; a strategy is chosen from the list") {
    Desk desk(office);
    desk.click("tab/Edit");
    desk.click("begin editing");
    EditModel& edit = *desk.app.ui().edit;
    const auto state = [&] { return edit.scenario().resolved(); };
    const std::string first = state();
    CHECK_FALSE(edit.can_undo());
    const RobotEntry& r1 = edit.robots()[1];
    const ImVec2 from = desk.pixel(Point{r1.x_m, r1.y_m} - desk.model().info().map_offset);
    desk.drag(from, {from.x + 40, from.y});
    desk.frames(2);
    const std::string moved = state();
    CHECK(moved != first);
    desk.click("add robot");
    desk.frames(2);
    const std::string added = state();
    desk.click("edit strategies");
    desk.click("strategy/burgard");
    desk.frames(2);
    CHECK(edit.robots().back().strategy == "burgard");
    const std::string chosen = state();
    desk.key(SDLK_z, false, true);
    CHECK(state() == added);
    desk.key(SDLK_z, false, true);
    CHECK(state() == moved);
    desk.click("undo");
    CHECK(state() == first);
    desk.key(SDLK_z, false, true);  // nothing is left
    CHECK(state() == first);
    for (const std::string& next : {moved, added}) {
        desk.key(SDLK_y, false, true);
        CHECK(state() == next);
    }
    desk.click("redo");
    CHECK(state() == chosen);
    desk.key(SDLK_z, false, true);
    CHECK(edit.can_redo());
    desk.click("add base");  // another way from here: what was undone is gone
    desk.frames(2);
    CHECK_FALSE(edit.can_redo());
    desk.click("undo");
    CHECK(state() == added);
}

TEST_CASE("walls are drawn with the mouse and removed, and the run begins with them") {
    Desk desk(office);
    desk.click("tab/Edit");
    desk.click("begin editing");
    EditModel& edit = *desk.app.ui().edit;
    const RobotEntry& r1 = edit.robots()[1];
    const ImVec2 from = desk.pixel(Point{r1.x_m + 1, r1.y_m + 1} - desk.model().info().map_offset);
    const Point seen = desk.model().camera.centre;
    desk.click("draw walls");
    desk.drag(from, {from.x + 60, from.y});
    desk.frames(2);
    const std::size_t drawn = edit.drawn().size();
    CHECK(drawn > 4);
    CHECK(desk.model().camera.centre == seen);  // the map stayed where it is
    CHECK(edit.robots()[1].x_m == doctest::Approx(r1.x_m));
    desk.click("remove walls");
    desk.drag(from, {from.x + 60, from.y});
    desk.frames(2);
    CHECK(edit.drawn().size() < drawn);
    desk.key(SDLK_z, false, true);
    CHECK(edit.drawn().size() == drawn);
    const Grid<std::uint8_t> walls = edit.scenario().walls;
    desk.click("run team");
    desk.wait([&] { return desk.model().step() == 0; });
    CHECK(desk.model().info().scenario.walls == walls);
}

TEST_CASE("events are jumped to from their table, and plots and tables draw without a run's history") {
    Desk desk(sample);
    desk.click("tab/Tables");
    desk.wait([&] { return !desk.model().events().empty(); });
    desk.click("event/1");
    desk.wait([&] { return desk.model().step() == desk.model().events()[1].step; });
    desk.click("tab/Plots");
    desk.frames(2);
    CHECK(desk.app.ui().tab == Tab::plots);
}

TEST_CASE("events are searched by words and by robot, and exported as they are listed") {
    const std::string folder = (fs::temp_directory_path() / fmt::format("outrider_events_{}", ::getpid())).string();
    fs::create_directories(folder);
    AppOptions options = test_options();
    options.pictures = folder;
    Desk desk(sample, options);
    desk.click("tab/Tables");
    desk.wait([&] { return !desk.model().events().empty(); });
    const auto& events = desk.model().events();
    const auto& found = desk.app.ui().search.found;
    desk.frames(1);
    CHECK(found.size() == events.size());
    desk.click("search events");
    ImGui::GetIO().AddInputCharactersUTF8("CONTACT base");
    desk.frames(2);
    REQUIRE(!found.empty());
    CHECK(found.size() < events.size());
    for (std::size_t k = 0; k < events.size(); ++k) {
        const bool listed = std::find(found.begin(), found.end(), k) != found.end();
        CHECK(listed == (events[k].kind == "met_base" || events[k].kind == "left_base"));
    }
    desk.model().select_robot(2);
    desk.click("events of selected");
    desk.frames(1);
    REQUIRE(!found.empty());
    for (const std::size_t k : found) CHECK(events[k].robot_id() == 2);
    const int step = events[found.front()].step;
    desk.click("event/" + std::to_string(found.front()));
    desk.wait([&] { return desk.model().step() == step; });
    desk.click("export events");
    std::ifstream file(folder + "/" + desk.model().info().scenario.name + "_events.csv");
    std::string line;
    REQUIRE(std::getline(file, line));
    CHECK(line == "step,kind,robot,words");
    for (const std::size_t k : found) {
        REQUIRE(std::getline(file, line));
        CHECK(line.starts_with(fmt::format("{},{},{},", events[k].step, events[k].kind, desk.model().info().name(2))));
    }
    CHECK_FALSE(std::getline(file, line));
    // The same among the reasons that the robot gave.
    desk.app.ui().search.words.fill(0);
    desk.click("search reasons");
    desk.wait([&] { return !desk.model().remarks().empty() && !found.empty(); });
    const auto& remarks = desk.model().remarks();
    desk.wait([&] { return desk.model().progress().history_to > desk.model().progress().last; });
    desk.frames(2);
    CHECK(found.size() == static_cast<std::size_t>(std::count_if(remarks.begin(), remarks.end(),
                                                                 [](const Remark& r) { return r.robot == 2; })));
    desk.click("export events");
    CHECK(fs::exists(folder + "/" + desk.model().info().scenario.name + "_reasons.csv"));
    fs::remove_all(folder);
}

TEST_CASE("what is wrong becomes a message: a file that is none, a scenario with an error, an empty window") {
    Desk desk;
    const Rect all = {{0, 0}, {1280, 720}};
    CHECK(!desk.app.ui().model);
    desk.app.open_file("/no/such/scenario.toml");
    desk.frames(2);
    CHECK(desk.app.ui().error.find("scenario.toml") != std::string::npos);
    CHECK(desk.app.ui().rects.contains("copy message"));
    desk.click("close message");
    CHECK(desk.app.ui().error == "");
    desk.app.open_file("/no/such/log.sqlite");
    CHECK(desk.app.ui().error.find("log.sqlite") != std::string::npos);
    (void)all;
    desk.app.open_file(office);
    CHECK(desk.app.ui().error == "");
    desk.wait([&] { return desk.model().step() == 0; });
}

TEST_CASE("closing the window in the middle of a run ends it and leaves a log that can be read") {
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("outrider-view-test-{}.sqlite", SDL_GetTicks64()))
            .string();
    {
        Platform platform({.title = "test", .display = false});
        App app(platform, test_options());
        Notes notes;
        LiveOptions live;
        live.log_path = path;
        app.open(
            make_live(make_scenario(load_config(office), "office", source_dir + "/environments", notes), live, {}));
        app.ui().model->set_speed(9);
        app.ui().model->play(true);
        while (app.ui().model->step() < 5) app.frame();
    }
    LogReader log(path);
    CHECK(log.meta().at("end_reason") == "interrupted");
    CHECK(log.steps().steps.size() >= 5);
    std::filesystem::remove(path);
}

TEST_CASE("a picture has the size that was asked for, and text is no larger than the window has room for") {
    AppOptions options = test_options();
    options.scale = 4;
    Desk desk(sample, options);
    CHECK(desk.app.ui().scale == doctest::Approx(1.4));  // 1280 x 720 in units of 800 x 500
    CHECK(desk.rect("tab/Layers").high.y < desk.rect("step").low.y);
    desk.platform.resize(480, 360);
    desk.frames(2);
    CHECK(desk.app.ui().scale == doctest::Approx(0.6));
    const Raster small = desk.app.picture(true);
    CHECK(desk.app.ui().scale == 4);  // a map has no panels that need room
    REQUIRE(small.width == 480);
    REQUIRE(small.height == 360);
    const std::size_t corner = 3 * (480 * 2 + 477);
    CHECK(small.values[corner] + small.values[corner + 1] + small.values[corner + 2] > 100);  // painted up to there
    desk.platform.resize(3840, 2160);
    desk.frames(2);
    CHECK(desk.app.ui().scale == 4);
}

TEST_CASE("in a narrow window one panel is folded, and the map keeps half of the width") {
    Desk desk(sample);
    for (const auto& [width, height] : {std::pair{1024, 700}, std::pair{640, 480}}) {
        CAPTURE(width);
        desk.platform.resize(width, height);
        desk.frames(3);
        for (const bool robots : {false, true}) {
            const Rect map = desk.rect("map");
            CHECK(map.high.x - map.low.x >= static_cast<float>(width) / 2);
            CHECK(desk.app.ui().rects.contains("tab/Layers") == !robots);
            CHECK(desk.app.ui().rects.contains("more/1") == robots);
            for (const auto& [name, rect] : desk.app.ui().rects) {
                CAPTURE(name);
                if (!name.starts_with("tab/") && name != "step" && name != "play") continue;
                CHECK(rect.low.x >= 0);
                CHECK(rect.high.x <= static_cast<float>(width));
                CHECK(rect.high.y <= static_cast<float>(height));
            }
            desk.click(robots ? "unfold left" : "unfold right");
            desk.frames(2);
        }
    }
    desk.platform.resize(1280, 720);
    desk.frames(3);
    CHECK(desk.app.ui().rects.contains("tab/Layers"));
    CHECK(desk.app.ui().rects.contains("more/1"));
    CHECK_FALSE(desk.app.ui().rects.contains("unfold left"));
}

TEST_CASE(
    "the steps that a damaged log lacks are a gap in the distance driven and in the curves; its note can be closed") {
    const std::string path = (std::filesystem::temp_directory_path() / "outrider_gap.sqlite").string();
    std::filesystem::remove(path);
    Notes notes;
    const std::string folder = source_dir + "/environments";
    SimulationOptions options;
    options.log_path = path;
    options.log_level = LogLevel::full;
    Simulation(make_scenario(load_config(office), "small_office", folder, notes), options).run();
    Database(path, Database::Mode::create).run("UPDATE chunk SET blob = zeroblob(length(blob)) WHERE first = 65");
    Desk desk(path);
    desk.wait([&] { return desk.model().rows().size() > 150; });
    const auto stretches = desk.model().stretches();
    REQUIRE(stretches.size() == 2);
    CHECK(stretches[0].front().metrics.step == 0);
    CHECK(stretches[0].back().metrics.step == 64);
    CHECK(stretches[1].front().metrics.step == 129);
    CHECK(stretches[0].size() + stretches[1].size() == desk.model().rows().size());

    desk.click("close warning");
    desk.frames(1);
    CHECK_FALSE(desk.app.ui().rects.contains("close warning"));
    desk.model().layers.apply("walls trail:mobile");
    desk.model().go_to(140);
    desk.wait([&] { return desk.model().step() == 140; });
    desk.frames(3);
    const Point last = stretches[0].back().poses[1].position();
    const std::vector<Point>& corners = stretches[1].front().paths[1];
    const Point next = corners.empty() ? stretches[1].front().poses[1].position() : corners.front();
    REQUIRE(distance(last, next) > 5);
    const auto colours = [&] {
        return std::pair(desk.colour(desk.pixel(last)), desk.colour(desk.pixel(last + (next - last) * 0.5)));
    };
    const auto [path_colour, between] = colours();
    desk.model().layers.apply("walls");
    desk.frames(3);
    CHECK(path_colour != colours().first);
    CHECK(between == colours().second);
    std::filesystem::remove(path);
}

TEST_CASE("robots on one place fan out, and a click on each selects it") {
    Desk desk(source_dir + "/environments/office.toml");
    desk.model().camera.pixels_per_m = 4;  // from far away they all are on the base
    desk.model().camera.centre = desk.model().shown_pose(0).position();
    desk.frames(2);
    const std::vector<Point> spots = desk.model().spots();
    REQUIRE(spots.size() > 3);
    for (std::size_t i = 0; i < spots.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) CHECK(distance(spots[i], spots[j]) >= 13);
        desk.click(vec(spots[i]));
        CHECK(desk.model().selection.robot == static_cast<RobotId>(i));
    }
}
