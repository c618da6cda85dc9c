// Where the relays of a network stand, who stands there, and how its leader says it.
#include <algorithm>
#include <cmath>

#include "helpers.hpp"
#include "relay_network/network_plan.hpp"
#include "robot/registry.hpp"
#include "shared/chain.hpp"
#include "shared/sites.hpp"
#include "shared/topics.hpp"

using namespace outrider;

namespace test_relay_network {
namespace {

/// Robots of 5 m radios, and a base at (0.55, 1.05) m; robot 1 knows these walls.
Robot robot_on(const Grid<std::uint8_t>& walls, int robots = 1) {
    Briefing b;
    std::vector<TeamMember> team{{0, "base", Role::base, -1, -1, false, 0, 5}};
    for (RobotId i = 1; i <= robots; ++i) team.push_back({i, "r", Role::explorer, -1, -1, true, 0.1, 5});
    b.members = std::make_shared<const std::vector<TeamMember>>(std::move(team));
    b.self = 1;
    b.radio.model = RadioModel::line_of_sight;
    b.start = {0.55, 1.05, 0};
    b.bases = {{0, {0.55, 1.05, 0}}};
    Robot robot(b, {}, make_strategy("stay", "test"), 1);
    show_all(robot, walls);
    robot.step({});
    return robot;
}

std::vector<Cell> straight(int from, int to, int row = 10) {
    std::vector<Cell> path;
    for (int x = from; x <= to; ++x) path.push_back({x, row});
    return path;
}

/// Whether the base hears the first station, each the one before, and the last one the end of the path.
bool holds(const Belief& belief, const std::vector<Cell>& stations, const std::vector<Cell>& path) {
    RobotId robot = 0;
    Cell at = path.front();
    for (const Cell c : stations) {
        if (!should_hear_well(belief, robot, at, 1, c, 0)) return false;
        robot = 1;
        at = c;
    }
    return should_hear_well(belief, robot, at, 1, path.back(), 0);
}

TEST_CASE("stations along a path hold together, and are about as few as its length asks for") {
    const Robot robot = robot_on(Grid<std::uint8_t>(300, 21, 0, Lattice{0.1}));
    const Belief& belief = robot.belief();
    for (const int length : {10, 43, 47, 90, 140, 200, 280}) {
        CAPTURE(length);
        const std::vector<Cell> path = straight(5, 5 + length);
        const auto stations = stations_along(belief, 0, path, {}, 20, 0);
        REQUIRE(stations);
        CHECK(holds(belief, *stations, path));
        // A robot counts on 40 of the 50 cells; places are tried every fourth cell.
        CHECK(static_cast<int>(stations->size()) >= static_cast<int>(std::ceil(length / 41.0)) - 1);
        CHECK(static_cast<int>(stations->size()) <= static_cast<int>(std::ceil(length / 36.0)) - 1);
        if (!stations->empty()) CHECK_FALSE(stations_along(belief, 0, path, {}, stations->size() - 1, 0));
    }
}

TEST_CASE("a robot that stands at a place nearly as good keeps it; one that would lead astray does not") {
    const Robot robot = robot_on(Grid<std::uint8_t>(300, 61, 0, Lattice{0.1}));
    const Belief& belief = robot.belief();
    const std::vector<Cell> path = straight(5, 84);
    CHECK(stations_along(belief, 0, path, {{44, 12}}, 20, 0) == std::vector<Cell>{{44, 12}});
    const auto without = stations_along(belief, 0, path, {}, 20, 0);
    REQUIRE(without);
    CHECK(without->size() == 1);
    for (const Cell useless : {Cell{5, 50}, Cell{20, 10}, Cell{200, 10}})
        CHECK(stations_along(belief, 0, path, {useless}, 20, 0) == without);
}

TEST_CASE("around a corner a station stands where both sides see it; behind a closed door none can") {
    Grid<std::uint8_t> walls(120, 60, 0, Lattice{0.1});
    for (int y = 0; y < 40; ++y) walls[{40, y}] = 1;
    const Robot robot = robot_on(walls);
    const Belief& belief = robot.belief();
    std::vector<Cell> path = straight(5, 30);
    for (int y = 11; y <= 45; ++y) path.push_back({30, y});
    for (int x = 31; x <= 60; ++x) path.push_back({x, 45});
    for (int y = 44; y >= 10; --y) path.push_back({60, y});
    const auto stations = stations_along(belief, 0, path, {}, 20, 0);
    REQUIRE(stations);
    CHECK(stations->size() >= 1);
    CHECK(holds(belief, *stations, path));
    std::vector<Cell> through = straight(5, 39);
    through.push_back({41, 10});
    through.push_back({60, 10});
    CHECK_FALSE(stations_along(belief, 0, through, {}, 20, 0));
}

TEST_CASE("each place gets a robot, and they drive least in all: as good as trying every order") {
    Robot robot = robot_on(Grid<std::uint8_t>(120, 60, 0, Lattice{0.1}), 4);
    Percept percept;
    percept.step = 1;
    std::vector<std::shared_ptr<Message>> messages;
    const std::vector<Cell> at{{}, {5, 10}, {50, 30}, {80, 5}, {20, 50}};
    for (RobotId i = 2; i <= 4; ++i) {
        auto message = std::make_shared<Message>();
        message->from = i;
        for (RobotId k = 0; k <= 4; ++k) {
            TeamRecord record;
            record.robot = k;
            record.frame = robot.belief().briefing().frame;
            const Point p = Lattice{0.1}.centre(at[static_cast<std::size_t>(i)]);
            if (k == i) record.seq = 1, record.pose = {p.x, p.y, 0};
            message->records.push_back(std::move(record));
        }
        percept.inbox.push_back({message.get(), true, {}});
        messages.push_back(std::move(message));
    }
    robot.step(percept);
    const std::vector<RobotId> team{1, 2, 3, 4};
    const std::vector<Cell> places{{60, 30}, {10, 40}, {70, 10}};
    const std::vector<Station> stations = staffed(robot.belief(), team, places);
    const auto drive = [&](RobotId r, Cell c) {
        return std::sqrt(static_cast<double>(squared_distance(at[static_cast<std::size_t>(r)], c)));
    };
    double driven = 0, least = 1e9;
    for (const Cell p : places)
        CHECK(std::count_if(stations.begin(), stations.end(), [&](const Station& s) { return s.cell == p; }) == 1);
    for (const Station& s : stations) driven += drive(s.robot, s.cell);
    std::vector<RobotId> order = team;
    do {
        double sum = 0;
        for (std::size_t k = 0; k < places.size(); ++k) sum += drive(order[k], places[k]);
        least = std::min(least, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(stations.size() == 3);
    CHECK(driven == doctest::Approx(least));
}

TEST_CASE("a plan arrives as it was said, and what is damaged is none") {
    const NetworkPlan plan{77, true, {{3, {-5, 70}}, {1, {2, 9}}}};
    TeamRecord record;
    record.words = {Word{topic("odd!"), to_all, {1}}, word_of(plan)};
    CHECK(network_plan_in(record) == std::optional(plan));
    CHECK(plan.station_of(3) == Cell{-5, 70});
    CHECK_FALSE(plan.station_of(2));
    record.words[1].values.pop_back();
    CHECK_FALSE(network_plan_in(record));
    record.words[1].values.clear();
    CHECK_FALSE(network_plan_in(record));
}

TEST_CASE("the network is laid out anew, and the base knows in the end what the team knows") {
    Notes notes;
    const Scenario s =
        make_scenario(parse_config("[team]\nstrategy = \"relay_network\"\nrobots = 4\n[comm]\nrange_m = 5\n"
                                   "base_range_m = 5\n[sensor]\nrange_m = 4\n[run]\nsteps = 1500\n",
                                   "test"),
                      "test", rooms_map(300, 220, 5), notes);
    Simulation sim(s, {});
    struct Plans final : Observer {
        void on_step(const StepView& view) override {
            for (const Robot& robot : view.team)
                if (const auto plan = network_plan_in(robot.belief().latest(robot.belief().self())))
                    ids.push_back(plan->id);
        }
        std::vector<std::int64_t> ids;
    } plans;
    sim.add_observer(plans);
    sim.run();
    std::sort(plans.ids.begin(), plans.ids.end());
    plans.ids.erase(std::unique(plans.ids.begin(), plans.ids.end()), plans.ids.end());
    CHECK(plans.ids.size() > 3);
    const StepMetrics& last = sim.metrics().steps().back();
    CHECK(last.team_share > 0.4);
    CHECK(last.base_share > 0.99 * last.team_share);
    CHECK(run_scenario(s, 3).digest == run_scenario(s, 1).digest);
}

}  // namespace
}  // namespace test_relay_network
