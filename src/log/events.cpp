#include "log/events.hpp"

#include <array>

#include "base/json.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {
namespace {

constexpr std::array milestones{0.5, 0.9, 0.95, 0.99};

std::string share_json(double share) { return fmt::format("{{\"share\": {}}}", share); }

}  // namespace

std::string command_json(const OperatorCommand& c) {
    std::string points;
    for (const Point& p : c.waypoints)
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
               *waypoints = json.find("way_points");
    need(behaviour && behaviour->text(), "\"behaviour\": a text");
    need(forward && forward->number(), "\"forward\": a number");
    need(turn && turn->number(), "\"turn\": a number");
    need(waypoints && waypoints->array(), "\"way_points\": a list");
    OperatorCommand out{*behaviour->text(), {}, *forward->number(), *turn->number()};
    for (const Json& point : *waypoints->array()) {
        const Json::Array* xy = point.array();
        need(xy && xy->size() == 2 && (*xy)[0].number() && (*xy)[1].number(), "\"way_points\": [[x, y], ...]");
        out.waypoints.push_back({*(*xy)[0].number(), *(*xy)[1].number()});
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
    if (!asked_) {
        asked_ = true;
        for (const EventFeature& feature : event_features())
            if (auto source = feature.source ? feature.source(driver) : nullptr) sources_.push_back(std::move(source));
    }
    for (const auto& source : sources_) source->find(view, events);
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
