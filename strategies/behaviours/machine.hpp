// The machine of modes and motions: which motion drives in a step, and what makes another one take over.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "behaviours/motions.hpp"
#include "outrider/intent.hpp"

namespace outrider {

enum class Mode {
    autonomous,
    follow_waypoints,
    tele_operation,
    conservative,
    deployment,
    explore_traversability,
    follow_corridor
};
inline constexpr std::array<std::string_view, 7> mode_names{
    "autonomous", "follow_waypoints",       "tele_operation", "conservative",
    "deployment", "explore_traversability", "follow_corridor"};

/// Seconds after which a main motion that was dropped is tried again.
double retry_s(Mode mode);

class MotionMachine {
  public:
    explicit MotionMachine(Mode mode) : mode_(mode) {}

    /// What the main motion of the mode does by the map; Stay: it waits; no action: it fails, and `why`.
    struct Plan {
        std::optional<Action> action;
        std::string why;
    };
    /// What an operator wants in this step, in metres and radians per second.
    struct Steering {
        double forward = 0, turn = 0;
    };
    struct Choice {
        Action action;
        std::vector<std::string_view> active;  ///< motions, the one that drives first
        std::string rule;                      ///< why this one, and each that handed over to it in this step
        std::string alert;                     ///< for the operator; mostly empty
    };
    Mode mode() const { return mode_; }
    /// Another mode begins with its main motion.
    void change_mode(Mode mode);
    /// `greatest_mps`: of the robot. `plan` is called when the main motion drives.
    Choice step(const Surroundings& around, double greatest_mps, const std::optional<Steering>& steering,
                const std::function<Plan()>& plan);

  private:
    Choice steer(const Surroundings& around, double greatest_mps, const std::optional<Steering>& steering);
    MotionStep run(const Surroundings& around, const std::function<Plan()>& plan, std::optional<Action>& planned);
    void hand_over(MotionKind to, bool for_a_step, double now_s);
    void note_progress(const Surroundings& around);
    bool stuck(const Surroundings& around) const;

    Mode mode_;
    MotionKind motion_ = MotionKind::main;
    double dropped_s_ = 0;   // when the main motion was dropped, while another one drives
    bool dropped_ = false;   // it failed: it is tried again only after a while
    bool gave_way_ = false;  // in this step: nobody interrupts once more
    RandomWalk walk_;
    ObstacleAvoidance avoidance_;
    ConservativeGuard guard_;
    std::optional<Point> anchor_;  // from where progress is measured, since:
    double since_s_ = 0;
    bool presses_on_ = false;  // the other motions got nowhere: nothing interrupts until it has moved
};

}  // namespace outrider
