// Who stands still in a run, since when, and why.
#include "helpers.hpp"
#include "metrics/standstill.hpp"

using namespace outrider;

namespace test_standstill {
namespace {

/// Does the same in every step, and gives a reason if it has one.
class Always final : public Strategy {
  public:
    explicit Always(Action action, std::string reason = {}) : action_(std::move(action)), reason_(std::move(reason)) {}
    Intent choose(const Belief& belief, Rng&) override {
        asked_for_reasons += belief.overlays_wanted();
        Intent intent{.action = action_};
        if (belief.overlays_wanted() && !reason_.empty()) intent.overlays.push_back(Overlay::rule(reason_));
        return intent;
    }
    static inline std::atomic<int> asked_for_reasons = 0;

  private:
    Action action_;
    std::string reason_;
};

// 4 m by 1 m.
const std::vector<std::string> room{"########################################",  //
                                    "#                  #                   #",  //
                                    "#                  #                   #",  //
                                    "#                  #                   #",  //
                                    "#                  #                   #",  //
                                    "#                  #                   #",  //
                                    "#                  #                   #",  //
                                    "#  B  1            #                   #",  //
                                    "#                  #                   #",  //
                                    "########################################"};

/// The run of one robot with this strategy. Places are of the map.
std::vector<Standstill> standstills_of(int steps, const std::function<std::unique_ptr<Strategy>(Point)>& make) {
    const Scenario scenario = text_scenario(room, fmt::format("[run]\nsteps = {}\n", steps));
    const Cell origin = scenario.team_origin();
    SimulationOptions options;
    options.threads = 1;
    options.strategies = [&](const Briefing& briefing, const std::string&) -> std::unique_ptr<Strategy> {
        if (briefing.is_base()) return nullptr;
        return make({origin.x * 0.1, origin.y * 0.1});
    };
    Simulation sim(scenario, options);
    sim.run();
    return sim.standstills();
}

Goto to(Point map_from_team, double x, double y) { return {{x - map_from_team.x, y - map_from_team.y}, 0, {}}; }

}  // namespace

TEST_CASE("a goal in a wall, one beyond a wall, none, and a place to wait at are told apart") {
    const auto one = [](auto action, const std::string& reason = "") {
        const auto found = standstills_of(400, [&](Point o) { return std::make_unique<Always>(action(o), reason); });
        REQUIRE(found.size() == 1);
        CHECK(found[0].robot == 1);
        CHECK(found[0].to == 399);
        CHECK(found[0].from < 30);
        return found[0];
    };
    const Standstill wall = one([](Point o) { return to(o, 1.95, 0.55); });
    CHECK(wall.why == "its goal (1.95, 0.55) m lies in a wall");
    CHECK_FALSE(wall.stated_wait);
    const Standstill beside = one([](Point o) { return Goto{to(o, 1.95, 0.55).goal, 0.3, {}}; }, "goes with robot 3");
    CHECK(beside.why == "it is at its goal (1.95, 0.55) m; its strategy says \"goes with robot 3\"");
    CHECK(beside.stated_wait);
    const Standstill beyond = one([](Point o) { return to(o, 3.05, 0.55); });
    CHECK(beyond.why == "no path that it knows leads to its goal (3.05, 0.55) m, which it has not seen");
    const Standstill none = one([](Point) { return Stay{}; });
    CHECK(none.why == "its strategy gives it no goal");
    CHECK(none.never_moved);
    CHECK_FALSE(none.stated_wait);
    const Standstill waits = one([](Point) { return Stay{}; }, "waits for robot 3");
    CHECK(waits.why == "it waits: \"waits for robot 3\"");
    CHECK(waits.stated_wait);
    const Standstill there = one([](Point o) { return to(o, 1.55, 0.55); }, "looks around");
    CHECK(there.why == "it is at its goal (1.55, 0.55) m; its strategy says \"looks around\"");
    CHECK(there.stated_wait);
    CHECK_FALSE(there.never_moved);
}

TEST_CASE("who waits for long and then sets out is no case, who sets out and turns back all the time is one") {
    /// Stays, says why, and drives in the steps that `drives` names.
    struct Waiter final : Strategy {
        std::function<std::optional<Goto>(int)> goal;
        explicit Waiter(std::function<std::optional<Goto>(int)> g) : goal(std::move(g)) {}
        Intent choose(const Belief& belief, Rng&) override {
            Intent intent;
            if (const auto to = goal(belief.step())) intent.action = *to;
            if (belief.overlays_wanted()) intent.overlays.push_back(Overlay::rule("waits"));
            return intent;
        }
    };
    const auto run = [](const std::function<std::optional<Goto>(int, Point)>& goal) {
        return standstills_of(
            400, [&](Point o) { return std::make_unique<Waiter>([=](int step) { return goal(step, o); }); });
    };
    // The room is a metre and a half wide: to its right end, and back, whatever step it is when patience ends.
    for (int out = 290; out < 310; ++out)
        for (const Standstill& found : run([out](int step, Point o) -> std::optional<Goto> {
                 if (step < out) return {};
                 return to(o, 1.75, 0.75);
             })) {
            CHECK(out > 299);
            CHECK(found.stated_wait);
        }
    const auto turns = run([](int step, Point o) -> std::optional<Goto> {
        if (step % 4 == 0) return to(o, 0.75, 0.25);
        return to(o, 0.65, 0.25);
    });
    REQUIRE(turns.size() == 1);
    CHECK_FALSE(turns[0].why.empty());
    const auto waits = run([](int, Point) -> std::optional<Goto> { return {}; });
    REQUIRE(waits.size() == 1);
    CHECK(waits[0].stated_wait);
}

TEST_CASE("a strategy that gives its goals in cells is told so, in a short run too") {
    const auto found = standstills_of(25, [](Point o) {
        const Lattice lattice{0.1};
        const Cell cell = lattice.cell_of(to(o, 1.55, 0.55).goal);
        return std::make_unique<Always>(Goto{{static_cast<double>(cell.x), static_cast<double>(cell.y)}, 0, {}});
    });
    REQUIRE(found.size() == 1);
    CHECK(found[0].never_moved);
    CAPTURE(found[0].why);
    CHECK(found[0].why.find("taken as cells it would be (1.55, 0.55) m: goals are given in metres") !=
          std::string::npos);
    CHECK(standstill_lines(found, make_briefings(text_scenario(room)).front(), 3) ==
          std::vector<std::string>{"r1 never moved: " + found[0].why});
}

TEST_CASE("reasons are asked for once, and asking changes no decision") {
    Always::asked_for_reasons = 0;
    standstills_of(400, [](Point) { return std::make_unique<Always>(Stay{}, "waits"); });
    CHECK(Always::asked_for_reasons == 1);
}

TEST_CASE("a robot that explores, is done, or has not stood for long is not named") {
    const Scenario scenario = text_scenario(room, "[run]\nsteps = 1000\n[team]\nstrategy = 'nearest'\n");
    Simulation sim(scenario);
    sim.run();
    CHECK(sim.standstills().empty());
    CHECK(standstills_of(19, [](Point) { return std::make_unique<Always>(Stay{}); }).empty());
}

TEST_CASE("the summary names the longest standstill first, waits last, and how many more there are") {
    const Briefing team = make_briefings(text_scenario(room)).front();
    const auto still = [](int from, int to, bool wait) {
        Standstill s;
        s.robot = 1;
        s.from = from;
        s.to = to;
        s.why = "so";
        s.stated_wait = wait;
        return s;
    };
    CHECK(standstill_lines({still(0, 900, true), still(0, 300, false), still(5, 500, false)}, team, 2) ==
          std::vector<std::string>{"r1, steps 5 to 500: so", "r1, steps 0 to 300: so", "and 1 more times"});
}

}  // namespace test_standstill
