// What happens, for logs and for people.
#include "features/NAME/world.hpp"
#include "log/event_feature.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

constexpr std::string_view NAME_entry = "NAME_entered";

class CamelEntries final : public EventSource {
  public:
    explicit CamelEntries(const CamelField& field) : field_(field) {}
    void find(const StepView& view, std::vector<LogEvent>& events) override {
        for (std::size_t i = 0; i < field_.inside().size(); ++i)
            if (const auto [now, before] = field_.inside()[i]; now && !before)
                events.push_back({view.step, NAME_entry, static_cast<RobotId>(i), "{}"});
    }

  private:
    const CamelField& field_;
};

std::string NAME_in_words(std::string_view kind, const std::string& who, const std::string&) {
    return kind == NAME_entry ? who + " comes within reach of the NAME" : "";
}

}  // namespace

EventFeature NAME_events() { return {source_of_part<CamelEntries, CamelField>, NAME_in_words}; }

}  // namespace outrider
