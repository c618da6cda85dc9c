// Layers x robots: what is drawn of whom.
#include "scenario/exclusions.hpp"
#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

/// Whether the run has what a layer shows: not every one has a plan, or clears.
bool has_content(std::size_t layer, const Scenario& s) {
    if (layer == Layers::index(LayerId::prior)) return s.layers.plan != nullptr;
    return layer != Layers::index(LayerId::cleared) || has_part(s, "clearing");
}

/// A dot for each robot, in its colour when on, over up to four rows: more robots have only their panels.
void robot_dots(Ui& ui, std::size_t layer, float room) {
    ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    const Layer& l = model.layers.all()[layer];
    const float side = ui.px(13), gap = ui.px(3);
    const auto fits = static_cast<std::size_t>(std::max(1.0f, room / (side + gap)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::size_t shown = std::min(l.on.size(), 4 * fits);
    const float left = ImGui::GetCursorPosX();
    for (std::size_t i = 0; i < shown; ++i) {
        if (i % fits > 0)
            ImGui::SameLine(0, gap);
        else
            ImGui::SetCursorPosX(left);
        const std::string name = l.key + "/" + std::to_string(i);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton(name.c_str(), {side, ui.px(21)})) model.layers.set(layer, i, !l.on[i]);
        note(ui, name);
        const bool hovered = ImGui::IsItemHovered();
        if (!ImGui::IsItemVisible()) continue;
        hint(model.info().name(static_cast<RobotId>(i)) + ": " + l.label);
        const Colour colour = robot_colour(t, i, model.info().is_base[i]);
        const ImVec2 c{at.x + side / 2, at.y + ui.px(10.5f)};
        if (l.on[i]) {
            list.AddCircleFilled(c, side * 0.42f, paint(colour), 12);
            draw_colour_mark(ui, list, c, side * 0.42f, colour_round(i, model.info().is_base[i]));
        } else {
            list.AddCircle(c, side * 0.36f, paint(colour, hovered ? 1 : 0.45), 10, ui.px(1.3f));
        }
    }
}

}  // namespace

void draw_layers_tab(Ui& ui) {
    ViewModel& model = *ui.model;
    heading(ui, "Show");
    const float width = ImGui::GetContentRegionAvail().x;
    float x = 0;
    for (int k = 0; k < 9; ++k) {
        const Preset& preset = model.presets[static_cast<std::size_t>(k)];
        const std::string label = fmt::format("{} {}", k + 1, preset.name);
        ImGui::PushFont(ui.small);
        const float w = ImGui::CalcTextSize(label.c_str()).x + ui.px(14);
        ImGui::PopFont();
        if (x > 0 && x + w <= width) ImGui::SameLine(0, ui.px(5));
        if (x > 0 && x + w > width) x = 0;
        x += w + ui.px(5);
        if (chip(ui, "preset/" + std::to_string(k + 1), label, model.preset == k, ui.colours().accent,
                 fmt::format("key {}; Ctrl+{} keeps what is shown now under this key", k + 1, k + 1)))
            model.apply_preset(k);
    }
    const std::size_t robots = model.layers.robots();
    const bool compact = robots <= 5;
    heading(ui, "All layers of a robot");
    float row = 0;
    for (std::size_t i = 0; i < robots; ++i) {
        const std::string name = fitted(model.info().name(static_cast<RobotId>(i)), ui.px(70));
        const float w = ui.px(15 + 4 + 10) + ImGui::CalcTextSize(name.c_str()).x;
        if (i > 0 && row + w <= width) ImGui::SameLine(0, ui.px(10));
        if (row + w > width) row = 0;
        row += w;
        const Tri state = model.layers.robot_state(i);
        if (tri_box(ui, "robot/" + std::to_string(i), state, "all layers of this robot, or none"))
            model.layers.set_robot(i, state != Tri::on);
        ImGui::SameLine(0, ui.px(4));
        ImGui::AlignTextToFramePadding();
        text_faint(ui, name);
    }
    for (std::size_t g = 0; g < group_names.size(); ++g) {
        bool any = false;
        for (const Layer& l : model.layers.all()) any = any || static_cast<std::size_t>(l.group) == g;
        if (!any) continue;
        heading(ui, std::string(group_names[g]));
        for (std::size_t k = 0; k < model.layers.all().size(); ++k) {
            const Layer& l = model.layers.all()[k];
            if (static_cast<std::size_t>(l.group) != g || !has_content(k, model.info().scenario)) continue;
            ImGui::PushID(static_cast<int>(k));
            if (tri_box(ui, "layer/" + l.key, model.layers.state(k), l.hint)) model.layers.toggle(k);
            ImGui::SameLine(0, ui.px(8));
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float dots = l.per_robot && compact ? static_cast<float>(robots) * ui.px(16) : 0;
            const float solo = l.group == Group::map ? 0 : ui.px(22);
            const float room = ImGui::GetContentRegionAvail().x - dots - solo;
            const bool alone = model.layers.solo_layer() == k;
            if (ImGui::InvisibleButton("label", {room, ui.px(21)})) model.layers.toggle(k);
            hint(l.hint);
            const float top = at.y + (ui.px(21) - ImGui::GetFontSize()) / 2;
            const bool dim = model.layers.solo_layer() && !alone && l.group != Group::map;
            ImGui::GetWindowDrawList()->AddText({at.x, top}, paint(dim ? ui.colours().faint : ui.colours().text),
                                                fitted(l.label, room - ui.px(4)).c_str());
            if (dots > 0) {
                ImGui::SameLine(0, 0);
                robot_dots(ui, k, dots);
            }
            if (solo > 0) {
                ImGui::SameLine(0, ui.px(4));
                if (chip(ui, "solo/" + l.key, "S", alone, ui.colours().accent, "only this one, besides the map", true,
                         ui.px(18)))
                    model.layers.solo_layer(k);
            }
            if (l.per_robot && !compact) {
                ImGui::Dummy({ui.px(14), 0});
                ImGui::SameLine(0, ui.px(9));
                robot_dots(ui, k, ImGui::GetContentRegionAvail().x);
            }
            ImGui::PopID();
        }
    }
}

}  // namespace outrider::view
