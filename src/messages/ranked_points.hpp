// The points of an overlay in the order of their scores, for people who look at a choice.
#pragma once

#include <optional>
#include <vector>

#include "messages/decision.hpp"

namespace outrider {

/// The best first; without scores in the strategy's own order. A score may be a gain or a cost: where the chosen point
/// is in the lower half of them, the lowest come first.
std::vector<std::size_t> best_first(const Overlay& overlay, const std::optional<Point>& chosen);

}  // namespace outrider
