// The points of an overlay in the order of their scores, for people who look at a choice.
#pragma once

#include <optional>
#include <vector>

#include "messages/decision.hpp"

namespace outrider {

/// The best first; without scores in the strategy's own order. A score may be a gain or a cost: where the chosen point
/// is in the lower half of them, the lowest come first.
std::vector<std::size_t> best_first(const Overlay& overlay, const std::optional<Point>& chosen);
/// Of these the best that stand at least so far apart, at most `most` of them, for who has little room. The chosen
/// point is always among them, and none is near to it.
std::vector<std::size_t> best_apart(const Overlay& overlay, const std::optional<Point>& chosen, double apart_m,
                                    std::size_t most);

}  // namespace outrider
