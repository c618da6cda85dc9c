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

/// Of two logs side by side: numbers of both at the shown step, and by how much they differ.
void draw_compared(Ui& ui) {
    const ViewModel &focus = *ui.model, &other = *ui.other.model;
    const ViewModel &first = ui.other.second ? focus : other, &second = ui.other.second ? other : focus;
    heading(ui, fmt::format("Both runs up to step {}", ui.clock().step()));
    ImGui::PushFont(ui.small);
    if (ImGui::BeginTable("compared", 4, table_flags & ~ImGuiTableFlags_ScrollY)) {
        for (const char* name : {"", "First", "Second", "Difference"}) ImGui::TableSetupColumn(name);
        ImGui::TableHeadersRow();
        for (const ComparedNumber& n : compare_runs(first, second, ui.clock().step())) {
            ImGui::TableNextRow();
            for (const std::string& text : {n.label, n.text(n.first), n.text(n.second), n.text(n.difference(), true)}) {
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(text.c_str());
            }
        }
        ImGui::EndTable();
    }
    note(ui, "compared");
    ImGui::PopFont();
}

/// What is asked for; looked for anew where the question or the run changed.
const std::vector<std::size_t>& searched(Ui& ui) {
    const ViewModel& model = *ui.model;
    EventSearch& search = ui.search;
    const std::optional<RobotId> robot = search.of_selected ? model.selection.robot : std::nullopt;
    std::string asked =
        fmt::format("{} {} {} {} {} {}", model.progress().generation, static_cast<int>(search.among),
                    count_of(model, search.among), model.info().file, robot.value_or(-1), search.words.data());
    if (asked != search.asked) {
        search.found = find_entries(model, search.among, search.words.data(), robot);
        search.asked = std::move(asked);
    }
    return search.found;
}

void draw_search(Ui& ui) {
    ImGui::SetNextItemWidth(std::max(ui.px(60), ImGui::GetContentRegionAvail().x - ui.px(188)));
    ImGui::InputTextWithHint("##search", "kind, robot or words", ui.search.words.data(), ui.search.words.size());
    note(ui, "search events");
    ImGui::SameLine(0, ui.px(5));
    if (chip(ui, "events of selected", "Selected", ui.search.of_selected, ui.colours().accent,
             "only those of the selected robot", ui.model->selection.robot.has_value()))
        ui.search.of_selected = !ui.search.of_selected;
    ImGui::SameLine(0, ui.px(5));
    const bool remarks = ui.search.among == Among::remarks;
    if (chip(ui, "search reasons", "Reasons", remarks, ui.colours().accent,
             "reasons that robots gave and words that they sent, instead of events"))
        ui.search.among = remarks ? Among::events : Among::remarks;
    ImGui::SameLine(0, ui.px(5));
    if (chip(ui, "export events", "CSV", false, ui.colours().accent, "saves what is listed as CSV"))
        ui.ask(action::ExportEvents{});
}

}  // namespace

void draw_tables_tab(Ui& ui) {
    ViewModel& model = *ui.model;
    if (ui.other.model) draw_compared(ui);
    ImGui::PushFont(ui.small);
    const float half = (ImGui::GetContentRegionAvail().y - ui.px(64)) / 2;
    ImGui::PopFont();
    const Among among = ui.search.among;
    if (among == Among::remarks) model.ask_history();
    const std::vector<std::size_t>& found = searched(ui);
    const std::size_t all = count_of(model, among);
    heading(ui, fmt::format("{} ({}{})", among == Among::events ? "Events" : "Reasons", found.size(),
                            found.size() == all ? "" : fmt::format(" of {}", all)));
    ImGui::PushFont(ui.small);
    draw_search(ui);
    if (ImGui::BeginTable("events", 2, table_flags, {0, std::max(ui.px(60), half)})) {
        ImGui::TableSetupScrollFreeze(0, 1);
        ImGui::TableSetupColumn("Step", ImGuiTableColumnFlags_WidthFixed, ui.px(44));
        ImGui::TableSetupColumn("What happened");
        ImGui::TableHeadersRow();
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(found.size()));
        while (clipper.Step())
            for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
                const std::size_t number = found[static_cast<std::size_t>(k)];
                const Finding e = entry_of(model, among, number);
                ImGui::TableNextRow();
                ImGui::TableNextColumn();
                ImGui::PushID(static_cast<int>(number));
                if (ImGui::Selectable(std::to_string(e.step).c_str(), e.step == model.step(),
                                      ImGuiSelectableFlags_SpanAllColumns)) {
                    ui.clock().go_to(e.step);
                    if (e.robot) model.select_robot(e.robot);
                }
                note(ui, "event/" + std::to_string(number));
                ImGui::PopID();
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(
                    among == Among::events
                        ? e.text.c_str()
                        : fmt::format("{}: {}: {}", model.info().name(*e.robot), e.kind, e.text).c_str());
            }
        ImGui::EndTable();
    }
    ImGui::PopFont();
    const MessageTable messages = messages_received(model);
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
    plot(ui, "Distance driven by all", "m", {curve("way", t.goal, [](auto& m) { return m.distance_m; })});
    plot(ui, "On the air per step", "kB",
         {curve("bytes", t.skeleton, [](auto& m) { return static_cast<double>(m.bytes) / 1000; })});
    plot(ui, "Newly known per step", "cells",
         {per_step("team", t.candidate, [](auto& m) { return m.team_cells; }),
          per_step("base", t.accent, [](auto& m) { return m.base_cells; })});
}

}  // namespace outrider::view
