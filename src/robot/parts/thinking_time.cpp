// A strategy that thinks for some steps: what it wants is done so much later, and until then nothing.
#include <deque>

#include "outrider/intent.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

class ThinkingTime final : public Copied<ThinkingTime, RobotPart> {
  public:
    explicit ThinkingTime(int steps) : waiting_(static_cast<std::size_t>(steps)) {}
    void after_choice(Knowledge&, Intent& intent) override {
        waiting_.push_back(std::move(intent));
        intent = std::move(waiting_.front());
        waiting_.pop_front();
    }

  private:
    std::deque<Intent> waiting_;  // the oldest first
};

}  // namespace

std::unique_ptr<RobotPart> make_thinking_time_part(const Briefing&, const RobotOptions& options) {
    return options.think_steps > 0 ? std::make_unique<ThinkingTime>(options.think_steps) : nullptr;
}

}  // namespace outrider
