#include "soak/options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "outrider/error.hpp"
#include "scenario/exclusions.hpp"
#include "scenario/scenario.hpp"

namespace outrider::soak {
namespace {

/// "a | b | c" in its parts.
std::vector<std::string> choices_of(const std::string& range) {
    std::vector<std::string> out;
    std::istringstream text(range);
    for (std::string word; text >> word;)
        if (word != "|") out.push_back(word);
    return out;
}

/// The map is drawn already; real robots are not there; nobody gets on with ranges metres off, or with a scanner metres
/// beside its body; many particles take a hundred times as long as all else.
bool left_alone(const std::string& option) {
    constexpr std::array sections{"map.",        "run.",          "live.",          "team.robots",
                                  "noise.range", "sensor.mount_", "slam.particles", "slam.shared_particles"};
    return std::any_of(sections.begin(), sections.end(), [&](const char* s) { return option.starts_with(s); });
}

/// All options of scenarios, with their whole names: "comm.range_m".
const std::vector<FieldInfo>& all_options() {
    static const std::vector<FieldInfo> all = [] {
        std::vector<FieldInfo> out;
        Scenario defaults;
        Scenario::for_each_section(defaults, [&](const char* section, auto& options) {
            for (FieldInfo field : list_fields(options)) {
                field.name = fmt::format("{}.{}", section, field.name);
                if (!left_alone(field.name)) out.push_back(std::move(field));
            }
        });
        return out;
    }();
    return all;
}

}  // namespace

std::string other_value(const FieldInfo& option, Dice& dice) {
    if (option.range.find(" | ") != std::string::npos) return "'" + dice.word(choices_of(option.range)) + "'";
    if (option.value == "true" || option.value == "false") return option.value == "true" ? "false" : "true";
    const std::size_t to = option.range.find(" to ");
    if (to == std::string::npos) return "";
    const double low = std::atof(option.range.c_str()), high = std::atof(option.range.c_str() + to + 4),
                 usual = std::atof(option.value.c_str());
    const bool whole = option.value.find('.') == std::string::npos;
    double value = usual * dice.real(0.4, 2.5);
    if (usual == 0)  // it is off
        value = whole       ? dice.whole(1, 20)
                : high <= 1 ? std::pow(10, dice.real(-3, -0.5))
                            : std::pow(10, dice.real(-2, 1));
    value = std::clamp(value, low, high);
    return whole ? fmt::format("{}", static_cast<std::int64_t>(value)) : fmt::format("{:.3f}", std::max(value, low));
}

void add_options(ConfigTable& config, const std::vector<std::string>& lists, Dice& dice,
                 const std::function<bool(const ConfigTable&)>& fits) {
    const auto lay_over = [&](std::string_view toml) {
        ConfigTable changed = config;
        changed.overlay(parse_config(toml, "soak"));
        if (fits(changed)) config = std::move(changed);
    };
    for (const std::string& list : lists) lay_over(list);
    for (const ScenarioPart& part : scenario_parts())
        if (!part.example.empty() && dice.chance(0.08)) lay_over(part.example);
    for (int i = dice.chance(0.5) ? dice.whole(1, 12) : 0; i > 0; --i) {
        const FieldInfo& option = dice.one_of(all_options());
        const std::string value = other_value(option, dice);
        if (!value.empty()) lay_over(option.name + " = " + value);
    }
}

}  // namespace outrider::soak
