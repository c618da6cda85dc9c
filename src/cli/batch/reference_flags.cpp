#include "cli/batch/reference_flags.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/output.hpp"
#include "cli/interrupt.hpp"
#include "metrics/metrics.hpp"
#include "outrider/error.hpp"

namespace outrider {

void ReferenceFlags::fields(Flags& f) {
    f("reference", folder, "FOLDER",
      "times also as multiples of those of a plan by a team that knows the map; plans are kept in the folder, made "
      "where "
      "they are missing (docs/bounds.md)");
    f("seconds", seconds, 1, 100'000, "S",
      "with --reference: effort for a plan, 30 unless given: each second stands for 10000 evaluations");
}

void ReferenceFlags::expect_fits(const Scenario& scenario) const {
    options();
    if (!folder) return;
    if (std::filesystem::exists(*folder) && !std::filesystem::is_directory(*folder))
        fail("--reference {}: is a file; expected a folder for plans", *folder);
    try {
        bound_task(scenario);
    } catch (const Error& error) {
        fail("--reference: {}", error.what());
    }
}

ReferenceOptions ReferenceFlags::options() const {
    if (seconds && !folder) fail("--seconds: it is the effort for plans; expected --reference FOLDER, too");
    ReferenceOptions out;
    if (seconds) out.evaluations = *seconds * evaluations_per_second;
    out.interrupted = &catch_interrupts();
    return out;
}

namespace {

std::string reference_text(double steps, double plan, double bound) {
    if (std::isnan(steps)) return "never reached";
    std::string out = fmt::format("{}, ", steps);
    out += std::isnan(plan) ? "the plan never reached it" : fmt::format("{:.2f} x plan ({})", steps / plan, plan);
    if (bound > 0) out += fmt::format(", at most {:.1f} x the best possible ({})", steps / bound, bound);
    return out;
}

}  // namespace

void print_reference(const Simulation& sim, const ReferenceFlags& flags) {
    if (!flags.folder) return;
    const TourPlan plan = kept_plan(sim.scenario(), *flags.folder, flags.options());
    for (std::size_t k = 0; k < bound_shares.size(); ++k)
        print_plain("{:<20} {}\n", bound_metrics[k],
                    reference_text(time_to(sim.metrics().steps(), &StepMetrics::team_share, bound_shares[k]),
                                   plan.times->plan[k], plan.times->bound[k]));
}

}  // namespace outrider
