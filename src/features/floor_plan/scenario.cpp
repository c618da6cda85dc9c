// Which scenarios tell robots a plan of the building.
#include "features/floor_plan/plan.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

const PriorOptions& prior_of(const Scenario& s) { return s.features.get<PriorOptions>(); }

void load_plan(Scenario& s, const ScenarioFiles& files) {
    files.read(s, "prior", "file", s.features.edit<PriorOptions>().file,
               [&](const std::string& path) { s.layers.plan = read_prior(s, path); });
}

void draw_plan(Scenario& s) {
    if (prior_of(s).from == PriorFrom::map) s.layers.plan = draw_prior(s);
}

void brief_plan(const Scenario& s, Briefing& briefing) { briefing.prior_map = prior_map(s); }

void check_prior(const Scenario& s) {
    const PriorOptions& o = prior_of(s);
    if (!o.file.empty() && !s.layers.plan)
        fail(
            "prior.file = {}: a plan belongs to the map of one scenario file; in sweeps and on generated maps expected "
            "from = \"map\"",
            toml_quoted(o.file));
    if (!o.file.empty() && o.from != PriorFrom::none)
        fail("prior.from = map, prior.file = {}: expected one of them", toml_quoted(o.file));
    if (!o.file.empty() && (o.missing_walls > 0 || o.invented_walls > 0 || o.unknown_share > 0))
        fail(
            "prior.file = {}: what it shows is not made worse; expected missing_walls, invented_walls and "
            "unknown_share "
            "of 0",
            toml_quoted(o.file));
}

constexpr Exclusion plan_excludes[] = {{"plan", "unknown_starts", "nobody knows where on the plan it is"}};

}  // namespace

ScenarioFeature floor_plan_scenario() {
    return {.section = "prior",
            .after = "battery",
            .options = make_options<PriorOptions>,
            .parts = {{"plan", "prior.from = 'map'",
                       [](const Scenario& s) -> std::string { return prior_of(s).any() ? "prior" : ""; }}},
            .excludes = plan_excludes,
            .load = load_plan,
            .draw = draw_plan,
            .check = check_prior,
            .brief = brief_plan};
}

}  // namespace outrider
