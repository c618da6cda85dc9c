// The panel on the left: tabs for layers, reasons, tables, plots, operating, editing.
#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

void tab_bar(Ui& ui) {
    const Theme& t = ui.colours();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, h = ui.px(28);
    ImGui::PushFont(ui.small);
    float words = 0;
    for (const char* name : tab_names) words += ImGui::CalcTextSize(name).x;
    const float extra = (width - words) / static_cast<float>(tab_names.size());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float x = at.x;
    for (std::size_t k = 0; k < tab_names.size(); ++k) {
        const ImVec2 size = ImGui::CalcTextSize(tab_names[k]);
        const float w = size.x + extra;
        ImGui::SetCursorScreenPos({x, at.y});
        if (ImGui::InvisibleButton(tab_names[k], {w, h})) ui.tab = static_cast<Tab>(k);
        note(ui, std::string("tab/") + tab_names[k]);
        const bool on = ui.tab == static_cast<Tab>(k), hovered = ImGui::IsItemHovered();
        list.AddText({x + extra / 2, at.y + (h - size.y) / 2},
                     paint(on        ? t.text
                           : hovered ? mix(t.faint, t.text, 0.5)
                                     : t.faint),
                     tab_names[k]);
        if (on)
            list.AddRectFilled({x + extra * 0.25f, at.y + h - ui.px(2.5f)}, {x + w - extra * 0.25f, at.y + h},
                               paint(t.accent), ui.px(1));
        x += w;
    }
    list.AddLine({at.x - ui.px(12), at.y + h}, {at.x + width + ui.px(12), at.y + h}, paint(t.line));
    ImGui::PopFont();
    ImGui::SetCursorScreenPos({at.x, at.y + h + ui.px(6)});
}

/// A fact as a line: its name faint, its value after it, wrapped.
void draw_fact(Ui& ui, const Fact& f, int id) {
    const Theme& t = ui.colours();
    if (f.kind == Fact::Kind::title) {
        heading(ui, f.label);
        if (!f.value.empty()) {
            ImGui::PushFont(ui.small);
            ImGui::PushStyleColor(ImGuiCol_Text, vec(t.faint));
            ImGui::TextWrapped("%s", f.value.c_str());
            ImGui::PopStyleColor();
            ImGui::PopFont();
        }
        return;
    }
    const float column = ui.px(88);
    ImGui::PushID(id);
    if (f.kind == Fact::Kind::candidate || f.kind == Fact::Kind::chosen) {
        const bool chosen = f.kind == Fact::Kind::chosen;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float w = ImGui::GetContentRegionAvail().x;
        if (ImGui::InvisibleButton("candidate", {w, ui.px(20)}) && f.at) ui.model->camera.centre = *f.at;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        if (chosen || ImGui::IsItemHovered())
            list.AddRectFilled(at, {at.x + w, at.y + ui.px(20)},
                               paint(mix(t.panel, chosen ? t.accent : t.text, chosen ? 0.2 : 0.06)), ui.px(4));
        const float top = at.y + (ui.px(20) - ImGui::GetFontSize()) / 2;
        list.AddText({at.x + ui.px(6), top}, paint(t.text), f.label.c_str());
        const std::string value = f.value + (chosen ? "  chosen" : "");
        list.AddText({at.x + w - ui.px(6) - ImGui::CalcTextSize(value.c_str()).x, top},
                     paint(chosen ? t.text : t.faint), value.c_str());
    } else {
        if (!f.label.empty()) {
            text_faint(ui, fitted(f.label, column - ui.px(4)));
            ImGui::SameLine(column);
        }
        ImGui::PushStyleColor(ImGuiCol_Text, vec(f.kind == Fact::Kind::warning ? t.warning : t.text));
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(f.value.c_str());
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
        if (f.at && ImGui::IsItemClicked()) ui.model->camera.centre = *f.at;
    }
    ImGui::PopID();
}

}  // namespace

void draw_why_tab(Ui& ui) {
    ViewModel& model = *ui.model;
    int id = 0;
    if (model.selection.robot) {
        const RobotId robot = *model.selection.robot;
        ImGui::PushFont(ui.large);
        ImGui::PushStyleColor(ImGuiCol_Text,
                              vec(mix(robot_colour(ui.colours(), static_cast<std::size_t>(robot),
                                                   model.info().is_base[static_cast<std::size_t>(robot)]),
                                      ui.colours().text, 0.3)));
        ImGui::TextUnformatted(model.info().name(robot).c_str());
        ImGui::PopStyleColor();
        ImGui::PopFont();
        ImGui::SameLine(0, ui.px(10));
        if (chip(ui, "follow", "Follow", model.follow == robot, ui.colours().accent, "keep it in the middle (C)"))
            model.follow = model.follow == robot ? std::nullopt : std::optional(robot);
        ImGui::SameLine(0, ui.px(5));
        if (chip(ui, "solo robot", "Solo", model.layers.solo_robot() == static_cast<std::size_t>(robot),
                 ui.colours().accent, "layers of this robot only (O)"))
            model.layers.solo_robot(static_cast<std::size_t>(robot));
        for (const Fact& f : facts_of_robot(model, robot)) draw_fact(ui, f, id++);
    } else if (model.selection.cell) {
        for (const Fact& f : facts_of_cell(model, *model.selection.cell)) draw_fact(ui, f, id++);
    } else {
        ImGui::PushTextWrapPos(0);
        text_faint(ui,
                   "Click a robot: what it knows, its candidates, the rule that fired, and its path.\n\nClick a cell: "
                   "who knew it first, and since when the base knows it.");
        ImGui::PopTextWrapPos();
    }
}

void draw_side_panel(Ui& ui, Rect area) {
    ImGui::SetCursorScreenPos(area.low);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(4)});
    ImGui::BeginChild("side", {area.high.x - area.low.x, area.high.y - area.low.y}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
    tab_bar(ui);
    ImGui::BeginChild("tab", {0, 0}, false);
    switch (ui.tab) {
        case Tab::layers:
            draw_layers_tab(ui);
            break;
        case Tab::why:
            draw_why_tab(ui);
            break;
        case Tab::tables:
            draw_tables_tab(ui);
            break;
        case Tab::plots:
            draw_plots_tab(ui);
            break;
        case Tab::operate:
            draw_operate_tab(ui);
            break;
        case Tab::edit:
            draw_edit_tab(ui);
            break;
    }
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::GetWindowDrawList()->AddLine({area.high.x, area.low.y}, area.high, paint(ui.colours().line));
}

}  // namespace outrider::view
