// What a base station does for an operator: it keeps the orders until the robots acknowledge them.
#pragma once

#include <map>

#include "messages/order_words.hpp"
#include "robot/robot_part.hpp"

namespace outrider {

class OrderDesk final : public Copied<OrderDesk, RobotPart> {
  public:
    /// Takes in the orders that the base station perceives, and what it heard of the robots. The newest order for a
    /// robot replaces one that is still kept; way-points to be added to kept ones are appended to them. Each that is
    /// kept becomes a word.
    void after_choice(Knowledge& known, Intent& intent) override;
    bool waits() const override { return !kept_.empty(); }
    /// Orders that were not acknowledged yet, by robot.
    const std::map<RobotId, NumberedOrder>& kept() const { return kept_; }

  private:
    std::map<RobotId, NumberedOrder> kept_;
    int last_ = 0;  // number of the last order
};

}  // namespace outrider
