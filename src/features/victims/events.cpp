// What happens, for logs and for people.
#include "features/victims/victim_log.hpp"
#include "log/event_feature.hpp"
#include "metrics/true_view.hpp"
#include "outrider/detail/settings.hpp"
#include "scene/victim_events.hpp"

namespace outrider {
namespace {

constexpr std::string_view nothing_reported = "nothing_reported";

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
    std::vector<VictimDecision> unreported = log->unreported();
    if (base.frames() && !starts_.empty()) {
        const Pose team_from_map = TrueView::team_from_map(starts_, base);
        for (FoundVictim& v : found) v.at = transform(team_from_map, v.at);
        for (VictimDecision& d : unreported) d.at = transform(team_from_map, d.at);
    }
    for (const VictimDecision& d : unreported)
        events.push_back({view.step, nothing_reported, 0,
                          fmt::format(R"({{"do": "{}", "x": {}, "y": {}}})", d.confirmed ? "confirm" : "decline",
                                      to_text(d.at.x), to_text(d.at.y))});
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

std::string victim_in_words(std::string_view kind, const std::string&, const std::string& detail) {
    if (kind == nothing_reported)
        return detail.find("confirm") != std::string::npos
                   ? "somebody is confirmed by hand where nothing was reported within 2 m"
                   : "nothing is declined: nothing is reported within 2 m of the place";
    return kind.starts_with("victim_") ? fmt::format("somebody to be found: {}", kind.substr(7)) : "";
}

}  // namespace

EventFeature victims_events() {
    return {[](const SimDriver* d) -> std::unique_ptr<EventSource> { return std::make_unique<VictimEvents>(d); },
            victim_in_words};
}

}  // namespace outrider
