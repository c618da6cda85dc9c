// The events of a feature of src/features/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "log/chunk_store.hpp"
#include "run/run.hpp"

namespace outrider {

class SimDriver;

struct EventFeature {
    /// Adds what happened in a step.
    void (*find)(const StepView&, const SimDriver&, std::vector<LogEvent>&) = nullptr;
    /// An event as people read it; empty: it is not one of this feature. `who`: the robot's name.
    std::string (*text)(std::string_view kind, const std::string& who, const std::string& json) = nullptr;
};

/// Those of all features (src/features/list.cpp).
std::span<const EventFeature> event_features();

}  // namespace outrider
