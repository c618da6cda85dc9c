// How scenarios say what becomes of an operator's orders.
#include "messages/operator_options.hpp"
#include "scenario/feature.hpp"

namespace outrider {

ScenarioFeature operator_scenario() {
    return {.section = "operator", .after = "sighting", .options = make_options<OperatorOptions>};
}

}  // namespace outrider
