#include "metrics/standstill.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace outrider {
namespace {

/// What its strategy shows as its rule or state.
std::string reasons_of(const Decision& decision) {
    std::string text;
    for (const Overlay& o : decision.overlays)
        if (o.meaning == Overlay::Meaning::rule || o.meaning == Overlay::Meaning::state)
            if (!o.text.empty()) text += (text.empty() ? "" : "; ") + o.text;
    return text;
}

/// Where a goal would be if it had been given in cells instead of metres; none: that makes no better sense.
std::optional<Point> meant_in_cells(const Belief& belief, Point goal) {
    const Lattice& lattice = belief.map().lattice();
    constexpr double far = 1e6;
    if (!(std::abs(goal.x) < far && std::abs(goal.y) < far) || belief.map().is_free(lattice.cell_of(goal))) return {};
    const Cell cell{static_cast<int>(std::floor(goal.x)), static_cast<int>(std::floor(goal.y))};
    if (!belief.map().is_free(cell)) return {};
    return lattice.centre(cell);
}

}  // namespace

Standstills::Standstills(const SimDriver& driver, Point map_from_team)
    : driver_(&driver), map_from_team_(map_from_team) {
    for (const Body& body : driver.world().bodies()) tracks_.push_back({.anchor = body.pose.position()});
}

std::string Standstills::place(Point p) const {
    return fmt::format("({:.2f}, {:.2f}) m", p.x + map_from_team_.x, p.y + map_from_team_.y);
}

/// A robot gets on when it leaves its place or sees something new; nothing is expected of one that is done.
bool Standstills::gets_on(const StepView& view, std::size_t i) const {
    const Belief& belief = view.team[i].belief();
    if (!view.percepts[i].alive || view.decisions[i].done || belief.last_discovery() >= view.step) return true;
    const double radius_m = radius_cells * driver_->world().lattice().cell_m;
    return distance(driver_->world().bodies()[i].pose.position(), tracks_[i].anchor) > radius_m;
}

void Standstills::look_at_goal(const StepView& view, std::size_t i) {
    const Belief& belief = view.team[i].belief();
    const std::optional<Point>& goal = belief.latest(belief.self()).goal;
    if (goal == tracks_[i].goal) return;
    tracks_[i].goal = goal;
    tracks_[i].goal_since = view.step;
}

void Standstills::on_step(const StepView& view) {
    asked_.clear();
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        if (!view.team[i].belief().briefing().me().mobile) continue;
        Track& track = tracks_[i];
        look_at_goal(view, i);
        if (gets_on(view, i)) {
            track.anchor = driver_->world().bodies()[i].pose.position();
            track.since = view.step + 1;
            track.entry = -1;
            continue;
        }
        const int steps = view.step - track.since + 1;
        // Who has waited and just sets out is given some steps, but not for ever: goals may change all the time.
        const bool sets_out = track.goal && view.step - track.goal_since < new_goal && steps < patience + 2 * new_goal;
        if (track.entry < 0 && steps >= patience && !sets_out) note(view, i);
        if (track.entry < 0 && steps >= patience - 1) asked_.push_back(static_cast<RobotId>(i));
        if (track.entry >= 0) list_[static_cast<std::size_t>(track.entry)].to = view.step;
    }
}

void Standstills::note(const StepView& view, std::size_t i) {
    tracks_[i].entry = std::ssize(list_);
    Standstill found;
    found.robot = static_cast<RobotId>(i);
    found.from = tracks_[i].since;
    found.to = view.step;
    describe(view, i, found);
    list_.push_back(std::move(found));
}

void Standstills::close(const StepView& last) {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        const bool could = last.team[i].belief().briefing().me().mobile && last.percepts[i].alive;
        if (!could || driver_->world().bodies()[i].travelled_m > 0 || last.step + 1 < few_steps) continue;
        if (tracks_[i].entry < 0 && !last.decisions[i].done) note(last, i);
        if (tracks_[i].entry >= 0) list_[static_cast<std::size_t>(tracks_[i].entry)].never_moved = true;
    }
}

/// Names of the robots whose bodies are within two metres or so.
std::string Standstills::who_is_near(const Briefing& team, std::size_t i) const {
    const auto& bodies = driver_->world().bodies();
    const double near_m = 2 * radius_cells * driver_->world().lattice().cell_m;
    std::string names;
    for (std::size_t k = 0; k < bodies.size(); ++k)
        if (k != i && bodies[k].alive && distance(bodies[k].pose.position(), bodies[i].pose.position()) <= near_m)
            names += (names.empty() ? "" : ", ") + team.team()[k].name;
    return names;
}

void Standstills::describe(const StepView& view, std::size_t i, Standstill& out) const {
    const Belief& belief = view.team[i].belief();
    const Decision& decision = view.decisions[i];
    const TeamRecord& own = belief.latest(belief.self());
    const std::string reasons = reasons_of(decision);
    const Lattice& lattice = belief.map().lattice();
    const std::string quoted = reasons.empty() ? "" : fmt::format("; its strategy says \"{}\"", reasons);
    if (!own.goal) {
        out.stated_wait = !reasons.empty();
        out.why = reasons.empty() ? "its strategy gives it no goal" : fmt::format("it waits: \"{}\"", reasons);
        return;
    }
    const Point goal = *own.goal;
    const Cell cell = lattice.cell_of(goal);
    // A goal that cannot be reached may have a tolerance: then the robot stands at the nearest cell that can.
    const bool content = !belief.goal_unreachable() && decision.command.path_body.empty() && !view.percepts[i].bumped;
    const bool near = distance(belief.pose().position(), goal) <= 1.5 * lattice.cell_m;
    if (content || (near && !belief.map().is_occupied(cell))) {
        out.stated_wait = !reasons.empty();
        out.why = fmt::format("it is at its goal {}{}", place(goal), quoted);
        return;
    }
    if (const auto meant = belief.goal_unreachable() ? meant_in_cells(belief, goal) : std::nullopt)
        out.why = fmt::format("no path leads to its goal {}; taken as cells it would be {}: goals are given in metres",
                              place(goal), place(*meant));
    else if (belief.map().is_occupied(cell))
        out.why = fmt::format("its goal {} lies in a wall", place(goal));
    else if (belief.goal_unreachable())
        out.why = fmt::format("no path that it knows leads to its goal {}{}", place(goal),
                              belief.map().is_free(cell) ? "" : ", which it has not seen");
    else {
        const std::string others = who_is_near(belief.briefing(), i);
        out.why = fmt::format("it does not get to its goal {}{}{}", place(goal),
                              view.percepts[i].bumped ? ": something stops it" : "",
                              others.empty() ? "" : fmt::format("; near it: {}", others));
    }
    out.why += quoted;
}

std::vector<std::string> standstill_lines(const std::vector<Standstill>& list, const Briefing& team, std::size_t most) {
    std::vector<const Standstill*> sorted;
    for (const Standstill& s : list) sorted.push_back(&s);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Standstill* a, const Standstill* b) {
        return std::pair(a->stated_wait, -a->steps()) < std::pair(b->stated_wait, -b->steps());
    });
    std::vector<std::string> lines;
    for (const Standstill* s : sorted) {
        if (lines.size() == most) {
            lines.push_back(fmt::format("and {} more times", list.size() - most));
            break;
        }
        const std::string& name = team.team()[static_cast<std::size_t>(s->robot)].name;
        lines.push_back(s->never_moved ? fmt::format("{} never moved: {}", name, s->why)
                                       : fmt::format("{}, steps {} to {}: {}", name, s->from, s->to, s->why));
    }
    return lines;
}

}  // namespace outrider
