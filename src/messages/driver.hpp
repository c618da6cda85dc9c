// Where percepts come from and decisions go to: a simulated world, a log, or live robots.
#pragma once

#include <span>

#include "messages/decision.hpp"
#include "outrider/percept.hpp"

namespace outrider {

class Driver {
  public:
    virtual ~Driver() = default;
    /// Fills one percept per robot, by number. False: there is no more.
    virtual bool sense(std::span<Percept> percepts) = 0;
    /// Takes one decision per robot, by number.
    virtual void act(std::span<const Decision> decisions) = 0;
    /// All robots in an order in which those near each other mostly follow each other; empty: by number is as good.
    virtual std::span<const int> order() const { return {}; }
};

}  // namespace outrider
