// What a scenario can have, and what of it does not go together, with the reason.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace outrider {

struct Scenario;

struct ScenarioPart {
    std::string_view name;     ///< as people call it: "second_radio"
    std::string_view example;  ///< a line of TOML that brings it, at the top of a scenario; empty: no line does
    /// The option of this scenario that brings it, with its value: "radio2.range_m = 200"; empty: it has none.
    std::string (*given)(const Scenario&);
};

struct Exclusion {
    std::string_view part, other, why;
};

/// Reasons of several features.
inline constexpr std::string_view put_there = "robots are put where they were, whatever is there";

/// All parts, by name.
std::span<const ScenarioPart> scenario_parts();
/// Throws Error "WHERE: unknown part 'NAME'; did you mean ...".
const ScenarioPart& expect_part(std::string_view name, std::string_view where);

/// Whether the scenario has the part of this name. Throws Error where there is no such part.
bool has_part(const Scenario& s, std::string_view name);

/// Why two parts do not go together: "maps are sent whole, however much fits"; empty: they do.
std::string_view why_not(std::string_view part, std::string_view other);

/// Throws Error "comm.link_bytes = 3000: with slam.method = manifold maps are ...; expected one of the two".
void check_exclusions(const Scenario& s);

}  // namespace outrider
