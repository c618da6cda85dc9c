// Which scenarios tell robots a plan of the building.
#include "scenario/feature.hpp"

namespace outrider {
namespace {

void check_prior(const Scenario& s) {
    const PriorOptions& o = s.prior;
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
    return {.parts = {{"plan", "prior.from = 'map'",
                       [](const Scenario& s) -> std::string { return s.prior.any() ? "prior" : ""; }}},
            .excludes = plan_excludes,
            .check = check_prior};
}

}  // namespace outrider
