// The lines that an external strategy reads and writes. docs/strategies.md describes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "outrider/strategy.hpp"

namespace outrider {

/// The first line: what stays constant.
std::string briefing_line(const Belief& belief);
/// The line of a step: everything but the map, of which only the tiles that changed; `map_anew`: the program has to
/// forget the tiles sent before. `frontiers`: an answer may name one by its place in this list.
std::string belief_line(const Belief& belief, const std::vector<Frontier>& frontiers, const MapChanges& changes,
                        bool map_anew, std::uint32_t random);
/// The answer. `version`: set where the program says one in it. Throws Error with what was expected.
Intent parse_intent(std::string_view line, const Belief& belief, const std::vector<Frontier>& frontiers,
                    std::string& version);

}  // namespace outrider
