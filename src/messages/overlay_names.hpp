// The meaning of an overlay that comes without one: from older logs, and from programs that leave it out.
#pragma once

#include <string_view>

#include "messages/decision.hpp"

namespace outrider {

/// By the name of the layer. A log stores the meanings that differ from this, so giving a name another meaning changes
/// what logs hold.
Overlay::Meaning named_meaning(Overlay::Kind kind, std::string_view layer);

}  // namespace outrider
