// What is shown when nothing is open, and the page of help.
#include <algorithm>
#include <filesystem>

#include "outrider/error.hpp"
#include "scenario/suite.hpp"
#include "view/window/keys.hpp"
#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

/// Scenarios that come with the project, and their logs where there are any.
std::vector<std::string> offers() {
    std::vector<std::string> out;
    for (const char* name : {"office", "campus", "hospital", "cave"}) {
        try {
            out.push_back(file_of(name));
        } catch (const Error&) {
            // Not installed.
        }
    }
    if (const char* log = "logs/sample/small_office.sqlite"; std::filesystem::exists(log)) out.emplace_back(log);
    return out;
}

}  // namespace

void draw_help(Ui& ui) {
    const Theme& t = ui.colours();
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const auto count = static_cast<float>(key_rows().size());
    const float row = std::min(ui.px(24), (window.y - ui.px(72)) / count);  // closer together in a low window
    const float w = ui.px(600), h = row * count + ui.px(64);
    const ImVec2 low{(window.x - w) / 2, (window.y - h) / 2};
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled({0, 0}, window, IM_COL32(0, 0, 0, 110));
    list.AddRectFilled(low, {low.x + w, low.y + h}, paint(t.raised), ui.px(10));
    list.AddText(ui.large, ui.large->FontSize, {low.x + ui.px(24), low.y + ui.px(18)}, paint(t.text), "Keys");
    float y = low.y + ui.px(52);
    for (const KeyRow& k : key_rows()) {
        list.AddText(ui.bold, ui.bold->FontSize, {low.x + ui.px(24), y}, paint(t.text), keys_text(k).c_str());
        list.AddText(ui.regular, ui.regular->FontSize, {low.x + ui.px(190), y}, paint(t.text), k.help.data());
        y += row;
    }
}

void draw_welcome(Ui& ui, Rect area) {
    const Theme& t = ui.colours();
    const float w = ui.px(460), x = (area.low.x + area.high.x - w) / 2;
    float y = area.low.y + (area.high.y - area.low.y) * 0.22f;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(area.low, area.high, paint(t.outside));
    list.AddText(ui.large, ui.large->FontSize * 1.4f, {x, y}, paint(t.text), "Watch a run, or the log of one");
    y += ui.px(44);
    list.AddText(ui.regular, ui.regular->FontSize, {x, y}, paint(t.faint),
                 "Drop a scenario (.toml), a map (.png) or a log (.sqlite) here,");
    list.AddText(ui.regular, ui.regular->FontSize, {x, y + ui.px(20)}, paint(t.faint), "or begin with one of these:");
    y += ui.px(56);
    static const std::vector<std::string> offered = offers();
    for (const std::string& path : offered) {
        const ImVec2 at{x, y};
        ImGui::SetCursorScreenPos(at);
        if (ImGui::InvisibleButton(path.c_str(), {w, ui.px(38)})) ui.ask(action::OpenFile{path});
        note(ui, "open/" + path);
        const bool hovered = ImGui::IsItemHovered(), log = path.ends_with("sqlite");
        list.AddRectFilled(at, {x + w, y + ui.px(38)}, paint(hovered ? mix(t.raised, t.accent, 0.12) : t.raised),
                           ui.px(7));
        list.AddRect(at, {x + w, y + ui.px(38)}, paint(hovered ? t.accent : t.line), ui.px(7), 0, ui.px(1));
        const std::string name = std::filesystem::path(path).filename().string();
        list.AddText(ui.regular, ui.regular->FontSize, {x + ui.px(14), y + ui.px(11)}, paint(t.text), name.c_str());
        list.AddText(ui.small, ui.small->FontSize, {x + w - ui.px(52), y + ui.px(12)}, paint(t.faint),
                     log ? "replay" : "run");
        y += ui.px(46);
    }
    if (offered.empty())
        list.AddText(ui.regular, ui.regular->FontSize, {x, y}, paint(t.text),
                     "outrider view SCENARIO.toml   or   outrider view LOG.sqlite");
}

}  // namespace outrider::view
