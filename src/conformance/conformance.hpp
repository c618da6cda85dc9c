// What every strategy must do, judged by its traits: for the tests of this project, and for those who write one of
// their own (outrider check-strategy).
#pragma once

#include <span>
#include <string>

#include "scenario/scenario.hpp"

namespace outrider {

struct ConformanceCheck {
    const char* name;  ///< what the strategy does, in a few words
    /// Runs it; returns what went wrong, or nothing. `strategy`: "name" or "name(option=value)". Does not throw for
    /// what the strategy does wrong.
    std::string (*run)(const std::string& strategy);
};

/// All checks, from the simplest on. Together they take a strategy some seconds.
std::span<const ConformanceCheck> conformance_checks();

/// CPU time of a step of a run with this strategy, over that with `beside`, in an office with four robots in contact.
double cost_against(const std::string& strategy, const std::string& against);

}  // namespace outrider
