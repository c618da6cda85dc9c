// What became of an operator's orders: counted from what robots perceive and say, as a log has it.
#pragma once

#include <cstdint>
#include <vector>

#include "run/run.hpp"

namespace outrider {

class OrderCounts {
  public:
    void on_step(const StepView& view);
    std::int64_t given() const { return given_; }
    /// One that a newer order for the same robot replaced before it arrived is not obeyed.
    std::int64_t obeyed() const { return obeyed_; }
    /// Steps from giving an order to obeying it, summed over those obeyed.
    std::int64_t latency_steps() const { return latency_; }
    /// Robot-steps under an order, and those in which the robot had nothing to do.
    std::int64_t operated() const { return operated_; }
    std::int64_t waited() const { return waited_; }

  private:
    struct Sent {
        int step = 0;
        bool autonomous = false;  ///< it gives the robot back to its strategy
    };
    struct Track {
        int obeyed = 0;  ///< number of the last order by radio
        bool under_order = false;
    };
    std::vector<Sent> sent_;     // by number, from 1
    std::vector<Track> tracks_;  // by robot
    std::int64_t given_ = 0, obeyed_ = 0, latency_ = 0, operated_ = 0, waited_ = 0;
};

}  // namespace outrider
