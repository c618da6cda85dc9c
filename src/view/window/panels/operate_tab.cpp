// Telling robots what to do, and marking places.
#include <fmt/core.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "messages/order_words.hpp"
#include "messages/victim_options.hpp"
#include "scenario/exclusions.hpp"
#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

/// "follow_waypoints" as "Follow waypoints".
std::string spoken(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
}

void operate_robot(Ui& ui) {
    ViewModel& model = *ui.model;
    if (!model.source().can_command()) {
        wrapped(ui, "A log takes no orders: open the scenario to operate its robots.");
        return;
    }
    if (!model.selection.robot || model.info().is_base[static_cast<std::size_t>(*model.selection.robot)]) {
        wrapped(ui,
                "Select a robot, on the map or on the right, to operate it.\n\nIts orders are part of its "
                "percepts: it is in the log, and a replay shows it again.");
        return;
    }
    const RobotId robot = *model.selection.robot;
    ImGui::PushFont(ui.large);
    ImGui::TextUnformatted(model.info().name(robot).c_str());
    ImGui::PopFont();
    const std::string ordered = model.ordered(robot);
    wrapped(ui, ordered.empty() ? "It follows its strategy." : "Last order: " + ordered);
    if (model.order_under_way(robot)) wrapped(ui, "It has not acknowledged the last order yet.");
    heading(ui, "Way-points");
    if (chip(ui, "set way-points", ui.tool == Tool::waypoint ? "Click on the map..." : "Set way-points",
             ui.tool == Tool::waypoint, ui.colours().accent, "each click adds one (W)"))
        ui.tool = ui.tool == Tool::waypoint ? Tool::select : Tool::waypoint;
    ImGui::SameLine();
    if (chip(ui, "clear way-points", "Clear", false, ui.colours().accent, "", !ui.waypoints.empty()))
        ui.waypoints.clear();
    if (wide_button(ui, "send way-points",
                    fmt::format("Send {} way-point{}", ui.waypoints.size(), ui.waypoints.size() == 1 ? "" : "s"),
                    !ui.waypoints.empty())) {
        model.command(robot, {"way_points", ui.waypoints, 0, 0});
        ui.waypoints.clear();
        ui.tool = Tool::select;
    }
    heading(ui, "Drive by hand");
    if (chip(ui, "drive freely", "Freely", !model.careful, ui.colours().accent, "as it is steered (V)"))
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
    if (!takes_orders(model.info().scenario.robots[static_cast<std::size_t>(robot)])) return;
    heading(ui, "Modes of its strategy");
    for (const std::string_view mode : behaviour_names)
        if (mode != behaviour_names[0])
            if (std::string words(mode); wide_button(ui, ("mode " + words).c_str(), spoken(words).c_str()))
                model.command(robot, {words, {}, 0, 0});
}

/// Strengths of links as robots reported them, the base station first.
void draw_link_matrix(Ui& ui, const std::vector<ReportedRobot>& robots) {
    constexpr std::size_t most = 8;  // as many columns as have room
    const ViewModel& model = *ui.model;
    const std::vector<std::vector<double>> dbm = link_matrix(robots);
    const std::size_t n = std::min(most, dbm.size());
    const auto name = [&](std::size_t k) { return model.info().name(k == 0 ? 0 : robots[k - 1].robot); };
    ImGui::PushFont(ui.small);
    if (ImGui::BeginTable("links", static_cast<int>(n) + 1, ImGuiTableFlags_SizingStretchSame)) {
        for (std::size_t row = 0; row <= n; ++row) {
            ImGui::TableNextRow();
            for (std::size_t column = 0; column <= n; ++column) {
                ImGui::TableNextColumn();
                if (row == 0 && column == 0) continue;
                if (row == 0 || column == 0)
                    ImGui::TextUnformatted(fitted(name(row + column - 1), ImGui::GetContentRegionAvail().x).c_str());
                else if (row != column)
                    text_faint(ui, fmt::format("{:.0f}", dbm[row - 1][column - 1]));
            }
        }
        ImGui::EndTable();
    }
    ImGui::PopFont();
    note(ui, "link matrix");
}

/// What the base station knows of the robots.
void draw_base_section(Ui& ui) {
    ViewModel& model = *ui.model;
    const std::vector<ReportedRobot> robots = model.base_reports();
    heading(ui, "Base station");
    if (robots.empty()) return wrapped(ui, "This team has no base station.");
    if (chip(ui, "as base", "See only what it knows", model.as_base(), ui.colours().accent,
             "its map, and robots where they last reported (B)"))
        ui.ask(action::ToggleBaseView{});
    if (model.source().can_command()) {
        ImGui::SameLine(0, ui.px(6));
        if (chip(ui, "stop all", "Stop all robots", false, ui.colours().error, "(Shift+S)")) ui.ask(action::StopAll{});
    }
    for (const ReportedRobot& robot : robots)
        for (const std::string& alert : alerts_of(robot)) {
            ImGui::PushStyleColor(ImGuiCol_Text, vec(ui.colours().warning));
            ImGui::TextUnformatted(fmt::format("{}: {}", model.info().name(robot.robot), alert).c_str());
            ImGui::PopStyleColor();
        }
    if (std::any_of(robots.begin(), robots.end(), [](const ReportedRobot& r) { return r.report.has_value(); })) {
        wrapped(ui, "Strengths of links that robots reported, in dBm; -100: unknown.");
        draw_link_matrix(ui, robots);
    } else {
        wrapped(ui, "Robots report batteries and links with operator.reports = true.");
    }
}

/// What the base station learned of people to be found; by hand, what is to be decided.
void draw_victims_section(Ui& ui) {
    ViewModel& model = *ui.model;
    if (!has_part(model.info().scenario, "victims")) return;
    const std::vector<ListedVictim> victims = model.victims();
    heading(ui, fmt::format("People found ({})", victims.size()));
    for (std::size_t k = victims.size(); k-- > 0;) {  // the newest first
        const FoundVictim& v = victims[k].found;
        ImGui::PushID(static_cast<int>(k));
        std::string text = fmt::format("{}: {}", k, place_text(model, v.at));
        if (v.id >= 0) text += fmt::format(", number {}", v.id);
        if (v.status >= 0 && v.status < std::ssize(victim_status_names))
            text += fmt::format(", {}", victim_status_names[static_cast<std::size_t>(v.status)]);
        if (ImGui::Selectable(text.c_str())) model.camera.centre = v.at;
        const bool open = v.state == VictimState::reported;
        if (open && model.can_decide()) {
            for (const char* verdict : {"confirm", "decline"}) {
                if (chip(ui, fmt::format("{}/{}", verdict, k), verdict, false, ui.colours().accent, ""))
                    model.command(0, {verdict, {v.at}, 0, 0});
                ImGui::SameLine(0, ui.px(6));
            }
            ImGui::NewLine();
        } else {
            text_faint(ui, fmt::format("{}{}", victim_state_names[static_cast<std::size_t>(v.state)],
                                       open ? fmt::format(" at step {}", v.first_step)
                                            : fmt::format(" at step {}", victims[k].decided_step)));
        }
        ImGui::PopID();
    }
    if (victims.empty()) wrapped(ui, "The base station has no reports yet.");
}

/// Places under names, for all who look at the run later.
void draw_marks_section(Ui& ui) {
    ViewModel& model = *ui.model;
    const bool live = model.source().can_command() && model.info().seekable;  // marks are not sent to a team elsewhere
    const std::vector<PlaceMark> marks = model.marks();
    heading(ui, fmt::format("Marks ({})", marks.size()));
    if (live) {
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ui.px(112));
        ImGui::InputTextWithHint("##mark", "victim 1", &ui.mark_name);
        note(ui, "mark name");
        ImGui::SameLine(0, ui.px(6));
        const bool named = is_mark_name(ui.mark_name);
        if (chip(ui, "set mark", ui.tool == Tool::mark ? "Click..." : "Mark a place", ui.tool == Tool::mark,
                 ui.colours().accent,
                 named ? "the next click on the map says where" : "first a name: up to 24 letters, digits, - and _",
                 named, ui.px(104)))
            ui.tool = ui.tool == Tool::mark ? Tool::select : Tool::mark;
    }
    for (const PlaceMark& m : marks) {
        ImGui::PushID(m.name.c_str());
        ImGui::AlignTextToFramePadding();
        if (ImGui::Selectable(fmt::format("{}  {}", m.name, place_text(model, m.at)).c_str(), false, 0,
                              {ImGui::GetContentRegionAvail().x - ui.px(live ? 70 : 0), 0}))
            model.camera.centre = m.at;
        if (live) {
            ImGui::SameLine(0, ui.px(6));
            if (chip(ui, "unmark/" + m.name, "Take back", false, ui.colours().accent, "")) model.unmark(m.name);
        }
        ImGui::PopID();
    }
}

}  // namespace

void draw_operate_tab(Ui& ui) {
    operate_robot(ui);
    draw_base_section(ui);
    draw_victims_section(ui);
    draw_marks_section(ui);
}

}  // namespace outrider::view
