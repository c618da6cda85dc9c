// Being lost, in a robot, its log and its events.
#include "helpers.hpp"
#include "log/events.hpp"
#include "log/step_codec.hpp"
#include "robot/registry.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_lost {
namespace {

const SensorSpec sensor{{}, radians(-135), radians(1.5), 181, 0.01, 20, 0, 0};

Briefing briefing_of(const Pose& start) {
    auto members = std::make_shared<std::vector<TeamMember>>(1);
    (*members)[0].name = "r1";
    Briefing briefing;
    briefing.members = members;
    briefing.lattice.cell_m = 0.1;
    briefing.sensors = {sensor};
    briefing.start = start;
    return briefing;
}

Percept percept_of(int step, const WallPlan& world, const Pose& at, double moved_m) {
    Percept percept;
    percept.step = step;
    percept.motion.delta = {moved_m, 0, 0};
    Scan scan{0, {}, {}, 0};
    for (int k = 0; k < sensor.beams; ++k) {
        const double r = world.range(at.position(), at.yaw + sensor.first_angle + k * sensor.step_angle);
        scan.ranges.push_back(r < sensor.max_range_m ? static_cast<std::uint16_t>(r / sensor.range_unit_m + 0.5)
                                                     : Scan::nothing);
    }
    percept.scans = {scan};
    return percept;
}

}  // namespace

TEST_CASE("the log of a robot says when it was lost and found") {
    RobotOptions options;
    options.slam.method = SlamMethod::scan_match;
    options.slam.update_m = 0.1;
    const Pose start{3, 5, 0};
    const std::vector<Briefing> briefings{briefing_of(start)};
    std::vector<Robot> team, replayed;
    team.emplace_back(briefings[0], options, make_strategy("stay", "test"), 1);
    replayed.emplace_back(briefings[0], options, nullptr, 1);
    const std::vector<Pose> from{start};
    const StepLayout layout{.pose_estimate = true};
    StepWriter writer(briefings, layout);
    writer.begin(from);
    EventFinder finder(1);
    std::vector<std::pair<std::string, int>> events;
    std::vector<bool> lost;
    WallPlan other;  // close around it, where the hall is empty
    other.chain({{2, 4.4}, {9, 4.1}, {9, 5.9}, {2, 5.6}, {2, 4.4}});
    Pose at = start;
    const auto drive = [&](const WallPlan& world, int steps, double m) {
        for (int k = 0; k < steps; ++k) {
            at = compose(at, {m, 0, 0});
            const int step = static_cast<int>(lost.size());
            const std::vector<Percept> percepts{percept_of(step, world, at, m)};
            const std::vector<Decision> decisions{team[0].step(percepts[0])};
            writer.add(percepts, decisions, std::vector<std::vector<std::uint64_t>>(1));
            lost.push_back(team[0].lost());
            for (const LogEvent& e : finder.find({step, percepts, decisions, team, {}, {}}, {}, {0}))
                if (e.kind == "lost" || e.kind == "found") events.emplace_back(e.kind, e.step);
        }
        return static_cast<int>(lost.size());
    };
    const int away = drive(hall(), 16, 0.25), back = drive(other, 6, 0.12);
    drive(hall(), 6, -0.12);
    const int end = drive(hall(), 4, -0.25);
    REQUIRE(events.size() == 2);
    CHECK(events[0].first == "lost");
    CHECK(events[1].first == "found");
    CHECK(events[0].second >= away + 4);  // the fifth scan that does not fit
    CHECK(events[0].second < back);
    CHECK(events[1].second >= back);
    for (int k = 0; k < end; ++k)
        CHECK(lost[static_cast<std::size_t>(k)] == (k >= events[0].second && k < events[1].second));

    const StepColumns columns = writer.take_columns();
    StepReader reader(briefings, columns, from, 0, layout);
    for (int k = 0; k < end; ++k) {
        const RobotStep& step = reader.next()[0];
        REQUIRE(step.pose_estimate);
        replayed[0].retrace(step.percept, {}, {}, step.pose_estimate);
        CHECK(replayed[0].lost() == lost[static_cast<std::size_t>(k)]);
    }
}

}  // namespace test_lost
