#include "robot/operator_control.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

constexpr int patience_steps = 4;  // a robot may have to turn before it drives, or to look where it has not looked yet

/// As near as it can get by what it knows now: it may learn more while driving.
Goto towards(const Belief& belief, Point goal) {
    const bool reached = belief.nav().reached(belief.map().lattice().cell_of(goal));
    return {goal, reached ? 0 : 0.99 * distance(belief.pose().position(), goal), {}};
}

/// Whether the body's path at these velocities is known to be free, as far as it drives in a step and a half.
bool way_is_known(const Belief& belief, const OperatorCommand& command) {
    const Lattice& lattice = belief.map().lattice();
    const Pose& pose = belief.pose();
    const double length =
        1.5 * command.forward * belief.briefing().step_s + 2 * lattice.cell_m * (command.forward < 0 ? -1 : 1);
    const auto [s, c] = sin_cos(pose.yaw + command.turn * belief.briefing().step_s / 2);
    const Point end{pose.x + c * length, pose.y + s * length};
    return walk_segment(lattice.to_cells(pose.position()), lattice.to_cells(end),
                        [&](Cell cell, double) { return cell == belief.cell() || belief.map().is_free(cell); });
}

}  // namespace

OperatorControl::OperatorControl(const OperatorOptions& options, const Briefing& briefing) : options_(options) {
    if (options.through == OrdersThrough::radio) base_ = first_base(briefing);
}

std::optional<Action> OperatorControl::steer(const Belief& belief, const std::vector<OperatorCommand>& orders) {
    std::optional<Action> now;
    for (const OperatorCommand& order : orders)
        if (!is_behaviour(order.behaviour) || order.behaviour == behaviour_names[0]) now = obey(belief, order);
    const bool lost = out_of_contact(belief), came_back = lost_ && !lost;
    if (came_back && options_.lost == WithoutContact::retreat) way_points_.clear();
    lost_ = lost && !autonomous_ && options_.lost != WithoutContact::go_on;
    if (lost_)
        now = options_.lost == WithoutContact::stop ? Action(Stay{}) : Action(towards(belief, belief.home()));
    else if (!autonomous_ && !now)
        now = next_way_point(belief);
    last_ = belief.pose().position();
    return now;
}

/// Those that it perceives, then a new one by radio.
std::vector<OperatorCommand> OperatorControl::listen(const Belief& belief, const Pose& map_from_base) {
    std::vector<OperatorCommand> orders;
    for (const OperatorCommand& command : belief.percept().commands)
        if (command.to < 0 && is_order(command.behaviour)) orders.push_back(command);
    if (base_ < 0 || base_ == belief.self()) return orders;
    for (const Word& word : belief.latest(base_).words) {
        auto order = read_order(word, belief.self());
        if (!order || order->number <= obeyed_) continue;
        obeyed_ = order->number;
        for (Point& p : order->command.way_points) p = transform(map_from_base, p);
        orders.push_back(std::move(order->command));
    }
    return orders;
}

/// What an order says to do in this step, if it says so.
std::optional<Action> OperatorControl::obey(const Belief& belief, const OperatorCommand& order) {
    const bool drive = order.behaviour == "drive", careful = order.behaviour == "drive_carefully";
    autonomous_ = order.behaviour == "autonomous";
    still_ = 0;
    if (order.behaviour != "add") way_points_.clear();
    way_points_.insert(way_points_.end(), order.way_points.begin(), order.way_points.end());
    if (drive || (careful && (order.forward == 0 || way_is_known(belief, order))))
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

void OperatorControl::add_words(const Belief& belief, bool lost, std::vector<Word>& words) const {
    if (base_ < 0 || base_ == belief.self()) return;
    if (obeyed_ > 0) words.push_back(obeyed_word(obeyed_, base_));
    if (!options_.reports) return;
    const Percept& percept = belief.percept();
    words.push_back(report_word({percept.battery, percept.bumped, lost, percept.links}, base_));
}

std::string OperatorControl::said() const {
    if (lost_) return options_.lost == WithoutContact::stop ? "stops: no contact" : "drives home: no contact";
    return way_points_.empty() ? "drives it" : fmt::format("drives it, {} way-points left", way_points_.size());
}

/// A way-point counts as reached in its cell, or where the robot gets no nearer.
Action OperatorControl::next_way_point(const Belief& belief) {
    const Point here = belief.pose().position();
    still_ = here == last_ ? still_ + 1 : 0;
    while (!way_points_.empty()) {
        const Point goal = way_points_.front();
        const Cell cell = belief.map().lattice().cell_of(goal);
        const bool unseen = belief.map().state(cell) == CellState::unknown;
        if (belief.cell() != cell && still_ < (unseen ? 2 : 1) * patience_steps) {
            if (unseen && still_ > 1 && still_ <= patience_steps) return Stay{goal};
            return towards(belief, goal);
        }
        way_points_.erase(way_points_.begin());
        still_ = 0;
    }
    return Stay{};
}

}  // namespace outrider
