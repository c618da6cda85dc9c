#include "log/open_loop.hpp"

#include "messages/hashes.hpp"

namespace outrider {

OpenLoop run_open_loop(Replay& then, const Scenario& scenario, const OpenLoopStep& on_step, bool overlays,
                       const std::atomic<bool>* interrupted) {
    OpenLoop out;
    std::vector<Hash128> decisions;
    LogDriver driver([&]() -> std::optional<RecordedStep> {
        if (interrupted && interrupted->load()) {
            out.interrupted = true;
            return {};
        }
        const int expected = then.step() + 1;
        const bool there = then.next();
        out.cut_short = there ? then.step() != expected : !then.damaged().empty();
        if (!there || out.cut_short) return {};
        decisions.clear();
        for (const Decision& d : then.decisions()) decisions.push_back(hash_of(d));
        return RecordedStep{then.percepts(), decisions};
    });
    struct Watcher final : Observer {
        Watcher(OpenLoop& o, const LogDriver& d, const OpenLoopStep& s) : out(o), driver(d), on_step_(s) {}
        void on_step(const StepView& view) override {
            if (out.first < 0 && driver.divergence()) {
                out.first = view.step;
                for (std::size_t i = 0; i < driver.differs().size(); ++i)
                    if (driver.differs()[i]) out.first_robots.push_back(static_cast<RobotId>(i));
            }
            if (on_step_) on_step_(view, driver.differs());
        }
        OpenLoop& out;
        const LogDriver& driver;
        const OpenLoopStep& on_step_;
    } watcher(out, driver, on_step);
    std::vector<Robot> team = make_team(scenario, then.briefings(), overlays);
    Run run{driver, team, {&watcher}, {}};
    run.limits.steps = INT32_MAX;
    while (step(run) != EndReason::log_ended) {
    }
    out.steps = run.steps;
    out.robots = driver.differences();
    out.robots.resize(team.size());
    return out;
}

}  // namespace outrider
