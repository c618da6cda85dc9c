#include "cli/run_page.hpp"

#include "base/output.hpp"
#include "cli/interrupt.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "player/page_observer.hpp"

namespace outrider {

LoggedPage::LoggedPage(const std::string& file, const std::string& command)
    : logged_(file), walls_(logged_.walls()), recorder_(logged_.scenario, walls_) {
    if (!logged_.full()) logged_.expect_closed_loop();
    caption_.command = command.empty() ? fmt::format("outrider rerun {}", shell_word(file)) : command;
    const auto& meta = logged_.log.meta();
    if (const auto end = meta.find("end_reason"); end != meta.end()) {
        const auto name = std::find(end_reason_names.begin(), end_reason_names.end(), end->second);
        caption_.end = name == end_reason_names.end()
                           ? end->second
                           : end_reason_texts[static_cast<std::size_t>(name - end_reason_names.begin())];
    }
    for (const LogReader::SummaryRow& row : logged_.log.summary())
        if (!row.robot) caption_.summary.push_back(metric_row(row.name, row.value));
}

void LoggedPage::add_reference(const ReferenceFlags& flags) {
    if (flags.folder) flags.expect_fits(logged_.scenario);
    if (const auto reference = reference_of(logged_.scenario, flags))
        caption_.renew(reference_rows(logged_.steps.metrics, *reference));
}

int LoggedPage::record() {
    const int code = logged_.full() ? read() : run_again();
    for (const LogReader::Event& e : logged_.log.events()) recorder_.add(e);
    return code;
}

int LoggedPage::read() {
    const std::atomic<bool>& interrupted = catch_interrupts();
    Replay replay(logged_.log);
    const LogSteps& steps = logged_.steps;
    int rebuilds = 0;
    Work work(terminal_text("writing the page"));
    for (std::size_t k = 0; k < steps.steps.size() && !interrupted; ++k) {
        work.at(k, steps.steps.size(), "steps");
        if (!replay.seek(steps.steps[k])) continue;
        if (replay.rebuilds() != std::exchange(rebuilds, replay.rebuilds())) recorder_.forget();
        recorder_.add(replay.view(), steps.metrics[k], steps.poses[k]);
    }
    for (const std::string& damaged : replay.damaged()) print_aside("note: left out, damaged: {}\n", damaged);
    recorder_.settle(replay.team());
    return interrupted ? 130 : 0;
}

int LoggedPage::run_again() {
    SimulationOptions options;
    options.interrupted = &catch_interrupts();
    options.orders = logged_.orders;
    options.stop_after = logged_.length();
    options.overlays = true;
    Simulation sim(logged_.scenario, options);
    HashCheck check(logged_.steps);
    PageObserver page(sim, recorder_, false);
    StepCount count(logged_.length());
    sim.add_observer(count);
    sim.add_observer(check);
    sim.add_observer(page);
    const bool whole = sim.run() != EndReason::interrupted;
    recorder_.settle(sim.team());
    const int code = report(check, logged_);
    return whole ? code : 130;
}

}  // namespace outrider
