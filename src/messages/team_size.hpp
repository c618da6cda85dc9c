// From which size on a team shares what its members know and compute. What a run decides does not depend on it.
#pragma once

#include <cstddef>

namespace outrider {

/// Large: most of what a robot learns in a step, others beside it learn, too. Names pay off in every step.
inline constexpr std::size_t large_team = 64;
/// Smaller: what many know is worth a name now and then, for the memory that it saves.
inline constexpr std::size_t sharing_team = 8;

}  // namespace outrider
