// What is drawn of a run besides maps and robots: that items are where the things are, and that every viewer has them.
#include <algorithm>

#include "base/byte_stream.hpp"
#include "base/json.hpp"
#include "helpers.hpp"
#include "log/viewers/drawings.hpp"
#include "log/viewers/run_messages.hpp"
#include "mcap/container.hpp"
#include "pictures/map_canvas.hpp"
#include "pictures/picture.hpp"
#include "player/recorder.hpp"
#include "scene/fan.hpp"
#include "scene/stage.hpp"
#include "scene/victim_events.hpp"
#include "wire/packing.hpp"

using namespace outrider;

namespace test_scene {
namespace {

constexpr const char* everything = R"(
[run]
steps = 40
[sensor]
range_m = 4
[[hazard]]
kind = "fire"
x_m = 2.05
y_m = 2.05
spread = 0.3
[[hazard]]
kind = "flood"
x_m = 0.55
y_m = 2.55
[[smoke]]
x_m = 3
y_m = 1
radius_m = 0.5
[glass]
share = 0.5
[terrain]
rough_share = 0.3
hills_m = 0.3
[crowd]
people = 2
[victims]
count = 2
[battery]
wh = 0.5
idle_w = 20
[failure]
rate_per_hour = 600
dead = 0
[radio2]
range_m = 50
[[event]]
robot = "r1"
step = 3
kind = "slow"
)";

Scenario with_everything() {
    std::vector<std::string> rows(40, "#" + std::string(58, '.') + "#");
    rows.front() = rows.back() = std::string(60, '#');
    for (std::size_t y = 1; y < 30; ++y) rows[y][30] = '#';
    rows[36].replace(4, 1, "B");
    rows[36].replace(12, 1, "1");
    rows[36].replace(20, 1, "2");
    return text_scenario(rows, everything);
}

const scene::Item* item_of(const scene::Scene& scene, std::string_view key, std::size_t meaning,
                           std::optional<RobotId> robot = {}) {
    for (const scene::Layer& layer : scene)
        if (layer.info->key == key)
            for (const scene::Item& item : *layer.items)
                if (item.meaning == meaning && (!robot || item.robot == *robot)) return &item;
    return nullptr;
}

bool covers(const std::vector<scene::CellRun>& runs, Cell c) {
    return std::any_of(runs.begin(), runs.end(), [&](const scene::CellRun& r) {
        return r.first.y == c.y && r.first.x <= c.x && c.x < r.first.x + r.length;
    });
}

/// Keeps what each viewer makes of a run.
class Eyes final : public Observer, public TopicSink {
  public:
    explicit Eyes(const Simulation& sim)
        : recorder(sim.scenario(), sim.driver().world().walls()), sim_(sim), messages_(sim.scenario(), *this) {}
    void on_step(const StepView& view) override {
        recorder.add(view, sim_.metrics().steps().back(), sim_.driver().world().poses());
        messages_.add(view, sim_.driver().world().poses());
    }
    void write(const std::string& topic, std::uint64_t, const ToolMessage& message, const McapWriter::Texts&) override {
        if (const auto* scene = std::get_if<SceneMessage>(&message); scene && topic.starts_with("/scene/"))
            most[topic.substr(7)] = std::max(most[topic.substr(7)], scene->items.size());
    }
    void flush() override {}

    PlayerRecorder recorder;
    std::map<std::string, std::size_t> most;  ///< items that a topic showed at once

  private:
    const Simulation& sim_;
    RunMessages messages_;
};

}  // namespace

TEST_CASE("items are where things are") {
    const Scenario s = with_everything();
    scene::Stage stage(s);
    Simulation sim(s);
    int slow = 0, steps = 0;
    while (!sim.done()) {
        sim.step();
        const StepView view = last_step(sim.progress());
        const std::vector<Pose> poses = sim.driver().world().poses();
        const scene::Scene now = stage.all({view, sim.metrics().truth(), poses});
        const double left = view.percepts[1].battery;
        const scene::Item* battery = item_of(now, "battery", left < 0.25, 1);
        REQUIRE(view.percepts[1].alive == (battery != nullptr));
        if (battery) {
            CHECK(battery->text == fmt::format("{:.0f} %", 100 * left));
            CHECK(battery->points.front() == poses[1].position());
        }
        slow += view.step >= 3 && item_of(now, "failures", 1, 1) != nullptr;
        ++steps;
        if (const scene::Item* far = item_of(now, "radio2", 0)) {
            const auto& heard = view.percepts[static_cast<std::size_t>(far->robot)].received_far;
            REQUIRE(far->points.size() == 2 * heard.size());
            CHECK(far->points[0] == poses[static_cast<std::size_t>(heard[0].robot)].position());
            CHECK(far->points[1] == poses[static_cast<std::size_t>(far->robot)].position());
        }
        CHECK(item_of(now, "people", 0)->points.size() == 2);
        CHECK(item_of(now, "victims", 0)->points.size() == 2);
        CHECK(item_of(now, "smoke", 0)->points.front() == Point{3, 1} - s.team_origin_m());
    }
    CHECK(slow == steps - 3);
    const scene::Scene still = stage.world(0);
    const scene::Item* panes = item_of(still, "glass", 0);
    for (std::size_t i = 0; i < s.walls.cells().size(); ++i) {
        const Cell c = s.walls.cell(i);
        CHECK(covers(panes->runs, c - s.team_origin()) == (s.walls[c] && (*s.layers.glass)[c]));
    }
    CHECK(stage.world(7).front().items == still.front().items);  // what stays is made once
}

TEST_CASE("the page, pictures and topics show the same layers of a run, each with its legend") {
    const Scenario s = with_everything();
    scene::Stage stage(s);
    SimulationOptions options;
    options.overlays = true;
    Simulation sim(s, options);
    TrackRecorder tracks(sim.driver());
    Eyes eyes(sim);
    sim.add_observer(tracks);
    sim.add_observer(eyes);
    for (int k = 0; k < 12; ++k) sim.step();
    const std::set<std::string> expected{"ground", "height",  "smoke",  "glass",   "hazards",
                                         "people", "victims", "radio2", "battery", "failures"};
    std::set<std::string> seen;
    for (const auto& [topic, items] : eyes.most)
        if (items > 0) seen.insert(topic);
    CAPTURE(fmt::format("{}", fmt::join(seen, " ")));
    CHECK(seen == expected);

    const std::string packed = unpack(eyes.recorder.pack({}));
    ByteReader reader(packed);
    const Json head = parse_json(reader.text());
    seen.clear();
    for (const Json& layer : *head.find("layers")->array()) {
        seen.insert(*layer.find("key")->text());
        CHECK_FALSE(layer.find("meanings")->array()->empty());
    }
    CHECK(seen == expected);

    const Moment moment = moment_of(sim, tracks.tracks(), stage);
    const Raster with = draw_run(moment, "");
    for (const scene::Meaning* meaning : meanings_in(moment.scene)) {
        const Colour c = shade(meaning->hue);
        bool there = false;
        for (std::size_t k = 0; k + 2 < with.values.size() && !there; k += 3)
            there = with.values[k] == c.red && with.values[k + 1] == c.green && with.values[k + 2] == c.blue;
        CHECK_MESSAGE(there, meaning->text);
    }
}

TEST_CASE("a run without features has no scene") {
    Scenario s = text_scenario({"##########", "#B1......#", "##########"}, "[run]\nsteps = 3\n");
    scene::Stage stage(s);
    Simulation sim(s);
    sim.step();
    CHECK(stage.all({last_step(sim.progress()), sim.metrics().truth()}).empty());
}

TEST_CASE("what a base station learned of people is read from events, also of a damaged log") {
    const std::vector<RunEvent> events{
        {2, "victim_reported", {}, R"({"victim": 0, "x": 1, "y": 2, "id": 3, "status": 1})"},
        {3, "victim_reported", {}, "{"},
        {5, "victim_confirmed", {}, R"({"victim": 0, "x": 1, "y": 2, "id": 3, "status": 1})"}};
    CHECK(listed_victims(events, 1).empty());
    REQUIRE(listed_victims(events, 4).size() == 1);
    CHECK(listed_victims(events, 4)[0].found.state == VictimState::reported);
    CHECK(listed_victims(events, 5)[0].found.state == VictimState::confirmed);
}

TEST_CASE("a follower tells which layers changed") {
    static const scene::LayerInfo info{"a", "A", "", scene::Group::map, false, {{"x", scene::Shape::ring}}};
    scene::SceneFollower follower;
    const auto at = [&](double x) { return scene::Scene{{&info, scene::items_of({{.points = {{x, 0}}}})}}; };
    CHECK(follower.changes(at(1)).size() == 1);
    CHECK(follower.changes(at(1)).empty());
    CHECK(follower.changes(at(2)).size() == 1);
    const scene::Scene gone = follower.changes({});
    REQUIRE(gone.size() == 1);
    CHECK(gone[0].items == nullptr);
    CHECK(follower.changes({}).empty());
}

TEST_CASE("an operator's order is on its way until it is acknowledged, then the robot carries it out") {
    Scenario s = text_scenario({"####################", "#B1................#", "####################"},
                               "[run]\nsteps = 30\n[team]\nstrategy = \"nearest\"\n");
    SimulationOptions options;
    options.overlays = true;
    Simulation sim(s, options);
    scene::Stage stage(s);
    sim.step();
    OperatorCommand stop;
    stop.behaviour = "stop";
    sim.command(1, stop);
    bool under_way = false, carried_out = false;
    for (int k = 0; k < 6; ++k) {
        sim.step();
        const scene::Scene now = stage.all({last_step(sim.progress()), sim.metrics().truth()});
        under_way |= item_of(now, "orders", 0) != nullptr && !carried_out;
        carried_out |= item_of(now, "orders", 1) != nullptr;
    }
    CHECK(under_way);
    CHECK(carried_out);
}

TEST_CASE("robots on one place fan out, bases stay") {
    const auto near = [](Point a, Point b) { return distance(a, b) < 0.01; };
    // The same cases as in tools/test_page.
    const std::vector<Point> one =
        scene::fan_out(std::vector<Point>{{50, 50}, {50, 50}, {90, 50}}, {true, false, false});
    CHECK(near(one[0], {50, 50}));
    CHECK(near(one[1], {67, 50}));
    CHECK(near(one[2], {90, 50}));
    const std::vector<Point> two = scene::fan_out(std::vector<Point>{{50, 50}, {50, 50}}, {false, false});
    CHECK(near(two[0], {60.2, 50}));
    CHECK(near(two[1], {39.8, 50}));
    // However close together: in the end nobody covers anybody.
    Rng rng(7, 0, Purpose::placement, 0);
    for (int k = 0; k < 50; ++k) {
        std::vector<Point> places;
        for (int i = 0; i < 12; ++i) places.push_back({rng.uniform() * 60, rng.uniform() * 60});
        const std::vector<Point> spots = scene::fan_out(places, std::vector<bool>(12, false), 2);
        for (std::size_t i = 0; i < 12; ++i)
            for (std::size_t j = 0; j < i; ++j) CHECK(distance(spots[i], spots[j]) >= 26);
    }
    CHECK(scene::fan_out({}, {}).empty());
}

}  // namespace test_scene
