#include "player/page_observer.hpp"

#include <cmath>

namespace outrider {

std::pair<std::string, std::string> metric_row(std::string_view name, std::optional<double> value) {
    return {std::string(name), value ? fmt::format("{:.6g}", *value) : "never"};
}

PageObserver::PageObserver(const Simulation& sim, PlayerRecorder& recorder, bool find_events)
    : sim_(sim), recorder_(recorder) {
    if (find_events) events_.emplace(sim.scenario().robots.size());
}

void PageObserver::on_step(const StepView& view) {
    const SimDriver& driver = sim_.driver();
    const StepMetrics& row = sim_.metrics().steps().back();
    if (events_)
        for (const LogEvent& e : events_->find(view, row, driver.traffic().component, &driver))
            recorder_.add({e.step, std::string(e.kind), Index<Robot>::of(e.robot, view.team.size()), e.json});
    recorder_.add(view, row, driver.world().poses());
}

PlayerCaption page_caption(const Simulation& sim, EndReason reason, std::string again) {
    PlayerCaption caption{std::move(again), std::string(end_reason_texts[static_cast<std::size_t>(reason)])};
    for (const SummaryValue& v : sim.metrics().summary(reason, sim.scenario().run.steps))
        if (v.robot < 0)
            caption.summary.push_back(
                metric_row(v.metric->name, std::isnan(v.value) ? std::nullopt : std::optional(v.value)));
    return caption;
}

}  // namespace outrider
