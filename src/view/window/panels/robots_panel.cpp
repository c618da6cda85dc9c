// A panel for each robot: how it is, and buttons for what its decisions rest on.
#include <fmt/ranges.h>

#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

void draw_buttons(Ui& ui, std::size_t robot, float width) {
    ViewModel& model = *ui.model;
    const Colour colour = robot_colour(ui.colours(), robot, model.info().is_base[robot]);
    // Two rows of five, each word with as much room as it needs.
    const float gap = ui.px(4);
    std::array<float, 2> words{};
    int k = 0;
    ImGui::PushFont(ui.small);
    for (const PanelButton& button : panel_buttons())
        words[static_cast<std::size_t>(k++ / 5)] += ImGui::CalcTextSize(button.label.data()).x;
    ImGui::PopFont();
    k = 0;
    for (const PanelButton& button : panel_buttons()) {
        const std::vector<std::size_t> layers = layers_of(button, model.layers);
        bool on = !layers.empty();
        for (const std::size_t layer : layers) on = on && model.layers.on(layer, robot);
        if (k % 5 != 0) ImGui::SameLine(0, gap);
        ImGui::PushFont(ui.small);
        const float w = ImGui::CalcTextSize(button.label.data()).x +
                        (width - 4 * gap - words[static_cast<std::size_t>(k++ / 5)]) / 5;
        ImGui::PopFont();
        const std::string tip =
            layers.empty() ? std::string(button.hint) + ": no robot publishes that here" : std::string(button.hint);
        if (chip(ui, fmt::format("robot/{}/{}", robot, button.label), std::string(button.label), on, colour, tip,
                 !layers.empty(), w))
            for (const std::size_t layer : layers) model.layers.set(layer, robot, !on);
    }
}

void draw_card(Ui& ui, std::size_t i, bool buttons) {
    ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    const auto robot = static_cast<RobotId>(i);
    const RobotMoment* m = model.moment(robot);
    const Colour colour = robot_colour(t, i, model.info().is_base[i]);
    const bool chosen = model.selection.robot == robot;
    const float width = ImGui::GetContentRegionAvail().x, pad = ui.px(9);
    const float height = ui.px(buttons ? 46 : 40) + (buttons ? ui.px(56) : 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    // What was selected on the map comes into view.
    if (chosen && ui.seen_in_panel != robot && !ImGui::IsRectVisible(at, {at.x + width, at.y + height}))
        ImGui::SetScrollFromPosY(at.y - ImGui::GetWindowPos().y);
    if (!ImGui::IsRectVisible(at, {at.x + width, at.y + height})) {
        ImGui::Dummy({width, height + ui.px(1)});
        return;
    }
    list.AddRectFilled(at, {at.x + width, at.y + height}, paint(t.raised), ui.px(7));
    list.AddRect(at, {at.x + width, at.y + height}, paint(chosen ? t.accent : t.line), ui.px(7), 0,
                 ui.px(chosen ? 2 : 1));
    ImGui::PushID(static_cast<int>(i));
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton("card", {width - ui.px(30), ui.px(42)})) {
        model.select_robot(chosen ? std::nullopt : std::optional(robot));
        model.selection.cell.reset();
        if (!chosen && ui.tab != Tab::operate) ui.tab = Tab::why;
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0))
        model.camera.centre = model.shown_pose(robot).position();
    note(ui, "card/" + std::to_string(i));
    const ImVec2 dot{at.x + pad + ui.px(6), at.y + ui.px(16)};
    if (model.info().is_base[i])
        list.AddRectFilled({dot.x - ui.px(5.5f), dot.y - ui.px(5.5f)}, {dot.x + ui.px(5.5f), dot.y + ui.px(5.5f)},
                           paint(colour), ui.px(2));
    else if (const ReportedRobot* report = model.report_of(robot); report ? !report->silent() : m && m->alive) {
        list.AddCircleFilled(dot, ui.px(6), paint(colour), 24);
        draw_colour_mark(ui, list, dot, ui.px(6), colour_round(i, false));
    } else {
        list.AddCircle(dot, ui.px(5), paint(colour), 24, ui.px(1.8f));
    }
    const float left = at.x + pad + ui.px(20), room = width - pad - ui.px(54);
    ImGui::PushFont(ui.bold);
    const std::string name = model.info().name(robot);
    list.AddText({left, at.y + ui.px(8)}, paint(t.text), name.c_str());
    const float after = ImGui::CalcTextSize(name.c_str()).x + ui.px(8);
    ImGui::PopFont();
    ImGui::PushFont(ui.small);
    list.AddText({left + after, at.y + ui.px(9.5f)}, paint(t.faint),
                 fitted(state_text(model, robot), room - after).c_str());
    if (const ReportedRobot* report = model.report_of(robot)) {
        const std::vector<std::string> alerts = alerts_of(*report);
        const std::string battery =
            report->report ? fmt::format("battery {:.0f} %", 100 * report->report->battery) : "sends no reports";
        list.AddText(
            {left, at.y + ui.px(25)}, paint(alerts.empty() ? t.faint : t.warning),
            fitted(alerts.empty() ? battery : fmt::format("{}", fmt::join(alerts, ", ")), width - pad - ui.px(26))
                .c_str());
    } else if (m) {
        const double cell = model.info().walls.lattice().cell_m;
        const bool linked = model.linked(robot);
        std::string line;
        if (m->alive) line = fmt::format("knows {:.0f} m²", static_cast<double>(m->known_cells) * cell * cell);
        if (m->lost) line += ", lost";
        if (m->alive && !model.info().is_base[i]) line += linked ? ", linked to the base" : ", no link to the base";
        list.AddText({left, at.y + ui.px(25)},
                     paint(m->lost || (m->alive && !linked && !model.info().is_base[i]) ? t.warning : t.faint),
                     fitted(line, width - pad - ui.px(26)).c_str());
    }
    ImGui::PopFont();
    // A small arrow shows and hides the buttons.
    ImGui::SetCursorScreenPos({at.x + width - ui.px(30), at.y});
    if (ImGui::InvisibleButton("more", {ui.px(28), ui.px(30)})) ui.expanded[i] = !buttons;
    note(ui, "more/" + std::to_string(i));
    hint(buttons ? "hide the buttons" : "show the buttons");
    const ImVec2 c{at.x + width - ui.px(16), at.y + ui.px(16)};
    const float s = ui.px(4), up = buttons ? 1.0f : -1.0f;
    const ImVec2 arrow[] = {{c.x - s, c.y + up * s / 2}, {c.x, c.y - up * s / 2}, {c.x + s, c.y + up * s / 2}};
    list.AddPolyline(arrow, 3, paint(ImGui::IsItemHovered() ? t.text : t.faint), 0, ui.px(1.6f));
    if (buttons) {
        ImGui::SetCursorScreenPos({at.x + pad, at.y + ui.px(46)});
        ImGui::BeginGroup();
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(4), ui.px(4)});
        draw_buttons(ui, i, width - 2 * pad);
        ImGui::PopStyleVar();
        ImGui::EndGroup();
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos({at.x, at.y + height + ui.px(7)});
}

}  // namespace

void draw_robots_panel(Ui& ui, Rect area) {
    ViewModel& model = *ui.model;
    const std::size_t robots = model.info().robots();
    if (ui.expanded.size() != robots) ui.expanded.assign(robots, robots <= 6);
    ImGui::SetCursorScreenPos(area.low);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(10)});
    ImGui::BeginChild("robots", {area.high.x - area.low.x, area.high.y - area.low.y}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding);
    for (std::size_t i = 0; i < robots; ++i) draw_card(ui, i, ui.expanded[i] != 0);
    ui.seen_in_panel = model.selection.robot;
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::GetWindowDrawList()->AddLine(area.low, {area.low.x, area.high.y}, paint(ui.colours().line));
}

}  // namespace outrider::view
