// What the layers show that is worked out for the window alone: visits, radio reach, differences, past steps.
#include "helpers.hpp"
#include "log/events.hpp"
#include "outrider/map.hpp"
#include "radio/links.hpp"
#include "scene/stage.hpp"
#include "view/inspect.hpp"
#include "view/marks.hpp"
#include "view/painter.hpp"
#include "view/reach.hpp"

using namespace outrider;
using namespace outrider::view;

namespace test_view_layers {
namespace {

RunInfo corridor() {
    Notes notes;
    return run_info(make_scenario(parse_config("[team]\nrobots=2\n", "corridor"), "corridor",
                                  text_map({"##############################", "#............................#",
                                            "#............................#", "##############################"}),
                                  notes),
                    true);
}

StepRow row(int step, std::vector<Point> at) {
    StepRow out;
    out.metrics.step = step;
    for (const Point& p : at) out.poses.push_back({p.x, p.y, 0});
    out.paths.resize(at.size());
    return out;
}

Colour colour_at(const TilePixels& pixels, int x, int y) {
    const std::uint32_t p = pixels.level[0][static_cast<std::size_t>(64 * y + x)];
    return {static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(p >> 8), static_cast<std::uint8_t>(p >> 16)};
}

bool inside(const std::vector<Point>& outline, Point p) {
    bool in = false;
    for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
        const Point a = outline[i], b = outline[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
    }
    return in;
}

double to_outline(const std::vector<Point>& outline, Point p) {
    double least = 1e9;
    for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++)
        for (int k = 0; k <= 40; ++k)
            least = std::min(least, distance(outline[i] + (outline[j] - outline[i]) * (k / 40.0), p));
    return least;
}

}  // namespace

TEST_CASE("a cell counts how often robots came over it, not how long they stood there") {
    const RunInfo info = corridor();
    Visits visits(info);
    // To and fro, with a stop at the end.
    std::vector<StepRow> rows;
    const std::vector<double> xs{1.05, 1.05, 2.05, 2.05, 2.05, 1.05, 2.05};
    for (std::size_t k = 0; k < xs.size(); ++k)
        rows.push_back(row(static_cast<int>(k), {{0.05, 0.05}, {xs[k], 0.15}, {2.85, 0.15}}));
    REQUIRE(visits.follow(rows, 100, {0, 1, 0}));
    CHECK(visits.at({15, 1}) == 3);
    CHECK(visits.at({10, 1}) == 2);
    CHECK(visits.at({20, 1}) == 2);
    CHECK(visits.at({5, 1}) == 0);
    CHECK(visits.at({28, 1}) == 0);
    REQUIRE(visits.follow(rows, 100, {0, 1, 1}));
    CHECK(visits.at({28, 1}) == 1);
}

TEST_CASE("counting visits backwards in time takes back what was counted, whatever the order of the steps") {
    const RunInfo info = corridor();
    std::vector<StepRow> rows;
    for (int k = 0; k < 60; ++k)
        rows.push_back(row(k, {{0.05, 0.05}, {1.5 + std::sin(k * 0.7), 0.15}, {1.4 + std::cos(k * 1.1), 0.2}}));
    const std::vector<std::uint8_t> all{1, 1, 1};
    Visits moved(info);
    for (const int step : {50, 3, 41, 0, 59, 20}) {
        CAPTURE(step);
        while (!moved.follow(rows, step, all, 7)) {
        }
        Visits fresh(info);
        REQUIRE(fresh.follow(rows, step, all));
        bool same = true;
        for (int x = 0; x < 30; ++x)
            for (int y = 0; y < 4; ++y) same = same && moved.at({x, y}) == fresh.at({x, y});
        CHECK(same);
    }
    moved.take_changed();
    moved.follow(rows, 21, all);
    CHECK(!moved.take_changed().empty());
    CHECK(moved.take_changed().empty());
    CHECK(moved.follow({}, 0, all));  // the run began anew
    CHECK(moved.at({15, 1}) == 0);
}

TEST_CASE("the outline of a radio is where the links of the simulation end, under each model") {
    const Grid<std::uint8_t> walls = rooms_map(200, 150, 4);
    const Lattice& lattice = walls.lattice();
    const WallField field(walls);
    Rng rng(7, 0, Purpose::strategy, 0);
    for (const RadioModel model :
         {RadioModel::circle, RadioModel::line_of_sight, RadioModel::path_loss, RadioModel::ir2}) {
        RadioOptions radio;
        radio.model = model;
        const Ir2Losses losses{20, 0};  // IR2: nothing is heard behind a wall
        int near = 0, wrong = 0, linked = 0, count = 0;
        for (int k = 0; k < 6; ++k) {
            Cell from;
            do from = {static_cast<int>(rng.uniform() * 200), static_cast<int>(rng.uniform() * 150)};
            while (walls[from]);
            const Point here = lattice.centre(from);
            const std::vector<Point> outline = radio_reach(walls, radio, 6, here, losses);
            REQUIRE(outline.size() == reach_rays);
            for (int trial = 0; trial < 400; ++trial) {
                const Cell to{static_cast<int>(rng.uniform() * 200), static_cast<int>(rng.uniform() * 150)};
                const Point there = lattice.centre(to);
                if (to == from) continue;
                const std::array radios{Transceiver{here, 6, true}, Transceiver{there, 6, true}};
                const bool heard = !find_links(field, lattice, radio, radios, {losses}).empty();
                ++count;
                linked += heard;
                if (inside(outline, there) == heard) continue;
                // Between two rays, and within a cell of the edge, either may be.
                (to_outline(outline, there) < 2.5 * lattice.cell_m ? near : wrong) += 1;
            }
        }
        CAPTURE(radio_model_names[static_cast<std::size_t>(model)]);
        CHECK(linked > 50);
        CHECK(near < count / 25);
        CHECK(wrong == 0);
    }
}

TEST_CASE("a radio reaches a circle in the open, less far behind a wall, and nowhere without range") {
    Grid<std::uint8_t> walls(400, 400, 0, Lattice{0.1}, {-200, -200});
    RadioOptions radio;
    for (const Point& p : radio_reach(walls, radio, 10, {0.05, 0.05}))
        CHECK(distance(p, {0.05, 0.05}) == doctest::Approx(10));
    for (int y = -200; y < 200; ++y) walls[{20, y}] = 1;
    const std::vector<Point> outline = radio_reach(walls, radio, 10, {0.05, 0.05});
    // S0 = S_cut: behind a wall of 3.65 dB the range shrinks to 10^(-3.65 / 25).
    CHECK(outline[0].x - 0.05 == doctest::Approx(10 * std::pow(10, -3.65 / 25)).epsilon(0.001));
    CHECK(outline[reach_rays / 2].x - 0.05 == doctest::Approx(-10));
    radio.model = RadioModel::line_of_sight;
    CHECK(radio_reach(walls, radio, 10, {0.05, 0.05})[0].x == doctest::Approx(2.0));
    CHECK(radio_reach(walls, radio, 0, {0.05, 0.05}).empty());
    KnownMap unknown(Lattice{0.1});
    const std::vector<Point> expected = believed_reach(unknown, {}, 10, {0.05, 0.05});
    CHECK(expected.size() == reach_rays);
    for (const Point& p : expected) CHECK(distance(p, {0.05, 0.05}) < 8);  // it expects walls in the unknown
    for (int k = 0; k < reach_rays; k += 37)
        CHECK(believed_linked(unknown, {}, 10, {0, 0}, Lattice{0.1}.cell_of(expected[static_cast<std::size_t>(k)])));
}

TEST_CASE("the difference to the base is told both ways, and visits are painted over what is known") {
    const Grid<std::uint8_t> walls = text_map({"######", "#....#", "######"});
    Painter painter(walls, {1, 0});
    Layers layers({1, 0});
    Maps maps(2);
    Snapshot s;
    ClaimUpdate base{0, {0, 0}, {}}, robot{1, {0, 0}, {}};
    base.cells.set({1, 1}, CellState::free);
    base.cells.set({2, 1}, CellState::free);
    robot.cells.set({2, 1}, CellState::free);
    robot.cells.set({3, 1}, CellState::free);
    s.claims = {base, robot};
    maps.apply(s);
    const History history;
    TilePixels pixels;
    const Theme& t = theme(false);
    layers.apply("free:all difference:1");
    painter.plan(layers, t);
    painter.paint({0, 0}, {maps, history}, pixels);
    CHECK(colour_at(pixels, 1, 1) == t.behind);
    CHECK(colour_at(pixels, 2, 1) == t.free);
    CHECK(colour_at(pixels, 3, 1) == t.ahead);
    CHECK(colour_at(pixels, 4, 1) == t.unknown);

    Visits visits(corridor());
    visits.follow({row(0, {{5, 5}, {0.35, 0.15}, {5, 5}})}, 1, {0, 1, 0});
    layers.apply("free:all visits:1");
    painter.plan(layers, t);
    CHECK(painter.visitors() == std::vector<std::uint8_t>{0, 1});
    painter.paint({0, 0}, {maps, history, 1, &visits}, pixels);
    CHECK(colour_at(pixels, 3, 1) == visits_colour(t, 1));
    layers.apply("free:all");
    painter.plan(layers, t);
    painter.paint({0, 0}, {maps, history, 1, &visits}, pixels);
    CHECK(colour_at(pixels, 3, 1) == t.free);
    CHECK(visits_colour(t, 16) == visits_colour(t, 1000));
    CHECK(!(visits_colour(t, 2) == visits_colour(t, 1)));
}

TEST_CASE("the plan is painted where nothing is known, wrong cells in red") {
    const Grid<std::uint8_t> walls = text_map({"######", "#....#", "######"});
    Painter painter(walls, {1, 0});
    Grid<std::uint8_t> plan(6, 3, 0, Lattice{0.1});
    plan[{1, 1}] = 2;
    plan[{2, 1}] = 2;
    plan[{3, 1}] = 1;
    painter.set_prior(plan);
    Layers layers({1, 0});
    Maps maps(2);
    Snapshot s;
    ClaimUpdate robot{1, {0, 0}, {}};
    robot.cells.set({1, 1}, CellState::free);
    robot.cells.set({4, 1}, CellState::free);
    robot.cells.set({5, 1}, CellState::free);      // a wall
    robot.cells.set({3, 1}, CellState::occupied);  // free
    s.claims = {robot};
    maps.apply(s);
    const History history;
    TilePixels pixels;
    const Theme& t = theme(false);
    const auto paint = [&](const char* shown) {
        layers.apply(shown);
        painter.plan(layers, t);
        painter.paint({0, 0}, {maps, history}, pixels);
    };
    paint("walls prior free:bases");
    CHECK(colour_at(pixels, 1, 1) == prior_colour(t, true));
    CHECK(colour_at(pixels, 3, 1) == prior_colour(t, false));
    CHECK(colour_at(pixels, 0, 0) == t.hidden_wall);
    paint("walls prior free:all");
    CHECK(colour_at(pixels, 1, 1) == t.free);
    CHECK(colour_at(pixels, 2, 1) == prior_colour(t, true));
    paint("free:all wrong:1");
    CHECK(colour_at(pixels, 1, 1) == t.free);
    CHECK(colour_at(pixels, 2, 1) == t.unknown);
    CHECK(colour_at(pixels, 3, 1) == t.error);
    CHECK(colour_at(pixels, 5, 1) == t.error);
    paint("free:all wrong:0");
    CHECK(colour_at(pixels, 5, 1) == t.free);
}

TEST_CASE("layers of a scene are in the list and in presets, for all robots or for some") {
    std::vector<const scene::LayerInfo*> infos;
    for (const scene::LayerKind& kind : scene::layer_kinds()) infos.push_back(&kind.info);
    Layers layers({1, 0, 0}, infos);
    layers.apply(default_presets()[0].text);
    for (const scene::LayerInfo* info : infos) {
        CHECK(layers.find(info->key) == static_cast<int>(layers.index(*info)));
        CHECK(layers.state(layers.index(*info)) == Tri::on);
    }
    layers.apply("battery:2 smoke");
    const auto shown = [&](const char* key, std::size_t robot) {
        return layers.shown(static_cast<std::size_t>(layers.find(key)), robot);
    };
    CHECK(shown("battery", 2));
    CHECK_FALSE(shown("battery", 1));
    CHECK(shown("smoke", 0));
    CHECK_FALSE(shown("people", 0));
    CHECK(Layers({1, 0}).find("battery") < 0);  // a run without
}

TEST_CASE("a preset may name a layer as it was called before") {
    Layers layers({1, 0, 0}, {});
    layers.apply("heard:mobile");
    CHECK_FALSE(layers.shown(LayerId::last_report, 0));
    CHECK(layers.shown(LayerId::last_report, 1));
    CHECK(layers.text() == "last_report:mobile");
}

TEST_CASE("a step that is past is painted with what the team and the base knew then") {
    const Grid<std::uint8_t> walls = text_map({"######", "#....#", "######"});
    Painter painter(walls, {1, 0});
    Layers layers({1, 0});
    layers.apply("free:all frontier:all tint");
    painter.plan(layers, theme(false));
    Maps maps(2);
    History history;
    BitTile known;
    Snapshot s;
    ClaimUpdate base{0, {0, 0}, {}}, robot{1, {0, 0}, {}};
    for (int x = 1; x <= 4; ++x) {
        base.cells.set({x, 1}, CellState::free);
        robot.cells.set({x, 1}, CellState::free);
        known.set({x, 1});
        history.note({0, 0}, known, 1, false, 10 * x, true);
    }
    history.note({0, 0}, known, 0, true, 45, true);
    s.claims = {base, robot};
    maps.apply(s);
    TilePixels pixels;
    const auto known_at = [&](int step) {
        painter.paint({0, 0}, {maps, history, step, nullptr, true}, pixels);
        std::string out;
        for (int x = 1; x <= 4; ++x) {
            const Colour c = colour_at(pixels, x, 1);
            out += c == theme(false).unknown            ? '.'
                   : c == theme(false).undelivered      ? 'r'
                   : c == theme(false).undelivered_line ? 'R'  // hatched
                   : c == theme(false).free             ? 'b'
                                                        : '?';
        }
        return out;
    };
    CHECK(known_at(5) == "....");
    CHECK(known_at(10) == "R...");
    CHECK(known_at(35) == "Rrr.");
    CHECK(known_at(44) == "Rrrr");
    CHECK(known_at(45) == "bbbb");
}

TEST_CASE("the ellipse of an uncertainty has two standard deviations along its axes") {
    const std::vector<Point> round = spread_outline({1, 2}, {0.04, 0, 0.04});
    for (const Point& p : round) CHECK(distance(p, {1, 2}) == doctest::Approx(0.4));
    double widest = 0;
    for (const Point& p : spread_outline({0, 0}, {1, 1, 1}))  // along the diagonal
        widest = std::max(widest, std::abs(p.x - p.y) + std::abs(p.x * 1e-9));
    CHECK(widest < 1e-6);
    CHECK(spread_outline({0, 0}, {0, 0, 0})[5] == Point{0, 0});
}

TEST_CASE("a mark is told to the base, stands from the next step on, moves, is taken back, and is in the log") {
    CHECK(is_mark_name("victim 1"));
    CHECK(is_mark_name("door_3-b"));
    for (const char* name : {"", " x", "x ", "\"", "a very long name of a place", "ä"}) CHECK_FALSE(is_mark_name(name));
    const auto event = [](int step, const OperatorCommand& c) {
        return RunEvent{step, "operator", Index<Robot>::of(0, 2), command_json(c)};
    };
    const std::vector<RunEvent> events{
        event(3, mark_command("a", {1, 2})), event(4, {"drive", {}, 1, 0}), event(5, mark_command("b", {0.1, -7})),
        event(6, mark_command("a", {3, 4})), event(9, unmark_command("b")), {9, "died", Index<Robot>::of(1, 2), "{}"}};
    CHECK(marks_at(events, 2).empty());
    CHECK(marks_at(events, 3) == std::vector<PlaceMark>{{"a", {1, 2}, 3}});
    CHECK(marks_at(events, 8) == std::vector<PlaceMark>{{"b", {0.1, -7}, 5}, {"a", {3, 4}, 6}});
    CHECK(marks_at(events, 100) == std::vector<PlaceMark>{{"a", {3, 4}, 6}});
    CHECK(mark_text(events[0]) == "the operator marks a");
    CHECK(mark_text(events[1]) == "");
    CHECK(mark_text(events[4]) == "the operator takes back the mark b");
}

}  // namespace test_view_layers
