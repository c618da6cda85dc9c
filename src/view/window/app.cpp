#include "view/window/app.hpp"

#include <SDL.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/output.hpp"
#include "outrider/error.hpp"
#include "sensor_log/sensor_log.hpp"
#include "view/window/beside.hpp"

namespace outrider::view {
namespace {

constexpr float least_left = 240, least_right = 290;  // widths of the panels, in points

constexpr double paint_budget_ms = 5;  // of a frame, for tiles that changed

}  // namespace

bool is_log(const std::string& path) {
    for (const char* end : {".sqlite", ".db", ".log"})
        if (path.ends_with(end)) return true;
    return is_recording_file(path);
}

std::unique_ptr<Source> open_source(const std::string& path, const LiveOptions& live) {
    namespace fs = std::filesystem;
    if (is_log(path)) {
        auto source = make_replay(path);
        return source;
    }
    ConfigTable config;
    std::string folder;
    const bool scenario = path.ends_with(".toml");
    if (scenario) {
        config = load_config(path);
        folder = fs::path(path).parent_path().string();
    } else {
        config.where = path;
        config.set({"map.file", path, path});
    }
    Notes notes;
    LiveOptions options = live;
    options.again = fmt::format("outrider view {}{}", scenario ? "" : "--map ", shell_word(path));
    Scenario made = make_scenario(std::move(config), fs::path(path).stem().string(), folder, notes);
    return make_live(std::move(made), options, std::move(notes));
}

App::App(Platform& platform, AppOptions options) : platform_(platform), options_(std::move(options)) {
    if (options_.scale <= 0) options_.scale = platform_.suggested_scale();
    ui_.scale = options_.scale;
    kept_ = read_settings(options_.settings);
    written_ = kept_.settings;
    if (!kept_.problem.empty())
        ui_.error = fmt::format("{}\nThe window begins as new. The file will be kept as {}.damaged.", kept_.problem,
                                std::filesystem::path(options_.settings).filename().string());
    ui_.dark = options_.dark || kept_.settings.dark;
    ui_.panels = kept_.settings.panels;
    ui_.left = static_cast<float>(kept_.settings.left);
    ui_.right = static_cast<float>(kept_.settings.right);
    load_fonts(ui_);
    apply_style(ui_);
}

App::~App() {
    ui_.other = {};
    ui_.texture.reset();
    keep_settings();
}

void App::open(std::unique_ptr<Source> source) {
    ui_.other = {};
    ui_.texture.reset();
    ui_.edit.reset();
    ui_.waypoints.clear();
    ui_.measure.clear();
    ui_.expanded.clear();
    ui_.read.clear();
    if (ui_.model || kept_.problem.empty()) ui_.error.clear();  // a warning of damaged settings stays
    ui_.tool = Tool::select;
    ui_.model = std::make_unique<ViewModel>(std::move(source));
    ui_.model->dark = ui_.dark;
    ui_.texture = std::make_unique<MapTexture>(ui_.model->info());
    for (std::size_t k = 0; k < kept_.settings.presets.size(); ++k)
        if (const std::string& own = kept_.settings.presets[k]; !own.empty()) ui_.model->presets[k] = {"Own", own};
    ui_.model->apply_preset(0);
    if (!ui_.model->info().measured) ui_.model->show_as_base(true);
    platform_.set_title(ui_.model->info().scenario.name + " - Outrider");
}

void App::open_beside(std::unique_ptr<Source> source) { view::open_beside(ui_, std::move(source)); }

void App::open_file(const std::string& path) {
    try {
        open(open_source(path, options_.live));
    } catch (const std::exception& error) {
        ui_.error = error.what();
    }
}

bool App::stale() {
    if (!ui_.model) return false;
    const bool first = ui_.model->update(), second = follow_focus(ui_), changed = first || second || is_behind(ui_);
    return changed || !painted_ || seen_ != ui_.model->version() || ImGui::GetTime() < ui_.message_until + 0.1;
}

void App::frame(const InjectedInput* input, bool complete) {
    if (ui_.model) {
        ViewModel& model = *ui_.model;
        model.update();
        model.dark = ui_.dark;
        // A log that grows.
        if (!model.info().live && ImGui::GetTime() > looked_again_ + 1 && !model.progress().warning.empty()) {
            looked_again_ = ImGui::GetTime();
            model.source().look_again();
        }
        follow_focus(ui_);
        const double budget_ms = complete ? 1e9 : paint_budget_ms;
        painted_ = ui_.texture->update(model, budget_ms);
        if (ui_.other.model) {
            ui_.other.model->dark = ui_.dark;
            painted_ = ui_.other.texture->update(*ui_.other.model, budget_ms) && painted_;
        }
        seen_ = model.version();
    }
    fit_scale();
    platform_.begin_frame(input);
    layout();
    if (ui_.help) draw_help(ui_);
    platform_.end_frame(
        vec(ui_.colours().panel));  // of the panels: painting it once more would cost a third of a frame
    perform_asked();
}

/// Panels have room in 800 x 500 points: in a smaller window text and buttons are smaller, too.
void App::fit_scale() {
    const auto [width, height] = platform_.window_size();
    const float room = std::min(static_cast<float>(width) / 800, static_cast<float>(height) / 500);
    const float scale = ui_.panels ? std::min(options_.scale, std::floor(room * 20) / 20) : options_.scale;
    if (scale == ui_.scale) return;
    ui_.scale = scale;
    load_fonts(ui_);
    apply_style(ui_);
    platform_.renew_fonts();
}

void App::layout() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ui_.rects.clear();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("window", nullptr,
                 ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    const float top = ui_.panels || !ui_.model ? ui_.px(44) : 0, bottom = ui_.panels && ui_.model ? ui_.px(112) : 0;
    // However wide they were made, most of the window is the map's.
    const float widest = std::max(ui_.px(290), size.x * 0.4f);
    float left = ui_.panels && ui_.model ? std::min(ui_.px(ui_.left), widest) : 0;
    float right = ui_.panels && ui_.model ? std::min(ui_.px(ui_.right), widest) : 0;
    // Where both panels would leave less than half to the map, one of them is folded.
    const bool folds = left > 0 && ui_.px(least_left + least_right) > size.x / 2;
    if (folds) (ui_.robots_open ? left : right) = ui_.px(26);
    const Rect middle{{left, top}, {std::max(left + 50, size.x - right), std::max(top + 50, size.y - bottom)}};
    const bool show_left = left > 0 && !(folds && ui_.robots_open),
               show_right = left > 0 && (!folds || ui_.robots_open);
    if (show_left) split("split left", {left, top}, size.y - bottom - top, ui_.left, 1, least_left);
    if (show_right)
        split("split right", {size.x - right - ui_.px(5), top}, size.y - bottom - top, ui_.right, -1, least_right);
    if (ui_.model)
        draw_maps(ui_, middle);
    else
        draw_welcome(ui_, middle);
    if (ui_.panels && ui_.model) {
        const Rect at_left{{0, top}, {left, size.y - bottom}},
            at_right{{size.x - right, top}, {size.x, size.y - bottom}};
        show_left ? draw_side_panel(ui_, at_left) : unfold("unfold left", ">", "layers, reasons, tables", at_left);
        show_right ? draw_robots_panel(ui_, at_right) : unfold("unfold right", "<", "the robots", at_right);
        draw_timeline(ui_, {{0, size.y - bottom}, size});
    }
    if (top > 0) draw_top_bar(ui_, {{0, 0}, {size.x, top}});
    ImGui::End();
    banner();
}

/// A panel that is folded: a strip that opens it, and folds the other one.
void App::unfold(const char* name, const char* sign, const char* what, Rect area) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos(area.low);
    if (ImGui::InvisibleButton(name, {area.high.x - area.low.x, area.high.y - area.low.y}))
        ui_.robots_open = !ui_.robots_open;
    note(ui_, name);
    hint(what);
    const Theme& t = ui_.colours();
    list.AddRectFilled(area.low, area.high, paint(ImGui::IsItemHovered() ? mix(t.panel, t.text, 0.06) : t.panel));
    const ImVec2 text = ImGui::CalcTextSize(sign), c = area.centre();
    list.AddText({c.x - text.x / 2, c.y - text.y / 2}, paint(t.text), sign);
}

/// The edge of a panel, which the mouse moves; it takes the mouse before what is under it.
void App::split(const char* name, ImVec2 at, float height, float& width, float direction, float least) {
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(name, {ui_.px(5), height});
    note(ui_, name);
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActive())
        width = std::clamp(width + direction * ImGui::GetIO().MouseDelta.x / ui_.scale, least, 700.0f);
}

/// Messages over the map: errors stay and can be copied.
void App::banner() {
    struct Line {
        std::string text;
        Colour colour;
        bool error;
    };
    const Theme& t = ui_.colours();
    std::vector<Line> lines;
    if (!ui_.error.empty()) lines.push_back({ui_.error, t.error, true});
    if (ui_.model) {
        const Progress& p = ui_.model->progress();
        if (!p.error.empty()) lines.push_back({"The run failed: " + p.error, t.error, true});
        if (!p.warning.empty() && p.warning != ui_.read) lines.push_back({p.warning, t.warning, false});
        if (!p.note.empty()) lines.push_back({p.note, t.accent, false});
        for (const std::string& note : ui_.model->info().notes)
            if (ui_.model->step() < 1) lines.push_back({note, t.accent, false});
    }
    if (ImGui::GetTime() < ui_.message_until) lines.push_back({ui_.message, t.accent, false});
    if (lines.empty()) return;
    const float width = std::min(ui_.px(620), ImGui::GetIO().DisplaySize.x - ui_.px(640));
    const float x = (ImGui::GetIO().DisplaySize.x - std::max(width, ui_.px(300))) / 2;
    ImGui::SetNextWindowPos({x, ui_.px(56)});
    ImGui::SetNextWindowSize({std::max(width, ui_.px(300)), 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui_.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, vec(t.raised));
    ImGui::Begin("messages", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    for (std::size_t k = 0; k < lines.size(); ++k) {
        ImGui::PushID(static_cast<int>(k));
        ImGui::PushStyleColor(ImGuiCol_Text, vec(mix(lines[k].colour, t.text, 0.2)));
        ImGui::TextWrapped("%s", lines[k].text.c_str());
        ImGui::PopStyleColor();
        if (lines[k].error) {
            if (chip(ui_, "copy message", "Copy", false, t.accent, "")) ImGui::SetClipboardText(lines[k].text.c_str());
            if (!ui_.error.empty() && k == 0) {
                ImGui::SameLine();
                if (chip(ui_, "close message", "Close", false, t.accent, "")) ui_.error.clear();
            }
        }
        const bool warning = ui_.model && lines[k].text == ui_.model->progress().warning;
        if (warning && chip(ui_, "close warning", "Close", false, t.accent, "")) ui_.read = lines[k].text;
        ImGui::PopID();
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

void App::settle() {
    for (int k = 0; k < 3; ++k) frame(nullptr, true);
    const auto waits = [&] { return is_behind(ui_) || (ui_.model && ui_.model->waits_for_history()); };
    const auto busy = [&] { return stale() || waits(); };
    for (int k = 0; busy() && (k < 200 || waits()); ++k) {
        SDL_Delay(2);
        frame(nullptr, true);
    }
    frame(nullptr, true);
}

Raster App::picture(bool map_only) {
    const bool panels = std::exchange(ui_.panels, ui_.panels && !map_only);
    platform_.present(false);
    for (int k = 0; k < 2; ++k) frame(nullptr, true);  // the map takes its new size in the first one
    platform_.present(true);
    Raster raster = platform_.read_pixels();
    ui_.panels = panels;
    return raster;
}

void App::keep_settings() {
    Settings now = kept_.settings;
    now.dark = ui_.dark;
    now.panels = ui_.panels;
    now.left = ui_.left;
    now.right = ui_.right;
    std::tie(now.width, now.height) = platform_.window_size();
    if (options_.settings.empty() || now == written_) return;
    try {
        write_settings(options_.settings, now, !kept_.problem.empty());
        kept_ = {now, {}};
        written_ = now;
    } catch (const std::exception&) {
        // The window works without it.
    }
}

}  // namespace outrider::view
