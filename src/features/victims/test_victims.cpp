// People to be found: sensors, reports, decisions.
#include "features/victims/scenario.hpp"
#include "features/victims/victim_log.hpp"
#include "features/victims/world.hpp"
#include "helpers.hpp"
#include "log/replay.hpp"
#include "messages/victim_words.hpp"
#include "scene/victim_events.hpp"

using namespace outrider;

namespace test_victims {
namespace {

/// A hall of 1 m cells with a wall in the middle of its upper half.
const std::vector<std::string> hall{"#####################", "#.........#.........#", "#.........#.........#",
                                    "#B..1...............#", "#...................#", "#####################"};

Scenario hall_scenario(const std::string& more, const std::string& strategy = "nearest") {
    return text_scenario(hall,
                         fmt::format("[team]\nstrategy='{}'\n[run]\nsteps=400\n[sensor]\nrange_m=4\n[body]\n"
                                     "speed_mps=1\nradius_m=0.1\n[comm]\nrange_m=40\n{}",
                                     strategy, more),
                         1);
}

struct Done {
    std::vector<FoundVictim> found;  // at the base station
    std::map<std::string, double> summary;
    std::vector<Victim> truth;
    Hash128 digest;
};

Done run(const Scenario& scenario, std::vector<OperatorOrder> orders = {}, const std::string& log = "",
         int threads = 1) {
    SimulationOptions options;
    options.orders = std::move(orders);
    options.log_path = log;
    options.log_level = LogLevel::full;
    options.threads = threads;
    Simulation sim(scenario, options);
    const EndReason end = sim.run();
    Done done{
        sim.team()[0].part<VictimLog>()->found(), {}, sim.driver().part<Victims>()->victims(), sim.progress().digest};
    for (const SummaryValue& v : sim.metrics().summary(end, 400))
        if (v.robot < 0) done.summary[std::string(v.metric->name)] = v.value;
    return done;
}

World world_of(const std::vector<std::string>& rows) { return {Terrain::of(text_map(rows, 1), {0, 0}), {}, 1}; }

}  // namespace

TEST_CASE("tags answer in line of sight within 5 m, tell more the nearer they are, and miss as often as said") {
    const World world = world_of(hall);
    const Point robot{5.5, 3.5};
    VictimOptions options;
    options.false_rate = 0;
    for (const double away : {1.0, 3.0, 4.5, 5.5}) {
        CAPTURE(away);
        const std::vector<Victim> victims{{robot + Point{0, 0}, 0}, {Point{5.5, 2.5} + Point{away, 0}, 2}};
        const Pose pose{5.5, 2.5, 1};
        int seen = 0, numbered = 0, with_status = 0;
        constexpr int tries = 4000;
        for (int step = 0; step < tries; ++step) {
            std::vector<Sighting> out;
            sense_victims(world.field(), world.lattice(), pose, {std::span(victims).subspan(1)}, options,
                          Rng(1, 0, Purpose::sighting, step), out);
            for (const Sighting& s : out) {
                CHECK(distance(transform(pose, s.body_from_other.position()), victims[1].at) < 1e-9);
                seen += s.kind == Sighting::Kind::victim;
                numbered += s.kind == Sighting::Kind::victim && s.id == 0;
                with_status += s.kind == Sighting::Kind::victim_status && s.id == 2;
            }
        }
        const double expected = away > 5 ? 0 : 1 - (0.1 + 0.15 * away / 5);
        CHECK(seen / double{tries} == doctest::Approx(expected).epsilon(0.03));
        CHECK(numbered == (away > 4 ? 0 : seen));
        CHECK(with_status == (away > 2 ? 0 : seen));
    }
    // Behind the wall.
    const std::vector<Victim> behind{{{12.5, 3.5}, 0}};
    std::vector<Sighting> out;
    for (int step = 0; step < 50; ++step)
        sense_victims(world.field(), world.lattice(), {8.5, 3.5, 0}, {behind}, options,
                      Rng(1, 0, Purpose::sighting, step), out);
    CHECK(out.empty());
}

TEST_CASE("false alarms come at the rate that was asked for, in sight, within 2 m of a wall") {
    const Grid<std::uint8_t> map = rooms_map(160, 120, 3);
    const World world(Terrain::of(map, {0, 0}), {}, 1);
    const Lattice& lattice = world.lattice();
    Cell middle{80, 60};
    while (map[middle]) ++middle.x;
    const Pose pose{lattice.centre(middle).x, lattice.centre(middle).y, 0.3};
    VictimOptions options;
    options.false_rate = 0.25;
    std::vector<Sighting> out;
    constexpr int tries = 2000;
    for (int step = 0; step < tries; ++step)
        sense_victims(world.field(), lattice, pose, {}, options, Rng(9, 0, Purpose::sighting, step), out);
    CHECK(out.size() > 0.1 * tries);  // where no wall is in reach there is none
    CHECK(out.size() < 0.28 * tries);
    for (const Sighting& s : out) {
        CHECK(s.id == -1);
        const Point at = transform(pose, s.body_from_other.position());
        CHECK(world.field().walls_between(middle, lattice.cell_of(at), 0) == 0);
        double wall_m = 1e9;
        for (std::size_t i = 0; i < map.cells().size(); ++i)
            if (map.cells()[i]) wall_m = std::min(wall_m, distance(lattice.centre(map.cell(i)), at));
        CHECK(wall_m < 2.2);
    }
}

TEST_CASE("a camera sees the parts of a body that walls leave, ahead of it, within 6 m") {
    Grid<std::uint8_t> map(90, 40, 0, Lattice{0.1});
    for (int y = 20; y < 40; ++y) map[{30, y}] = 1;  // from 2 m upwards
    const World world(Terrain::of(map, {0, 0}), {}, 1);
    const auto parts = [&](Pose camera, Point body) {
        return visible_parts(world.field(), world.lattice(), camera, body);
    };
    CHECK(parts({1.55, 1.05, 0}, {5.55, 1.05}) == 7);
    CHECK(parts({1.55, 1.05, 0.38}, {5.55, 1.05}) == 7);
    CHECK(parts({1.55, 1.05, 0.41}, {5.55, 1.05}) == 0);
    CHECK(parts({1.55, 1.05, 0}, {7.65, 1.05}) == 0);
    CHECK(parts({1.55, 3.05, 0}, {5.55, 3.05}) == 0);  // behind the wall
    const int beside = parts({1.55, 1.95, 0}, {4.55, 2.0});
    CHECK(beside >= 2);
    CHECK(beside <= 5);
}

TEST_CASE("words about victims are the same after the way, and damaged ones are none") {
    const VictimNews news{3, 2, {1.234, -5.678}, 4, -1, 2};
    CHECK(read_victim(victim_word(news, 0)) == news);
    const VictimsReceived received{{1, 1}, {3, 2}};
    CHECK(read_victims_received(victims_received_word(received, 2), 2) == received);
    CHECK(read_victims_received(victims_received_word(received, 2), 1).empty());
    const std::vector<VictimDecision> decisions{{{1, 2}, true}, {{-3.5, 4}, false}};
    CHECK(read_victim_decisions(victim_decisions_word(decisions)) == decisions);
    for (const Word& word :
         {victim_word(news, 0), victims_received_word(received, 2), victim_decisions_word(decisions)})
        for (std::size_t i = 0; i < word.values.size(); ++i) {
            Word damaged = word;
            ++damaged.values[i];
            CHECK_FALSE(read_victim(damaged));
            CHECK(read_victims_received(damaged, 2).empty());
            CHECK(read_victim_decisions(damaged).empty());
        }
}

TEST_CASE("what robots find comes to the base station, is decided about, and is counted") {
    const std::string two =
        "[victims]\nfalse_rate=0\naccuracy=1\n[[victim]]\nx_m=17.5\ny_m=3.5\nstatus='dead'\n"
        "[[victim]]\nx_m=3.5\ny_m=4.5\n";
    const Done done = run(hall_scenario(two));
    REQUIRE(done.found.size() == 2);
    for (const FoundVictim& v : done.found) {
        CHECK(v.state == VictimState::confirmed);
        REQUIRE(v.id >= 0);
        CHECK(distance(v.at, done.truth.at(static_cast<std::size_t>(v.id)).at) < 0.01);
    }
    CHECK(done.summary.at("victims_found") == 2);
    CHECK(done.summary.at("victims_confirmed") == 2);
    CHECK(done.summary.at("victims_false") == 0);
    CHECK(done.summary.at("rescue_score") >= 60);  // and 10 for each status that was read
    CHECK(done.summary.at("t50_victims") <= done.summary.at("victim_step_mean"));
    // One who always errs declines those who are there: nothing is confirmed.
    const Done erring = run(hall_scenario("[victims]\nfalse_rate=0\naccuracy=0\n[[victim]]\nx_m=17.5\ny_m=3.5\n"));
    CHECK(erring.summary.at("victims_confirmed") == 0);
    CHECK(erring.summary.at("victims_found") == 1);
    // Nobody is to be found: no such rows.
    Simulation none(hall_scenario(""));
    const EndReason end = none.run();
    for (const SummaryValue& v : none.metrics().summary(end, 400))
        CHECK(v.metric->name.find("victim") == v.metric->name.npos);
}

TEST_CASE("reports wait while their robot is out of contact") {
    // The radio reaches 6 m; the person is 14 m away, and the robot comes back when it knows all.
    const Scenario s = text_scenario(hall,
                                     "[team]\nstrategy='mresim_greedy'\n[run]\nsteps=400\n[sensor]\nrange_m=4\n[body]\n"
                                     "speed_mps=1\nradius_m=0.1\n[comm]\nrange_m=6\nbase_range_m=6\n[victims]\n"
                                     "false_rate=0\naccuracy=1\n[[victim]]\nx_m=17.5\ny_m=3.5\n",
                                     1);
    int seen_at = -1, received_at = -1;
    Simulation sim(s);
    while (!sim.done()) {
        sim.step();
        const int step = sim.progress().steps - 1;
        if (seen_at < 0 && !sim.team()[1].part<VictimLog>()->found().empty()) seen_at = step;
        if (received_at < 0 && !sim.team()[0].part<VictimLog>()->found().empty()) received_at = step;
    }
    CHECK(seen_at > 0);
    CHECK(received_at > seen_at + 3);
    CHECK(sim.team()[0].part<VictimLog>()->found().size() == 1);
}

TEST_CASE("by an operator's orders somebody is confirmed, or declined and not reported again; once decided it stays") {
    const std::string one = "[victims]\nfalse_rate=0\nreplies='operator'\n[[victim]]\nx_m=7.5\ny_m=3.5\n";
    const Scenario s = hall_scenario(one);
    const Point at = draw_victims(s).at(0).at;
    const auto state_after = [&](std::vector<OperatorOrder> orders) {
        const Done done = run(s, std::move(orders));
        REQUIRE(done.found.size() == 1);
        return done.found[0].state;
    };
    CHECK(state_after({}) == VictimState::reported);
    CHECK(state_after({{10, 0, {"confirm", {at}, 0, 0}}}) == VictimState::confirmed);
    CHECK(state_after({{10, 0, {"decline", {at}, 0, 0}}}) == VictimState::declined);
    CHECK(state_after({{10, 0, {"confirm", {at}, 0, 0}}, {12, 0, {"decline", {at}, 0, 0}}}) == VictimState::confirmed);
    CHECK(state_after({{10, 0, {"decline", {at + Point{9, 0}}, 0, 0}}}) == VictimState::reported);
}

TEST_CASE("somebody whom nobody reported is confirmed by hand, which is said, drawn and counted") {
    // A radio that reaches nobody: the base station has no reports.
    const Scenario s = text_scenario(hall,
                                     "[run]\nsteps=20\n[sensor]\nrange_m=4\n[comm]\nrange_m=0.1\nbase_range_m=0.1\n"
                                     "[victims]\nfalse_rate=0\nreplies='operator'\n[[victim]]\nx_m=7.5\ny_m=3.5\n",
                                     1);
    const Point at = draw_victims(s).at(0).at, nobody = at + Point{9, 0};
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "log";
    options.overlays = true;
    options.orders = {{3, 0, {"decline", {nobody}, 0, 0}},
                      {5, 0, {"confirm", {at + Point{1, 0}}, 0, 0}},
                      {6, 0, {"confirm", {at}, 0, 0}}};
    std::vector<std::string> rules;
    struct Rules final : Observer {
        explicit Rules(std::vector<std::string>& into) : rules(into) {}
        void on_step(const StepView& view) override {
            for (const Overlay& o : view.decisions[0].overlays) rules.push_back(o.text);
        }
        std::vector<std::string>& rules;
    } watch(rules);
    Simulation sim(s, options);
    sim.add_observer(watch);
    const auto value = outrider::summary_of(sim, sim.run());
    CHECK(value.at("victims_by_hand") == 1);
    CHECK(value.at("victims_found") == 1);
    CHECK(value.at("victims_confirmed") == 1);
    REQUIRE(rules.size() == 3);
    CHECK(rules[0].ends_with(": nothing is reported there"));
    CHECK(rules[1].ends_with(": by hand, nothing was reported there"));
    CHECK(rules[2].ends_with(": decided already"));
    LogReader log(options.log_path);
    std::string kinds;
    VictimList list;
    for (const LogReader::Event& e : log.events()) {
        list.add(e.step, e.kind, e.json);
        if (e.kind.starts_with("victim_") || e.kind == "nothing_reported")
            kinds += fmt::format("{} {}, ", e.step, e.kind);
    }
    CHECK(kinds == "3 nothing_reported, 5 nothing_reported, 5 victim_confirmed, 5 victim_reported, ");
    REQUIRE(list.list().size() == 1);
    CHECK(distance(list.list()[0].found.at, at + Point{1, 0}) < 1e-9);
}

TEST_CASE("who was confirmed by hand is the one whom a robot reports there later") {
    const Scenario s = hall_scenario("[victims]\nfalse_rate=0\nreplies='operator'\n[[victim]]\nx_m=7.5\ny_m=3.5\n");
    const Done done = run(s, {{0, 0, {"confirm", {draw_victims(s).at(0).at}, 0, 0}}});
    REQUIRE(done.found.size() == 1);
    CHECK(done.found[0].looks > 0);
    CHECK(done.found[0].state == VictimState::confirmed);
}

TEST_CASE("a run with victims: the same at any number of threads, run again from its log, and told by its events") {
    const TemporaryFolder folder;
    const std::string path = folder / "log";
    Notes notes;
    const Scenario s = make_scenario(parse_config("[team]\nrobots=4\n[run]\nsteps=150\n[victims]\ncount=8\n"
                                                  "sensor='both'\nfalse_rate=0.05\n",
                                                  "test"),
                                     "test", rooms_map(200, 150, 4), notes);
    const Done one = run(s, {}, path);
    CHECK(run(s, {}, "", 3).digest == one.digest);
    LogReader log(path);
    CHECK(run(log.scenario(), log.orders()).digest == one.digest);
    Replay replay(log);
    const LogSteps steps = log.steps();
    for (const int step : {steps.steps.back() / 2, steps.steps.back()}) {
        REQUIRE(replay.seek(step));
        CHECK(replay.view().hash == steps.hashes[static_cast<std::size_t>(step)]);
    }
    VictimList list;
    for (const LogReader::Event& e : log.events()) list.add(e.step, e.kind, e.json);
    REQUIRE(list.list().size() == one.found.size());
    REQUIRE(one.found.size() > 3);
    for (std::size_t k = 0; k < one.found.size(); ++k) {
        CHECK(list.list()[k].found.state == one.found[k].state);
        CHECK(list.list()[k].found.first_step == one.found[k].first_step);
        CHECK((list.list()[k].decided_step >= 0) == (one.found[k].state != VictimState::reported));
    }
    for (const char* text : {"{}", R"({"victim": -1, "x": 0, "y": 0, "id": 0, "status": 0})",
                             R"({"victim": 1e9, "x": 0, "y": 0, "id": 0, "status": 0})"})
        CHECK_THROWS_AS(VictimList().add(1, victim_reported, text), Error);
}

TEST_CASE("victims at random stand where robots get, half a metre from walls, by the seed alone") {
    Notes notes;
    const auto made = [&](const char* seed) {
        return make_scenario(parse_config(fmt::format("[run]\nseed={}\n[victims]\ncount=30\n", seed), "test"), "test",
                             rooms_map(200, 150, 4), notes);
    };
    const Scenario s = made("5");
    const std::vector<Victim> victims = draw_victims(s);
    REQUIRE(victims.size() == 30);
    const Lattice& lattice = s.walls.lattice();
    for (const Victim& v : victims) {
        const Point at = v.at + s.team_origin_m();
        double wall_m = 1e9;
        for (std::size_t i = 0; i < s.walls.cells().size(); ++i)
            if (s.walls.cells()[i]) wall_m = std::min(wall_m, distance(lattice.centre(s.walls.cell(i)), at));
        CHECK(wall_m > 0.5);
    }
    CHECK(draw_victims(made("5"))[7].at == victims[7].at);
    CHECK_FALSE(draw_victims(made("6"))[7].at == victims[7].at);
}

TEST_CASE("victims that cannot be are refused") {
    for (const auto& entry : std::initializer_list<std::pair<const char*, const char*>>{
             {"[[victim]]\nx_m=1.5\n", "a victim needs both x_m and y_m"},
             {"[[victim]]\nx_m=99\ny_m=1\n", "(99, 1) m is not on the map"},
             {"[[victim]]\nx_m=0.5\ny_m=0.5\n", "(0.5, 0.5) m is in a wall"},
             {"[[victim]]\nx_m=2\ny_m=2\nstatus='asleep'\n", "expected one of responsive, unconscious, dead"},
             {"[victims]\ncount=1\nsensor='smell'\n", "expected one of tag, parts, thermal, both, all"},
             {"[victims]\naccuracy=2\n", "accuracy"}}) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(hall_scenario(entry.first), doctest::Contains(entry.second), Error);
    }
    CHECK_THROWS_WITH_AS(draw_victims(text_scenario({"###", "#1#", "###"}, "[team]\nbases=0\n[victims]\ncount=1\n")),
                         doctest::Contains("no place"), Error);
}

}  // namespace test_victims
