// The reasons that robots gave and the words that they sent, where these changed: for a search over a whole run.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "run/run.hpp"

namespace outrider::view {

struct Remark {
    int step = 0;
    RobotId robot = 0;
    /// Of a reason the name that its strategy gave it ("rule"); of words "sends topic 7", "sends topic 7 to r2".
    std::string label;
    std::string text;  ///< of words their values
};

/// Calls may come from any thread.
class Remarks {
  public:
    static constexpr std::size_t most = 1'000'000;  ///< what comes later is left out
    /// After a step, in the order of steps. Steps that were noted before change nothing.
    void note(const StepView& view);
    /// From this number on, in the order of steps.
    std::vector<Remark> from(std::size_t first) const;
    void clear();

  private:
    void note(int step, RobotId robot, std::string label, const std::string& text);

    mutable std::mutex mutex_;
    std::vector<Remark> all_;
    std::map<std::pair<RobotId, std::string>, std::string> last_;  // texts, by robot and label
    int noted_ = -1;
};

}  // namespace outrider::view
