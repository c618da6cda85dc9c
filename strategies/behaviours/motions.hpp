// Motions of the UvA Rescue robots that do without a map: each looks around and says how to drive in this step, or
// which motion goes on from here. Lengths in metres; a forward speed of 1 is half of the robot's greatest, turns are in
// radians per second, leftward above 0.
// Source: UvA Rescue, team description and code of the RoboCup Rescue simulation league, 2006 to 2012 (the constants);
// README.md has the rules as tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "behaviours/surroundings.hpp"

namespace outrider {

enum class MotionKind {
    main,  ///< that of the mode, which uses the map
    corridor_walk,
    random_walk,
    obstacle_avoidance,
    avoid_victim,
    avoid_team_mate,
    retreat
};
inline constexpr std::array<std::string_view, 7> motion_names{
    "main", "corridor walk", "random walk", "obstacle avoidance", "avoid victim", "avoid team-mate", "retreat"};

struct Speeds {
    double forward = 0, turn = 0;
    bool operator==(const Speeds&) const = default;
};

/// What a motion does in a step. With `next`, another one goes on: in this step if there are no speeds, in the next
/// step if there are.
struct MotionStep {
    std::optional<Speeds> drive;
    std::optional<MotionKind> next;
    std::string rule;         ///< that led to it, for people
    bool for_a_step = false;  ///< a main motion that is left goes on as soon as this is over
};

/// Steered to the freest of seven sectors ahead.
MotionStep corridor_walk(const Surroundings& around);
/// Away from a victim, to the freer side.
MotionStep avoid_victim(const Surroundings& around);
/// Gives way to the nearest team-mate with a lower number.
MotionStep avoid_team_mate(const Surroundings& around);
/// Backwards until the floor is level.
MotionStep retreat(const Surroundings& around);

/// Straight on while there is room, else to the freer side, until there is room again.
class RandomWalk {
  public:
    MotionStep step(const Surroundings& around);
    void begin() { turns_ = 0; }

  private:
    double turns_ = 0;  // to this side; 0: not yet
};

/// Turns away from what is close ahead, by a quarter or an eighth of a circle.
class ObstacleAvoidance {
  public:
    MotionStep step(const Surroundings& around);
    void begin() { to_turn_.reset(); }

  private:
    std::optional<double> to_turn_;  // what is left of a turn, in radians
    double yaw_ = 0;                 // after the last step
};

/// The motion that takes over from another one: the floor is steep, a victim or a team-mate with a lower number is
/// within a metre.
std::optional<MotionStep> interrupted(MotionKind motion, const Surroundings& around);

/// Drives by an operator that end before walls. The first order after a pause is refused when something is close ahead;
/// those that follow within 2 s pass.
class ConservativeGuard {
  public:
    /// The alert when an order to drive at so many metres per second is refused; empty: it passes.
    std::string refuse(const Surroundings& around, double forward_mps);

  private:
    std::optional<double> last_order_s_;
};

}  // namespace outrider
