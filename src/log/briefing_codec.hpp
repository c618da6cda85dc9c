// What robots knew beforehand, as bytes in a full log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

std::string write_briefings(const std::vector<Briefing>& briefings);
/// The reverse. Throws Error when damaged.
std::vector<Briefing> read_briefings(std::string_view bytes);

}  // namespace outrider
