// Playback at the bottom: buttons, speed, and the run so far as curves to scrub over, with its events.
#include <algorithm>
#include <cmath>

#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

std::string time_text(double seconds) {
    const auto s = static_cast<int>(seconds);
    return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                     : fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string speed_text(double speed) { return speed == 0 ? "max" : fmt::format("{:g}x", speed); }

void draw_buttons(Ui& ui) {
    ViewModel& model = ui.clock();
    const float gap = ui.px(2);
    if (icon_button(ui, "first", Icon::first, model.info().live ? "Begin anew (Home)" : "First step (Home)"))
        model.restart();
    ImGui::SameLine(0, gap);
    if (icon_button(ui, "event back", Icon::event_back, "The event before (Page up)")) model.go_to_event(-1);
    ImGui::SameLine(0, gap);
    if (icon_button(ui, "back", Icon::back,
                    model.info().live ? "A step back (Left): runs again up to there" : "A step back (Left)"))
        model.step_by(-1);
    ImGui::SameLine(0, ui.px(5));
    if (icon_button(ui, "play", model.playing() ? Icon::pause : Icon::play,
                    model.playing() ? "Pause (Space)" : "Play (Space)", true))
        model.toggle_play();
    ImGui::SameLine(0, ui.px(5));
    if (icon_button(ui, "forward", Icon::forward, "A step forward (Right)")) model.step_by(1);
    ImGui::SameLine(0, gap);
    if (icon_button(ui, "event forward", Icon::event_forward, "The next event (Page down)")) model.go_to_event(1);
    ImGui::SameLine(0, gap);
    if (icon_button(ui, "last", Icon::last, model.info().live ? "Run to the end (End)" : "Last step (End)"))
        model.go_last();
    ImGui::SameLine(0, ui.px(14));
    ImGui::PushFont(ui.small);
    ImGui::SetNextItemWidth(ui.px(110));
    int speed = model.speed();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(3));
    if (ImGui::SliderInt("##speed", &speed, 0, static_cast<int>(speeds.size()) - 1, "", ImGuiSliderFlags_NoInput))
        model.set_speed(speed);
    note(ui, "speed");
    {
        const Rect r = ui.rects["speed"];
        const std::string text = speed_text(speeds[static_cast<std::size_t>(speed)]);
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        // On the side where the grip is not.
        const float x = speed > 5 ? r.low.x + ui.px(8) : r.high.x - ui.px(8) - size.x;
        ImGui::GetWindowDrawList()->AddText({x, (r.low.y + r.high.y - size.y) / 2}, paint(ui.colours().text),
                                            text.c_str());
    }
    hint("speed, against simulated time (Up, Down)");
    ImGui::SameLine(0, ui.px(8));
    const auto [from, to] = model.loop();
    if (chip(ui, "loop",
             to < 0 ? (from < 0 ? "Loop from here" : "Loop to here") : fmt::format("Loop {} - {}", from, to), to >= 0,
             ui.colours().accent, "marks both ends of a loop; the third time: no loop (L)"))
        ui.ask(action::MarkLoop{});
    ImGui::PopFont();
}

/// Which step is under the mouse, while it scrubs or hovers.
int step_at(const ViewModel& model, Rect box, float x) {
    const double share = std::clamp((x - box.low.x) / (box.high.x - box.low.x), 0.0f, 1.0f);
    return static_cast<int>(std::lround(share * model.last()));
}

void draw_curves(Ui& ui, Rect box) {
    const ViewModel &clock = ui.clock(), &model = *ui.model;
    const Theme& t = ui.colours();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float h = box.high.y - box.low.y, w = box.high.x - box.low.x;
    const auto x_of = [&](int step) {
        return box.low.x + w * static_cast<float>(step) / static_cast<float>(clock.last());
    };
    list.AddRectFilled(box.low, box.high, paint(mix(t.panel, t.text, 0.05)), ui.px(5));
    if (!model.info().measured) return;  // nobody knows how much there is to explore
    list.PushClipRect(box.low, box.high, true);
    for (const double share : {0.5, 0.9}) {
        const float y = box.high.y - h * static_cast<float>(share) * 0.92f;
        list.AddLine({box.low.x, y}, {box.high.x, y}, paint(t.line), 1);
    }
    // The base's share as an area under the team's as a line.
    const auto points = [&](std::span<const StepRow> rows, double StepMetrics::*share) {
        std::vector<ImVec2> line;
        for (const StepRow& row : rows) {
            const ImVec2 p{x_of(row.metrics.step), box.high.y - h * static_cast<float>(row.metrics.*share) * 0.92f};
            if (!line.empty() && p.x - line.back().x < 3 && &row != &rows.back()) continue;
            line.push_back(p);
        }
        return line;
    };
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (const std::span<const StepRow> rows : model.stretches()) {
        const std::vector<ImVec2> base = points(rows, &StepMetrics::base_share);
        const std::vector<ImVec2> team = points(rows, &StepMetrics::team_share);
        list.PrimReserve(6 * static_cast<int>(base.size() - 1), 4 * static_cast<int>(base.size() - 1));
        for (std::size_t k = 1; k < base.size(); ++k)  // no smoothed edges: they would show between the parts
            list.PrimQuadUV(base[k - 1], base[k], {base[k].x, box.high.y}, {base[k - 1].x, box.high.y}, white, white,
                            white, white, paint(t.accent, 0.22));
        list.AddPolyline(base.data(), static_cast<int>(base.size()), paint(t.accent), 0, std::round(ui.px(2)));
        list.AddPolyline(team.data(), static_cast<int>(team.size()), paint(t.candidate), 0, std::round(ui.px(2)));
    }
    if (ui.other.model)  // thin, without its area
        for (const std::span<const StepRow> rows : ui.other.model->stretches())
            for (const auto& [share, colour] :
                 {std::pair(&StepMetrics::base_share, t.accent), {&StepMetrics::team_share, t.candidate}}) {
                const std::vector<ImVec2> line = points(rows, share);
                list.AddPolyline(line.data(), static_cast<int>(line.size()), paint(colour, 0.8), 0, 1);
            }
    for (const double share : {0.5, 0.9}) {
        const ImVec2 at{box.high.x - ui.px(34), box.high.y - h * static_cast<float>(share) * 0.92f - ui.px(1)};
        list.AddRectFilled(at, {at.x + ui.px(24), at.y + ui.px(12)}, paint(t.panel, 0.75), ui.px(3));
        list.AddText(ui.small, ui.small->FontSize * 0.85f, {at.x + ui.px(2), at.y}, paint(t.faint),
                     share < 0.6 ? "50%" : "90%");
    }
    float label = box.low.x + ui.px(8);
    for (const auto& [name, colour] : {std::pair("team knows", t.candidate), {"base knows", t.accent}}) {
        list.AddText(ui.small, ui.small->FontSize, {label, box.low.y + ui.px(14)}, paint(mix(colour, t.text, 0.3)),
                     name);
        label += ui.px(76);
    }
    if (ui.other.model)
        list.AddText(ui.small, ui.small->FontSize, {label, box.low.y + ui.px(14)}, paint(t.faint),
                     "thin: the other run");
    const auto [from, to] = clock.loop();
    if (from >= 0) {
        const float a = x_of(from), b = to >= 0 ? x_of(to) : a + ui.px(2);
        list.AddRectFilled({a, box.low.y}, {b, box.high.y}, paint(t.accent, 0.12));
        for (const float x : {a, b}) list.AddLine({x, box.low.y}, {x, box.high.y}, paint(t.accent), ui.px(1.5f));
    }
    list.PopClipRect();
}

void draw_events(Ui& ui, Rect box, std::string& hovered) {
    ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float w = box.high.x - box.low.x;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const RunEvent& e : model.events()) {
        const float x = box.low.x + w * static_cast<float>(e.step) / static_cast<float>(ui.clock().last());
        const bool loss = e.kind == "died", share = e.kind == "team_knows" || e.kind == "base_knows";
        const bool warning = e.kind == "left_base" || e.kind == "parted" || e.kind == "lost" || e.kind == "failed" ||
                             e.kind == "stranded" || e.kind == "changed";
        const Colour colour = loss ? t.error : share ? t.text : warning ? t.warning : t.meeting;
        const float y = box.low.y + ui.px(5), r = ui.px(loss || share ? 4 : 2.6f);
        const ImVec2 diamond[] = {{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}};
        list.AddConvexPolyFilled(diamond, 4, paint(colour));
        if (std::abs(mouse.x - x) < ui.px(4) && mouse.y > box.low.y - ui.px(3) && mouse.y < box.low.y + ui.px(12))
            hovered += (hovered.empty() ? "" : "\n") + fmt::format("step {}: {}", e.step, event_text(model, e));
    }
}

}  // namespace

void draw_timeline(Ui& ui, Rect area) {
    ViewModel& model = ui.clock();
    const Theme& t = ui.colours();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine(area.low, {area.high.x, area.low.y}, paint(t.line));
    const float pad = ui.px(12);
    const bool elsewhere = model.info().live && !model.info().seekable;  // a team of which only the newest is known
    float end_of_buttons = area.low.x;
    if (!elsewhere) {
        ImGui::SetCursorScreenPos({area.low.x + pad, area.low.y + ui.px(6)});
        ImGui::BeginGroup();
        draw_buttons(ui);
        ImGui::EndGroup();
        end_of_buttons = ui.rects["loop"].high.x;
    }

    // The present step, at the right.
    const double step_s = model.info().scenario.run.step_s;
    const std::string of = elsewhere ? "of the base station" : fmt::format("of {}", model.last());
    const std::string clock = fmt::format("{} {}", time_text(std::max(0, model.step()) * step_s),
                                          elsewhere ? "since its start" : "simulated");
    ImGui::PushFont(ui.small);
    const float clock_w = ImGui::CalcTextSize(clock.c_str()).x, of_w = ImGui::CalcTextSize(of.c_str()).x;
    ImGui::PopFont();
    float x = area.high.x - pad - clock_w;
    const float y = area.low.y + ui.px(13);
    ImGui::PushFont(ui.small);
    list.AddText({x, y}, paint(t.faint), clock.c_str());
    x -= of_w + ui.px(16);
    list.AddText({x, y}, paint(t.faint), of.c_str());
    x -= ui.px(66);
    ImGui::SetCursorScreenPos({x, area.low.y + ui.px(8)});
    static int typed = -1;
    int shown = typed >= 0 ? typed : std::max(0, model.step());
    ImGui::SetNextItemWidth(ui.px(58));
    if (std::exchange(ui.focus_step, false)) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputInt("##step", &shown, 0, 0, ImGuiInputTextFlags_EnterReturnsTrue)) {
        model.go_to(shown);
        typed = -1;
    }
    note(ui, "step");
    hint("type a step and press Enter (G)");
    std::string state = elsewhere ? "Live: the newest that the base station knows" : "";
    if (model.progress().ended && model.step() >= model.progress().last) state = "ended: " + model.progress().end;
    const float state_room = x - end_of_buttons - ui.px(70);
    if (!state.empty() && state_room > ui.px(40))
        list.AddText({end_of_buttons + ui.px(14), y}, paint(t.faint), fitted(state, state_room).c_str());
    list.AddText({x - ui.px(34), y}, paint(t.faint), "Step");
    ImGui::PopFont();

    const Rect box{{area.low.x + pad, area.low.y + ui.px(42)}, {area.high.x - pad, area.high.y - ui.px(8)}};
    draw_curves(ui, box);
    std::string hovered;
    draw_events(ui, box, hovered);
    ImGui::SetCursorScreenPos(box.low);
    ImGui::InvisibleButton("timeline", {box.high.x - box.low.x, box.high.y - box.low.y});
    note(ui, "timeline");
    const float mouse = ImGui::GetIO().MousePos.x;
    static int scrubbed = -1;
    if (ImGui::IsItemActive()) {
        const int step = step_at(model, box, mouse);
        if (step != scrubbed) {
            // A live run would start again for each step back: that waits until the mouse button is released.
            if (model.info().live)
                model.look_at(step);
            else
                model.go_to(step);
            scrubbed = step;
        }
    } else if (scrubbed >= 0) {
        model.look_at({});
        if (model.info().live) model.go_to(scrubbed);
        scrubbed = -1;
    }
    const float head = box.low.x + (box.high.x - box.low.x) *
                                       static_cast<float>(scrubbed >= 0 ? scrubbed : std::max(0, model.step())) /
                                       static_cast<float>(model.last());
    list.AddLine({head, box.low.y - ui.px(2)}, {head, box.high.y}, paint(t.text), ui.px(1.6f));
    list.AddCircleFilled({head, box.low.y - ui.px(1)}, ui.px(4.5f), paint(t.text), 16);
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        const int step = step_at(model, box, mouse);
        list.AddLine({mouse, box.low.y}, {mouse, box.high.y}, paint(t.text, 0.35), 1);
        std::string text = fmt::format("step {}", step);
        const StepRow* row = ui.model->row(step);
        if (row && ui.model->info().measured)
            text += fmt::format("\nteam {:.1f} %, base {:.1f} %", 100 * row->metrics.team_share,
                                100 * row->metrics.base_share);
        else if (row)
            text += fmt::format("\nthe base knew {} cells; {} robots in contact", row->metrics.base_cells,
                                row->metrics.connected);
        if (const StepRow* other = ui.other.model ? ui.other.model->row(step) : nullptr)
            text += fmt::format("\nthe other run: team {:.1f} %, base {:.1f} %", 100 * other->metrics.team_share,
                                100 * other->metrics.base_share);
        ImGui::SetTooltip("%s", hovered.empty() ? text.c_str() : hovered.c_str());
    }
}

}  // namespace outrider::view
