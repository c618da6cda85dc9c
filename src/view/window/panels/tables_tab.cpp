// Tables of messages and events, and plots of the run so far.
#include <algorithm>
#include <cmath>

#include "view/window/ui.hpp"

namespace outrider::view {
namespace {

constexpr ImGuiTableFlags table_flags =
    ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_BordersInnerH;

/// A plot of some curves over the steps, with the present step.
struct Curve {
    const char* name;
    Colour colour;
    std::vector<double> values;  // by row
};

void plot(Ui& ui, const std::string& title, const std::string& unit, const std::vector<Curve>& curves) {
    const Theme& t = ui.colours();
    const ViewModel& model = *ui.model;
    ImGui::PushFont(ui.bold);
    ImGui::TextUnformatted(title.c_str());
    ImGui::PopFont();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x, h = ui.px(74);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + w, at.y + h}, paint(mix(t.panel, t.text, 0.04)), ui.px(4));
    double most = 1e-9;
    for (const Curve& c : curves)
        for (const double v : c.values) most = std::max(most, v);
    const int last = model.last();
    const auto x_of = [&](int step) {
        return at.x + w * static_cast<float>(step) / static_cast<float>(std::max(1, last));
    };
    list.PushClipRect(at, {at.x + w, at.y + h}, true);
    std::vector<ImVec2> line;
    for (const Curve& c : curves) {
        auto value = c.values.begin();
        for (const std::span<const StepRow> rows : model.stretches()) {
            line.clear();
            for (const StepRow& row : rows) {
                const ImVec2 p{x_of(row.metrics.step),
                               at.y + h - ui.px(3) - (h - ui.px(20)) * static_cast<float>(*value++ / most)};
                if (!line.empty() && p.x - line.back().x < 1 && &row != &rows.back()) continue;
                line.push_back(p);
            }
            list.AddPolyline(line.data(), static_cast<int>(line.size()), paint(c.colour), 0, std::round(ui.px(2)));
        }
    }
    list.AddLine({x_of(model.step()), at.y}, {x_of(model.step()), at.y + h}, paint(t.text, 0.6), ui.px(1));
    list.PopClipRect();
    ImGui::PushFont(ui.small);
    list.AddText({at.x + ui.px(4), at.y + ui.px(2)}, paint(t.faint), fmt::format("{:.4g} {}", most, unit).c_str());
    float x = at.x + w - ui.px(4);
    for (std::size_t k = curves.size(); k-- > 0 && curves.size() > 1;) {
        const ImVec2 size = ImGui::CalcTextSize(curves[k].name);
        x -= size.x;
        list.AddText({x, at.y + ui.px(2)}, paint(mix(curves[k].colour, t.text, 0.25)), curves[k].name);
        x -= ui.px(8);
    }
    ImGui::PopFont();
    ImGui::Dummy({w, h});
}

}  // namespace

void draw_tables_tab(Ui& ui) {
    ViewModel& model = *ui.model;
    ImGui::PushFont(ui.small);
    const float half = (ImGui::GetContentRegionAvail().y - ui.px(64)) / 2;
    ImGui::PopFont();
    heading(ui, fmt::format("Events ({})", model.events().size()));
    ImGui::PushFont(ui.small);
    if (ImGui::BeginTable("events", 2, table_flags, {0, std::max(ui.px(60), half)})) {
        ImGui::TableSetupScrollFreeze(0, 1);
        ImGui::TableSetupColumn("Step", ImGuiTableColumnFlags_WidthFixed, ui.px(44));
        ImGui::TableSetupColumn("What happened");
        ImGui::TableHeadersRow();
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(model.events().size()));
        while (clipper.Step())
            for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
                const RunEvent& e = model.events()[static_cast<std::size_t>(k)];
                ImGui::TableNextRow();
                ImGui::TableNextColumn();
                ImGui::PushID(k);
                if (ImGui::Selectable(std::to_string(e.step).c_str(), e.step == model.step(),
                                      ImGuiSelectableFlags_SpanAllColumns)) {
                    ui.clock().go_to(e.step);
                    if (e.robot) model.select_robot(e.robot_id());
                }
                note(ui, "event/" + std::to_string(k));
                ImGui::PopID();
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(event_text(model, e).c_str());
            }
        ImGui::EndTable();
    }
    ImGui::PopFont();
    const MessageTable messages = messages_heard(model);
    heading(ui, messages.title);
    ImGui::PushFont(ui.small);
    if (ImGui::BeginTable("messages", 4, table_flags, {0, std::max(ui.px(60), half)})) {
        ImGui::TableSetupScrollFreeze(0, 1);
        for (const char* name : {"From", "To", "Words", "Bytes"}) ImGui::TableSetupColumn(name);
        ImGui::TableHeadersRow();
        for (const auto& [to, m] : messages.rows) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(model.info().name(m.from).c_str());
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(model.info().name(to).c_str());
            ImGui::TableNextColumn();
            ImGui::Text("%zu", m.words);
            ImGui::TableNextColumn();
            ImGui::Text("%llu", static_cast<unsigned long long>(m.bytes));
        }
        ImGui::EndTable();
    }
    ImGui::PopFont();
}

void draw_plots_tab(Ui& ui) {
    const ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    const auto curve = [&](const char* name, Colour colour, auto&& get) {
        Curve c{name, colour, {}};
        for (const StepRow& row : model.rows()) c.values.push_back(static_cast<double>(get(row.metrics)));
        return c;
    };
    const auto per_step = [&](const char* name, Colour colour, auto&& get) {
        Curve c{name, colour, {}};
        double last = 0;
        int step = -1;
        for (const StepRow& row : model.rows()) {
            const auto value = static_cast<double>(get(row.metrics));
            c.values.push_back((value - last) / (row.metrics.step - step));  // behind a gap, the mean of it
            last = value;
            step = row.metrics.step;
        }
        return c;
    };
    plot(ui, "Known", "%",
         {curve("team", t.candidate, [](auto& m) { return 100 * m.team_share; }),
          curve("base", t.accent, [](auto& m) { return 100 * m.base_share; })});
    plot(ui, "Linked to a base", "robots",
         {curve("linked", t.accent, [](auto& m) { return m.connected; }),
          curve("in service", t.faint, [](auto& m) { return m.alive; })});
    plot(ui, "Groups in contact", "groups", {curve("groups", t.meeting, [](auto& m) { return m.components; })});
    plot(ui, "Way driven by all", "m", {curve("way", t.goal, [](auto& m) { return m.distance_m; })});
    plot(ui, "On the air per step", "kB",
         {curve("bytes", t.skeleton, [](auto& m) { return static_cast<double>(m.bytes) / 1000; })});
    plot(ui, "Newly known per step", "cells",
         {per_step("team", t.candidate, [](auto& m) { return m.team_cells; }),
          per_step("base", t.accent, [](auto& m) { return m.base_cells; })});
}

}  // namespace outrider::view
