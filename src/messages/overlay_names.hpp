// What an overlay means when nobody says so: logs of before, and programs that leave it out.
#pragma once

#include <string_view>

#include "outrider/decision.hpp"

namespace outrider {

/// By the name of the layer. A log stores the meanings that differ from this, so a name that is read otherwise changes
/// what logs hold.
Overlay::Meaning named_meaning(Overlay::Kind kind, std::string_view layer);

}  // namespace outrider
