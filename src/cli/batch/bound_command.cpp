// outrider bound
#include <cmath>

#include "arguments/arguments.hpp"
#include "base/json.hpp"
#include "base/output.hpp"
#include "bound/reference.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "outrider/error.hpp"
#include "scenario/suite.hpp"

namespace outrider {
namespace {

struct BoundFlags {
    std::optional<std::string> scenario, output;
    std::optional<int> seconds, evaluations, seed;
    std::vector<std::string> set;
    bool json = false, force = false;
    void fields(Flags& f) {
        f.positional("scenario", scenario);
        f("o,output", output, "PLAN.json", "make a plan, too, and write it; strategy tour(plan=PLAN.json) drives it");
        f("seconds", seconds, 1, 100'000, "S",
          "effort for the plan, 30 unless given: each second stands for 10000 evaluations, whatever the machine");
        f("evaluations", evaluations, 0, 2'000'000'000, "N", "instead: so many evaluations of tours");
        f("seed", seed, 0, 1'000'000'000, "S", "of the search for a plan; otherwise 1");
        f("set", set, "key=value", "set any option, e.g. --set team.robots=8; may be repeated");
        f("json", json, "the values as JSON");
        f("force", force, "overwrite a plan that exists");
    }
};

Json number(double value) { return std::isnan(value) ? Json{} : Json{value}; }

void print_json(const LowerBounds& bounds, const std::optional<TourPlan>& plan) {
    Json::Object out;
    const auto add = [&](const std::string& name, const auto& steps) {
        out.emplace_back(name, Json{Json::Object{{"t90", number(steps[0])}, {"t99", number(steps[1])}}});
    };
    for (const LowerBound& b : bounds.all) add(std::string(b.name), b.steps);
    if (plan) add("plan", plan->times->plan);
    print_plain("{}\n", json_text({out}));
}

void print_table(const LowerBounds& bounds, const std::optional<TourPlan>& plan, const std::string& file) {
    print_plain("{:<10} {:>6} {:>6}\n", "", "T90", "T99");
    for (const LowerBound& b : bounds.all)
        print_plain("{:<10} {:>6} {:>6}  {}\n", b.name, b.steps[0], b.steps[1], b.why);
    print_plain("{:<10} {:>6} {:>6}  no team is faster\n", "bound", bounds.best(0).steps[0], bounds.best(1).steps[1]);
    if (!plan) return;
    const auto text = [](double steps) { return std::isnan(steps) ? std::string("-") : fmt::format("{:.0f}", steps); };
    print_plain("{:<10} {:>6} {:>6}  measured: a team that knows the map, which wants T99 early\n", "plan",
                text(plan->times->plan[0]), text(plan->times->plan[1]));
    print_plain("plan {}\n", file);
}

int bound(const BoundFlags& flags) {
    if (!flags.scenario) fail("expected outrider bound SCENARIO");
    if (flags.seconds && flags.evaluations) fail("--seconds does not go with --evaluations");
    for (const char* flag : {"seconds", "evaluations", "seed"})
        if (given(flags, flag) && !flags.output) fail("--{}: it is for a plan; expected -o PLAN.json, too", flag);
    if (flags.output) OutputFile(*flags.output, flags.force);
    Notes notes;
    const std::string file = file_of(*flags.scenario);
    if (is_suite(load_config(file))) fail("{}: a suite; expected a scenario", file);
    const Scenario scenario = load_scenario(file, settings_of(flags.set), notes);
    const LowerBounds bounds = lower_bounds(bound_task(scenario));
    std::optional<TourPlan> plan;
    if (flags.output) {
        ReferenceOptions options;
        if (flags.seconds) options.evaluations = *flags.seconds * evaluations_per_second;
        if (flags.evaluations) options.evaluations = *flags.evaluations;
        if (flags.seed) options.seed = static_cast<std::uint64_t>(*flags.seed);
        options.interrupted = &catch_interrupts();
        plan = make_plan(scenario, bounds, *flags.output, options);
    }
    if (flags.json)
        print_json(bounds, plan);
    else
        print_table(bounds, plan, flags.output.value_or(""));
    return 0;
}

}  // namespace

Subcommand bound_command() {
    return subcommand<BoundFlags, bound>(
        {"bound",
         "How fast a team could know the map of a scenario: steps that no team needs less than, and with -o those of a "
         "plan by a team that knows the map, as measured in a run of it (docs/bounds.md).\n",
         "[OPTION...] SCENARIO"},
        "how far from the best possible: bounds, and a plan that knows the map");
}

}  // namespace outrider
