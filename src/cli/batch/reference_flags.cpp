#include "cli/batch/reference_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "cli/interrupt.hpp"
#include "metrics/metrics.hpp"
#include "outrider/error.hpp"

namespace outrider {

void ReferenceFlags::fields(Flags& f) {
    f("reference", folder, "FOLDER",
      "times also as multiples of those of a plan that knows the map; the folder keeps plans, made where missing "
      "(docs/bounds.md)");
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

bool add_reference(Comparison& c, const std::vector<Scenario>& scenarios, const ReferenceFlags& flags, int threads) {
    if (!flags.folder) return true;
    const ReferenceOptions options = flags.options();
    const std::vector<RunResult>& runs = c.runs[0];
    std::vector<TourPlan::Times> times(runs.size());
    try {
        Work work(terminal_text("planning with the map known"));
        std::atomic<std::size_t> done = 0;
        const ThreadLimit limit(threads);
        parallel_for(static_cast<int>(runs.size()), [&](int i) {
            if (options.interrupted->load()) return;
            const RunResult& run = runs[static_cast<std::size_t>(i)];
            const auto s = std::find_if(scenarios.begin(), scenarios.end(),
                                        [&](const Scenario& scenario) { return scenario.name == run.map; });
            if (s == scenarios.end()) fail("no scenario is named '{}'", run.map);
            times[static_cast<std::size_t>(i)] =
                *kept_plan(variant(*s, c.strategies[0], run.seed), *flags.folder, options).times;
            work.at(++done, runs.size(), "plans");
        });
    } catch (const std::exception& error) {
        print_aside("--reference: {}; the comparison does without plans\n", error.what());
        return true;
    }
    if (options.interrupted->load()) {
        print_aside("interrupted: the plans that were made are kept; the same command goes on with them\n");
        return false;
    }
    c.reference = std::move(times);
    return true;
}

ReferenceTimes references_of(const Results& results, const ReferenceFlags& flags) {
    std::vector<std::int64_t> runs;
    for (std::size_t c = 0; c < results.plan().cells.size(); ++c)
        for (std::size_t pair = 0; pair < results.pairs(); ++pair)
            if (results.there(c, pair)) runs.push_back(results.run_of(c, pair));
    return references_of(results.planned(), runs, flags);
}

ReferenceTimes references_of(const SweepPlan& plan, const std::vector<std::int64_t>& runs,
                             const ReferenceFlags& flags) {
    const ReferenceOptions options = flags.options();
    if (!flags.folder) return {};
    ReferenceTimes out;
    try {
        Work work(terminal_text("planning with the map known"));
        out = reference_times(plan, runs, *flags.folder, options,
                              [&](std::size_t done, std::size_t of) { work.at(done, of, "runs"); });
    } catch (const Error& error) {
        fail("--reference: {}", error.what());
    }
    if (options.interrupted->load())
        throw RunFailure("interrupted: the plans that were made are kept; the same command goes on with them");
    return out;
}

std::optional<TourPlan::Times> reference_of(const Scenario& scenario, const ReferenceFlags& flags) {
    const ReferenceOptions options = flags.options();
    if (!flags.folder || options.interrupted->load()) return std::nullopt;
    TourPlan plan;
    {
        const Work work(terminal_text("planning with the map known"));
        plan = kept_plan(scenario, *flags.folder, options);
    }
    if (!options.interrupted->load()) return plan.times;
    print_aside("interrupted: no plan was made\n");
    return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> reference_rows(const std::vector<StepMetrics>& steps,
                                                                const TourPlan::Times& reference) {
    std::vector<std::pair<std::string, std::string>> out;
    for (std::size_t k = 0; k < bound_shares.size(); ++k)
        out.emplace_back(bound_metrics[k], reference_text(time_to(steps, &StepMetrics::team_share, bound_shares[k]),
                                                          reference.plan[k], reference.bound[k]));
    return out;
}

void print_reference(const Simulation& sim, const TourPlan::Times& reference) {
    for (const auto& [name, text] : reference_rows(sim.metrics().steps(), reference))
        print_plain("{:<20} {}\n", name, text);
    const std::array spent = spent_of(sim);
    std::array<std::string, 2> causes;  // lines
    double lost = 0;
    for (std::size_t k = 0; k < spent.size(); ++k) {
        const double more = spent[k] - reference.spent[k];
        lost += more;
        std::string& line = causes[k / 4];
        line += fmt::format("{}{} {:+.1f}", line.empty() ? "" : ", ", spent_names[k], more);
    }
    if (std::isnan(reference.plan.back())) return;
    print_plain("{:<20} {:.0f} more than the plan: {},\n{:<20} {}\n", "lost steps", lost, causes[0], "", causes[1]);
}

}  // namespace outrider
