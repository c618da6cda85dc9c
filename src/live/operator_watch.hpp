// Tells an operator what became of orders: which robots obey, and whether they are in contact with the base station.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "run/run.hpp"

namespace outrider {

/// Looks at what the first base station knows; where there is none, it says nothing.
class OperatorWatch final : public Observer {
  public:
    /// After so many steps without news of a robot, contact with it is lost.
    explicit OperatorWatch(int lost_steps) : lost_steps_(lost_steps) {}
    void on_step(const StepView& view) override;
    /// "r1 obeys order 3: way_points", "no contact with r1 since step 40", "contact with r1 again", in order.
    std::vector<std::string> take() { return std::exchange(news_, {}); }

  private:
    struct Track {
        int obeyed = 0;     ///< number of the last order
        bool lost = false;  ///< contact with it
        std::uint32_t seq = 0;
        int step = 0;  ///< of the newest message
    };
    void watch(const Belief& base, RobotId robot, Track& track);

    int lost_steps_;
    int given_ = 0;
    std::map<RobotId, std::map<int, std::string>> waiting_;  // behaviours that were ordered, by number
    std::map<RobotId, Track> tracks_;
    std::vector<std::string> news_;
};

}  // namespace outrider
