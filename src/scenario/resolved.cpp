// A scenario as text, complete and in one form only.
#include "outrider/detail/settings.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

namespace {

/// Options left out at these values: what is not said, and what came later than logs that are to be read as they were.
const std::vector<std::pair<std::string, std::string>> left_out{
    {"parent", "\"\""}, {"tilt_filter", "\"fixed\""}, {"looks", "\"alone\""}};

}  // namespace

std::string Scenario::resolved() const {
    std::string text = fmt::format("name = {}\n", toml_quoted(name));
    const auto list = [&](const auto& options) {
        for (const FieldInfo& f : list_fields(options))
            if (f.value != "nan" &&
                std::find(left_out.begin(), left_out.end(), std::pair(f.name, f.value)) == left_out.end())
                text += fmt::format("{} = {}\n", f.name, f.value);
    };
    for_each_section(*this, [&](const char* section, const auto& options) {
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, LiveSection>) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, MresimOptions>)
            if (!options.any()) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, FeatureOptions>)
            if (!options.any() && !options.in_every_scenario()) return;
        text += fmt::format("\n[{}]\n", section);
        if constexpr (std::is_same_v<std::decay_t<decltype(options)>, StartOptions>)
            // The starts below are what jitter and chance made of them.
            list(StartOptions{.shared = options.shared, .frame = options.frame});
        else
            list(options);
    });
    for (const RobotEntry& robot : robots) {
        const char* key = robot.role == Role::base ? "base" : "robot";
        text += fmt::format("\n[[{}]]\n", key);
        list(robot);
        text += fmt::format("[{}.body]\n", key);
        list(robot.body);
        if (robot.noise != noise) {
            text += fmt::format("[{}.noise]\n", key);
            list(robot.noise);
        }
        if (robot.role != Role::base && robot.battery != battery) {
            text += fmt::format("[{}.battery]\n", key);
            list(robot.battery);
        }
        text += robot.further_sensors.empty() ? fmt::format("[{}.sensor]\n", key) : fmt::format("[[{}.sensor]]\n", key);
        list(robot.sensor);
        for (const SensorOptions& further : robot.further_sensors) {
            text += fmt::format("[[{}.sensor]]\n", key);
            list(further);
        }
    }
    for (const EventEntry& event : events) {
        text += "\n[[event]]\n";
        list(event);
    }
    for (const ChangeEntry& change : changed) {
        text += "\n[[change]]\n";
        list(change);
    }
    for (const SmokeEntry& disc : smoke) {
        text += "\n[[smoke]]\n";
        list(disc);
    }
    for (const HazardEntry& hazard : hazards) {
        text += "\n[[hazard]]\n";
        list(hazard);
    }
    for (const VictimEntry& victim : victims) {
        text += "\n[[victim]]\n";
        list(victim);
    }
    return text;
}

Hash128 Scenario::hash() const {
    Hasher hasher;
    hasher(resolved())(map_hash(walls));
    for (const auto& layer : {layers.plan, layers.ground, layers.glass})
        if (layer) hasher(std::span<const std::uint8_t>(layer->cells()));
    if (layers.height) hasher(std::span<const std::uint16_t>(layers.height->cells()));
    if (script) hasher(script->bytes());
    return hasher.result();
}

}  // namespace outrider
