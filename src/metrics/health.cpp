#include "metrics/health.hpp"

#include <algorithm>
#include <charconv>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr int few = 5;  // times, or steps, that are nothing to speak of

/// A whole number from 1 to a million that is all of the text; 0: it is none.
int read_count(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value <= 1'000'000 ? std::max(value, 0) : 0;
}

}  // namespace

StopWhen StopWhen::read(const std::string& text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string name = text.substr(0, equals), value = text.substr(std::min(text.size(), equals + 1));
    StopWhen when;
    if (name == "goal-changes") {
        const std::size_t slash = std::min(value.find('/'), value.size());
        when.kind = Kind::goal_changes;
        when.count = read_count(value.substr(0, slash));
        when.steps = read_count(value.substr(std::min(value.size(), slash + 1)));
        if (when.count > 0 && when.steps > 0) return when;
    } else {
        when.kind = name == "unreachable"      ? Kind::unreachable
                    : name == "out-of-contact" ? Kind::out_of_contact
                                               : Kind::idle;
        when.steps = read_count(value);
        if (when.steps > 0 && (when.kind != Kind::idle || name == "idle")) return when;
    }
    fail("--stop-when {}: expected idle=STEPS, goal-changes=TIMES/STEPS, out-of-contact=STEPS or unreachable=STEPS",
         text);
}

void Health::on_step(const StepView& view) {
    tracks_.resize(view.team.size());
    robots_.resize(view.team.size());
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        if (!view.team[i].belief().briefing().me().mobile || !view.percepts[i].alive) continue;
        follow(view, i);
        for (const StopWhen& when : stops_) look(when, view, i);
    }
}

void Health::follow(const StepView& view, std::size_t i) {
    const Belief& belief = view.team[i].belief();
    Track& track = tracks_[i];
    RobotHealth& health = robots_[i];
    const bool done = view.decisions[i].done;
    const Point place = belief.pose().position();
    track.idle = done || distance(place, track.place) > 0.5 * belief.map().lattice().cell_m ? 0 : track.idle + 1;
    if (track.idle == 0) track.place = place;
    if (track.idle > health.longest_idle) {
        health.longest_idle = track.idle;
        health.idle_until = view.step;
    }
    track.unreachable = belief.goal_unreachable() ? track.unreachable + 1 : 0;
    health.unreachable_steps += track.unreachable > 0;
    track.apart = belief.base_in_contact() ? 0 : track.apart + 1;

    const std::optional<Point>& goal = belief.latest(belief.self()).goal;
    if (!track.goals.empty() && track.goals.back() == goal) return;
    // A goal given up for another one and taken up again, soon after; going home or waiting in between is none.
    if (goal && track.goals.size() >= 2 && track.goals.back() && track.goals[track.goals.size() - 2] == goal &&
        view.step - track.changes.back() <= soon)
        ++health.returned_goals;
    track.goals.push_back(goal);
    track.changes.push_back(view.step);
    if (track.goals.size() > 3) track.goals.erase(track.goals.begin());
}

void Health::look(const StopWhen& when, const StepView& view, std::size_t i) {
    if (stop_) return;
    const Track& track = tracks_[i];
    const std::string& name = view.team[i].belief().briefing().me().name;
    const auto raise = [&](std::string text) {
        stop_ = fmt::format("{} {}", name, text);
        stopped_robot_ = static_cast<RobotId>(i);
    };
    switch (when.kind) {
        case StopWhen::Kind::idle:
            if (track.idle >= when.steps) raise(fmt::format("has stood in one place for {} steps", when.steps));
            break;
        case StopWhen::Kind::out_of_contact:
            if (track.apart >= when.steps)
                raise(fmt::format("has received nothing from a base for {} steps", when.steps));
            break;
        case StopWhen::Kind::unreachable:
            if (track.unreachable >= when.steps)
                raise(fmt::format("has known no path to its goal for {} steps", when.steps));
            break;
        case StopWhen::Kind::goal_changes: {
            const auto recent = std::count_if(track.changes.begin(), track.changes.end(),
                                              [&](int step) { return step > 0 && view.step - step < when.steps; });
            if (recent >= when.count)
                raise(fmt::format("has changed its goal {} times in {} steps", recent, when.steps));
        }
    }
}

std::vector<std::string> health_lines(const std::vector<RobotHealth>& robots, const Briefing& team, std::size_t most) {
    std::vector<std::size_t> ill;
    const auto badness = [&](std::size_t i) { return robots[i].returned_goals + robots[i].unreachable_steps; };
    for (std::size_t i = 0; i < robots.size(); ++i)
        if (robots[i].returned_goals > few || robots[i].unreachable_steps > few) ill.push_back(i);
    std::stable_sort(ill.begin(), ill.end(), [&](std::size_t a, std::size_t b) { return badness(a) > badness(b); });
    std::vector<std::string> lines;
    for (const std::size_t i : ill) {
        if (lines.size() == most) {
            lines.push_back(fmt::format("and {} more robots", ill.size() - most));
            break;
        }
        std::string line = team.team()[i].name + ":";
        if (robots[i].returned_goals > few)
            line += fmt::format(" went back to the goal before the last one {} times", robots[i].returned_goals);
        if (robots[i].unreachable_steps > few)
            line += fmt::format("{} knew no path to its goal in {} steps", line.ends_with(':') ? "" : ";",
                                robots[i].unreachable_steps);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string health_text(const RobotHealth& h) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    if (h.returned_goals > 0) add(fmt::format("went back to the goal before the last one {} times", h.returned_goals));
    if (h.unreachable_steps > 0) add(fmt::format("knew no path to its goal in {} steps", h.unreachable_steps));
    if (h.longest_idle > 1)
        add(fmt::format("stood {} steps in one place, until step {}", h.longest_idle, h.idle_until));
    return text;
}

}  // namespace outrider
