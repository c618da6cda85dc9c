// What happens, for logs and for people.
#include "features/failures/world.hpp"
#include "log/event_feature.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

/// Failures of robots in service that begin or end.
class FailureEvents final : public EventSource {
  public:
    explicit FailureEvents(const FailingRobots& robots) : failures_(robots.failures()) {}
    void find(const StepView& view, std::vector<LogEvent>& events) override {
        for (const Failure& f : failures_) {
            const bool begins = f.from == view.step, ends = f.until == view.step;
            if ((!begins && !ends) || !view.percepts[static_cast<std::size_t>(f.robot)].alive) continue;
            events.push_back(
                {view.step, begins ? "failed" : "repaired", f.robot,
                 fmt::format("{{\"kind\": \"{}\"}}", failure_kind_names[static_cast<std::size_t>(f.kind)])});
        }
    }

  private:
    const std::vector<Failure>& failures_;
};

std::string failure_in_words(std::string_view kind, const std::string& who, const std::string& json) {
    if (kind != "failed" && kind != "repaired") return {};
    for (const std::string_view failure : failure_kind_names)
        if (json.find(fmt::format("\"{}\"", failure)) != std::string::npos)
            return who + fmt::format(fmt::runtime(kind == "failed" ? " is {} now" : " is not {} any more"), failure);
    return {};
}

}  // namespace

EventFeature failures_events() { return {source_of_part<FailureEvents, FailingRobots>, failure_in_words}; }

}  // namespace outrider
