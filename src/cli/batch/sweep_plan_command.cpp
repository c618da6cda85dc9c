// outrider sweep plan
#include <fmt/core.h>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "batch/statistics/planned_power.hpp"
#include "batch/statistics/sign_flip.hpp"
#include "batch/sweep_file.hpp"
#include "batch/table.hpp"
#include "cli/commands.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

std::string percent(double share) { return fmt::format("{} %", short_number(100 * share)); }

/// `where`: the spreads are from.
void print_power(const PlannedPower& power, const std::string& where) {
    const PlannedTest& planned = power.planned;
    Table table;
    table.columns = named_columns({"metric", "between maps", "within a map", "found"});
    for (const double share : asked_differences) table.columns.push_back({"", "maps for " + percent(share)});
    for (std::size_t c = 0; c < 4; ++c) table.columns[c].heading = table.columns[c].name;
    for (const MetricPower& m : power.metrics) {
        std::vector<TableCell> row{m.metric, percent(m.spread.between), percent(m.spread.within),
                                   m.found ? TableCell(percent(*m.found)) : TableCell("nothing")};
        for (const std::size_t maps : m.maps) row.push_back(maps > 0 ? TableCell(maps) : TableCell("too many"));
        table.add(std::move(row));
    }
    print_plain("\n{}", Lines{to_text(table, 12, 14)});
    print_plain(
        "found: the smallest difference, in % of the metric's mean, that {} map{} with {} pair{} each show with a "
        "probability of 80 %,\nat 5 % and {} test{} at once (Holm). maps: how many show a difference of that size. "
        "Spreads are {}.\n",
        planned.maps, planned.maps == 1 ? "" : "s", planned.pairs_per_map, planned.pairs_per_map == 1 ? "" : "s",
        planned.tests, planned.tests == 1 ? "" : "s", where);
    if (const std::size_t needed = values_needed(planned.tests); needed == 0)
        print_plain("With so many tests at once no number of maps shows a difference.\n");
    else if (planned.maps < needed)
        print_plain("Nothing can be shown with so few maps ({}; at least {} are needed).\n", planned.maps, needed);
}

struct PlanSweepFlags {
    std::optional<std::string> file, output, spreads;
    std::optional<int> shards;
    std::optional<double> between, within;
    bool power = false;
    void fields(Flags& f) {
        f.positional("file", file);
        f("o,output", output, "DIR", "folder of the sweep");
        f("shards", shards, 1, 1000, "N",
          "parts that workers take; otherwise as the file says, or about fifty runs each");
        f("power", power,
          "how small a difference the planned maps and starts would show, and how many maps it takes for 5, 10 and "
          "20 %; without -o nothing is written");
        f("spreads", spreads, "RESULTS.sqlite", "with --power: how far differences scatter, from an earlier sweep");
        f.number("between", between, 0, 1000, "%", "P",
                 "with --power: how far they scatter between maps, in % of the mean");
        f.number("within", within, 0, 1000, "%", "P", "with --power: and between the starts of a map");
    }
};

void say_power(const PlanSweepFlags& flags, const SweepPlan& plan) {
    std::optional<Results> earlier;
    if (flags.spreads) earlier.emplace(*flags.spreads);
    std::vector<Spread> spreads;
    for (const std::string& metric : plan.report.metrics) {
        Spread s = earlier ? measured_spread(*earlier, metric) : usual_spread(metric);
        if (flags.between) s.between = *flags.between / 100;
        if (flags.within) s.within = *flags.within / 100;
        spreads.push_back(s);
    }
    print_power(planned_power(plan, spreads), flags.between && flags.within ? "as given"
                                              : flags.spreads               ? "those of " + *flags.spreads
                                                                            : "usual ones (docs/sweeps.md)");
}

int plan_sweep(const PlanSweepFlags& flags) {
    if (!flags.power && (flags.spreads || flags.between || flags.within))
        fail("--{}: expected --power, too", flags.spreads ? "spreads" : flags.between ? "between" : "within");
    if (!flags.file || (!flags.output && !flags.power))
        fail("expected outrider sweep plan SWEEP.toml -o DIR; see outrider sweep plan --help");
    const SweepPlan plan = read_sweep(*flags.file, flags.shards.value_or(0));
    if (flags.output) write_plan(plan, *flags.output);
    print_plain("{}: {} runs: {} maps x {} starts x {} cells{}, in {} shards\n", flags.output.value_or(plan.name),
                plan.runs(), plan.maps.size(), plan.starts.size(), plan.cells.size(),
                plan.repetitions > 1 ? fmt::format(" x {} repetitions", plan.repetitions) : "", plan.shards);
    if (flags.power) say_power(flags, plan);
    if (flags.output) print_plain("Run it with  outrider sweep run {}\n", shell_word(*flags.output));
    return 0;
}

}  // namespace

Subcommand sweep_plan_command() {
    return subcommand<PlanSweepFlags, plan_sweep>(
        {"sweep plan", "Write the plan of a sweep: every run, in a fixed order.\n",
         "[OPTION...] SWEEP.toml -o DIR | SWEEP.toml --power"},
        "SWEEP.toml -o DIR: write the plan; --power: what it would show");
}

}  // namespace outrider
