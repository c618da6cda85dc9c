// Two logs side by side in the window.
#include "desk.hpp"
#include "outrider/error.hpp"
#include "simulation/simulation.hpp"
#include "view/window/beside.hpp"

using namespace outrider;
using namespace outrider::view;
namespace fs = std::filesystem;

namespace test_beside {
namespace {

/// The same office, explored by two strategies; the second log has fewer steps.
struct TwoLogs {
    std::string folder = (fs::temp_directory_path() / fmt::format("outrider_beside_{}", ::getpid())).string();
    std::string longer = folder + "/longer.sqlite", shorter = folder + "/shorter.sqlite";

    TwoLogs() {
        fs::create_directories(folder);
        write(longer, "burgard", 90);
        write(shorter, "mresim_greedy", 50);
    }
    ~TwoLogs() { fs::remove_all(folder); }
    static void write(const std::string& log, const std::string& strategy, int steps) {
        ConfigTable config = load_config(office);
        config.set({"team.strategy", strategy, "test"});
        config.set({"run.steps", std::int64_t{steps}, "test"});
        Notes notes;
        SimulationOptions options;
        options.log_path = log;
        options.log_level = LogLevel::full;
        Simulation sim(make_scenario(std::move(config), "office", source_dir + "/environments", notes), options);
        sim.run();
    }
};

struct TwoRuns {
    TwoLogs logs;
    Desk desk{};
    TwoRuns(bool longer_first = true) {
        desk.app.open(open_source(longer_first ? logs.longer : logs.shorter, {}));
        desk.app.open_beside(open_source(longer_first ? logs.shorter : logs.longer, {}));
        desk.wait([&] { return desk.model().step() == 0 && other().step() == 0; });
        desk.frames(3);
    }
    ViewModel& other() { return *desk.app.ui().other.model; }
    void go_to(int step) {
        desk.app.ui().clock().go_to(step);
        settle();
    }
    void settle() {
        desk.wait(
            [&] { return desk.app.ui().clock().aim() == desk.app.ui().clock().step() && !is_behind(desk.app.ui()); });
        desk.frames(2);
    }
};

}  // namespace

TEST_CASE("two logs go step by step together, also past the end of the shorter one, whichever was named first") {
    for (const bool longer_first : {true, false}) {
        CAPTURE(longer_first);
        TwoRuns runs(longer_first);
        Ui& ui = runs.desk.app.ui();
        REQUIRE(ui.clock().last() == 89);
        ViewModel &longer = ui.clock(), &shorter = &longer == ui.model.get() ? *ui.other.model : *ui.model;
        for (const int step : {17, 30, 80, 4}) {
            CAPTURE(step);
            runs.go_to(step);
            CHECK(longer.step() == step);
            CHECK(shorter.step() == std::min(step, 49));
        }
        runs.desk.key(SDLK_RIGHT);
        runs.settle();
        CHECK(longer.step() == 5);
        CHECK(shorter.step() == 5);
        ui.clock().play(true);
        runs.desk.wait([&] { return longer.step() > 12; });
        ui.clock().play(false);
        runs.settle();
        CHECK(shorter.step() == longer.step());
        CHECK_FALSE(shorter.playing());
    }
}

TEST_CASE("a click into the other picture gives it the focus; layers, map and robot are the same in both") {
    TwoRuns runs;
    Desk& desk = runs.desk;
    Ui& ui = desk.app.ui();
    runs.go_to(40);
    const ViewModel* first = ui.model.get();
    // In this wide window left and right; in a high one, one above the other.
    const Rect left = desk.rect("first map"), right = desk.rect("second map");
    CHECK(left.high.x < right.low.x);
    desk.platform.resize(800, 1200);
    desk.frames(3);
    CHECK(desk.rect("first map").high.y < desk.rect("second map").low.y);
    desk.platform.resize(1280, 720);
    desk.frames(3);
    desk.model().select_robot(2);
    desk.key(SDLK_2);
    for (const LayerId id : {LayerId::frontier, LayerId::state, LayerId::trail})
        CHECK(runs.other().layers.shown(id, 1) == desk.model().layers.shown(id, 1));
    CHECK(desk.model().layers.shown(LayerId::frontier, 1));
    CHECK_FALSE(desk.model().layers.shown(LayerId::trail, 1));
    CHECK(runs.other().selection.robot == 2);
    CHECK(runs.other().camera.pixels_per_m == desk.model().camera.pixels_per_m);

    // A robot of the second run, clicked where it is drawn.
    const Point at = runs.other().shown_pose(1).position();
    desk.click(vec(runs.other().camera.to_pixels(at)));
    CHECK(ui.model.get() != first);
    CHECK(desk.model().selection.robot == 1);
    CHECK(runs.other().selection.robot == 1);
    CHECK(desk.model().info().scenario.robots[1].strategy == "mresim_greedy");
    // The wheel over the first one gives the focus back and enlarges both.
    const double before = desk.model().camera.pixels_per_m;
    desk.move(left.centre());
    desk.mouse.wheel = 1;
    desk.frames(1);
    desk.mouse.wheel = 0;
    desk.frames(2);
    CHECK(ui.model.get() == first);
    CHECK(desk.model().camera.pixels_per_m > before);
    CHECK(runs.other().camera.pixels_per_m == desk.model().camera.pixels_per_m);
    CHECK(distance(runs.other().camera.centre, desk.model().camera.centre) < 1e-9);
}

TEST_CASE("each half shows its own run: cells that only one of the teams knows") {
    TwoRuns runs;
    Desk& desk = runs.desk;
    runs.go_to(45);
    desk.model().layers.apply("walls free:all");
    desk.frames(3);
    const Theme& t = desk.app.ui().colours();
    const auto known = [](ViewModel& model, Cell c) {
        bool free = false;
        for (std::size_t i = 0; i < model.maps().robots(); ++i) {
            const CellState state = model.maps().state(i, c);
            free |= state == CellState::free || state == CellState::safe_free;
        }
        return free;
    };
    std::size_t cells = 0, right = 0;
    const Grid<std::uint8_t>& walls = desk.model().info().walls;
    for (std::size_t k = 0; k < walls.cells().size(); k += 7) {
        const Cell c = walls.cell(k);
        const bool first = known(desk.model(), c), second = known(runs.other(), c);
        if (first == second || walls[c]) continue;
        const auto drawn = [&](ViewModel& model) {
            return desk.colour(vec(model.camera.to_pixels(walls.lattice().centre(c))));
        };
        ++cells;
        right += (drawn(desk.model()) == (first ? t.free : t.unknown)) &&
                 (drawn(runs.other()) == (second ? t.free : t.unknown));
    }
    REQUIRE(cells > 40);
    CHECK(static_cast<double>(right) > 0.8 * static_cast<double>(cells));  // robots, words and legend cover some
}

TEST_CASE("solo of a robot or a layer is that of both runs, whichever has the focus") {
    TwoRuns runs;
    Desk& desk = runs.desk;
    runs.go_to(40);
    desk.model().select_robot(1);
    desk.key(SDLK_o);
    CHECK(desk.model().layers.solo_robot() == 1u);
    CHECK(runs.other().layers.solo_robot() == 1u);
    CHECK_FALSE(runs.other().layers.shown(LayerId::trail, 2));
    desk.key(SDLK_2);  // another set of layers ends it, in both
    CHECK_FALSE(desk.model().layers.solo_robot());
    CHECK_FALSE(runs.other().layers.solo_robot());
    exchange_runs(desk.app.ui());
    desk.model().layers.solo_layer(desk.model().layers.index(LayerId::frontier));
    desk.frames(2);
    REQUIRE(runs.other().layers.solo_layer());
    CHECK(*runs.other().layers.solo_layer() == runs.other().layers.index(LayerId::frontier));
}

TEST_CASE("numbers of both runs stand side by side with their difference, also past the end of the shorter one") {
    TwoRuns runs;
    Desk& desk = runs.desk;
    runs.go_to(80);
    desk.app.ui().tab = Tab::tables;
    desk.frames(2);
    CHECK(desk.rect("compared").low.x > 0);
    const std::vector<ComparedNumber> numbers = compare_runs(desk.model(), runs.other(), 80);
    REQUIRE(numbers.size() == 6);
    const StepRow &first = *desk.model().row(80), &second = *runs.other().row(49);
    CHECK(numbers[2].first == 100 * first.metrics.team_share);
    CHECK(numbers[2].second == 100 * second.metrics.team_share);
    CHECK(numbers[4].label == "Path of all robots");
    CHECK(numbers[4].difference() == second.metrics.distance_m - first.metrics.distance_m);
    double messages = 0;
    for (int step = 0; step <= 80; ++step) messages += static_cast<double>(desk.model().row(step)->metrics.messages);
    CHECK(numbers[5].first == messages);
    CHECK(messages > 20);
    // By hand: the first step at which the team knew so much.
    double t90 = std::nan("");
    for (const StepRow& row : desk.model().rows())
        if (row.metrics.step <= 80 && row.metrics.team_share >= 0.9 && std::isnan(t90)) t90 = row.metrics.step;
    CHECK((std::isnan(t90) ? std::isnan(numbers[0].first) : numbers[0].first == t90));
    CHECK(compare_runs(desk.model(), runs.other(), 0)[0].text(std::nan("")) == "not yet");
    CHECK(numbers[2].text(12.34, true) == "+12.3");
}

TEST_CASE("a live run has no second one beside it, and opening another file ends the pair") {
    {
        Desk live(office);
        CHECK_THROWS_WITH_AS(live.app.open_beside(open_source(sample, {})), doctest::Contains("expected two logs"),
                             Error);
        CHECK_FALSE(live.app.ui().other.model);
    }
    TwoRuns runs;
    runs.desk.app.open_file(sample);
    CHECK_FALSE(runs.desk.app.ui().other.model);
    CHECK(&runs.desk.app.ui().clock() == runs.desk.app.ui().model.get());
}

}  // namespace test_beside
