// From an intent to a command: plans routes, keeps to them, and makes the poly-line for one step.
#pragma once

#include <optional>
#include <vector>

#include "messages/decision.hpp"
#include "outrider/belief.hpp"
#include "outrider/strategy.hpp"
#include "robot/jam.hpp"

namespace outrider {

class Pilot {
  public:
    struct Result {
        Command command;
        std::optional<Point> goal;  ///< where it leads
        bool unreachable = false;   ///< there is no path to the goal
    };
    Result follow(const Action& action, const Belief& belief, Rng& rng);

  private:
    /// The command for the action, whatever stands in the way.
    Result choose(const Action& action, const Belief& belief, Rng& rng);
    Result go_to(const Goto& intent, const Belief& belief);
    Result along(const std::optional<Point>& face, const Belief& belief);
    void start(std::vector<Cell> route, const Belief& belief);
    bool blocked(const Belief& belief);
    std::size_t nearest(const Belief& belief) const;
    void advance(const Belief& belief);
    void keep_clear(const Belief& belief);
    void follow_trail(const Belief& belief);
    Command go_back(const Belief& belief) const;

    std::vector<Cell> route_;
    std::size_t next_ = 0;   // the way point ahead
    std::size_t clear_ = 0;  // up to here the route keeps clear of walls; beyond, it is merely short
    std::uint64_t checked_version_ = 0;
    std::vector<Point> trail_;  // where it was of late, by the estimates of its poses; only where these err
    int held_ = 0;              // steps in a row in which something that is not on the map stopped it where it stands
    Jam jam_;
};

}  // namespace outrider
