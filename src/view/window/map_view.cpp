// The map in the middle: what is known, robots and what they show, and what the mouse does there.
#include "view/window/pen.hpp"

namespace outrider::view {
namespace {

Point point(ImVec2 p) { return {p.x, p.y}; }

void draw_tools(Ui& ui, Pen& pen) {
    const Theme& t = ui.colours();
    const auto path = [&](const std::vector<Point>& points, Colour colour) {
        pen.line(points, t.paper, 0.9, ui.px(4));
        pen.line(points, colour, 1, ui.px(2));
        for (const Point& p : points) pen.list().AddCircleFilled(pen.at(p), ui.px(4), paint(colour), 16);
    };
    path(ui.waypoints, t.accent);
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

/// The operator's marks: pins with names; open pins are sent with the next step.
void draw_places(Ui& ui, Pen& pen) {
    const Theme& t = ui.colours();
    for (const PlaceMark& m : ui.model->marks()) {
        const ImVec2 tip = pen.at(m.at), head{tip.x, tip.y - ui.px(14)};
        pen.list().AddTriangleFilled(tip, {head.x - ui.px(5.5f), head.y + ui.px(3)},
                                     {head.x + ui.px(5.5f), head.y + ui.px(3)}, paint(t.error));
        pen.list().AddCircleFilled(head, ui.px(6.5f), paint(t.error), 20);
        if (m.step < 0) pen.list().AddCircleFilled(head, ui.px(4.5f), paint(t.paper), 20);
        pen.word({head.x + ui.px(10), head.y}, m.name, t.text);
    }
}

/// Walls that were drawn or removed, and robots where they would start.
void draw_edited(Ui& ui, Pen& pen) {
    const Theme& t = ui.colours();
    const Point offset = ui.model->info().map_offset;
    const Lattice& lattice = ui.model->info().walls.lattice();
    const Point half{lattice.cell_m / 2, lattice.cell_m / 2};
    for (const auto& [cell, wall] : ui.edit->drawn()) {
        const Point centre = lattice.centre(cell) - offset;
        const ImVec2 a = pen.at(centre - half), b = pen.at(centre + half);
        pen.list().AddRectFilled({a.x, b.y}, {b.x, a.y}, paint(wall ? t.wall : t.free));
    }
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

/// Draws walls, or removes them, along the mouse while its button is down. False: the mouse does something else.
bool draw_walls(Ui& ui, bool active) {
    static std::optional<Point> last;
    const bool draws = ui.model->map_only && (ui.tool == Tool::wall || ui.tool == Tool::erase);
    if (!draws || !active || !ImGui::IsMouseDown(0) || !ui.hover) {
        last.reset();
        return draws && !ImGui::IsMouseDown(1) && !ImGui::IsMouseDown(2);
    }
    const Point at = ui.model->info().on_map(*ui.hover);
    if (last != at) ui.edit->draw(last.value_or(at), at, ui.wall_width_m, ui.tool == Tool::wall);
    last = at;
    return true;
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
    const bool editing = model.map_only;
    if (draw_walls(ui, active)) return;
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
    } else if (ui.tool == Tool::waypoint) {
        ui.waypoints.push_back(at);
    } else if (ui.tool == Tool::mark) {
        model.mark(ui.mark_name, at);
        ui.tool = Tool::select;
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
            model.ask_history();
            for (const Fact& f : facts_of_cell(model, model.cell_at(*ui.hover)))
                ImGui::TextUnformatted((f.label + (f.value.empty() ? "" : ": " + f.value)).c_str());
        }
        ImGui::EndTooltip();
    }
}

}  // namespace

void draw_map(Ui& ui, Rect area, bool legend) {
    ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    model.camera.unit = ui.px(1);
    model.camera.origin = {area.low.x, area.low.y};
    const Point size{area.high.x - area.low.x, area.high.y - area.low.y};
    if (size != model.camera.size) {
        const bool first = model.camera.size.x < 2;  // only the first time: later the user's zoom stays
        model.camera.size = size;
        if (first || model.fitted()) model.fit(ui.px(16), ui.px(48));
    }
    model.map_only = ui.tab == Tab::edit && ui.edit;
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
    const scene::Scene scene = model.scene();
    if (model.map_only) {
        draw_edited(ui, pen);
    } else {
        draw_areas(ui, pen, scene);
        draw_robots(ui, pen);
        draw_marks(ui, pen, scene);
        draw_names(ui, pen, area);
        draw_places(ui, pen);
    }
    draw_tools(ui, pen);
    if (legend) draw_legend(ui, list, area, scene);
    list.PopClipRect();
    tooltip(ui);
}

}  // namespace outrider::view
