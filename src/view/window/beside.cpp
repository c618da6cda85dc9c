#include "view/window/beside.hpp"

#include <algorithm>

#include "outrider/error.hpp"

namespace outrider::view {
namespace {

/// While it lives, the other run has the focus.
class OtherInFocus {
  public:
    explicit OtherInFocus(Ui& ui) : ui_(ui) { exchange_runs(ui_); }
    ~OtherInFocus() { exchange_runs(ui_); }
    OtherInFocus(const OtherInFocus&) = delete;
    OtherInFocus& operator=(const OtherInFocus&) = delete;

  private:
    Ui& ui_;
};

/// The step that the run which does not lead is to show.
int wanted_step(const Ui& ui, const ViewModel& follower) {
    return std::min(ui.clock().step(), std::max(0, follower.progress().last));
}

/// The run that does not lead: its log has fewer steps.
ViewModel& follower_of(const Ui& ui) { return &ui.clock() == ui.model.get() ? *ui.other.model : *ui.model; }

/// What one run shows at its step: its file and strategy, and what is known.
void draw_caption(Ui& ui, Rect half, bool focus) {
    const ViewModel& model = *ui.model;
    const Theme& t = ui.colours();
    const std::string& file = model.info().file;
    std::string text = fmt::format("{}   {}", file.substr(file.find_last_of('/') + 1), strategies_of(model.info()));
    if (const StepRow* row = model.row(model.step()))
        text += fmt::format("   team {:.1f} %, base {:.1f} %", 100 * row->metrics.team_share,
                            100 * row->metrics.base_share);
    if (ui.clock().step() > model.progress().last) text += fmt::format("   ended at step {}", model.progress().last);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::PushFont(ui.small);
    text = fitted(text, half.high.x - half.low.x - ui.px(36));
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const ImVec2 low{half.low.x + ui.px(10), half.low.y + ui.px(8)};
    const ImVec2 high{low.x + size.x + ui.px(16), low.y + size.y + ui.px(8)};
    list.AddRectFilled(low, high, paint(t.panel, 0.92), ui.px(6));
    if (focus) list.AddRect(low, high, paint(t.accent), ui.px(6), 0, ui.px(1.5f));
    list.AddText({low.x + ui.px(8), low.y + ui.px(4)}, paint(t.text), text.c_str());
    ImGui::PopFont();
}

/// By place, not by run: a press that changes the focus goes on in the half where it began.
void draw_half(Ui& ui, Rect half, int place, bool focus) {
    ImGui::PushID(place);
    draw_map(ui, half, focus);
    draw_caption(ui, half, focus);
    ImGui::PopID();
    ui.rects[place == 0 ? "first map" : "second map"] = half;
}

/// Whether the map is drawn larger with the runs left and right than with one above the other.
bool left_and_right(const Ui& ui, Rect area) {
    const Grid<std::uint8_t>& walls = ui.model->info().walls;
    const auto width = static_cast<float>(walls.width()), height = static_cast<float>(walls.height());
    const auto pixels_per_cell = [&](float across, float down) {
        return std::min((across - ui.px(32)) / width, (down - ui.px(80)) / height);  // the margins around a map
    };
    const float across = area.high.x - area.low.x, down = area.high.y - area.low.y;
    return pixels_per_cell(across / 2, down) >= pixels_per_cell(across, down / 2);
}

bool within(Rect r, ImVec2 p) { return p.x >= r.low.x && p.x < r.high.x && p.y >= r.low.y && p.y < r.high.y; }

}  // namespace

void open_beside(Ui& ui, std::unique_ptr<Source> source) {
    if (!ui.model || ui.model->info().live || source->info().live)
        fail("two runs side by side: expected two logs (write one with: outrider run ... --log-file F.sqlite)");
    ui.other = {std::make_unique<ViewModel>(std::move(source)), nullptr, -1, {}, true, false};
    ui.other.model->dark = ui.dark;
    ui.other.texture = std::make_unique<MapTexture>(ui.other.model->info());
}

void exchange_runs(Ui& ui) {
    if (!ui.other.model) return;
    std::swap(ui.model, ui.other.model);
    std::swap(ui.texture, ui.other.texture);
    ui.other.second = !ui.other.second;
    ui.other.leads = !ui.other.leads;
}

bool follow_focus(Ui& ui) {
    if (!ui.other.model) return false;
    ViewModel &model = *ui.model, &other = *ui.other.model;
    bool changed = other.update();
    if (model.as_base() != other.as_base() && other.info().is_base.front()) other.show_as_base(model.as_base());
    if (const std::string shown = model.layers.text(); ui.other.layers != shown) {
        other.layers.apply(shown);
        ui.other.layers = shown;
        changed = true;
    }
    changed = other.layers.solo_as(model.layers) || changed;
    const Point shift = model.info().map_offset - other.info().map_offset;
    other.camera.centre = model.camera.centre + shift;
    other.camera.pixels_per_m = model.camera.pixels_per_m;
    const auto robot = model.selection.robot;
    other.selection.robot = robot && static_cast<std::size_t>(*robot) < other.info().robots() ? robot : std::nullopt;
    other.selection.cell = model.selection.cell;
    if (other.selection.cell)
        *other.selection.cell = *other.selection.cell - model.info().walls.origin() + other.info().walls.origin();
    // When a log was read or has grown, the other one may lead from now on.
    if (const bool leads = other.progress().last > model.progress().last; leads != ui.other.leads) {
        const int step = ui.clock().aim();
        ui.other.leads = leads;
        ui.clock().go_to(std::max(0, step));
    }
    // The clock goes by itself; the other log is sought to each of its steps, once.
    ViewModel& follower = follower_of(ui);
    if (follower.playing()) follower.play(false);
    if (const int wanted = wanted_step(ui, follower); wanted != ui.other.sought && follower.step() >= 0) {
        ui.other.sought = wanted;
        follower.go_to(wanted);
    }
    return changed;
}

bool is_behind(const Ui& ui) {
    if (!ui.other.model) return false;
    const ViewModel& follower = follower_of(ui);
    return follower.progress().error.empty() && follower.step() != wanted_step(ui, follower) &&
           follower.progress().sought != wanted_step(ui, follower);  // a step that is damaged cannot be shown
}

void draw_maps(Ui& ui, Rect area) {
    if (!ui.other.model) {
        draw_map(ui, area, true);
        return;
    }
    std::array<Rect, 2> halves{area, area};
    const float gap = ui.px(2);
    if (left_and_right(ui, area)) {
        halves[0].high.x = area.centre().x - gap;
        halves[1].low.x = area.centre().x + gap;
    } else {
        halves[0].high.y = area.centre().y - gap;
        halves[1].low.y = area.centre().y + gap;
    }
    const auto place_of_other = [&] { return ui.other.second ? 1 : 0; };
    const ImGuiIO& io = ImGui::GetIO();
    const bool used =
        io.MouseWheel != 0 || ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2);
    if (used && ImGui::IsWindowHovered() && within(halves[static_cast<std::size_t>(place_of_other())], io.MousePos)) {
        exchange_runs(ui);
        follow_focus(ui);
    }
    {
        const int place = place_of_other();
        const OtherInFocus drawn(ui);
        draw_half(ui, halves[static_cast<std::size_t>(place)], place, false);
    }
    const int place = 1 - place_of_other();
    draw_half(ui, halves[static_cast<std::size_t>(place)], place, true);
}

}  // namespace outrider::view
