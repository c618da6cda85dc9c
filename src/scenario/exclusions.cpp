#include "scenario/exclusions.hpp"

#include <algorithm>
#include <array>

#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "scenario/feature.hpp"
#include "scenario/scenario.hpp"

namespace outrider {
namespace {

/// An option with its value, when it is above 0.
template <class Number>
std::string positive(std::string_view option, Number value) {
    return value > 0 ? fmt::format("{} = {}", option, value) : std::string();
}

std::string if_so(bool there, std::string_view option) { return there ? std::string(option) : std::string(); }

std::string people(const Scenario& s) {
    if (s.crowd.people > 0) return positive("crowd.people", s.crowd.people);
    for (const RobotEntry& r : s.robots)
        if (r.body.seen || r.body.blocks) return fmt::format("body.{} ('{}')", r.body.seen ? "seen" : "blocks", r.name);
    return {};
}

std::string cones(const Scenario& s) {
    for (const RobotEntry& robot : s.robots)
        for (const SensorOptions& sensor : robot.sensors())
            if (sensor.cone_deg > 0) return fmt::format("sensor.cone_deg = {} ('{}')", sensor.cone_deg, robot.name);
    return {};
}

std::string batteries(const Scenario& s) {
    for (const RobotEntry& robot : s.robots)
        if (robot.battery.any()) return fmt::format("battery.wh = {} ('{}')", robot.battery.wh, robot.name);
    return {};
}

std::string changing_walls(const Scenario& s) {
    if (s.changes.any()) return "changes";
    if (!s.changed.empty()) return s.changed.front().where;
    return if_so(s.fire_leaves_walls(), "hazard.debris_share");
}

std::string limited_radio(const Scenario& s) {
    const std::string link = positive("comm.link_bytes", s.comm.link_bytes);
    return link.empty() ? positive("comm.medium_bytes", s.comm.medium_bytes) : link;
}

std::string scan_matching(const Scenario& s) {
    if (s.slam.method == SlamMethod::known || s.slam.past_moves()) return {};
    return fmt::format("slam.method = {}", slam_method_names[static_cast<std::size_t>(s.slam.method)]);
}

constexpr std::array core_parts{
    ScenarioPart{"batteries", "battery.wh = 10", batteries},
    ScenarioPart{"changing_walls", "changes.doors_per_hour = 30", changing_walls},
    ScenarioPart{
        "clearing", "victims.clearing = true",
        [](const Scenario& s) { return s.finding.clearing ? "victims.clearing" : if_so(s.clears(), "frontier.kind"); }},
    ScenarioPart{"cones", "sensor.cone_deg = 20", cones},
    ScenarioPart{"failures", "failure.rate_per_hour = 10",
                 [](const Scenario& s) {
                     return if_so(s.can_fail(), s.events.empty() ? "failure.rate_per_hour" : "[[event]]");
                 }},
    ScenarioPart{"glass", "glass.share = 0.3",
                 [](const Scenario& s) { return if_so(s.layers.glass || s.glass.share > 0, "glass"); }},
    ScenarioPart{"ground", "terrain.rough_share = 0.3",
                 [](const Scenario& s) { return if_so(s.terrain.any(), "terrain"); }},
    ScenarioPart{"hazards", "hazard = [{kind = 'flood', x_m = 1.05, y_m = 1.05}]",
                 [](const Scenario& s) { return s.hazards.empty() ? std::string() : s.hazards.front().where; }},
    ScenarioPart{"latency", "comm.latency_steps = 2",
                 [](const Scenario& s) { return positive("comm.latency_steps", s.comm.latency_steps); }},
    ScenarioPart{"limited_radio", "comm.link_bytes = 3000", limited_radio},
    ScenarioPart{"manifold", "slam.method = 'manifold'",
                 [](const Scenario& s) { return if_so(s.slam.past_moves(), "slam.method = manifold"); }},
    ScenarioPart{"people", "crowd.people = 2", people},
    ScenarioPart{"plan", "prior.from = 'map'", [](const Scenario& s) { return if_so(s.prior.any(), "prior"); }},
    ScenarioPart{"recorded_positions", "",
                 [](const Scenario& s) { return if_so(s.script != nullptr, "recorded positions"); }},
    ScenarioPart{"scan_matching", "slam.method = 'scan_match'", scan_matching},
    ScenarioPart{"smoke", "smoke = [{x_m = 1.05, y_m = 1.05}]",
                 [](const Scenario& s) { return s.smoke.empty() ? std::string() : s.smoke.front().where; }},
    ScenarioPart{"step_finding", "terrain.step_share = 0.05\nsensor.sweep_m = 1",
                 [](const Scenario& s) { return if_so(s.finds_steps(), "sensor.sweep_m"); }},
    ScenarioPart{
        "unknown_starts", "start.frame = 'unknown'",
        [](const Scenario& s) { return if_so(s.start.frame == StartFrame::unknown, "start.frame = unknown"); }},
    ScenarioPart{"victims", "victims.count = 2",
                 [](const Scenario& s) {
                     return s.victims.empty() ? positive("victims.count", s.finding.count) : s.victims.front().where;
                 }},
};

constexpr std::string_view no_common_places = "places mean something else to each robot",
                           not_kept = "maps are drawn anew, without what was seen of it",
                           nobody_there = "robots are put where they were, whatever is there",
                           no_clearing =
                               "steps are kept as walls that no later scan clears, which these maps do not have";
constexpr Exclusion core_exclusions[] = {
    {"step_finding", "changing_walls", no_clearing},
    {"step_finding", "manifold", no_clearing},
    {"step_finding", "people", no_clearing},
    {"step_finding", "scan_matching", no_clearing},
    {"step_finding", "unknown_starts", no_clearing},
    {"clearing", "manifold", not_kept},
    {"clearing", "unknown_starts", not_kept},
    {"cones", "manifold", "submaps are drawn by thin beams"},
    {"cones", "unknown_starts", "submaps are drawn by thin beams"},
    {"ground", "manifold", not_kept},
    {"ground", "unknown_starts", not_kept},
    {"hazards", "manifold", not_kept},
    {"hazards", "unknown_starts", not_kept},
    {"latency", "unknown_starts", "where others were seen has to fit what they say of the same step"},
    {"limited_radio", "manifold", "maps are sent whole, however much fits"},
    {"limited_radio", "unknown_starts", "maps are sent whole, however much fits"},
    {"people", "manifold", "maps are drawn anew, with whoever was in view"},
    {"people", "unknown_starts", "maps are drawn anew, with whoever was in view"},
    {"plan", "unknown_starts", "nobody knows where on the plan it is"},
    {"victims", "unknown_starts", no_common_places},
    {"changing_walls", "recorded_positions", nobody_there},
    {"ground", "recorded_positions", nobody_there},
    {"hazards", "recorded_positions", nobody_there},
    {"people", "recorded_positions", nobody_there},
};

/// With those of the features.
const std::vector<Exclusion>& exclusions() {
    static const std::vector<Exclusion> all = [] {
        std::vector<Exclusion> out(std::begin(core_exclusions), std::end(core_exclusions));
        for (const ScenarioFeature& feature : scenario_features())
            out.insert(out.end(), feature.excludes.begin(), feature.excludes.end());
        return out;
    }();
    return all;
}

}  // namespace

std::span<const ScenarioPart> scenario_parts() {
    static const std::vector<ScenarioPart> all = [] {
        std::vector<ScenarioPart> out(core_parts.begin(), core_parts.end());
        for (const ScenarioFeature& feature : scenario_features()) out.push_back(feature.part);
        std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
        return out;
    }();
    return all;
}

const ScenarioPart& expect_part(std::string_view name, std::string_view where) {
    for (const ScenarioPart& part : scenario_parts())
        if (part.name == name) return part;
    std::vector<std::string> known;
    for (const ScenarioPart& part : scenario_parts()) known.emplace_back(part.name);
    const std::string near = nearest_name(name, known);
    fail("{}: unknown part '{}'; {}", where, name,
         near.empty() ? fmt::format("expected one of {}", fmt::join(known, ", "))
                      : fmt::format("did you mean '{}'?", near));
}

std::string_view why_not(std::string_view part, std::string_view other) {
    for (const Exclusion& e : exclusions())
        if ((e.part == part && e.other == other) || (e.part == other && e.other == part)) return e.why;
    return {};
}

void check_exclusions(const Scenario& s) {
    for (const Exclusion& e : exclusions()) {
        const std::string part = expect_part(e.part, "").given(s);
        if (part.empty()) continue;
        const std::string other = expect_part(e.other, "").given(s);
        if (!other.empty()) fail("{}: with {} {}; expected one of the two", part, other, e.why);
    }
}

}  // namespace outrider
