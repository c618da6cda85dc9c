// Telling robots what to do, and editing a team.
#include <imgui.h>
#include <imgui_stdlib.h>

#include "outrider/error.hpp"
#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

void wrapped(const Ui& ui, const std::string& text) {
    ImGui::PushTextWrapPos(0);
    text_faint(ui, text);
    ImGui::PopTextWrapPos();
}

bool wide_button(Ui& ui, const std::string& name, const std::string& label, bool enabled = true) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button((label + "##" + name).c_str(), {ImGui::GetContentRegionAvail().x, 0});
    ImGui::EndDisabled();
    note(ui, name);
    return pressed && enabled;
}

}  // namespace

void draw_operate_tab(Ui& ui) {
    ViewModel& model = *ui.model;
    if (!model.source().can_command()) {
        wrapped(ui, "A log cannot be told anything: open the scenario to operate its robots.");
        return;
    }
    if (!model.selection.robot || model.info().is_base[static_cast<std::size_t>(*model.selection.robot)]) {
        wrapped(ui,
                "Select a robot, on the map or on the right, to operate it.\n\nWhat it is told is part of its "
                "percepts: it is in the log, and a replay shows it again.");
        return;
    }
    const RobotId robot = *model.selection.robot;
    ImGui::PushFont(ui.large);
    ImGui::TextUnformatted(model.info().name(robot).c_str());
    ImGui::PopFont();
    const std::string told = model.told(robot);
    wrapped(ui, told.empty() ? "It follows its strategy." : "Told last: " + told);
    heading(ui, "Way-points");
    if (chip(ui, "set way-points", ui.tool == Tool::way_point ? "Click on the map..." : "Set way-points",
             ui.tool == Tool::way_point, ui.colours().accent, "each click adds one (W)"))
        ui.tool = ui.tool == Tool::way_point ? Tool::select : Tool::way_point;
    ImGui::SameLine();
    if (chip(ui, "clear way-points", "Clear", false, ui.colours().accent, "", !ui.way_points.empty()))
        ui.way_points.clear();
    if (wide_button(ui, "send way-points",
                    fmt::format("Send {} way-point{}", ui.way_points.size(), ui.way_points.size() == 1 ? "" : "s"),
                    !ui.way_points.empty())) {
        model.command(robot, {"way_points", ui.way_points, 0, 0});
        ui.way_points.clear();
        ui.tool = Tool::select;
    }
    heading(ui, "Drive by hand");
    if (chip(ui, "drive freely", "Freely", !model.careful, ui.colours().accent, "as it is told (V)"))
        model.careful = false;
    ImGui::SameLine(0, ui.px(5));
    if (chip(ui, "drive carefully", "Carefully", model.careful, ui.colours().accent,
             "not where the robot does not know that it is free: it stays then (V)"))
        model.careful = true;
    wrapped(ui,
            "With this tab open: I forward, K back, J and L turn. Each press is an order for one step. The sticks of "
            "a gamepad drive while they are held and the run is played.");
    heading(ui, "Otherwise");
    if (wide_button(ui, "stop robot", "Stop and wait")) model.command(robot, {"stop", {}, 0, 0});
    if (wide_button(ui, "autonomous", "Back to its strategy")) model.command(robot, {"autonomous", {}, 0, 0});
}

void draw_edit_tab(Ui& ui) {
    ViewModel& model = *ui.model;
    if (!ui.edit) {
        wrapped(ui, "Change where robots and bases start, and with what, then save a scenario that runs.");
        if (wide_button(ui, "begin editing", "Edit this team"))
            ui.edit = std::make_unique<EditModel>(model.info().scenario);
        return;
    }
    static std::string path;
    static std::optional<std::size_t> picked;
    wrapped(ui, "Drag a ring on the map to move a robot's start.");
    EditModel& edit = *ui.edit;
    const Point middle = model.info().on_map(model.camera.centre);
    if (chip(ui, "add robot", "Add a robot", false, ui.colours().accent, "in the middle of the view"))
        picked = edit.add(Role::explorer, middle);
    ImGui::SameLine(0, ui.px(5));
    if (chip(ui, "add base", "Add a base", false, ui.colours().accent, "in the middle of the view"))
        picked = edit.add(Role::base, middle);
    heading(ui, "Save");
    const std::string problem = edit.problem();
    if (!problem.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, vec(ui.colours().error));
        ImGui::TextWrapped("%s", problem.c_str());
        ImGui::PopStyleColor();
    }
    if (path.empty()) path = model.info().scenario.name + "_edited.toml";
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    ImGui::InputText("##path", &path);
    try {
        if (wide_button(ui, "save team", "Save as a scenario", problem.empty())) {
            edit.save(path, false);
            ui.say("Saved " + path);
        }
        if (wide_button(ui, "run team", "Run it here", problem.empty())) ui.wish = "run edited";
    } catch (const std::exception& error) {
        ui.error = error.what();
    }
    if (wide_button(ui, "end editing", "Leave the editor")) {
        ui.edit.reset();
        return;
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
        ImGui::SetNextItemWidth(w);
        ImGui::InputText("name", &r.name);
        number("x, m", r.x_m, 0.1);
        number("y, m", r.y_m, 0.1);
        number("heading, deg", r.yaw_deg, 15);
        ImGui::SetNextItemWidth(w);
        ImGui::InputText("strategy", &r.strategy);
        number("radio, m", r.radio_range_m, 1);
        number("sensor, m", r.sensor.range_m, 1);
        number("speed, m/s", r.body.speed_mps, 0.1);
        if (wide_button(ui, "remove robot", "Remove", edit.robots().size() > 1)) {
            edit.remove(*picked);
            picked.reset();
        }
    }
}

}  // namespace outrider::view
