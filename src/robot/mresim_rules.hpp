// What a scenario can ask of robots so that they act as those of MRESim 2.2 do (section [mresim]); by default nothing.
// behaviours.hpp: candidate_frontiers(), explored() and the guards follow it.
#pragma once

#include <cstdint>

namespace outrider {

struct MresimRules {
    std::int64_t goal_cells = 0;     ///< free cells of the true map, which the robots are told; 0: nobody knows
    bool replan_on_message = false;  ///< choose anew in each step in which a message came
    bool no_stall_guard = false;     ///< robots may hold a target for ever
    /// Robots that know so much of the goal area are done, as they are when no frontier is left; not before this step.
    static constexpr double enough_share = 0.95;
    static constexpr int enough_from_step = 101;
};

}  // namespace outrider
