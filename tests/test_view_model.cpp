// The window's state without any graphics.
#include <chrono>
#include <set>
#include <thread>

#include "helpers.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "view/edit_model.hpp"
#include "view/inspect.hpp"
#include "view/painter.hpp"

using namespace outrider;
using namespace outrider::view;

namespace test_view_model {
namespace {

Scenario rooms() {
    Notes notes;
    return make_scenario(
        parse_config("[team]\nrobots=3\n[comm]\nrange_m=6\nbase_range_m=6\n[run]\nsteps=150\n", "rooms"), "rooms",
        rooms_map(200, 150, 4), notes);
}

template <class Condition>
void wait_until(ViewModel& model, Condition&& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
        model.update();
        if (holds()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL("it did not come to that; step " << model.step() << " " << model.progress().error);
}

}  // namespace

TEST_CASE("the camera keeps what is under the mouse there, and fits what it is told to") {
    Camera camera;
    camera.size = {800, 600};
    camera.origin = {100, 50};
    camera.fit({-5, -5}, {15, 5}, 20);
    CHECK(camera.pixels_per_m == doctest::Approx(38));
    CHECK(camera.to_pixels({5, 0}).x == doctest::Approx(500));
    const Point before = camera.to_metres({150, 90});
    camera.zoom(1.7, {150, 90});
    CHECK(distance(camera.to_metres({150, 90}), before) < 1e-9);
    const Point p = camera.to_pixels({1, 2});
    camera.pan({10, -20});
    CHECK(camera.to_pixels({1, 2}).x == doctest::Approx(p.x + 10));
    CHECK(camera.to_pixels({1, 2}).y == doctest::Approx(p.y - 20));
    CHECK(camera.to_pixels({1, 3}).y < camera.to_pixels({1, 2}).y);  // y up
}

TEST_CASE("a tile is painted in the colours of what is known, and nothing is painted outside of the map") {
    const Grid<std::uint8_t> walls = text_map({"####", "#..#", "####"});
    Painter painter(walls, {1, 0});
    Layers layers({1, 0});
    layers.apply("walls free:all undelivered frontier:all");
    const Theme& colours = theme(false);
    painter.plan(layers, colours);
    Maps maps(2);
    Snapshot s;
    ClaimUpdate base{0, {0, 0}, {}}, robot{1, {0, 0}, {}};
    base.cells.set({1, 1}, CellState::safe_free);
    robot.cells.set({1, 1}, CellState::free);
    robot.cells.set({2, 1}, CellState::free);
    robot.cells.set({3, 1}, CellState::occupied);
    s.claims = {base, robot};
    maps.apply(s);
    History history;
    TilePixels pixels;
    const auto colour = [&](int x, int y) {
        const std::uint32_t p = pixels.level[0][static_cast<std::size_t>(64 * y + x)];
        return Colour{static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(p >> 8),
                      static_cast<std::uint8_t>(p >> 16)};
    };
    painter.paint({0, 0}, {maps, history}, pixels);
    CHECK(colour(1, 1) == colours.free);
    CHECK(colour(2, 1) == colours.undelivered);
    CHECK(colour(3, 1) == colours.wall);
    CHECK(colour(0, 0) == colours.hidden_wall);
    CHECK(pixels.level[0][4] == 0);
    CHECK(pixels.level[6].size() == 1);
    layers.apply("free:bases");
    painter.plan(layers, colours);
    painter.paint({0, 0}, {maps, history}, pixels);
    CHECK(colour(1, 1) == colours.free);
    CHECK(colour(2, 1) == colours.unknown);
    CHECK(colour(0, 0) == colours.unknown);
    MarkUpdate mark{1, MarkKind::frontier, {0, 0}, {}};
    mark.cells.set({2, 1});
    s = {};
    s.marks = {mark};
    maps.apply(s);
    CHECK(maps.take_changed() == std::vector<TileCoord>{{0, 0}});
    layers.apply("frontier:1");
    painter.plan(layers, colours);
    painter.paint({0, 0}, {maps, history}, pixels);
    CHECK(colour(2, 1) == colours.frontier);
}

TEST_CASE("maps that are built anew forget what is gone, and only what differs is drawn again") {
    Maps maps(1);
    Snapshot s;
    ClaimUpdate a{0, {0, 0}, {}}, b{0, {1, 0}, {}};
    a.cells.set({1, 1}, CellState::free);
    b.cells.set({65, 1}, CellState::free);
    s.claims = {a, b};
    s.claims_anew = true;
    maps.apply(s);
    CHECK(maps.take_changed().size() == 2);
    maps.apply(s);
    CHECK(maps.take_changed().empty());
    s.claims = {a};
    maps.apply(s);
    CHECK(maps.take_changed() == std::vector<TileCoord>{{1, 0}});
    CHECK(maps.state(0, {65, 1}) == CellState::unknown);
    CHECK(maps.state(0, {1, 1}) == CellState::free);
}

TEST_CASE("colours differ in lightness where they mean different things, in both themes") {
    const auto luma = [](Colour c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; };
    for (const bool dark : {false, true}) {
        const Theme& t = theme(dark);
        CHECK(std::abs(luma(t.free) - luma(t.unknown)) > 30);
        CHECK(std::abs(luma(t.free) - luma(t.wall)) > 80);
        CHECK(std::abs(luma(t.unknown) - luma(t.hidden_wall)) > 25);
        CHECK(std::abs(luma(t.free) - luma(t.hidden_wall)) > 25);
        CHECK(std::abs(luma(t.frontier) - luma(t.free)) > 60);
        CHECK(std::abs(luma(t.text) - luma(t.panel)) > 150);
        CHECK(std::abs(luma(t.faint) - luma(t.panel)) > 80);
    }
}

TEST_CASE("a live run in the model: play, pause, step forward and back, and what is said of a robot and a cell") {
    ViewModel model(make_live(rooms(), {}, {}));
    wait_until(model, [&] { return model.step() == 0; });
    CHECK_FALSE(model.playing());
    model.step_by(1);
    wait_until(model, [&] { return model.step() == 1; });
    model.go_to(40);
    wait_until(model, [&] { return model.step() == 40; });
    CHECK(model.rows().size() == 41);
    REQUIRE(model.row(40));
    // Who is linked to a base: as the metrics count, also before anything was heard.
    for (const int step : {40, 0}) {
        model.go_to(step);
        wait_until(model, [&] { return model.step() == step; });
        int linked = 0;
        for (RobotId robot = 1; robot < 4; ++robot) linked += model.linked(robot);
        CHECK(linked == model.row(step)->metrics.connected);
    }
    CHECK(model.row(0)->metrics.connected == 3);
    model.go_to(40);
    wait_until(model, [&] { return model.step() == 40; });
    CHECK(model.row(40)->poses.size() == 4);
    CHECK(model.row(41) == nullptr);
    model.step_by(-1);
    wait_until(model, [&] { return model.step() == 39; });
    CHECK(model.rows().size() == 41);  // what was computed stays
    CHECK(model.last() == 40);
    model.set_speed(static_cast<int>(speeds.size()) - 1);
    model.toggle_play();
    wait_until(model, [&] { return model.progress().ended; });
    wait_until(model, [&] { return model.step() == model.progress().last; });
    CHECK_FALSE(model.playing());
    CHECK(!model.events().empty());
    const std::string end = model.progress().end;
    const std::size_t events = model.events().size();
    const int last = model.last();
    model.go_to(50);
    wait_until(model, [&] { return model.step() == 50; });
    CHECK(model.last() == last);
    CHECK(model.progress().ended);
    CHECK(model.events().size() == events);
    model.go_last();
    wait_until(model, [&] { return model.step() == last; });
    CHECK(model.progress().end == end);
    CHECK(model.rows().size() == static_cast<std::size_t>(last + 1));
    CHECK(model.events().size() == events);
    for (const RunEvent& e : model.events()) CHECK(event_text(model, e).size() > 8);

    model.go_to(30);
    wait_until(model, [&] { return model.step() == 30; });
    model.select_robot(2);
    wait_until(model, [&] { return !model.moment(2)->path.empty() || !model.moment(2)->goal; });
    bool rule = false, candidate = false;
    for (const Fact& f : facts_of_robot(model, 2)) {
        rule = rule || f.label == "rule";
        candidate = candidate || f.kind == Fact::Kind::chosen || f.kind == Fact::Kind::candidate;
    }
    CHECK(rule);
    CHECK(candidate);
    // The title counts the rows below it.
    model.go_to(2);
    wait_until(model, [&] { return model.step() == 2; });
    const MessageTable mine = messages_received(model);
    CHECK(mine.rows.size() == model.moment(2)->received.size());
    CHECK(mine.title ==
          fmt::format("Messages that {} received in step 2 ({})", model.info().name(2), mine.rows.size()));
    model.selection.robot.reset();
    const MessageTable all = messages_received(model);
    CHECK(all.rows.size() > mine.rows.size());
    CHECK(all.title == fmt::format("Messages received in step 2 ({})", all.rows.size()));
    model.go_to(30);
    wait_until(model, [&] { return model.step() == 30; });
    model.select_robot(2);
    const NewsAges ages = news_ages(model, 2);
    REQUIRE(ages.of_base);
    REQUIRE(ages.at_base);
    for (const MateNews& mate : model.moment(2)->mates)
        if (mate.robot == 0) CHECK(*ages.of_base == 30 - mate.step);
    for (const MateNews& mate : model.moment(0)->mates)
        if (mate.robot == 2) CHECK(*ages.at_base == 30 - mate.step);
    CHECK(news_text(model, 2) == fmt::format("base {}, at base {}", *ages.of_base, *ages.at_base));
    CHECK(news_text(model, 0) == "");
    CHECK(model.layers.find("overlay:candidates") >= 0);
    const Pose at = model.shown_pose(2);
    CHECK(model.robot_at(model.camera.to_metres(model.spots()[2]), 0.5) == 2);  // it is drawn there
    CHECK_FALSE(model.robot_at(at.position() + Point{500, 0}, 0.5));
    const std::vector<Fact> cell = facts_of_cell(model, model.cell_at(at.position()));
    CHECK(cell[1].value == "free");
    CHECK(cell.back().label != "Really");
    CHECK(facts_of_cell(model, {100000, 0}).back().value == "outside of the map");
    // The same moment again: the replayed steps are the same.
    CHECK(model.row(29)->poses[2] == at);
}

TEST_CASE("a log in the model: events are jumped to, and playing loops between two marks") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run";
    options.log_level = LogLevel::full;
    Simulation(rooms(), options).run();
    ViewModel model(make_replay(folder / "run"));
    wait_until(model, [&] { return model.step() == 0; });
    {
        ViewModel early(make_replay(folder / "run"));
        early.go_to(50);  // before anything of the log was read
        wait_until(early, [&] { return early.step() == 50; });
        CHECK(early.aim() == 50);
        ViewModel far(make_replay(folder / "run"));
        far.go_to(100'000);
        wait_until(far, [&] { return far.step() > 0 && far.step() == far.progress().last && far.aim() == far.step(); });
    }
    REQUIRE(model.go_to_event(1));
    wait_until(model, [&] { return model.step() > 0; });
    const int first = model.step();
    CHECK(
        std::any_of(model.events().begin(), model.events().end(), [&](const RunEvent& e) { return e.step == first; }));
    model.go_last();
    wait_until(model, [&] { return model.step() == model.progress().last; });
    CHECK_FALSE(model.go_to_event(1));
    CHECK(model.go_to_event(-1));
    model.set_loop(20, 10);
    CHECK(model.loop() == std::pair(10, 20));
    model.go_to(9);
    wait_until(model, [&] { return model.step() == 9; });
    model.set_speed(9);
    model.play(true);
    int wraps = 0, before = 9;
    wait_until(model, [&] {
        wraps += model.step() < before;
        before = model.step();
        CHECK(model.step() <= 22);
        return wraps == 2;
    });
    model.play(false);
    model.go_to(100000);
    wait_until(model, [&] { return model.step() == model.progress().last; });
}

TEST_CASE("a robot that is told to go somewhere goes there; what is told in the past replaces what was told later") {
    ViewModel model(make_live(rooms(), {}, {}));
    wait_until(model, [&] { return model.step() == 0; });
    model.go_to(10);
    wait_until(model, [&] { return model.step() == 10; });
    const Pose before = model.shown_pose(1);
    model.command(1, {"stop", {}, 0, 0});
    CHECK(model.ordered(1) == "stop");
    model.step_by(5);
    wait_until(model, [&] { return model.step() == 15; });
    CHECK(model.shown_pose(1).position() == model.row(12)->poses[1].position());
    const Point where = model.shown_pose(1).position();
    CHECK(std::any_of(model.events().begin(), model.events().end(),
                      [](const RunEvent& e) { return e.kind == "operator" && e.step == 11 && e.robot_id() == 0; }));
    model.step_by(-2);  // told again
    wait_until(model, [&] { return model.step() == 13; });
    CHECK(model.shown_pose(1).position() == where);
    model.go_to(5);
    wait_until(model, [&] { return model.step() == 5; });
    model.go_to(15);
    wait_until(model, [&] { return model.step() == 15; });
    CHECK(model.shown_pose(1).position() == where);  // still told
    model.go_to(5);
    wait_until(model, [&] { return model.step() == 5; });
    model.command(2, {"stop", {}, 0, 0});  // from here on another run
    wait_until(model, [&] { return model.step() == 5; });
    CHECK(model.last() == 5);
    model.step_by(10);
    wait_until(model, [&] { return model.step() == 15; });
    CHECK(model.rows().size() == 16);
    CHECK(model.shown_pose(1).position() != where);
    CHECK(before.position() != model.shown_pose(1).position());
    CHECK(model.shown_pose(2).position() == model.row(8)->poses[2].position());
    std::vector<int> ordered;
    for (const RunEvent& e : model.events())
        if (e.kind == "operator") ordered.push_back(e.step);
    CHECK(ordered == std::vector<int>{6});
}

TEST_CASE("a live run loops between two marks, too: it runs up to the first one and plays on") {
    ViewModel model(make_live(rooms(), {}, {}));
    wait_until(model, [&] { return model.step() == 0; });
    model.set_loop(12, 18);
    model.set_speed(9);
    model.play(true);
    int generation = model.progress().generation, wraps = 0;
    wait_until(model, [&] {
        wraps += model.progress().generation != std::exchange(generation, model.progress().generation);
        CHECK(model.step() <= 25);
        return wraps == 2 && model.step() >= 14;
    });
    CHECK(model.playing());
    model.play(false);
    CHECK_FALSE(model.playing());
}

TEST_CASE("a mark changes no robot, and the log of the run shows it again") {
    const TemporaryFolder folder;
    LiveOptions options;
    options.log_path = folder / "marked";
    std::vector<Pose> ends;
    {
        ViewModel model(make_live(rooms(), options, {}));
        wait_until(model, [&] { return model.step() == 0; });
        model.go_to(10);
        wait_until(model, [&] { return model.step() == 10; });
        model.mark("victim 1", {1.5, 2});
        CHECK(model.marks() == std::vector<PlaceMark>{{"victim 1", {1.5, 2}, -1}});  // told with the next step
        model.step_by(1);
        wait_until(model, [&] { return model.step() == 11; });
        CHECK(model.marks() == std::vector<PlaceMark>{{"victim 1", {1.5, 2}, 11}});
        model.go_to(40);
        wait_until(model, [&] { return model.step() == 40; });
        ends = model.row(40)->poses;
    }
    ViewModel unmarked(make_live(rooms(), {}, {}));
    unmarked.go_to(40);
    wait_until(unmarked, [&] { return unmarked.step() == 40; });
    CHECK(unmarked.row(40)->poses == ends);
    ViewModel replay(make_replay(folder / "marked"));
    wait_until(replay, [&] { return replay.step() == 0; });
    CHECK(replay.marks().empty());
    replay.go_to(20);
    wait_until(replay, [&] { return replay.step() == 20; });
    CHECK(replay.marks() == std::vector<PlaceMark>{{"victim 1", {1.5, 2}, 11}});
}

TEST_CASE("since when cells are known is found out for a whole log, whatever was passed over by seeks") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run";
    options.log_level = LogLevel::full;
    Simulation(rooms(), options).run();
    ViewModel live(make_live(rooms(), {}, {}));
    live.go_to(70);
    wait_until(live, [&] { return live.step() == 70; });
    ViewModel replay(make_replay(folder / "run"));
    wait_until(replay, [&] { return replay.step() == 0; });
    replay.go_to(70);
    wait_until(replay, [&] { return replay.step() == 70; });
    CHECK_FALSE(replay.waits_for_history());
    replay.ask_history();
    wait_until(replay, [&] { return replay.progress().history_to >= 70 && !replay.waits_for_history(); });
    int cells = 0;
    bool same = true;
    for (int y = -150; y < 150; y += 3)
        for (int x = -200; x < 200; x += 3) {
            const CellHistory a = live.source().telemetry().history().at({x, y});
            const CellHistory b = replay.source().telemetry().history().at({x, y});
            if (a.first_step < 0) continue;
            ++cells;
            same = same && a.first_step == b.first_step && a.first_robot == b.first_robot && b.first_exact;
            if (a.base_step >= 0) same = same && a.base_step == b.base_step && b.base_exact;
        }
    CHECK(cells > 200);
    CHECK(same);
}

TEST_CASE("how a robot did up to a step is the same in a live run, in its log, and as counted step by step") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run";
    options.log_level = LogLevel::full;
    Simulation sim(rooms(), options);
    Health health;
    sim.add_observer(health);
    std::vector<std::vector<RobotHealth>> expected;
    while (!sim.done()) {
        sim.step();
        expected.push_back(health.robots());
    }
    ViewModel live(make_live(rooms(), {}, {}));
    live.go_to(70);
    wait_until(live, [&] { return live.step() == 70; });
    ViewModel replay(make_replay(folder / "run"));
    wait_until(replay, [&] { return replay.step() == 0; });
    CHECK(replay.source().telemetry().health().at(1, 70) == RobotHealth{});  // nobody asked yet
    (void)facts_of_robot(replay, 1);
    wait_until(replay, [&] { return replay.progress().history_to >= 70 && !replay.waits_for_history(); });
    int changes = 0;
    for (int step = 0; step <= 70; ++step)
        for (RobotId robot = 0; robot < static_cast<RobotId>(expected[0].size()); ++robot) {
            const RobotHealth& h = expected[static_cast<std::size_t>(step)][static_cast<std::size_t>(robot)];
            CAPTURE(step);
            CHECK(live.source().telemetry().health().at(robot, step) == h);
            CHECK(replay.source().telemetry().health().at(robot, step) == h);
            changes += step > 0 && h != expected[static_cast<std::size_t>(step) - 1][static_cast<std::size_t>(robot)];
        }
    CHECK(changes > 0);
}

TEST_CASE("remarks are the reasons and words of all steps, each where it changed") {
    using Row = std::tuple<int, RobotId, std::string, std::string>;
    struct Listener final : Observer {
        Remarks remarks;
        std::vector<Row> reasons;                     // of every step
        std::set<std::pair<int, std::string>> words;  // step and topic
        void on_step(const StepView& view) override {
            remarks.note(view);
            remarks.note(view);  // a step that is seen again
            for (std::size_t i = 0; i < view.decisions.size(); ++i) {
                for (const Overlay& o : view.decisions[i].overlays)
                    if (o.kind == Overlay::Kind::text && o.meaning != Overlay::Meaning::curve)
                        reasons.emplace_back(view.step, static_cast<RobotId>(i), o.layer, o.text);
                for (const Word& w : view.decisions[i].outbox.front()->self().words)
                    words.emplace(view.step, fmt::format("sends topic {}", w.topic));
            }
        }
    } listener;
    Notes notes;
    Scenario office = load_scenario(OUTRIDER_SOURCE_DIR "/environments/small_office.toml", {}, notes);
    office.run.steps = 120;
    for (RobotEntry& r : office.robots)
        if (r.role != Role::base) r.strategy = "role_based";
    Simulation sim(office, {.threads = 1, .log_path = {}, .overlays = true});
    sim.add_observer(listener);
    sim.run();
    std::map<std::pair<RobotId, std::string>, std::string> last;
    std::vector<Row> changed, noted;
    for (const Row& row : listener.reasons) {
        const auto& [step, robot, label, text] = row;
        if (std::exchange(last[{robot, label}], text) != text) changed.push_back(row);
    }
    int sends = 0;
    for (const Remark& r : listener.remarks.from(0))
        if (!r.label.starts_with("sends topic"))
            noted.emplace_back(r.step, r.robot, r.label, r.text);
        else if (++sends; !listener.words.contains({r.step, r.label.substr(0, r.label.find(" to "))}))
            FAIL(r.step, " ", r.label);
    CHECK(noted == changed);
    CHECK(noted.size() > 10);
    CHECK(sends > 10);
    const std::size_t all = listener.remarks.from(0).size();
    CHECK(listener.remarks.from(all - 1).size() == 1);
    CHECK(listener.remarks.from(all + 1).empty());
}

}  // namespace test_view_model
