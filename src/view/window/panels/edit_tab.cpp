// Editing a run before it begins.
#include <imgui.h>
#include <imgui_stdlib.h>

#include "base/output.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

/// A list of all strategies, each with its meaning; options are typed behind the name.
void choose_strategy(Ui& ui, RobotEntry& r, float width) {
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##strategies", strategy_name(r.strategy).c_str(), ImGuiComboFlags_HeightLargest)) {
        for (const StrategyInfo& s : strategies()) {
            if (s.name == "remote") continue;  // which needs another program
            if (ImGui::Selectable(s.name.c_str(), s.name == strategy_name(r.strategy))) r.strategy = s.name;
            note(ui, "strategy/" + s.name);
            hint(s.summary);
        }
        ImGui::EndCombo();
    }
    note(ui, "edit strategies");
    ImGui::SetNextItemWidth(width);
    ImGui::InputText("strategy", &r.strategy);
    note(ui, "edit strategy");
}

/// What the mouse does on the map: with neither of these, it moves robots.
void choose_tool(Ui& ui) {
    const auto tool = [&](Tool which, const char* name, const char* label) {
        if (chip(ui, name, label, ui.tool == which, ui.colours().accent, "drag on the map; Escape ends it"))
            ui.tool = ui.tool == which ? Tool::select : which;
    };
    tool(Tool::wall, "draw walls", "Draw walls");
    ImGui::SameLine(0, ui.px(5));
    tool(Tool::erase, "remove walls", "Remove walls");
    if (ui.tool != Tool::wall && ui.tool != Tool::erase) return;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.55f);
    ImGui::InputDouble("width, m", &ui.wall_width_m, 0.1, 0, "%.2f");
    note(ui, "wall width");
    ui.wall_width_m = std::clamp(ui.wall_width_m, 0.0, 10.0);
}

}  // namespace

void draw_edit_tab(Ui& ui) {
    ViewModel& model = *ui.model;
    if (!ui.edit) {
        wrapped(ui,
                "Change where robots and bases start, and with what, or the walls; then save a scenario that runs.");
        if (wide_button(ui, "begin editing", "Edit this run"))
            ui.edit = std::make_unique<EditModel>(model.info().scenario);
        return;
    }
    static std::string path;
    static std::optional<std::size_t> picked;
    wrapped(ui, "Drag a ring to move where a robot starts.");
    EditModel& edit = *ui.edit;
    const Point middle = model.info().on_map(model.camera.centre);
    if (chip(ui, "add robot", "Add a robot", false, ui.colours().accent, "in the middle of the view"))
        picked = edit.add(Role::explorer, middle);
    ImGui::SameLine(0, ui.px(5));
    if (chip(ui, "add base", "Add a base", false, ui.colours().accent, "in the middle of the view"))
        picked = edit.add(Role::base, middle);
    choose_tool(ui);
    if (!ImGui::IsAnyItemActive() && !ImGui::IsMouseDown(0)) edit.settle();
    if (chip(ui, "undo", "Undo", false, ui.colours().accent, "Ctrl+Z", edit.can_undo())) edit.undo();
    ImGui::SameLine(0, ui.px(5));
    if (chip(ui, "redo", "Redo", false, ui.colours().accent, "Ctrl+Y", edit.can_redo())) edit.redo();
    heading(ui, "Save");
    const std::string problem = edit.problem();
    if (!problem.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, vec(ui.colours().error));
        ImGui::TextWrapped("%s", problem.c_str());
        ImGui::PopStyleColor();
    }
    if (path.empty()) path = file_name(model.info().scenario.name) + "_edited.toml";
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    ImGui::InputText("##path", &path);
    try {
        if (wide_button(ui, "save team", "Save as a scenario", problem.empty())) {
            edit.save(path, false);
            ui.say("Saved " + path);
        }
        if (wide_button(ui, "run team", "Run it here", problem.empty())) ui.ask(action::RunEdited{});
    } catch (const std::exception& error) {
        ui.error = error.what();
    }
    heading(ui, "Team");
    for (std::size_t i = 0; i < edit.robots().size(); ++i) {
        const RobotEntry& r = edit.robots()[i];
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(fmt::format("{}  ({:.1f}, {:.1f}) m", r.name, r.x_m, r.y_m).c_str(), picked == i))
            picked = i;
        note(ui, "edit/" + std::to_string(i));
        ImGui::PopID();
    }
    if (picked && *picked < edit.robots().size()) {
        RobotEntry& r = edit.robot(*picked);
        heading(ui, r.name);
        const float w = ImGui::GetContentRegionAvail().x * 0.55f;
        const auto number = [&](const char* label, double& value, double step) {
            ImGui::SetNextItemWidth(w);
            ImGui::InputDouble(label, &value, step, 0, "%.2f");
            note(ui, std::string("edit ") + label);
        };
        choose_strategy(ui, r, w);
        ImGui::SetNextItemWidth(w);
        ImGui::InputText("name", &r.name);
        number("x, m", r.x_m, 0.1);
        number("y, m", r.y_m, 0.1);
        number("heading, deg", r.yaw_deg, 15);
        number("radio, m", r.radio_range_m, 1);
        number("sensor, m", r.sensor.range_m, 1);
        number("speed, m/s", r.body.speed_mps, 0.1);
        if (wide_button(ui, "remove robot", "Remove", edit.robots().size() > 1)) {
            edit.remove(*picked);
            picked.reset();
        }
    }
    if (wide_button(ui, "end editing", "Leave the editor")) {
        ui.edit.reset();
        ui.tool = Tool::select;
    }
}

}  // namespace outrider::view
