// The events of a feature of src/features/.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "log/chunk_store.hpp"
#include "run/run.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {

/// Finds what happened along a run.
class EventSource {
  public:
    virtual ~EventSource() = default;
    /// Adds what happened in a step, each step in turn.
    virtual void find(const StepView&, std::vector<LogEvent>&) = 0;
};

struct EventFeature {
    /// driver: outlives the source; nullptr: of the world nothing is known, as of real robots. Returns nullptr where
    /// nothing of the kind can happen.
    std::unique_ptr<EventSource> (*source)(const SimDriver* driver) = nullptr;
    /// An event as people read it; empty: it is not one of this feature. `who`: the robot's name.
    std::string (*text)(std::string_view kind, const std::string& who, const std::string& json) = nullptr;
};

/// For a source that takes the part of the world whose events it finds.
template <class Source, class Part>
std::unique_ptr<EventSource> source_of_part(const SimDriver* driver) {
    const Part* part = driver ? driver->template part<Part>() : nullptr;
    return part ? std::make_unique<Source>(*part) : nullptr;
}

/// Those of all features (src/features/list.cpp).
std::span<const EventFeature> event_features();

}  // namespace outrider
