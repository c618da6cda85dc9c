// When to leave for a meeting with the parent.
#pragma once

#include "role_based/rendezvous.hpp"
#include "shared/meeting.hpp"

namespace outrider {

/// Follows one robot's agreed meeting. Measures the path there only when it could have become too long meanwhile.
class MeetingTimer {
  public:
    /// Whether it is time to leave; asked once a step, answered every second one. With multi_point, before it first
    /// says yes it looks for another own end of the meeting, once, and leaves for that. range_m: of the own radio;
    /// late: steps by which the meeting is put off.
    bool due(const Belief& belief, const RendezvousOptions& options, ParentSide& side, double range_m, int late);

  private:
    double path_cells_ = 0;  // path length to the meeting, when last measured
    int measured_ = 0;       // in that step
    std::int64_t measured_id_ = 0, end_chosen_ = 0;
};

}  // namespace outrider
