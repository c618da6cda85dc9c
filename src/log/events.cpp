#include "log/events.hpp"

#include <array>

#include "base/json.hpp"
#include "log/event_feature.hpp"
#include "outrider/detail/settings.hpp"
#include "scene/victim_events.hpp"
#include "simulator/parts/batteries.hpp"
#include "simulator/parts/failing_robots.hpp"
#include "simulator/parts/wall_changes.hpp"

namespace outrider {
namespace {

constexpr std::array milestones{0.5, 0.9, 0.95, 0.99};

std::string share_json(double share) { return fmt::format("{{\"share\": {}}}", share); }

/// The cells of a change in the team's frame, as runs [x, y, how many] along rows.
std::string changed_json(const std::vector<Cell>& cells, bool wall) {
    std::string runs;
    for (std::size_t i = 0; i < cells.size();) {
        std::size_t n = 1;
        while (i + n < cells.size() && cells[i + n] == cells[i] + Cell{static_cast<int>(n), 0}) ++n;
        runs += fmt::format("{}[{}, {}, {}]", runs.empty() ? "" : ", ", cells[i].x, cells[i].y, n);
        i += n;
    }
    return fmt::format(R"({{"to": "{}", "cells": [{}]}})", wall ? "wall" : "free", runs);
}

/// Failures of robots in service that begin or end in this step.
void find_failures(const StepView& view, std::span<const Failure> failures, std::vector<LogEvent>& events) {
    for (const Failure& f : failures) {
        if ((f.from != view.step && f.until != view.step) || !view.percepts[static_cast<std::size_t>(f.robot)].alive)
            continue;
        events.push_back({view.step, f.from == view.step ? "failed" : "repaired", f.robot,
                          fmt::format("{{\"kind\": \"{}\"}}", failure_kind_names[static_cast<std::size_t>(f.kind)])});
    }
}

}  // namespace

std::string command_json(const OperatorCommand& c) {
    std::string points;
    for (const Point& p : c.way_points)
        points += fmt::format("{}[{}, {}]", points.empty() ? "" : ", ", to_text(p.x), to_text(p.y));
    return fmt::format(R"({{"behaviour": {}, "forward": {}, "turn": {}, "way_points": [{}]{}}})",
                       json_quoted(c.behaviour), to_text(c.forward), to_text(c.turn), points,
                       c.to < 0 ? "" : fmt::format(", \"to\": {}", c.to));
}

OperatorCommand read_command(const std::string& text) {
    const Json json = parse_json(text);
    const auto need = [&](bool there, const char* what) {
        if (!there) fail("the log holds an order without {}: {}", what, text);
    };
    const Json *behaviour = json.find("behaviour"), *forward = json.find("forward"), *turn = json.find("turn"),
               *way_points = json.find("way_points");
    need(behaviour && behaviour->text(), "\"behaviour\": a text");
    need(forward && forward->number(), "\"forward\": a number");
    need(turn && turn->number(), "\"turn\": a number");
    need(way_points && way_points->array(), "\"way_points\": a list");
    OperatorCommand out{*behaviour->text(), {}, *forward->number(), *turn->number()};
    for (const Json& point : *way_points->array()) {
        const Json::Array* xy = point.array();
        need(xy && xy->size() == 2 && (*xy)[0].number() && (*xy)[1].number(), "\"way_points\": [[x, y], ...]");
        out.way_points.push_back({*(*xy)[0].number(), *(*xy)[1].number()});
    }
    if (const Json* to = json.find("to")) {
        const double* robot = to->number();
        need(robot && *robot >= 0 && *robot < 1e6, "\"to\": the number of a robot");
        out.to = static_cast<RobotId>(*robot);
    }
    return out;
}

std::vector<LogEvent> EventFinder::find(const StepView& view, const StepMetrics& row, const std::vector<int>& component,
                                        const SimDriver* driver) {
    std::vector<LogEvent> events;
    for (; milestones_team_ < milestones.size() && row.team_share >= milestones[milestones_team_]; ++milestones_team_)
        events.push_back({view.step, "team_knows", -1, share_json(milestones[milestones_team_])});
    for (; milestones_base_ < milestones.size() && row.base_share >= milestones[milestones_base_]; ++milestones_base_)
        events.push_back({view.step, "base_knows", -1, share_json(milestones[milestones_base_])});
    if (driver) find_world(view, *driver, events);
    for (const EventFeature& feature : event_features())
        if (driver) feature.find(view, *driver, events);
    find_victims(view, events);
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        const TeamMember& me = view.team[i].belief().briefing().me();
        if (alive_[i] && !view.percepts[i].alive) events.push_back({view.step, "died", robot, "{}"});
        alive_[i] = view.percepts[i].alive;
        for (const OperatorCommand& command : view.percepts[i].commands)
            events.push_back({view.step, "operator", robot, command_json(command)});
        if (!alive_[i]) continue;
        for (const StrategyEvent& h : view.decisions[i].strategy_events)
            events.push_back({view.step, strategy_event_names[static_cast<std::size_t>(h.kind)], robot,
                              h.steps > 0 ? fmt::format("{{\"steps\": {}}}", h.steps) : "{}"});
        if (!me.mobile) continue;
        std::uint8_t connected = 0;
        for (std::size_t b = 0; b < view.team.size() && view.team[b].belief().briefing().is_base(); ++b)
            connected |= component[b] == component[i];
        if (connected_[i] != connected)
            events.push_back({view.step, connected ? "met_base" : "left_base", robot, "{}"});
        connected_[i] = connected;
        find_frame(view.team[i], view.step, events);
        if (const std::uint8_t lost = view.team[i].lost(); lost != lost_[i]) {
            events.push_back({view.step, lost ? "lost" : "found", robot, "{}"});
            lost_[i] = lost;
        }
    }
    return events;
}

/// What the world does to the robots: failures, walls that move, batteries.
void EventFinder::find_world(const StepView& view, const SimDriver& driver, std::vector<LogEvent>& events) {
    if (const auto* failing = driver.part<FailingRobots>()) find_failures(view, failing->failures(), events);
    if (const auto* changes = driver.part<WallChanges>())
        for (const ChangingWalls::Done& d : changes->walls().done())
            events.push_back({view.step, "changed", -1, changed_json(d.cells, d.wall)});
    const auto* batteries = driver.part<Batteries>();
    for (std::size_t i = 0; batteries && i < view.percepts.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        const Battery& battery = batteries->of(robot);
        if (alive_[i] && !view.percepts[i].alive && battery.empty())
            events.push_back({view.step, "stranded", robot, "{}"});
        if (battery.charging() && !charging_[i]) events.push_back({view.step, "charging", robot, "{}"});
        charging_[i] = battery.charging();
    }
}

/// What the base station learned of people to be found.
void EventFinder::find_victims(const StepView& view, std::vector<LogEvent>& events) {
    const Robot& base = view.team.front();
    const auto* log = base.part<VictimLog>();
    if (!log || !base.belief().briefing().is_base()) return;
    const std::vector<FoundVictim>& found = log->found();
    for (std::size_t k = 0; k < found.size(); ++k) {
        const auto put = [&](std::string_view kind) {
            events.push_back({view.step, kind, 0, victim_json(static_cast<int>(k), found[k])});
        };
        if (k == victims_.size()) {
            victims_.push_back(VictimState::reported);
            put(victim_reported);
        }
        if (found[k].state == victims_[k]) continue;
        victims_[k] = found[k].state;
        put(found[k].state == VictimState::confirmed ? victim_confirmed : victim_declined);
    }
}

/// In whose frame a robot plans, where each has its own.
void EventFinder::find_frame(const Robot& robot, int step, std::vector<LogEvent>& events) {
    const RobotId self = robot.belief().self();
    const auto i = static_cast<std::size_t>(self);
    if (!robot.frames()) return;
    const RobotId frame = robot.map().frame().robot;
    if (frame != (frame_[i] < 0 ? self : frame_[i]))
        events.push_back({step, frame == self ? "parted" : "joined", self, fmt::format("{{\"frame\": {}}}", frame)});
    frame_[i] = frame;
}

}  // namespace outrider
