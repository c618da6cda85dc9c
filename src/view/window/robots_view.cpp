// Robots on the map: their positions, tracks, goals and names.
#include <array>

#include "view/window/pen.hpp"

namespace outrider::view {
namespace {

constexpr std::size_t small_team = 16;

/// The track up to now; the newest part stronger. Unknown parts are left out.
void draw_trail(Ui& ui, Pen& pen, std::size_t robot) {
    const int now = ui.model->shown_step(), recent = now - 60;
    const RobotEntry& entry = ui.model->info().scenario.robots[robot];
    if (entry.body.speed_mps == 0) return;
    const Cell start = ui.model->info().scenario.start_cell(robot) - ui.model->info().scenario.team_origin();
    const Colour colour = own(ui, static_cast<RobotId>(robot));
    for (const std::span<const StepRow> rows : ui.model->stretches()) {
        const bool from_start = rows.front().metrics.step == 0;
        std::vector<Point> old, fresh;
        if (from_start) old.push_back(ui.model->info().walls.lattice().centre(start));
        for (const StepRow& row : rows) {
            if (row.metrics.step >= now) break;  // up to the pose at which it perceives
            if (robot >= row.poses.size()) continue;
            std::vector<Point>& to = row.metrics.step < recent ? old : fresh;
            if (robot < row.paths.size() && (from_start || &row != &rows.front()))
                to.insert(to.end(), row.paths[robot].begin(), row.paths[robot].end());
            to.push_back(row.poses[robot].position());
        }
        if (!old.empty()) fresh.insert(fresh.begin(), old.back());
        pen.line(old, colour, 0.42, ui.px(1.4f));
        pen.line(fresh, colour, 0.95, ui.px(2));
    }
}

/// `c`: where it is drawn, in pixels.
void draw_robot(Ui& ui, Pen& pen, RobotId robot, ImVec2 c) {
    const ViewModel& model = *ui.model;
    const RobotMoment& m = *model.moment(robot);
    const Theme& t = ui.colours();
    const Pose pose = model.shown_pose(robot);
    const Colour colour = own(ui, robot);
    if (const ImVec2 at = pen.at(pose.position()); std::hypot(at.x - c.x, at.y - c.y) > 1)  // fanned out
        pen.list().AddLine(at, c, paint(colour), ui.px(1));
    const bool base = model.info().is_base[static_cast<std::size_t>(robot)] != 0;
    const double radius_m = model.info().scenario.robots[static_cast<std::size_t>(robot)].body.radius_m;
    const float r = std::max(ui.px(base ? 6.5f : 6), static_cast<float>(radius_m * model.camera.pixels_per_m));
    ImDrawList& list = pen.list();
    if (model.selection.robot == robot) list.AddCircle(c, r + ui.px(6), paint(t.accent), 32, ui.px(2.5f));
    if (base) {
        list.AddRectFilled({c.x - r - ui.px(1.5f), c.y - r - ui.px(1.5f)},
                           {c.x + r + ui.px(1.5f), c.y + r + ui.px(1.5f)}, paint(t.paper), ui.px(3));
        list.AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r}, paint(colour), ui.px(2.5f));
        list.AddCircleFilled(c, r * 0.36f, paint(t.paper), 16);
        return;
    }
    const SinCos yaw = sin_cos(pose.yaw);
    const auto ahead = [&](double along, double across) {
        return ImVec2{c.x + r * static_cast<float>(yaw.cos * along - yaw.sin * across),
                      c.y - r * static_cast<float>(yaw.sin * along + yaw.cos * across)};
    };
    const ReportedRobot* report = model.report_of(robot);
    const bool here = report ? !report->silent() : m.alive;
    const double alive = here ? 1 : 0.6;
    const ImVec2 nose[] = {ahead(2.0, 0), ahead(0.75, 0.8), ahead(0.75, -0.8)};
    list.AddTriangleFilled(ahead(2.5, 0), ahead(0.5, 1.2), ahead(0.5, -1.2), paint(t.paper));
    list.AddCircleFilled(c, r + ui.px(1.8f), paint(t.paper), 24);
    list.AddTriangleFilled(nose[0], nose[1], nose[2], paint(colour, alive));
    if (here) {
        list.AddCircleFilled(c, r, paint(colour), 24);
        draw_colour_mark(ui, list, c, r, colour_round(static_cast<std::size_t>(robot), base));
    } else if (report) {  // it was there once
        list.AddCircle(c, r, paint(colour), 24, ui.px(2));
    } else {
        list.AddCircle(c, r, paint(colour), 24, ui.px(2));
        list.AddLine({c.x - r * 0.6f, c.y - r * 0.6f}, {c.x + r * 0.6f, c.y + r * 0.6f}, paint(colour), ui.px(2));
        list.AddLine({c.x - r * 0.6f, c.y + r * 0.6f}, {c.x + r * 0.6f, c.y - r * 0.6f}, paint(colour), ui.px(2));
    }
}

/// Its goal, and the path there.
void draw_plan(Ui& ui, Pen& pen, RobotId robot) {
    const ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    const auto i = static_cast<std::size_t>(robot);
    const RobotMoment& m = *model.moment(robot);
    const Colour colour = own(ui, robot);
    const bool chosen = model.selection.robot == robot;
    if ((model.layers.shown(LayerId::path, i) || chosen) && m.path.size() > 1) {
        pen.line(m.path, t.paper, 0.9, ui.px(5));
        pen.line(m.path, mix(colour, t.goal, 0.25), 1, ui.px(2.6f));
    }
    if ((model.layers.shown(LayerId::goal, i) || chosen) && m.goal) {
        const ImVec2 g = pen.at(*m.goal);
        if (m.path.empty()) pen.dashed(model.shown_pose(robot).position(), *m.goal, colour, 0.8, ui.px(1.5f));
        pen.list().AddCircleFilled(g, ui.px(6.5f), paint(t.paper, 0.9), 20);
        pen.list().AddCircle(g, ui.px(5), paint(colour), 20, ui.px(2.4f));
        pen.list().AddCircleFilled(g, ui.px(1.8f), paint(colour), 12);
    }
}

/// The scans that its localisation keeps, and what it measured between them.
void draw_patches(Ui& ui, Pen& pen, RobotId robot) {
    const ViewModel& model = *ui.model;
    const auto i = static_cast<std::size_t>(robot);
    const RobotMoment& m = *model.moment(robot);
    const auto patch = [&](int id) { return m.patches[static_cast<std::size_t>(id)]; };
    const auto lines = [&](const std::vector<std::pair<int, int>>& pairs, Colour colour, float width) {
        for (const auto& [from, to] : pairs) pen.line(std::array{patch(from), patch(to)}, colour, 0.9, width);
    };
    if (model.layers.shown(LayerId::relations, i)) lines(m.relations, own(ui, robot), ui.px(1));
    if (model.layers.shown(LayerId::closures, i)) lines(m.closures, ui.colours().warning, ui.px(2));
    if (model.layers.shown(LayerId::patches, i))
        for (const Point& at : m.patches) pen.list().AddCircleFilled(pen.at(at), ui.px(1.8f), paint(own(ui, robot)), 8);
}

/// Where it believes it is, and how sure it is of that.
void draw_belief(Ui& ui, Pen& pen, RobotId robot) {
    const ViewModel& model = *ui.model;
    const auto i = static_cast<std::size_t>(robot);
    const RobotMoment& m = *model.moment(robot);
    const Colour colour = own(ui, robot);
    if (model.layers.shown(LayerId::believed, i) && m.truth &&
        distance(m.truth->position(), m.pose.position()) > 1e-3) {
        pen.dashed(m.truth->position(), m.pose.position(), colour, 0.9, ui.px(1.2f));
        pen.list().AddCircle(pen.at(m.pose.position()), ui.px(5), paint(colour), 20, ui.px(1.5f));
    }
    if (model.layers.shown(LayerId::believed_path, i))
        pen.line(m.believed_path, mix(colour, ui.colours().text, 0.4), 0.9, ui.px(1));
    for (const auto& [at, weight] : m.guesses)
        pen.list().AddCircleFilled(pen.at(at), ui.px(1.2f + 1.8f * static_cast<float>(weight)),
                                   paint(colour, 0.25 + 0.75 * weight), 8);
    draw_patches(ui, pen, robot);
    if (model.layers.shown(LayerId::spread, i) && m.spread)
        pen.geometry(m.pose.position(), spread_outline(m.pose.position(), *m.spread), colour, 0.18, 0.9, ui.px(1.5f));
}

}  // namespace

void draw_robots(Ui& ui, Pen& pen) {
    ViewModel& model = *ui.model;
    const std::size_t n = model.now().robots.size();
    const bool present = !model.looks_back() && !model.as_base();  // of the robots themselves
    for (std::size_t i = 0; i < n && present; ++i)
        if (const auto& scan = model.now().robots[i].scan; model.layers.shown(LayerId::sensor, i) && scan.size() > 2)
            pen.geometry(scan[0], std::span(scan).subspan(1),
                         model.now().robots[i].scan_tilted ? ui.colours().error : own(ui, static_cast<RobotId>(i)),
                         0.16, 0.5, ui.px(1));
    for (std::size_t i = 0; i < n; ++i)
        if (model.layers.shown(LayerId::trail, i) && !model.as_base()) draw_trail(ui, pen, i);
    if (present) draw_radio(ui, pen);
    for (std::size_t i = 0; i < n && present; ++i) {
        draw_plan(ui, pen, static_cast<RobotId>(i));
        draw_belief(ui, pen, static_cast<RobotId>(i));
        draw_overlays(ui, pen, static_cast<RobotId>(i));
    }
    for (std::size_t i = 0; i < n && present; ++i)
        if (model.layers.shown(LayerId::last_report, i) || model.selection.robot == static_cast<RobotId>(i))
            draw_last_reports(ui, pen, static_cast<RobotId>(i));
    const std::vector<Point> spots = model.spots();
    for (std::size_t i = n; i-- > 0;)
        if (model.layers.shown(LayerId::location, i) && !model.hidden(static_cast<RobotId>(i)))
            draw_robot(ui, pen, static_cast<RobotId>(i), vec(spots[i]));
}

/// Names beside robots, where they do not cover each other; in a large team those that have no room are left out.
void draw_names(Ui& ui, Pen& pen, Rect area) {
    const ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    std::vector<Rect> taken = pen.words();
    const float gap = ui.px(9);
    const std::vector<Point> spots = model.spots();
    for (const Point& spot : spots) {
        const ImVec2 c = vec(spot);
        taken.push_back({{c.x - gap, c.y - gap}, {c.x + gap, c.y + gap}});
    }
    ImGui::PushFont(ui.small);
    for (std::size_t i = 0; i < model.now().robots.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        std::string text = model.layers.shown(LayerId::name, i) ? model.info().name(robot) : "";
        if (model.layers.shown(LayerId::state, i) && !model.looks_back())
            text += (text.empty() ? "" : ": ") + state_text(model, robot);
        if (model.layers.shown(LayerId::news_age, i) && !model.looks_back())
            if (const std::string news = news_text(model, robot); !news.empty())
                text += (text.empty() ? "" : ", ") + news;
        const ImVec2 c = vec(spots[i]);
        if (const ReportedRobot* report = model.report_of(robot); report && report->silent() && !text.empty())
            text += fmt::format(", {}", contact_text(*report));
        if (model.hidden(robot)) continue;
        if (text.empty() || c.x < area.low.x || c.y < area.low.y || c.x > area.high.x || c.y > area.high.y) continue;
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        const float w = size.x + ui.px(8), h = size.y + ui.px(2), d = ui.px(12);
        const ImVec2 places[] = {{c.x + d, c.y - h / 2},     {c.x - d - w, c.y - h / 2}, {c.x - w / 2, c.y - d - h},
                                 {c.x - w / 2, c.y + d},     {c.x + d, c.y - d - h},     {c.x + d, c.y + d},
                                 {c.x - d - w, c.y - d - h}, {c.x - d - w, c.y + d},     {c.x + d, c.y + 2 * d},
                                 {c.x + d, c.y - 2 * d - h}, {c.x + 3 * d, c.y - h / 2}};
        const auto covered = [&](ImVec2 p) {
            const bool outside = p.x < area.low.x || p.y < area.low.y || p.x + w > area.high.x || p.y + h > area.high.y;
            return (outside ? 100 : 0) + std::count_if(taken.begin(), taken.end(), [&](const Rect& r) {
                       return p.x < r.high.x && p.x + w > r.low.x && p.y < r.high.y && p.y + h > r.low.y;
                   });
        };
        ImVec2 p;
        auto least = covered(places[0]) + 1;
        for (const ImVec2 place : places) {
            if (const auto count = covered(place); count < least) p = place, least = count;
            if (least == 0) break;
        }
        if (least > 0 && model.now().robots.size() > small_team && model.selection.robot != robot) continue;
        taken.push_back({p, {p.x + w, p.y + h}});
        pen.list().AddRectFilled(p, {p.x + w, p.y + h}, paint(t.panel, 0.86), ui.px(4));
        pen.list().AddText({p.x + ui.px(4), p.y + ui.px(1)}, paint(mix(own(ui, robot), t.text, 0.45)), text.c_str());
    }
    ImGui::PopFont();
}

}  // namespace outrider::view
