#include "scenario/exclusions.hpp"

#include <fmt/ranges.h>

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

std::string cones(const Scenario& s) {
    for (const RobotEntry& robot : s.robots)
        for (const SensorOptions& sensor : robot.sensors())
            if (sensor.cone_deg > 0) return fmt::format("sensor.cone_deg = {} ('{}')", sensor.cone_deg, robot.name);
    return {};
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
    ScenarioPart{"cones", "sensor.cone_deg = 20", cones},
    ScenarioPart{"latency", "comm.latency_steps = 2",
                 [](const Scenario& s) { return positive("comm.latency_steps", s.comm.latency_steps); }},
    ScenarioPart{"limited_radio", "comm.link_bytes = 3000", limited_radio},
    ScenarioPart{"manifold", "slam.method = 'manifold'",
                 [](const Scenario& s) { return if_so(s.slam.past_moves(), "slam.method = manifold"); }},
    ScenarioPart{"recorded_positions", "",
                 [](const Scenario& s) { return if_so(s.script != nullptr, "recorded positions"); }},
    ScenarioPart{"scan_matching", "slam.method = 'scan_match'", scan_matching},
    ScenarioPart{
        "unknown_starts", "start.frame = 'unknown'",
        [](const Scenario& s) { return if_so(s.start.frame == StartFrame::unknown, "start.frame = unknown"); }},
};

constexpr Exclusion core_exclusions[] = {
    {"cones", "manifold", "submaps are drawn by thin beams"},
    {"cones", "unknown_starts", "submaps are drawn by thin beams"},
    {"limited_radio", "manifold", "maps are sent whole, however much fits"},
    {"limited_radio", "unknown_starts", "maps are sent whole, however much fits"},
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
        for (const ScenarioFeature& feature : scenario_features())
            out.insert(out.end(), feature.parts.begin(), feature.parts.end());
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

bool has_part(const Scenario& s, std::string_view name) { return !expect_part(name, "has_part").given(s).empty(); }

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
