// Which scenarios have batteries.
#include "features/battery/world.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

const BatteryOptions& battery_of(const RobotEntry& robot) { return robot.features.get<BatteryOptions>(); }

bool has_battery(const RobotEntry& robot) { return battery_of(robot).any(); }

std::string given_batteries(const Scenario& s) {
    for (const RobotEntry& robot : s.robots)
        if (has_battery(robot)) return fmt::format("battery.wh = {} ('{}')", battery_of(robot).wh, robot.name);
    return {};
}

void check_batteries(const Scenario& s) {
    for (const RobotEntry& r : s.robots) {
        const BatteryOptions& o = battery_of(r);
        if (!o.any()) continue;
        const double waits_w = o.idle_w + o.per_scan_j * static_cast<double>(r.sensor_specs().size()) / s.run.step_s;
        if (o.charge_w <= waits_w)
            fail(
                "{}: robot '{}': battery.charge_w = {}: it takes {} W while it waits and scans; expected more, or it "
                "is never full",
                r.where, r.name, o.charge_w, waits_w);
    }
}

std::unique_ptr<WorldPart> make_batteries(const Scenario& s, const World&) {
    if (!any_robot(s, has_battery)) return nullptr;
    return std::make_unique<Batteries>(by_robot(s, battery_of));
}

}  // namespace

ScenarioFeature battery_scenario() {
    return {.section = "battery",
            .after = "noise",
            .of_robots = true,
            .options = make_options<BatteryOptions>,
            .parts = {{"batteries", "battery.wh = 10", given_batteries}},
            .check = check_batteries,
            .world = {{Turn::energy, make_batteries}}};
}

}  // namespace outrider
