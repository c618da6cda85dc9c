// What happens, for logs and for people.
#include "features/NAME/world.hpp"
#include "log/event_feature.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

constexpr std::string_view NAME_entry = "NAME_entered";

void find_NAME_entries(const StepView& view, const SimDriver& driver, std::vector<LogEvent>& events) {
    const auto* field = driver.part<CamelField>();
    for (std::size_t i = 0; field && i < field->inside().size(); ++i)
        if (const auto [now, before] = field->inside()[i]; now && !before)
            events.push_back({view.step, NAME_entry, static_cast<RobotId>(i), "{}"});
}

std::string NAME_in_words(std::string_view kind, const std::string& who, const std::string&) {
    return kind == NAME_entry ? who + " comes within reach of the NAME" : "";
}

}  // namespace

EventFeature NAME_events() { return {find_NAME_entries, NAME_in_words}; }

}  // namespace outrider
