// What happens, for logs and for people.
#include "features/victims/victim_log.hpp"
#include "log/event_feature.hpp"
#include "metrics/true_view.hpp"
#include "scene/victim_events.hpp"

namespace outrider {
namespace {

/// What the base station learns of people to be found.
class VictimEvents final : public EventSource {
  public:
    explicit VictimEvents(const SimDriver* driver) {
        if (driver) starts_ = driver->world().poses();
    }
    void find(const StepView& view, std::vector<LogEvent>& events) override;

  private:
    std::vector<Pose> starts_;          // of all robots; empty: not known
    std::vector<VictimState> victims_;  // of the base station's list
};

void VictimEvents::find(const StepView& view, std::vector<LogEvent>& events) {
    const Robot& base = view.team.front();
    const auto* log = base.part<VictimLog>();
    if (!log || !base.belief().briefing().is_base()) return;
    std::vector<FoundVictim> found = log->found();
    if (base.frames() && !starts_.empty())
        for (FoundVictim& v : found) v.at = transform(TrueView::team_from_map(starts_, base), v.at);
    for (std::size_t k = 0; k < found.size(); ++k) {
        const auto put = [&](std::string_view kind) {
            events.push_back({view.step, kind, 0, victim_json(static_cast<int>(k), found[k])});
        };
        if (k == victims_.size()) {
            victims_.push_back(VictimState::reported);
            put(victim_reported);
        }
        if (found[k].state == victims_[k]) continue;
        victims_[k] = found[k].state;
        put(found[k].state == VictimState::confirmed ? victim_confirmed : victim_declined);
    }
}

std::string victim_in_words(std::string_view kind, const std::string&, const std::string&) {
    return kind.starts_with("victim_") ? fmt::format("somebody to be found: {}", kind.substr(7)) : "";
}

}  // namespace

EventFeature victims_events() {
    return {[](const SimDriver* d) -> std::unique_ptr<EventSource> { return std::make_unique<VictimEvents>(d); },
            victim_in_words};
}

}  // namespace outrider
