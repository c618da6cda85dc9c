// A scenario as text, complete and in one form only.
#include "outrider/detail/settings.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

namespace {

/// Options left out at these values: what is not said, and what came later than logs that are to be read as they were.
const std::vector<std::pair<std::string, std::string>> left_out{{"parent", "\"\""},
                                                                {"tilt_filter", "\"fixed\""},
                                                                {"looks", "\"alone\""},
                                                                {"unlisted", "false"},
                                                                {"tracks", "false"}};

}  // namespace

std::string Scenario::resolved() const {
    std::string text = fmt::format("name = {}\n", toml_quoted(name));
    const auto list_all = [&](const std::vector<FieldInfo>& fields) {
        for (const FieldInfo& f : fields)
            if (f.value != "nan" &&
                std::find(left_out.begin(), left_out.end(), std::pair(f.name, f.value)) == left_out.end())
                text += fmt::format("{} = {}\n", f.name, f.value);
    };
    const auto list = [&](const auto& options) { list_all(list_fields(options)); };
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
        for (const std::string_view section : robot.features.names()) {
            const auto own = list_fields(*robot.features.section(section));
            if (robot.role == Role::base || own == list_fields(*features.section(section))) continue;
            text += fmt::format("[{}.{}]\n", key, section);
            list_all(own);
        }
        text += robot.further_sensors.empty() ? fmt::format("[{}.sensor]\n", key) : fmt::format("[[{}.sensor]]\n", key);
        list(robot.sensor);
        for (const SensorOptions& further : robot.further_sensors) {
            text += fmt::format("[[{}.sensor]]\n", key);
            list(further);
        }
    }
    for (const FeatureLists::Named& named : lists.all())
        for (const std::vector<FieldInfo>& entry : named.list->entries()) {
            text += fmt::format("\n[[{}]]\n", named.name);
            list_all(entry);
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
