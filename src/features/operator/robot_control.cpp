// An operator's order takes precedence over the robot's strategy until the order "autonomous", unless the strategy sees
// to orders itself.
#include <fmt/core.h>

#include <utility>

#include "messages/operator_options.hpp"
#include "messages/order_words.hpp"
#include "outrider/belief.hpp"
#include "outrider/intent.hpp"
#include "outrider/ray.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

constexpr int patience_steps = 4;  // a robot may have to turn before it drives, or to look where it has not looked yet

/// As near as it can get by what it knows now: it may learn more while driving.
Goto towards(const Belief& belief, Point goal) {
    const bool reached = belief.nav().reached(belief.map().lattice().cell_of(goal));
    return {goal, reached ? 0 : 0.99 * distance(belief.pose().position(), goal), {}};
}

/// Whether the body's path at these velocities is known to be free, as far as it drives in a step and a half.
bool path_is_known(const Belief& belief, const OperatorCommand& command) {
    const Lattice& lattice = belief.map().lattice();
    const Pose& pose = belief.pose();
    const double length =
        1.5 * command.forward * belief.briefing().step_s + 2 * lattice.cell_m * (command.forward < 0 ? -1 : 1);
    const auto [s, c] = sin_cos(pose.yaw + command.turn * belief.briefing().step_s / 2);
    const Point end{pose.x + c * length, pose.y + s * length};
    return walk_segment(lattice.to_cells(pose.position()), lattice.to_cells(end),
                        [&](Cell cell, double) { return cell == belief.cell() || belief.map().is_free(cell); });
}

/// Marks of places are for people: a base station takes them down.
void say_marks(const Knowledge& known, Intent& intent) {
    for (const OperatorCommand& c : known.percept->commands)
        if (c.behaviour.starts_with("mark ") && !c.waypoints.empty())
            intent.overlays.push_back(
                Overlay::note(Overlay::Meaning::rule, "operator",
                              fmt::format("{} at ({:.1f}, {:.1f})", c.behaviour, c.waypoints[0].x, c.waypoints[0].y)));
}

/// Orders that a robot knows: "autonomous" (its strategy), "way_points" (one after the other, then it waits), "add"
/// (further way-points), "clear" (drops those that are left, and waits), "drive" (the velocities, for one step; then it
/// waits), "drive_carefully" (the same, but only over cells that it knows to be free), "stop". Anything else is
/// ignored.
class OperatorControl final : public Copied<OperatorControl, RobotPart> {
  public:
    OperatorControl(const Briefing& briefing, const RobotOptions& options)
        : options_(options.features.get_or_default<OperatorOptions>()), steers_(!options.takes_orders) {
        if (options_.through == OrdersThrough::radio) base_ = first_base(briefing);
    }
    void before_choice(Knowledge& known) override;
    void after_choice(Knowledge& known, Intent& intent) override;

  private:
    std::optional<Action> steer(const Belief& belief);
    std::optional<Action> obey(const Belief& belief, const OperatorCommand& order);
    Action next_waypoint(const Belief& belief);
    bool out_of_contact(const Belief& belief);
    std::string text() const;

    OperatorOptions options_;
    bool steers_;
    RobotId base_ = -1;  // that gives orders by radio; -1: none
    bool autonomous_ = true, lost_ = false;
    std::vector<Point> waypoints_;  // still to be reached
    Point last_;                    // where it stood in the step before
    int still_ = 0;                 // steps that it stood there instead of driving to the next one
    int obeyed_ = 0;                // number of the last order by radio
    std::uint32_t news_ = 0;        // the newest message of the base station
    int news_step_ = 0;             // when it came
};

/// The orders of the step: those that the robot perceives, then by radio a new one of the first base station.
void OperatorControl::before_choice(Knowledge& known) {
    known.orders.clear();
    for (const OperatorCommand& command : known.percept->commands)
        if (command.to < 0 && is_order(command.behaviour)) known.orders.push_back(command);
    if (base_ < 0 || base_ == known.briefing.self) return;
    const Pose map_from_base = known.frames() ? known.frames()->place(base_).value_or(Pose{}) : Pose{};
    for (const Word& word : Belief(known).latest(base_).words) {
        auto order = read_order(word, known.briefing.self);
        if (!order || order->number <= obeyed_) continue;
        obeyed_ = order->number;
        for (Point& p : order->command.waypoints) p = transform(map_from_base, p);
        known.orders.push_back(std::move(order->command));
    }
}

/// Carries orders out, and says that it obeyed, and how it is, if the operator wants to know.
void OperatorControl::after_choice(Knowledge& known, Intent& intent) {
    const Belief belief(known);
    if (known.overlays_wanted) say_marks(known, intent);
    if (auto ordered = steers_ ? steer(belief) : std::nullopt) {
        intent.action = std::move(*ordered);
        intent.done = false;
        if (known.overlays_wanted) intent.overlays.push_back(Overlay::note(Overlay::Meaning::rule, "operator", text()));
    }
    if (base_ < 0 || base_ == belief.self()) return;
    if (obeyed_ > 0) intent.words.push_back(obeyed_word(obeyed_, base_));
    if (!options_.reports) return;
    const Percept& percept = belief.percept();
    intent.words.push_back(report_word({percept.battery, percept.bumped, known.estimate.lost, percept.links}, base_));
}

/// What to do instead of the strategy's action; none: what the strategy chose.
std::optional<Action> OperatorControl::steer(const Belief& belief) {
    std::optional<Action> now;
    for (const OperatorCommand& order : belief.orders())
        if (!is_behaviour(order.behaviour) || order.behaviour == behaviour_names[0]) now = obey(belief, order);
    const bool lost = out_of_contact(belief), came_back = lost_ && !lost;
    if (came_back && options_.lost == WithoutContact::retreat) waypoints_.clear();
    lost_ = lost && !autonomous_ && options_.lost != WithoutContact::go_on;
    if (lost_)
        now = options_.lost == WithoutContact::stop ? Action(Stay{}) : Action(towards(belief, belief.home()));
    else if (!autonomous_ && !now)
        now = next_waypoint(belief);
    last_ = belief.pose().position();
    return now;
}

/// What an order says to do in this step, if it says so.
std::optional<Action> OperatorControl::obey(const Belief& belief, const OperatorCommand& order) {
    const bool drive = order.behaviour == "drive", careful = order.behaviour == "drive_carefully";
    autonomous_ = order.behaviour == "autonomous";
    still_ = 0;
    if (order.behaviour != "add") waypoints_.clear();
    waypoints_.insert(waypoints_.end(), order.waypoints.begin(), order.waypoints.end());
    if (drive || (careful && (order.forward == 0 || path_is_known(belief, order))))
        return Drive{order.forward, order.turn};
    return {};
}

/// Whether nothing new came from the base station for long.
bool OperatorControl::out_of_contact(const Belief& belief) {
    if (base_ < 0) return false;
    const std::uint32_t seq = belief.latest(base_).seq;
    if (seq != std::exchange(news_, seq)) news_step_ = belief.step();
    return belief.step() - news_step_ > options_.lost_steps;
}

/// What it does, in words, while it carries out an order.
std::string OperatorControl::text() const {
    if (lost_) return options_.lost == WithoutContact::stop ? "stops: no contact" : "drives home: no contact";
    return waypoints_.empty() ? "drives it" : fmt::format("drives it, {} way-points left", waypoints_.size());
}

/// A way-point counts as reached in its cell, or where the robot gets no nearer.
Action OperatorControl::next_waypoint(const Belief& belief) {
    const Point here = belief.pose().position();
    still_ = here == last_ ? still_ + 1 : 0;
    while (!waypoints_.empty()) {
        const Point goal = waypoints_.front();
        const Cell cell = belief.map().lattice().cell_of(goal);
        const bool unseen = belief.map().state(cell) == CellState::unknown;
        if (belief.cell() != cell && still_ < (unseen ? 2 : 1) * patience_steps) {
            if (unseen && still_ > 1 && still_ <= patience_steps) return Stay{goal};
            return towards(belief, goal);
        }
        waypoints_.erase(waypoints_.begin());
        still_ = 0;
    }
    return Stay{};
}

}  // namespace

std::unique_ptr<RobotPart> make_operator_part(const Briefing& briefing, const RobotOptions& options) {
    return std::make_unique<OperatorControl>(briefing, options);
}

}  // namespace outrider
