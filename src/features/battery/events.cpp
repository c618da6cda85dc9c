// What happens, for logs and for people.
#include "features/battery/world.hpp"
#include "log/event_feature.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

class BatteryEvents final : public EventSource {
  public:
    explicit BatteryEvents(const Batteries& batteries) : batteries_(batteries) {}
    void find(const StepView& view, std::vector<LogEvent>& events) override {
        alive_.resize(view.percepts.size(), 1);
        charging_.resize(view.percepts.size());
        for (std::size_t i = 0; i < view.percepts.size(); ++i) {
            const auto robot = static_cast<RobotId>(i);
            const Battery& battery = batteries_.of(robot);
            if (alive_[i] && !view.percepts[i].alive && battery.empty())
                events.push_back({view.step, "stranded", robot, "{}"});
            if (battery.charging() && !charging_[i]) events.push_back({view.step, "charging", robot, "{}"});
            charging_[i] = battery.charging();
            alive_[i] = view.percepts[i].alive;
        }
    }

  private:
    const Batteries& batteries_;
    std::vector<std::uint8_t> alive_, charging_;  // by robot, in the step before
};

std::string battery_in_words(std::string_view kind, const std::string& who, const std::string&) {
    if (kind == "charging") return who + " charges at a base";
    return kind == "stranded" ? who + " has an empty battery" : "";
}

}  // namespace

EventFeature battery_events() { return {source_of_part<BatteryEvents, Batteries>, battery_in_words}; }

}  // namespace outrider
