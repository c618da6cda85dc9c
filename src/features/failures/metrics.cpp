// Robots that can fail.
#include <array>
#include <cmath>
#include <vector>

#include "features/failures/world.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

struct FailureCounts final : Copied<FailureCounts, Counter> {
    explicit FailureCounts(const Measured& run) { count_in(run); }
    void count_in(const Measured& run) override { robots = run.driver.part<FailingRobots>(); }
    void on_step(const StepView& view) override {
        failing.resize(view.team.size());
        for (std::size_t i = 0; i < view.team.size(); ++i) {
            const Faults& now = robots->faults(static_cast<RobotId>(i));
            if (!view.percepts[i].alive && !now.dead) continue;  // by dies_at_step
            const bool limps = now.stuck || now.deaf || now.blind || now.slow, fails = limps || now.dead;
            failures += fails && !failing[i];
            failed_steps += limps && view.percepts[i].alive;
            failing[i] = fails;
        }
    }

    const FailingRobots* robots = nullptr;
    std::int64_t failures = 0, failed_steps = 0;  ///< that began; robot-steps with one, those of the dead left out
    std::vector<std::uint8_t> failing;            ///< by robot, in the last step
};

/// From each death to the step in which the team knew as much as before it.
double recovery_steps(Record r) {
    Ages recovered;
    for (std::size_t died = 1; died < r.steps.size(); ++died) {
        std::size_t again = died;
        while (again < r.steps.size() && r.steps[again].team_share < r.steps[died - 1].team_share) ++again;
        for (int k = r.steps[died].alive; k < r.steps[died - 1].alive; ++k)
            recovered.add(static_cast<double>(again - died));
    }
    return recovered.count > 0 ? recovered.mean() : nan;
}

constexpr std::array failure_rows{
    MetricInfo{"failures", "", 1, "failures of robots that began", plain,
               [](Record r) { return count(r.counts<FailureCounts>().failures); }},
    MetricInfo{"failed_steps", "steps", 1, "time that robots in service were stuck, deaf, blind or slow, summed up",
               plain, [](Record r) { return count(r.counts<FailureCounts>().failed_steps); }},
    MetricInfo{"lost_knowledge_m2", "m2", 1,
               "reachable area that somebody knew once, and nobody in service knows at the end", plain,
               [](Record r) { return count(r.coverage.known_once() - r.coverage.team()) * r.cell_area(); }},
    MetricInfo{"recovery_steps", "steps", 1,
               "from a death to the step in which the team knows as much as before it, or to the end; mean over deaths",
               plain, recovery_steps},
};

std::string failures_in_words(const SummaryWords& run) {
    std::string out = fmt::format(
        "failures             {:.0f}; {:.0f} robot-steps with one, {:.0f} robots died; {:.1f} m2 are known to nobody "
        "any "
        "more\n",
        run["failures"], run["failed_steps"], run["deaths"], run["lost_knowledge_m2"]);
    if (const double steps = run["recovery_steps"]; !std::isnan(steps))
        out += fmt::format("                     after a death the team knew as much as before in {:.1f} steps, mean\n",
                           steps);
    return out;
}

}  // namespace

extern const MetricGroup failure_metrics;
const MetricGroup failure_metrics{failure_rows, has_part<FailingRobots>, make_counter<FailureCounts>, "failures",
                                  failures_in_words};

}  // namespace outrider
