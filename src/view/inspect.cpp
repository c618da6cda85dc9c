#include "view/inspect.hpp"
#include "messages/battery_options.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "base/output.hpp"
#include "log/event_text.hpp"
#include "messages/ranked_points.hpp"
#include "slam/matrix3.hpp"
#include "view/marks.hpp"

namespace outrider::view {
namespace {

std::string ago(int steps) { return fmt::format("{} step{} ago", steps, steps == 1 ? "" : "s"); }

constexpr std::size_t most_candidates = 40;

std::string known_text(const ViewModel& model, std::int64_t cells) {
    const double cell = model.info().walls.lattice().cell_m;
    return fmt::format("{:.1f} m² of free space", static_cast<double>(cells) * cell * cell);
}

/// A list of points with their values, the best first; the goal is marked.
void add_points(const ViewModel& model, const Overlay& overlay, const std::optional<Point>& goal,
                std::vector<Fact>& facts) {
    facts.push_back({Fact::Kind::title, overlay.layer, overlay.text, {}});
    std::vector<std::size_t> order = best_first(overlay, goal);
    order.resize(std::min(order.size(), most_candidates));
    for (const std::size_t k : order) {
        const Point p = overlay.points[k];
        const bool chosen = goal && distance(*goal, p) < 1e-6;
        facts.push_back({chosen ? Fact::Kind::chosen : Fact::Kind::candidate, place_text(model, p),
                         k < overlay.values.size() ? fmt::format("{:.5g}", overlay.values[k]) : "", p});
    }
    if (overlay.points.size() > most_candidates)
        facts.push_back(
            {Fact::Kind::plain, "", fmt::format("and {} more", overlay.points.size() - most_candidates), {}});
}

}  // namespace

std::string place_text(const ViewModel& model, Point team) {
    const Point p = model.info().on_map(team);
    return fmt::format("({:.1f}, {:.1f}) m", p.x, p.y);
}

std::string state_text(const ViewModel& model, RobotId robot) {
    const RobotMoment* m = model.moment(robot);
    if (!m) return "";
    if (const ReportedRobot* report = model.report_of(robot)) return contact_text(*report);
    if (!m->alive) return "out of service";
    std::string text(role_names[static_cast<std::size_t>(m->role)]);
    for (const Overlay& o : m->overlays)
        if (o.kind == Overlay::Kind::text && o.meaning == Overlay::Meaning::state) text = o.text;
    if (m->done && m->role != Role::base) text += ", done";
    return text;
}

MessageTable messages_received(const ViewModel& model) {
    const std::optional<RobotId> only = model.selection.robot;
    MessageTable out;
    for (std::size_t i = 0; i < model.now().robots.size(); ++i)
        if (const auto robot = static_cast<RobotId>(i); !only || *only == robot)
            for (const MessageRow& m : model.now().robots[i].received) out.rows.emplace_back(robot, m);
    out.title =
        fmt::format("Messages {} in step {} ({})", only ? "that " + model.info().name(*only) + " received" : "received",
                    model.step(), out.rows.size());
    return out;
}

std::vector<ComparedNumber> compare_runs(const ViewModel& first, const ViewModel& second, int step) {
    const auto row_at = [&](const ViewModel& model) {  // of a run that has ended, its last one
        const auto& rows = model.rows();
        const auto after = std::upper_bound(rows.begin(), rows.end(), step,
                                            [](int s, const StepRow& row) { return s < row.metrics.step; });
        return after == rows.begin() ? nullptr : &*std::prev(after);
    };
    const auto reached = [&](double StepMetrics::*share) {
        return [&, share](const ViewModel& model) {
            for (const StepRow& row : model.rows())
                if (row.metrics.step <= step && row.metrics.*share >= 0.9) return double{1} * row.metrics.step;
            return std::nan("");
        };
    };
    const auto number = [&](auto&& get) {
        return [&, get](const ViewModel& model) {
            const StepRow* row = row_at(model);
            return row ? static_cast<double>(get(row->metrics)) : std::nan("");
        };
    };
    std::vector<ComparedNumber> out;
    const auto add = [&](const char* label, const char* unit, auto&& value) {
        out.push_back({label, unit, value(first), value(second)});
    };
    add("Team knows 90 %", "step", reached(&StepMetrics::team_share));
    add("Base knows 90 %", "step", reached(&StepMetrics::base_share));
    add("Team knows", "%", number([](const StepMetrics& m) { return 100 * m.team_share; }));
    add("Base knows", "%", number([](const StepMetrics& m) { return 100 * m.base_share; }));
    add("Path of all robots", "m", number([](const StepMetrics& m) { return m.distance_m; }));
    add("Messages", "", [&](const ViewModel& model) {
        double sum = 0;
        for (const StepRow& row : model.rows())
            if (row.metrics.step <= step) sum += static_cast<double>(row.metrics.messages);
        return sum;
    });
    return out;
}

std::string ComparedNumber::text(double value, bool sign) const {
    if (std::isnan(value)) return sign ? "" : "not yet";
    const int digits = unit == "%" ? 1 : 0;
    return sign ? fmt::format("{:+.{}f}", value, digits) : fmt::format("{:.{}f} {}", value, digits, unit);
}

NewsAges news_ages(const ViewModel& model, RobotId robot) {
    const RunInfo& info = model.info();
    const auto newest = [&](RobotId who, auto&& of_whom) {
        int step = -1;
        if (const RobotMoment* m = model.moment(who))
            for (const MateNews& mate : m->mates)
                if (of_whom(mate.robot)) step = std::max(step, mate.step);
        return step;
    };
    const auto age = [&](int step) { return step < 0 ? std::nullopt : std::optional(model.step() - step); };
    int at_base = -1;
    for (std::size_t b = 0; b < info.robots(); ++b)
        if (info.is_base[b])
            at_base = std::max(at_base, newest(static_cast<RobotId>(b), [&](RobotId r) { return r == robot; }));
    const int of_base = newest(robot, [&](RobotId r) { return info.is_base[static_cast<std::size_t>(r)] != 0; });
    return {age(of_base), age(at_base)};
}

std::string news_text(const ViewModel& model, RobotId robot) {
    if (model.info().is_base[static_cast<std::size_t>(robot)]) return {};
    const NewsAges ages = news_ages(model, robot);
    const auto text = [](std::optional<int> age) { return age ? std::to_string(*age) : std::string("never"); };
    return fmt::format("base {}, at base {}", text(ages.of_base), text(ages.at_base));
}

std::vector<Point> spread_outline(Point centre, const std::array<double, 3>& covariance) {
    // Twice the square root of the covariance, applied to a circle.
    const auto [xx, xy, yy] = covariance;
    const Matrix3 root = square_root({xx, xy, 0, xy, yy, 0, 0, 0, 0});
    std::vector<Point> out;
    for (int k = 0; k < 36; ++k) {
        const auto [s, o] = sin_cos(2 * pi * k / 36);
        const Vector3 edge = product(root, {o, s, 0});
        out.push_back(centre + Point{2 * edge[0], 2 * edge[1]});
    }
    return out;
}

std::vector<Fact> facts_of_robot(ViewModel& model, RobotId robot) {
    std::vector<Fact> facts;
    const RobotMoment* m = model.moment(robot);
    if (!m) return facts;
    const RobotEntry& entry = model.info().scenario.robots[static_cast<std::size_t>(robot)];
    const auto add = [&](std::string label, std::string value, std::optional<Point> at = {}) {
        facts.push_back({Fact::Kind::plain, std::move(label), std::move(value), at});
    };
    add("Strategy", entry.strategy);
    if (!m->alive) {
        facts.push_back({Fact::Kind::warning, "State", "out of service", {}});
        return facts;
    }
    add("State", state_text(model, robot));
    add("At", place_text(model, m->pose.position()) + fmt::format(", {:.0f} deg", degrees(m->pose.yaw)),
        m->pose.position());
    if (m->truth && distance(m->truth->position(), m->pose.position()) > 0.01)
        facts.push_back(
            {Fact::Kind::warning, "Really at", place_text(model, m->truth->position()), m->truth->position()});
    add("Knows", known_text(model, m->known_cells));
    add("Last news", m->last_discovery < 0 ? "its scans never showed anything new"
                                           : fmt::format("from its scan of step {}", m->last_discovery));
    if (!model.info().is_base[static_cast<std::size_t>(robot)])
        add("Base", !model.linked(robot) ? "not linked"
                    : m->base_in_contact ? "linked, in contact"
                                         : "linked, nothing received yet");
    if (!model.info().is_base[static_cast<std::size_t>(robot)]) {
        const NewsAges ages = news_ages(model, robot);
        add("Last from a base", ages.of_base ? ago(*ages.of_base) : "never");
        add("Last at a base", ages.at_base ? ago(*ages.at_base) : "never");
    }
    if (m->spread)
        add("Uncertainty", fmt::format("{:.2f} m, one standard deviation",
                                       std::sqrt(std::max(0.0, (*m->spread)[0] + (*m->spread)[2]))));
    if (const auto& battery = entry.features.get<BatteryOptions>(); battery.any()) {
        const bool low = m->battery <= battery.reserve_share;
        facts.push_back({low ? Fact::Kind::warning : Fact::Kind::plain,
                         "Battery",
                         fmt::format("{:.0f} % of {} Wh", 100 * m->battery, battery.wh),
                         {}});
    }
    if (m->lost)
        facts.push_back(
            {Fact::Kind::warning, "Lost", "its scans do not fit where it should be: the place is a guess", {}});

    model.ask_history();
    const RobotHealth health = model.source().telemetry().health().at(robot, model.step());
    if (const std::string text = health_text(health); !text.empty()) add("So far", text);
    facts.push_back({Fact::Kind::title, "Why", "", {}});
    bool any = false;
    for (const Overlay& o : m->overlays)
        if (o.kind == Overlay::Kind::text) {
            add(o.layer, o.text);
            any = true;
        }
    if (m->goal) {
        double length = 0;
        for (std::size_t k = 1; k < m->path.size(); ++k) length += distance(m->path[k - 1], m->path[k]);
        add("Goal", place_text(model, *m->goal) + (m->path.empty() ? "" : fmt::format(", {:.1f} m away", length)),
            m->goal);
    }
    add("Does", m->command);
    for (const OperatorCommand& c : m->commands)
        add("Operator", c.to < 0 ? c.behaviour : model.info().name(c.to) + ": " + c.behaviour);
    for (const Overlay& o : m->overlays)
        if (o.kind != Overlay::Kind::text && !o.points.empty()) {
            if (o.kind == Overlay::Kind::points)
                add_points(model, o, m->goal, facts);
            else
                facts.push_back({Fact::Kind::title, o.layer, o.text, {}});
            any = true;
        }
    if (!any) add("", "its strategy shows no reasons");

    facts.push_back({Fact::Kind::title, "Last reports", "", {}});
    for (const MateNews& mate : m->mates) {
        const std::string& name = model.info().name(mate.robot);
        if (mate.step < 0)
            add(name, "never");
        else
            add(name, mate.in_contact ? "in contact" : ago(model.step() - mate.step), mate.pose.position());
    }
    return facts;
}

std::vector<Fact> facts_of_cell(ViewModel& model, Cell cell) {
    std::vector<Fact> facts;
    const RunInfo& info = model.info();
    const auto add = [&](std::string label, std::string value) {
        facts.push_back({Fact::Kind::plain, std::move(label), std::move(value), {}});
    };
    const Cell on_map = cell - info.walls.origin();
    facts.push_back({Fact::Kind::title,
                     fmt::format("Cell {}, {}", on_map.x, on_map.y),
                     place_text(model, info.walls.lattice().centre(cell)),
                     {}});
    if (!info.walls.contains(cell)) {
        add("", "outside of the map");
        return facts;
    }
    add("Really", info.walls[cell] ? "wall" : "free");
    static constexpr std::array<const char*, 5> states{"unknown", "wall", "free", "free, sure", "wall, sure"};
    // Robots with the same belief share a line.
    for (std::size_t state = 0; state < states.size(); ++state) {
        std::string who;
        std::size_t count = 0;
        for (std::size_t i = 0; i < model.maps().robots(); ++i)
            if (model.maps().state(i, cell) == static_cast<CellState>(state)) {
                if (++count <= 12) who += (who.empty() ? "" : ", ") + info.name(static_cast<RobotId>(i));
            }
        if (count > 12) who += fmt::format(" and {} more", count - 12);
        if (count > 0) add(states[state], count == model.maps().robots() ? "to everybody" : "to " + who);
    }
    const CellHistory h = model.source().telemetry().history().at(cell);
    const auto since = [](int step, bool exact) { return fmt::format("{} {}", exact ? "at step" : "by step", step); };
    if (h.first_step >= 0)
        add("First known", fmt::format("to {} {}", info.name(h.first_robot), since(h.first_step, h.first_exact)));
    if (h.base_step >= 0) add("At a base", since(h.base_step, h.base_exact));
    return facts;
}

std::string event_text(const ViewModel& model, const RunEvent& e) {
    if (std::string mark = mark_text(e); !mark.empty()) return mark;
    return outrider::event_text(model.info().scenario, e.kind, e.robot_id(), e.json);
}

}  // namespace outrider::view
