#include "features/second_radio/world.hpp"

#include "scenario/scenario.hpp"

namespace outrider {
namespace {

const SecondRadioOptions& second_radio_options(const Scenario& s) { return s.features.get<SecondRadioOptions>(); }

}  // namespace

ScenarioFeature second_radio_scenario() {
    return {.section = "radio2",
            .after = "radio",
            .options = make_options<SecondRadioOptions>,
            .parts = {{"second_radio", "radio2.range_m = 200",
                       [](const Scenario& s) {
                           const SecondRadioOptions& o = second_radio_options(s);
                           return o.any() ? fmt::format("radio2.range_m = {}", o.range_m) : std::string();
                       }}},
            .world = {{Turn::last, [](const Scenario& s, const World&) -> std::unique_ptr<WorldPart> {
                           if (!second_radio_options(s).any()) return nullptr;
                           return std::make_unique<SecondRadio>(second_radio_options(s), s.robots.size());
                       }}}};
}

}  // namespace outrider
