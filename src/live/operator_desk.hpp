// Where an operator's orders for a live team come in, from a file, from keys or from a viewer's window, and where what
// became of them is told.
#pragma once

#include <string>
#include <vector>

#include "live/live_orders.hpp"
#include "live/operator_watch.hpp"
#include "live/viewers.hpp"
#include "messages/operator_options.hpp"

namespace outrider {

class OperatorDesk {
  public:
    /// `reached`: the robots that orders of viewers can be for. The scenario outlives this.
    OperatorDesk(const Scenario& scenario, std::vector<RobotId> reached)
        : from_viewers_(scenario, std::move(reached)), watch_(scenario.features.get<OperatorOptions>().lost_steps) {}

    /// These orders, which outlive this, come first: while there are more of them, viewers give none.
    void obey(LiveOrders& orders) { given_ = &orders; }
    /// Of the step that is about to begin. `viewers`: nullptr where nobody looks on.
    std::vector<OperatorOrder> due(int step, Viewers* viewers);
    /// Whether no more orders come, as far as is known.
    bool over() const { return from_viewers_.over() && (!given_ || given_->over()); }
    /// What happened in a step, for people: lines that are no orders, and where somebody gives orders, who obeyed, and
    /// with whom there is no contact. Viewers are told all of it.
    std::vector<std::string> take_news(int step, Viewers* viewers);
    /// Looks at each step.
    Observer& watch() { return watch_; }

  private:
    LiveOrders* given_ = nullptr;
    LiveOrders from_viewers_;
    OperatorWatch watch_;
    bool operated_ = false;  ///< by a viewer, at some time
};

}  // namespace outrider
