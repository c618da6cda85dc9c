// The bar at the top: what is open, how much is known, and buttons for the whole window.
#include <algorithm>

#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

void badge(const Ui& ui, const std::string& text, Colour ground, Colour ink) {
    ImGui::PushFont(ui.small);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str()), at = ImGui::GetCursorScreenPos();
    const float w = size.x + ui.px(14), h = ui.px(20);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + ui.px(4)}, {at.x + w, at.y + ui.px(4) + h}, paint(ground),
                                              ui.px(10));
    ImGui::GetWindowDrawList()->AddText({at.x + ui.px(7), at.y + ui.px(4) + (h - size.y) / 2}, paint(ink),
                                        text.c_str());
    ImGui::Dummy({w, ui.px(28)});
    ImGui::PopFont();
}

/// What is known by a step, with its name, as a small bar.
void share(const Ui& ui, const char* name, const StepRow* row, double StepMetrics::*of, Colour colour) {
    const Theme& t = ui.colours();
    const double value = row ? row->metrics.*of : 0;
    const std::string text = row ? fmt::format("{:.1f} %", 100 * value) : "-";
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float w = ui.px(118);
    ImGui::PushFont(ui.small);
    list.AddText({at.x, at.y + ui.px(3)}, paint(t.faint), name);
    ImGui::PopFont();
    ImGui::PushFont(ui.bold);
    const float number = ImGui::CalcTextSize(text.c_str()).x;
    list.AddText({at.x + w - number, at.y + ui.px(1)}, paint(t.text), text.c_str());
    ImGui::PopFont();
    list.AddRectFilled({at.x, at.y + ui.px(20)}, {at.x + w, at.y + ui.px(24)}, paint(mix(t.panel, t.text, 0.12)),
                       ui.px(2));
    if (value > 0)
        list.AddRectFilled({at.x, at.y + ui.px(20)}, {at.x + w * static_cast<float>(value), at.y + ui.px(24)},
                           paint(colour), ui.px(2));
    ImGui::Dummy({w, ui.px(28)});
}

}  // namespace

std::string strategies_of(const RunInfo& info) {
    std::string strategies;
    std::vector<std::string> seen;
    for (const RobotEntry& r : info.scenario.robots) {
        if (r.role == Role::base || std::find(seen.begin(), seen.end(), r.strategy) != seen.end()) continue;
        seen.push_back(r.strategy);
        strategies += (strategies.empty() ? "" : ", ") + r.strategy;
    }
    return strategies;
}

void draw_top_bar(Ui& ui, Rect area) {
    const Theme& t = ui.colours();
    const float width = area.high.x - area.low.x;
    ImGui::SetCursorScreenPos({area.low.x + ui.px(12), area.low.y + ui.px(8)});
    ImGui::BeginGroup();
    ImGui::PushFont(ui.large);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(ui.model ? fitted(ui.model->info().scenario.name, width * 0.2f).c_str() : "Outrider");
    ImGui::PopFont();
    const float right = area.high.x - ui.px(12);
    if (ui.model) {
        const ViewModel& model = *ui.model;
        const RunInfo& info = model.info();
        ImGui::SameLine(0, ui.px(10));
        badge(ui, info.live ? "LIVE" : "REPLAY", info.live ? mix(t.panel, t.error, 0.18) : mix(t.panel, t.accent, 0.2),
              info.live ? t.error : t.accent);
        ImGui::SameLine(0, ui.px(10));
        ImGui::PushFont(ui.small);
        const std::string about = fmt::format("{}   {} robots   seed {}", strategies_of(info),
                                              info.scenario.team.robots, info.scenario.run.seed);
        const float x = ImGui::GetCursorScreenPos().x, room = right - ui.px(5 * 34 + 270) - x;
        ImGui::SetCursorScreenPos({x, area.low.y + ui.px(15)});
        if (room > ui.px(60)) text_faint(ui, fitted(about, room));
        ImGui::PopFont();
        const StepRow* row = model.row(model.step());
        ImGui::SetCursorScreenPos({right - ui.px(5 * 34 + 258), area.low.y + ui.px(8)});
        if (info.measured) {
            share(ui, "Team knows", row, &StepMetrics::team_share, t.candidate);
            hint("share of the area that can be sensed which somebody in service knows");
            ImGui::SameLine(0, ui.px(14));
            share(ui, "Base knows", row, &StepMetrics::base_share, t.accent);
            hint("share of it that a base station knows");
        }
    }
    ImGui::SetCursorScreenPos({right - ui.px(ui.model ? 5 * 34 - 6 : 2 * 34 - 6), area.low.y + ui.px(8)});
    if (ui.model && icon_button(ui, "fit", Icon::fit, "Show the whole map (F)")) ui.model->fit(ui.px(16), ui.px(48));
    if (ui.model) ImGui::SameLine(0, ui.px(6));
    if (ui.model && icon_button(ui, "copy", Icon::copy, "Copy the command that reproduces this")) {
        // With the step and the layers that are shown now.
        const std::string& again = ui.model->info().again;
        const std::string command = again.empty() ? ""
                                                  : fmt::format("{} --step {} --layers '{}'", again,
                                                                std::max(0, ui.model->step()), ui.model->layers.text());
        ImGui::SetClipboardText(command.c_str());
        ui.say(command.empty() ? "There is no command for an edited team: save it first" : "Copied: " + command);
    }
    if (ui.model) ImGui::SameLine(0, ui.px(6));
    if (ui.model &&
        icon_button(ui, "screenshot", Icon::camera, "Save a picture of the window (P; with Shift: of the map alone)"))
        ui.ask(action::SavePicture{ImGui::GetIO().KeyShift});
    if (ui.model) ImGui::SameLine(0, ui.px(6));
    if (icon_button(ui, "theme", ui.dark ? Icon::sun : Icon::moon, "Light or dark (T)")) ui.ask(action::ToggleTheme{});
    ImGui::SameLine(0, ui.px(6));
    if (icon_button(ui, "help", Icon::help, "Keys and help (F1)", ui.help)) ui.help = !ui.help;
    ImGui::EndGroup();
    ImGui::GetWindowDrawList()->AddLine({area.low.x, area.high.y}, {area.high.x, area.high.y}, paint(t.line));
}

}  // namespace outrider::view
