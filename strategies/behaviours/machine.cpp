#include "behaviours/machine.hpp"

#include <algorithm>
#include <utility>

namespace outrider {
namespace {

constexpr double patience_s = 60, progress_m = 1;

std::string_view main_name(Mode mode) {
    switch (mode) {
        case Mode::autonomous:
            return "frontier exploration";
        case Mode::follow_waypoints:
            return "following";
        case Mode::deployment:
            return "deployment";
        case Mode::explore_traversability:
            return "explore terrain";
        case Mode::follow_corridor:
            return "corridor walk";
        case Mode::tele_operation:
        case Mode::conservative:
            break;
    }
    return "no motion";
}

bool sensor_based(MotionKind motion) {
    return motion == MotionKind::corridor_walk || motion == MotionKind::random_walk ||
           motion == MotionKind::obstacle_avoidance || motion == MotionKind::retreat;
}

Drive drive_of(const Speeds& speeds, double greatest_mps) {
    return {std::clamp(speeds.forward, -2.0, 2.0) * greatest_mps / 2, speeds.turn};
}

}  // namespace

double retry_s(Mode mode) {
    if (mode == Mode::follow_waypoints) return 60;
    return mode == Mode::follow_corridor ? 0 : 120;
}

void MotionMachine::change_mode(Mode mode) {
    mode_ = mode;
    motion_ = MotionKind::main;
    dropped_ = false;
    anchor_.reset();
    guard_ = {};
}

MotionMachine::Choice MotionMachine::step(const Surroundings& around, double greatest_mps,
                                          const std::optional<Steering>& steering, const std::function<Plan()>& plan) {
    if (mode_ == Mode::tele_operation || mode_ == Mode::conservative) return steer(around, greatest_mps, steering);
    Choice choice;
    gave_way_ = false;
    note_progress(around);
    const bool useless = motion_ != MotionKind::main && stuck(around);
    const bool again = dropped_ && around.time_s - dropped_s_ >= retry_s(mode_);
    if (useless || (sensor_based(motion_) && mode_ != Mode::follow_corridor && (again || !dropped_))) {
        motion_ = MotionKind::main;
        if (useless || again) since_s_ = around.time_s;
        presses_on_ = presses_on_ || useless;
        if (std::exchange(dropped_, false)) choice.rule = std::string(main_name(mode_)) + " is tried again; ";
    }
    // Each motion hands over at most once in a step.
    for (std::size_t handed = 0; handed <= motion_names.size(); ++handed) {
        std::optional<Action> planned;
        const MotionKind now = motion_;
        MotionStep outcome = run(around, plan, planned);
        choice.rule += outcome.rule;
        if (outcome.next) hand_over(*outcome.next, outcome.for_a_step, around.time_s);
        if (planned || outcome.drive) {
            choice.action = planned ? std::move(*planned) : Action(drive_of(*outcome.drive, greatest_mps));
            choice.active = {now == MotionKind::main ? main_name(mode_) : motion_names[static_cast<std::size_t>(now)]};
            return choice;
        }
        choice.rule += ": " +
                       std::string(motion_ == MotionKind::main ? main_name(mode_)
                                                               : motion_names[static_cast<std::size_t>(motion_)]) +
                       "; ";
    }
    choice.rule += "no motion wants to drive";
    return choice;
}

/// One motion, or what interrupts it.
MotionStep MotionMachine::run(const Surroundings& around, const std::function<Plan()>& plan,
                              std::optional<Action>& planned) {
    if (!gave_way_ && !presses_on_)
        if (auto other = interrupted(motion_, around)) return std::move(*other);
    switch (motion_) {
        case MotionKind::main:
            break;
        case MotionKind::corridor_walk:
            return corridor_walk(around);
        case MotionKind::random_walk:
            return walk_.step(around);
        case MotionKind::obstacle_avoidance:
            return avoidance_.step(around);
        case MotionKind::avoid_victim:
            return avoid_victim(around);
        case MotionKind::avoid_team_mate:
            return avoid_team_mate(around);
        case MotionKind::retreat:
            return retreat(around);
    }
    if (mode_ == Mode::follow_corridor) {
        MotionStep outcome = corridor_walk(around);
        if (outcome.next == MotionKind::main) outcome.next = MotionKind::obstacle_avoidance;  // there is nothing else
        return outcome;
    }
    if (dropped_) return {{}, MotionKind::random_walk, std::string(main_name(mode_)) + " waits to be tried again"};
    if (stuck(around)) return {{}, MotionKind::corridor_walk, "no progress for 60 s"};
    Plan made = plan();
    planned = std::move(made.action);
    if (planned && std::holds_alternative<Stay>(*planned))
        since_s_ = around.time_s;  // it waits: that is no lack of progress
    if (planned) return {{}, {}, std::move(made.why)};
    return {{}, MotionKind::random_walk, std::move(made.why)};
}

void MotionMachine::hand_over(MotionKind to, bool for_a_step, double now_s) {
    const bool gives_up = motion_ == MotionKind::main && sensor_based(to) && !for_a_step;
    gave_way_ = gave_way_ || (!sensor_based(motion_) && motion_ != MotionKind::main);
    if (gives_up && !dropped_) {
        dropped_ = true;
        dropped_s_ = now_s;
    }
    if (to == MotionKind::obstacle_avoidance) avoidance_.begin();
    if (to == MotionKind::random_walk) walk_.begin();
    if (to == MotionKind::main && motion_ == MotionKind::corridor_walk) dropped_ = false;  // as its rule asks for it
    motion_ = to;
}

void MotionMachine::note_progress(const Surroundings& around) {
    if (anchor_ && distance(*anchor_, around.pose.position()) <= progress_m) return;
    anchor_ = around.pose.position();
    since_s_ = around.time_s;
    presses_on_ = false;
}

bool MotionMachine::stuck(const Surroundings& around) const { return around.time_s - since_s_ >= patience_s; }

MotionMachine::Choice MotionMachine::steer(const Surroundings& around, double greatest_mps,
                                           const std::optional<Steering>& steering) {
    Choice choice;
    const bool guarded = mode_ == Mode::conservative;
    if (!around.operator_in_contact) {
        choice.action = drive_of({-1, 0}, greatest_mps);
        choice.active = {"retreat"};
        choice.rule = "out of contact with the operator: backs off";
        return choice;
    }
    choice.active = {steering ? "tele-operation" : "no motion"};
    if (guarded) choice.active.emplace_back("guard");
    choice.rule = steering ? "as the operator steers" : "waits for the operator";
    if (!steering) return choice;
    if (guarded) choice.alert = guard_.refuse(around, steering->forward);
    if (choice.alert.empty()) {
        choice.action = Drive{steering->forward, steering->turn};
    } else {
        choice.active = {"guard"};  // excludes the other
        choice.rule = "the guard halts: something is close ahead";
    }
    return choice;
}

}  // namespace outrider
