// What the panels share: the model, fonts, colours, and small widgets.
#pragma once

#include <imgui.h>

#include <array>
#include <map>
#include <memory>
#include <string>

#include "view/edit_model.hpp"
#include "view/inspect.hpp"
#include "view/search.hpp"
#include "view/window/actions.hpp"
#include "view/window/map_texture.hpp"

namespace outrider::view {

enum class Tab : int { layers, why, tables, plots, operate, edit };
inline constexpr std::array<const char*, 6> tab_names{"Layers", "Why", "Tables", "Plots", "Operate", "Edit"};
/// What a click on the map does.
enum class Tool : int { select, measure, waypoint, mark, wall, erase };

struct Rect {
    ImVec2 low, high;
    ImVec2 centre() const { return {(low.x + high.x) / 2, (low.y + high.y) / 2}; }
};

/// A second log that is drawn beside the first one (beside.hpp); no model: there is none.
struct OtherRun {
    std::unique_ptr<ViewModel> model;
    std::unique_ptr<MapTexture> texture;
    int sought = -1;       ///< the step that the log with fewer steps was last brought to
    std::string layers{};  ///< last taken over from the run with the focus
    bool second = true;    ///< whether it is the one on the right, or below
    bool leads = false;    ///< whether playback is about it: it has more steps
};

/// Which events the table lists, or remarks.
struct EventSearch {
    Among among = Among::events;
    std::array<char, 80> words{};
    bool of_selected = false;        ///< of the selected robot only
    std::vector<std::size_t> found;  ///< their numbers, when asked for this:
    std::string asked;
};

struct Ui {
    std::unique_ptr<ViewModel> model;  ///< none: nothing is open
    std::unique_ptr<MapTexture> texture;
    OtherRun other;
    std::unique_ptr<EditModel> edit;
    float scale = 1;
    ImFont *regular = nullptr, *bold = nullptr, *small = nullptr, *large = nullptr;
    bool dark = false, panels = true, help = false;
    float left = 290, right = 312;         ///< widths of the panels, in points
    bool robots_open = false;              ///< in a window too narrow for both panels: which of them is open
    bool focus_step = false;               ///< the field of the step gets the keyboard focus
    std::optional<RobotId> seen_in_panel;  ///< whose card was scrolled to
    Tab tab = Tab::layers;
    Tool tool = Tool::select;
    std::vector<Point> measure, waypoints;
    double wall_width_m = 0.2;  ///< of the line that Tool::wall and Tool::erase draw
    std::string mark_name;
    EventSearch search;
    std::optional<Point> hover;          ///< in metres of the team's frame
    std::vector<std::uint8_t> expanded;  ///< robots whose buttons are shown
    std::string error;                   ///< of opening a file
    std::string read;                    ///< the warning that the user closed
    std::string message;                 ///< a short message that fades
    double message_until = 0;
    std::vector<UiAction> asked;        ///< actions requested by widgets, done at the end of the frame
    std::map<std::string, Rect> rects;  ///< where widgets are, by name: for tests and scripts

    /// The run that playback is about: of two logs the one with more steps.
    ViewModel& clock() const { return other.leads ? *other.model : *model; }
    const Theme& colours() const { return theme(dark); }
    float px(float points) const { return points * scale; }
    void say(std::string text);
    void ask(UiAction action) { asked.push_back(std::move(action)); }
};

/// On a robot's disc: nothing for the first eight, then a dot, a ring, both, for those of the same colour.
void draw_colour_mark(const Ui& ui, ImDrawList& list, ImVec2 centre, float radius, std::size_t round);

ImU32 paint(Colour c, double opacity = 1);
ImVec4 vec(Colour c, double opacity = 1);
inline ImVec2 vec(Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }

/// Loads fonts and sets all colours and sizes; to be called again when the theme or the scale changes.
void load_fonts(Ui& ui);
void apply_style(const Ui& ui);

// Widgets. Each notes its place under its name.
void note(Ui& ui, const std::string& name);
/// A small button that stays pressed.
bool chip(Ui& ui, const std::string& name, const std::string& label, bool on, Colour colour, const std::string& hint,
          bool enabled = true, float width = 0);
bool tri_box(Ui& ui, const std::string& name, Tri state, const std::string& hint);
enum class Icon {
    play,
    pause,
    first,
    last,
    back,
    forward,
    event_back,
    event_forward,
    sun,
    moon,
    camera,
    help,
    copy,
    fit,
    loop
};
bool icon_button(Ui& ui, const std::string& name, Icon icon, const std::string& hint, bool on = false);
void text_faint(const Ui& ui, const std::string& text);
/// Faint text over as many lines as it takes.
void wrapped(const Ui& ui, const std::string& text);
/// Uses all the width that is left.
bool wide_button(Ui& ui, const std::string& name, const std::string& label, bool enabled = true);
void hint(const std::string& text);
/// Text that is cut with an ellipsis where it does not fit.
std::string fitted(const std::string& text, float width);
/// Section title.
void heading(const Ui& ui, const std::string& text);

// Parts of the window.
void draw_top_bar(Ui& ui, Rect area);
void draw_side_panel(Ui& ui, Rect area);
void draw_robots_panel(Ui& ui, Rect area);
void draw_timeline(Ui& ui, Rect area);
/// `legend`: with the legend and the scale.
void draw_map(Ui& ui, Rect area, bool legend);
/// The strategies of the team, each once.
std::string strategies_of(const RunInfo& info);
void draw_welcome(Ui& ui, Rect area);
void draw_help(Ui& ui);
void draw_layers_tab(Ui& ui);
void draw_why_tab(Ui& ui);
void draw_tables_tab(Ui& ui);
void draw_plots_tab(Ui& ui);
void draw_operate_tab(Ui& ui);
void draw_edit_tab(Ui& ui);
/// `scene`: what is drawn of it.
void draw_legend(Ui& ui, ImDrawList& list, Rect area, const scene::Scene& scene);

}  // namespace outrider::view
