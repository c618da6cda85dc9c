// Which scenarios have batteries.
#include "features/battery/world.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

bool has_battery(const RobotEntry& robot) { return robot.battery.any(); }

std::string given_batteries(const Scenario& s) {
    for (const RobotEntry& robot : s.robots)
        if (robot.battery.any()) return fmt::format("battery.wh = {} ('{}')", robot.battery.wh, robot.name);
    return {};
}

void check_batteries(const Scenario& s) {
    for (const RobotEntry& r : s.robots) {
        if (!r.battery.any()) continue;
        const double waits_w =
            r.battery.idle_w + r.battery.per_scan_j * static_cast<double>(r.sensor_specs().size()) / s.run.step_s;
        if (r.battery.charge_w <= waits_w)
            fail(
                "{}: robot '{}': battery.charge_w = {}: it takes {} W while it waits and scans; expected more, or it "
                "is never full",
                r.where, r.name, r.battery.charge_w, waits_w);
    }
}

std::unique_ptr<WorldPart> make_batteries(const Scenario& s, const World&) {
    if (!any_robot(s, has_battery)) return nullptr;
    return std::make_unique<Batteries>(by_robot(s, [](const RobotEntry& r) { return r.battery; }));
}

}  // namespace

ScenarioFeature battery_scenario() {
    return {.parts = {{"batteries", "battery.wh = 10", given_batteries}},
            .check = check_batteries,
            .world = {{Turn::energy, make_batteries}}};
}

}  // namespace outrider
