// Robots that are not simulated as a driver: what their sensors say becomes percepts, and decisions become velocities.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "helpers.hpp"
#include "live/live_driver.hpp"
#include "scenario/scenario.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_live_driver {
namespace {

/// A robot that says what the test wants, and keeps what it is told.
class ScriptedVehicle final : public Vehicle {
  public:
    struct Script {
        std::mutex mutex;
        Readings next;
        std::vector<Velocity> driven;
        bool connected = true;

        void say(double time_s, const Pose& pose) {
            const std::lock_guard lock(mutex);
            next.odometry.push_back({time_s, pose});
            next.time_s = time_s;
        }
        std::vector<Velocity> commands() {
            const std::lock_guard lock(mutex);
            return driven;
        }
    };
    explicit ScriptedVehicle(std::shared_ptr<Script> script) : script_(std::move(script)) {}

    void take(std::chrono::milliseconds wait, Readings& readings) override {
        {
            const std::lock_guard lock(script_->mutex);
            Readings news = std::exchange(script_->next, {});
            readings.odometry.insert(readings.odometry.end(), news.odometry.begin(), news.odometry.end());
            readings.sweeps.insert(readings.sweeps.end(), news.sweeps.begin(), news.sweeps.end());
            readings.finds.insert(readings.finds.end(), news.finds.begin(), news.finds.end());
            if (news.time_s) readings.time_s = news.time_s;
            if (news.battery) readings.battery = news.battery;
            readings.bumped |= news.bumped;
        }
        if (wait.count() > 0) std::this_thread::sleep_for(1ms);
    }
    void drive(const Velocity& velocity) override {
        const std::lock_guard lock(script_->mutex);
        script_->driven.push_back(velocity);
    }
    bool connected() const override { return script_->connected; }
    std::vector<std::string> take_complaints() override { return {}; }

  private:
    std::shared_ptr<Script> script_;
};

/// A robot r1 beside a base, in steps of 0.1 s.
struct Live {
    explicit Live(TickClock clock, double valid_s = 1, std::chrono::duration<double> give_up = 0s)
        : scenario(text_scenario(
              {"........", "...1....", "B......."},
              "[run]\nstep_s = 0.1\n[sensor]\nbeams = 3\n[team]\nstrategy = \"nearest\"\n[live]\nturn_deg_s = 60\n")),
          briefings(make_briefings(scenario)) {
        LiveSection section;
        section.clock = clock;
        section.valid_s = valid_s;
        std::vector<LiveMember> members(1);
        members[0].robot = 1;
        members[0].vehicle = std::make_unique<ScriptedVehicle>(script);
        driver.emplace(briefings, section, std::move(members), RelayAccess{}, give_up, interrupted);
    }
    const Percept& sense() {
        REQUIRE(driver->sense(percepts));
        return percepts[1];
    }

    /// Its first step, in which it is told to drive.
    void drive_on() {
        script->say(1, {});
        sense();
        decisions[1].command = {.path_body = {{1, 0}}, .final_heading = {}, .speed_mps = 0.5};
        driver->act(decisions);
    }
    /// Waits until the robot has been told so many velocities; false: half a minute was not enough.
    bool is_told(std::size_t count) const {
        const auto end = std::chrono::steady_clock::now() + 30s;
        while (script->commands().size() < count) {
            if (std::chrono::steady_clock::now() > end) return false;
            std::this_thread::sleep_for(2ms);
        }
        return true;
    }

    const Scenario scenario;
    const std::vector<Briefing> briefings;
    std::shared_ptr<ScriptedVehicle::Script> script = std::make_shared<ScriptedVehicle::Script>();
    std::atomic<bool> interrupted{false};
    std::vector<Percept> percepts = std::vector<Percept>(2);
    std::vector<Decision> decisions = std::vector<Decision>(2);
    std::optional<LiveDriver> driver;
};

}  // namespace

TEST_CASE("the way between two percepts is that between two odometry messages, wherever odometry began") {
    Live live(TickClock::robot);
    const Pose origin{100, -50, 2};
    live.script->say(5.0, origin);
    CHECK(live.sense().motion.delta == Pose{});  // where it stands at first is no motion
    CHECK(live.percepts[1].alive);
    CHECK(!live.percepts[0].alive);  // the base is in another process
    live.script->say(5.1, compose(origin, {0.05, 0, 0}));
    live.script->say(5.2, compose(origin, {0.1, 0.02, 0.3}));
    const Pose offset = live.sense().motion.delta;
    CHECK(offset.x == doctest::Approx(0.1));
    CHECK(offset.y == doctest::Approx(0.02));
    CHECK(offset.yaw == doctest::Approx(0.3));
    // No scan, no link, no message: empty lists.
    CHECK(live.percepts[1].scans.empty());
    CHECK(live.percepts[1].links.empty());
    CHECK(live.percepts[1].inbox.empty());
    CHECK(live.percepts[1].step == 1);
}

TEST_CASE("a scan is taken for where the body was at its time, and only the newest of a sensor counts") {
    Live live(TickClock::robot);
    live.script->say(1.0, {0, 0, 0});
    live.script->say(1.1, {0.1, 0, 0});
    {
        const std::lock_guard lock(live.script->mutex);
        live.script->next.sweeps.push_back({0, 1.0, {1, 2, 3}});
        live.script->next.sweeps.push_back({0, 1.05, {4, 5, 6}});
    }
    const Percept& percept = live.sense();
    REQUIRE(percept.scans.size() == 1);
    CHECK(percept.scans[0].ranges == std::vector<std::uint16_t>{4, 5, 6});
    CHECK(percept.scans[0].now_from_then.x == doctest::Approx(-0.05));  // half of the way back
    CHECK(percept.scans[0].now_from_then.y == doctest::Approx(0));
    CHECK(percept.scans[0].age_s == doctest::Approx(0.05));
}

TEST_CASE("who was seen is where the body would see them now; a battery is as it last said") {
    Live live(TickClock::robot);
    live.script->say(1.0, {10, 0, 0});
    live.script->say(1.1, {11, 0, pi / 2});
    {
        const std::lock_guard lock(live.script->mutex);
        live.script->next.battery = 0.5;
        live.script->next.finds.push_back({Sighting::Kind::victim, -1, 1.0, false, {3, 0, 0}, 1});
        live.script->next.finds.push_back({Sighting::Kind::team_mate, 0, 1.05, true, {11, 4, pi}, 0});
    }
    const Percept& percept = live.sense();
    CHECK(percept.battery == 0.5);
    REQUIRE(percept.sightings.size() == 2);
    // At (13, 0) of the odometry: two metres to the right of a body that now stands at (11, 0) and looks along y.
    CHECK(percept.sightings[0].kind == Sighting::Kind::victim);
    CHECK(distance(percept.sightings[0].body_from_other.position(), {0, -2}) < 1e-12);
    CHECK(percept.sightings[1].id == 0);
    CHECK(distance(percept.sightings[1].body_from_other.position(), {4, 0}) < 1e-12);
    CHECK(percept.sightings[1].body_from_other.yaw == doctest::Approx(pi / 2));
    // A team-mate is no wall for a second more, though not recognised.
    live.script->say(1.9, {11, 1, pi / 2});
    REQUIRE(live.sense().sightings.size() == 1);
    CHECK(percept.sightings[0].kind == Sighting::Kind::team_mate);
    CHECK(percept.sightings[0].id == -1);
    CHECK(distance(percept.sightings[0].body_from_other.position(), {3, 0}) < 1e-12);
    CHECK(percept.battery == 0.5);
    live.script->say(2.1, {11, 1, pi / 2});
    CHECK(live.sense().sightings.empty());
}

TEST_CASE("odometry that begins anew is no motion, and is told") {
    Live live(TickClock::robot);
    live.script->say(1.0, {50, 20, 0});
    live.sense();
    live.script->say(1.1, {0, 0, 0});
    CHECK(live.sense().motion.delta == Pose{});
    const std::vector<std::string> said = live.driver->take_complaints();
    REQUIRE(said.size() == 1);
    CHECK(said[0].starts_with("r1: its odometry began anew"));
    live.script->say(1.2, {0.1, 0, 0});
    CHECK(live.sense().motion.delta.x == doctest::Approx(0.1));
}

TEST_CASE("a body that does not move as it was told for two steps has bumped into something") {
    Live live(TickClock::robot);
    live.decisions[1].command = {.path_body = {{1, 0}}, .final_heading = {}, .speed_mps = 1};
    for (int step = 0; step < 4; ++step) {
        CAPTURE(step);
        live.script->say(1 + 0.1 * step, {0, 0, 0});
        CHECK(live.sense().bumped == (step >= 2));
        live.driver->act(live.decisions);
    }
    live.script->say(1.5, {0.1, 0, 0});
    CHECK(!live.sense().bumped);
}

TEST_CASE("a command is sent for each decision; a program that stalls stops its robot when it is no longer valid") {
    Live live(TickClock::own, 0.2);
    live.drive_on();
    CHECK(live.is_told(2));
    const std::vector<Velocity> driven = live.script->commands();
    REQUIRE(driven.size() >= 2);
    CHECK(driven[0].forward_mps == doctest::Approx(0.5));
    CHECK(driven[1] == Velocity{});
    // Once is enough. It is looked after every 20 ms, in which another robot is told the same; this one is not again.
    Live other(TickClock::own, 0.2);
    other.drive_on();
    CHECK(other.is_told(2));
    CHECK(live.script->commands().size() == 2);
}

TEST_CASE("with the robot's clock nothing is stopped meanwhile: its time stands still, too") {
    Live live(TickClock::robot, 0.01);
    live.drive_on();
    Live other(TickClock::own, 0.1);  // whose command is valid for ten times as long, and began later
    other.drive_on();
    CHECK(other.is_told(2));
    CHECK(live.script->commands().size() == 1);
    live.driver.reset();
    CHECK(live.script->commands().back() == Velocity{});  // whoever leaves stops the robot
}

TEST_CASE("a robot that cannot be reached: steps go on for a while, then it is given up") {
    for (const std::chrono::duration<double> give_up : {0s, 1s}) {
        Live live(TickClock::own, 1, give_up);
        live.script->say(1, {});
        const auto begin = std::chrono::steady_clock::now();  // it was reached after that
        live.sense();
        live.script->connected = false;
        if (give_up == 0s) {  // never
            for (int step = 0; step < 5; ++step) CHECK(live.sense().motion.delta == Pose{});
            CHECK(!live.driver->gave_up());
            continue;
        }
        int steps = 0;
        while (live.driver->sense(live.percepts)) {
            CHECK(live.percepts[1].motion.delta == Pose{});
            REQUIRE(++steps < 1000);
        }
        CHECK(std::chrono::steady_clock::now() - begin > give_up);  // not at once
        CHECK(live.driver->gave_up());
    }
}

}  // namespace test_live_driver
