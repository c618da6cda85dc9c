// The map in the middle: what is known, robots and what they show, and what the mouse does there.
#include <algorithm>
#include <cmath>

#include "outrider/radio.hpp"
#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

Point point(ImVec2 p) { return {p.x, p.y}; }

/// Draws lines in metres.
class Pen {
  public:
    Pen(Ui& ui, ImDrawList& list) : ui_(ui), list_(list), camera_(ui.model->camera) {}
    ImVec2 at(Point team) const { return vec(camera_.to_pixels(team)); }
    void line(std::span<const Point> points, Colour colour, double opacity, float width) {
        width = std::max(1.0f, std::round(width));  // whole widths are drawn several times as fast
        pixels_.clear();
        for (const Point& p : points) {
            const ImVec2 q = at(p);
            // Corners closer than this cannot be seen.
            if (!pixels_.empty() && &p != &points.back() &&
                std::abs(q.x - pixels_.back().x) + std::abs(q.y - pixels_.back().y) < 3.5f)
                continue;
            pixels_.push_back(q);
        }
        if (pixels_.size() > 1)
            list_.AddPolyline(pixels_.data(), static_cast<int>(pixels_.size()), paint(colour, opacity), 0, width);
    }
    void dashed(Point a, Point b, Colour colour, double opacity, float width) {
        const ImVec2 p = at(a), q = at(b);
        const float length = std::hypot(q.x - p.x, q.y - p.y), dash = ui_.px(6);
        if (length < 1 || length > 1e5f) return;
        for (float s = 0; s < length; s += 2 * dash) {
            const float u = s / length, v = std::min(1.0f, (s + dash) / length);
            list_.AddLine({p.x + (q.x - p.x) * u, p.y + (q.y - p.y) * u},
                          {p.x + (q.x - p.x) * v, p.y + (q.y - p.y) * v}, paint(colour, opacity), width);
        }
    }
    ImDrawList& list() { return list_; }

  private:
    Ui& ui_;
    ImDrawList& list_;
    const Camera& camera_;
    std::vector<ImVec2> pixels_;
};

Colour own(const Ui& ui, RobotId robot) {
    const auto i = static_cast<std::size_t>(robot);
    return robot_colour(ui.colours(), i, ui.model->info().is_base[i]);
}

/// The way driven up to now; the newest part stronger.
void draw_trail(Ui& ui, Pen& pen, std::size_t robot) {
    const std::vector<StepRow>& rows = ui.model->rows();
    const int now = ui.model->step(), recent = now - 60;
    const RobotEntry& entry = ui.model->info().scenario.robots[robot];
    const Cell start = ui.model->info().scenario.start_cell(robot) - ui.model->info().scenario.team_origin();
    std::vector<Point> old{ui.model->info().walls.lattice().centre(start)}, fresh;
    if (entry.body.speed_mps == 0) return;
    for (const StepRow& row : rows) {
        if (row.metrics.step >= now) break;  // where it stands when it perceives
        if (robot >= row.poses.size()) continue;
        std::vector<Point>& to = row.metrics.step < recent ? old : fresh;
        if (robot < row.ways.size()) to.insert(to.end(), row.ways[robot].begin(), row.ways[robot].end());
        to.push_back(row.poses[robot].position());
    }
    fresh.insert(fresh.begin(), old.back());
    const Colour colour = own(ui, static_cast<RobotId>(robot));
    pen.line(old, colour, 0.42, ui.px(1.4f));
    pen.line(fresh, colour, 0.95, ui.px(2));
}

void draw_robot(Ui& ui, Pen& pen, RobotId robot) {
    const ViewModel& model = *ui.model;
    const RobotMoment& m = *model.moment(robot);
    const Theme& t = ui.colours();
    const Pose pose = model.shown_pose(robot);
    const ImVec2 c = pen.at(pose.position());
    const Colour colour = own(ui, robot);
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
    const auto [s, o] = sin_cos(pose.yaw);
    const auto ahead = [&](double along, double across) {
        return ImVec2{c.x + r * static_cast<float>(o * along - s * across),
                      c.y - r * static_cast<float>(s * along + o * across)};
    };
    const double alive = m.alive ? 1 : 0.6;
    const ImVec2 nose[] = {ahead(2.0, 0), ahead(0.75, 0.8), ahead(0.75, -0.8)};
    list.AddTriangleFilled(ahead(2.5, 0), ahead(0.5, 1.2), ahead(0.5, -1.2), paint(t.paper));
    list.AddCircleFilled(c, r + ui.px(1.8f), paint(t.paper), 24);
    list.AddTriangleFilled(nose[0], nose[1], nose[2], paint(colour, alive));
    if (m.alive) {
        list.AddCircleFilled(c, r, paint(colour), 24);
    } else {
        list.AddCircle(c, r, paint(colour), 24, ui.px(2));
        list.AddLine({c.x - r * 0.6f, c.y - r * 0.6f}, {c.x + r * 0.6f, c.y + r * 0.6f}, paint(colour), ui.px(2));
        list.AddLine({c.x - r * 0.6f, c.y + r * 0.6f}, {c.x + r * 0.6f, c.y - r * 0.6f}, paint(colour), ui.px(2));
    }
}

/// Names beside robots, where they do not cover each other.
void draw_names(Ui& ui, Pen& pen, Rect area) {
    const ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    std::vector<Rect> taken;
    const float gap = ui.px(9);
    for (std::size_t i = 0; i < model.now().robots.size(); ++i) {
        const ImVec2 c = pen.at(model.shown_pose(static_cast<RobotId>(i)).position());
        taken.push_back({{c.x - gap, c.y - gap}, {c.x + gap, c.y + gap}});
    }
    ImGui::PushFont(ui.small);
    for (std::size_t i = 0; i < model.now().robots.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        std::string text = model.layers.shown("name", i) ? model.info().name(robot) : "";
        if (model.layers.shown("state", i)) text += (text.empty() ? "" : ": ") + state_text(model, robot);
        if (text.empty()) continue;
        const ImVec2 c = pen.at(model.shown_pose(robot).position());
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
        const ImVec2 p = *std::min_element(std::begin(places), std::end(places),
                                           [&](ImVec2 a, ImVec2 b) { return covered(a) < covered(b); });
        taken.push_back({p, {p.x + w, p.y + h}});
        pen.list().AddRectFilled(p, {p.x + w, p.y + h}, paint(t.panel, 0.86), ui.px(4));
        pen.list().AddText({p.x + ui.px(4), p.y + ui.px(1)}, paint(mix(own(ui, robot), t.text, 0.45)), text.c_str());
    }
    ImGui::PopFont();
}

void draw_radio(Ui& ui, Pen& pen) {
    const ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    const Scenario& s = model.info().scenario;
    for (std::size_t i = 0; i < model.now().robots.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        const Point here = model.shown_pose(robot).position();
        if (model.layers.shown("range", i) && model.now().robots[i].alive) {
            const auto r =
                static_cast<float>(max_link_m(s.radio, s.robots[i].radio_range_m) * model.camera.pixels_per_m);
            pen.list().AddCircleFilled(pen.at(here), r, paint(own(ui, robot), 0.06), 96);
            pen.list().AddCircle(pen.at(here), r, paint(own(ui, robot), 0.55), 96, ui.px(1.3f));
        }
        if (model.layers.shown("links"))
            for (const RobotId other : model.now().robots[i].links)
                if (other > robot)
                    pen.line(std::array{here, model.shown_pose(other).position()}, t.link, 0.65, ui.px(1.3f));
        if (model.layers.shown("hierarchy") && !s.robots[i].parent.empty())
            for (std::size_t k = 0; k < s.robots.size(); ++k)
                if (s.robots[k].name == s.robots[i].parent) {
                    const Point there = model.shown_pose(static_cast<RobotId>(k)).position();
                    pen.dashed(here, there, t.meeting, 0.9, ui.px(2));
                }
        if (model.layers.shown("heard", i) || model.selection.robot == robot)
            for (const MateNews& mate : model.now().robots[i].mates) {
                if (mate.step < 0 || mate.in_contact || model.info().is_base[static_cast<std::size_t>(mate.robot)])
                    continue;
                const ImVec2 c = pen.at(mate.pose.position());
                pen.list().AddCircle(c, ui.px(5.5f), paint(own(ui, mate.robot)), 20, ui.px(1.6f));
            }
    }
}

void draw_robots(Ui& ui, Pen& pen, Rect area) {
    ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    const std::size_t n = model.now().robots.size();
    for (std::size_t i = 0; i < n; ++i)
        if (const auto& scan = model.now().robots[i].scan; model.layers.shown("sensor", i) && scan.size() > 2) {
            std::vector<ImVec2> fan;
            for (const Point& p : scan) fan.push_back(pen.at(p));
            const Colour colour = own(ui, static_cast<RobotId>(i));
            for (std::size_t k = 1; k + 1 < fan.size(); ++k)
                pen.list().AddTriangleFilled(fan[0], fan[k], fan[k + 1], paint(colour, 0.16));
            pen.list().AddPolyline(fan.data(), static_cast<int>(fan.size()), paint(colour, 0.5), ImDrawFlags_Closed,
                                   ui.px(1));
        }
    for (std::size_t i = 0; i < n; ++i)
        if (model.layers.shown("trail", i)) draw_trail(ui, pen, i);
    draw_radio(ui, pen);
    for (std::size_t i = 0; i < n; ++i) {
        const RobotMoment& m = model.now().robots[i];
        const auto robot = static_cast<RobotId>(i);
        const Colour colour = own(ui, robot);
        const bool chosen = model.selection.robot == robot;
        if ((model.layers.shown("path", i) || chosen) && m.way.size() > 1) {
            pen.line(m.way, t.paper, 0.9, ui.px(5));
            pen.line(m.way, mix(colour, t.goal, 0.25), 1, ui.px(2.6f));
        }
        if ((model.layers.shown("goal", i) || chosen) && m.goal) {
            const ImVec2 g = pen.at(*m.goal);
            if (m.way.empty()) pen.dashed(model.shown_pose(robot).position(), *m.goal, colour, 0.8, ui.px(1.5f));
            pen.list().AddCircleFilled(g, ui.px(6.5f), paint(t.paper, 0.9), 20);
            pen.list().AddCircle(g, ui.px(5), paint(colour), 20, ui.px(2.4f));
            pen.list().AddCircleFilled(g, ui.px(1.8f), paint(colour), 12);
        }
        if (model.layers.shown("believed", i) && m.truth && distance(m.truth->position(), m.pose.position()) > 1e-3) {
            pen.dashed(m.truth->position(), m.pose.position(), colour, 0.9, ui.px(1.2f));
            pen.list().AddCircle(pen.at(m.pose.position()), ui.px(5), paint(colour), 20, ui.px(1.5f));
        }
        draw_overlays(ui, pen.list(), robot);
    }
    for (std::size_t i = n; i-- > 0;)
        if (model.layers.shown("location", i)) draw_robot(ui, pen, static_cast<RobotId>(i));
    draw_names(ui, pen, area);
}

void draw_tools(Ui& ui, Pen& pen) {
    const Theme& t = ui.colours();
    const auto path = [&](const std::vector<Point>& points, Colour colour) {
        pen.line(points, t.paper, 0.9, ui.px(4));
        pen.line(points, colour, 1, ui.px(2));
        for (const Point& p : points) pen.list().AddCircleFilled(pen.at(p), ui.px(4), paint(colour), 16);
    };
    path(ui.way_points, t.accent);
    if (ui.measure.empty()) return;
    std::vector<Point> points = ui.measure;
    if (points.size() == 1 && ui.hover) points.push_back(*ui.hover);
    path(points, t.text);
    if (points.size() < 2) return;
    const std::string text =
        fmt::format("{:.2f} m, {:.0f} deg", distance(points[0], points[1]), degrees(bearing(points[0], points[1])));
    const ImVec2 at = pen.at((points[0] + points[1]) * 0.5), size = ImGui::CalcTextSize(text.c_str());
    pen.list().AddRectFilled({at.x - size.x / 2 - ui.px(6), at.y - size.y - ui.px(8)},
                             {at.x + size.x / 2 + ui.px(6), at.y - ui.px(4)}, paint(t.panel, 0.95), ui.px(4));
    pen.list().AddText({at.x - size.x / 2, at.y - size.y - ui.px(6)}, paint(t.text), text.c_str());
}

/// Robots of a team that is edited, where they would start.
void draw_edited(Ui& ui, Pen& pen) {
    if (ui.tab != Tab::edit || !ui.edit) return;
    const Theme& t = ui.colours();
    const Point offset = ui.model->info().map_offset;
    for (std::size_t i = 0; i < ui.edit->robots().size(); ++i) {
        const RobotEntry& r = ui.edit->robots()[i];
        const bool base = r.role == Role::base;
        const ImVec2 c = pen.at(Point{r.x_m, r.y_m} - offset);
        const Colour colour = robot_colour(t, i, base);
        const float d = ui.px(9);
        if (base)
            pen.list().AddRect({c.x - d, c.y - d}, {c.x + d, c.y + d}, paint(colour), ui.px(2), 0, ui.px(2.5f));
        else
            pen.list().AddCircle(c, d, paint(colour), 24, ui.px(2.5f));
        const double yaw = radians(r.yaw_deg);
        pen.list().AddLine(
            c, {c.x + 2 * d * static_cast<float>(std::cos(yaw)), c.y - 2 * d * static_cast<float>(std::sin(yaw))},
            paint(colour), ui.px(2.5f));
    }
}

void mouse(Ui& ui, Rect area) {
    ViewModel& model = *ui.model;
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetCursorScreenPos(area.low);
    ImGui::InvisibleButton(
        "map", {area.high.x - area.low.x, area.high.y - area.low.y},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
    note(ui, "map");
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    static bool dragged = false;
    static std::optional<std::size_t> moved;
    ui.hover.reset();
    if (hovered || active) ui.hover = model.camera.to_metres(point(io.MousePos));
    if (hovered && io.MouseWheel != 0) model.camera.zoom(std::pow(1.2, io.MouseWheel), point(io.MousePos));
    const double reach = ui.px(14) / model.camera.pixels_per_m;
    const bool editing = ui.tab == Tab::edit && ui.edit;
    if (ImGui::IsItemActivated()) {
        dragged = false;
        moved.reset();
        if (editing && ui.hover) {
            const Point at = model.info().on_map(*ui.hover);
            for (std::size_t i = 0; i < ui.edit->robots().size(); ++i)
                if (distance({ui.edit->robots()[i].x_m, ui.edit->robots()[i].y_m}, at) < reach) moved = i;
        }
    }
    if (active && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) &&
        ImGui::IsMouseDragging(io.MouseDown[0]   ? 0
                               : io.MouseDown[2] ? 2
                                                 : 1,
                               3)) {
        dragged = true;
        if (moved && ui.hover)
            ui.edit->move(*moved, model.info().on_map(*ui.hover));
        else
            model.camera.pan(point(io.MouseDelta));
        if (!moved) model.follow.reset();
    }
    if (!ImGui::IsItemDeactivated() || dragged || !hovered) return;
    const Point at = model.camera.to_metres(point(io.MousePos));
    if (ui.tool == Tool::measure) {
        if (ui.measure.size() >= 2) ui.measure.clear();
        ui.measure.push_back(at);
    } else if (ui.tool == Tool::way_point) {
        ui.way_points.push_back(at);
    } else if (const auto robot = model.robot_at(at, reach)) {
        model.select_robot(robot);
        model.selection.cell.reset();
        if (!editing) ui.tab = Tab::why;
    } else {
        model.select_robot({});
        model.selection.cell = model.cell_at(at);
    }
}

void tooltip(Ui& ui) {
    ViewModel& model = *ui.model;
    if (!ui.hover || ImGui::IsMouseDown(0) || !ImGui::IsWindowHovered() ||
        !model.info().walls.contains(model.cell_at(*ui.hover)))
        return;
    if (ImGui::GetIO().KeyShift || model.robot_at(*ui.hover, ui.px(14) / model.camera.pixels_per_m)) {
        const auto robot = model.robot_at(*ui.hover, ui.px(14) / model.camera.pixels_per_m);
        ImGui::BeginTooltip();
        if (robot) {
            ImGui::PushFont(ui.bold);
            ImGui::TextUnformatted(model.info().name(*robot).c_str());
            ImGui::PopFont();
            ImGui::TextUnformatted(state_text(model, *robot).c_str());
            if (const RobotMoment* m = model.moment(*robot)) text_faint(ui, m->command);
        } else {
            for (const Fact& f : facts_of_cell(model, model.cell_at(*ui.hover)))
                ImGui::TextUnformatted((f.label + (f.value.empty() ? "" : ": " + f.value)).c_str());
        }
        ImGui::EndTooltip();
    }
}

}  // namespace

void draw_map(Ui& ui, Rect area) {
    ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    model.camera.origin = {area.low.x, area.low.y};
    const Point size{area.high.x - area.low.x, area.high.y - area.low.y};
    if (size != model.camera.size) {
        const bool first = model.camera.size.x < 2;
        model.camera.size = size;
        if (first || !model.follow) model.fit(ui.px(16), ui.px(48));
    }
    mouse(ui, area);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(area.low, area.high, true);
    list.AddRectFilled(area.low, area.high, paint(t.outside));
    ui.texture->draw(list, model.camera);
    Pen pen(ui, list);
    if (model.selection.cell) {
        const double cell = model.info().walls.lattice().cell_m;
        const Point low{model.selection.cell->x * cell, model.selection.cell->y * cell};
        const ImVec2 a = pen.at(low), b = pen.at(low + Point{cell, cell});
        const float grow = std::max(0.0f, ui.px(5) - (b.x - a.x) / 2);
        list.AddRect({a.x - grow, b.y - grow}, {b.x + grow, a.y + grow}, paint(t.accent), 0, 0, ui.px(2));
    }
    draw_robots(ui, pen, area);
    draw_edited(ui, pen);
    draw_tools(ui, pen);
    draw_legend(ui, list, area);
    list.PopClipRect();
    tooltip(ui);
}

}  // namespace outrider::view
