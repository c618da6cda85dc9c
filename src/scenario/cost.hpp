// What a run of a scenario takes, estimated from its numbers before anything of it is made: a few letters of an
// untrusted file, such as a rate or a count, can stand for more than any memory.
#pragma once

#include <cstddef>
#include <string_view>

#include "scenario/scenario.hpp"

namespace outrider {

/// Throws TooMuchMemory, which names `option`, where `count` things of so many bytes take more than the budget
/// (base/budget.hpp).
void expect_affordable_count(const Scenario& s, std::string_view option, double count, double bytes);

/// The team alone, before its robots are made: what each keeps of each other one.
void expect_affordable_team(const Scenario& s);

/// All of the rest of the core that follows from options: particles. Once the team is read. (Features count what they
/// draw.)
void expect_affordable_run(const Scenario& s);

}  // namespace outrider
