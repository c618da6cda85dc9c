#include "view/window/keys.hpp"

#include <SDL.h>

#include <algorithm>
#include <array>

namespace outrider::view {
namespace {

using namespace action;

/// 1 to 9: sets of layers.
std::vector<KeyBinding> digits() {
    std::vector<KeyBinding> out;
    for (int k = 0; k < 9; ++k) {
        out.push_back({SDLK_1 + k, Held::any, When::open, ApplyPreset{k}});
        out.push_back({SDLK_1 + k, Held::ctrl, When::open, KeepPreset{k}});
    }
    return out;
}

bool holds(Held held, const KeyPress& key) { return held == Held::any || (held == Held::shift ? key.shift : key.ctrl); }

bool is(When when, const KeyContext& context) {
    if (context.typing) return when == When::typing;
    switch (when) {
        case When::always:
        case When::typing:
            return true;
        case When::help:
            return context.help;
        case When::open:
            return context.open;
        case When::by_hand:
            return context.by_hand;
    }
    return false;
}

}  // namespace

const std::vector<KeyRow>& key_rows() {
    constexpr Held any = Held::any, shift = Held::shift, ctrl = Held::ctrl;
    constexpr When always = When::always, open = When::open, by_hand = When::by_hand;
    static const std::vector<KeyRow> rows{
        {{{SDLK_SPACE, any, open, TogglePlay{}}}, "", "play, pause"},
        {{{SDLK_LEFT, any, open, StepBy{-1}},
          {SDLK_LEFT, shift, open, StepBy{-10}},
          {SDLK_RIGHT, any, open, StepBy{1}},
          {SDLK_RIGHT, shift, open, StepBy{10}}},
         "",
         "a step back, a step forward; with Shift ten"},
        {{{SDLK_HOME, any, open, GoToStart{}}, {SDLK_END, any, open, GoToEnd{}}}, "", "first and last step"},
        {{{SDLK_PAGEUP, any, open, GoToEvent{-1}}, {SDLK_PAGEDOWN, any, open, GoToEvent{1}}},
         "",
         "event before, next event"},
        {{{SDLK_UP, any, open, ChangeSpeed{1}}, {SDLK_DOWN, any, open, ChangeSpeed{-1}}}, "", "faster, slower"},
        {{{SDLK_l, any, open, MarkLoop{}}}, "", "mark a loop: begin, end, none"},
        {{{SDLK_g, any, open, TypeStep{}}}, "", "go to a step"},
        {digits(), "", "sets of layers; with Ctrl keep what is shown"},
        {{{SDLK_o, any, open, SoloRobot{}}}, "", "layers of the selected robot only"},
        {{{SDLK_c, any, open, FollowRobot{}}}, "", "follow the selected robot"},
        {{{SDLK_f, any, open, ShowWholeMap{}}}, "", "show the whole map"},
        {{}, "Wheel, drag", "zoom, move the map"},
        {{}, "Shift and mouse", "what is known of a cell"},
        {{{SDLK_m, any, open, ToggleMeasure{}}}, "", "measure between two points"},
        {{{SDLK_w, any, open, ToggleWaypoints{}}}, "", "set way-points for the selected robot"},
        {{{SDLK_i, any, by_hand, DriveStep{1, 0}},
          {SDLK_j, any, by_hand, DriveStep{0, 1}},
          {SDLK_k, any, by_hand, DriveStep{-1, 0}},
          {SDLK_l, any, by_hand, DriveStep{0, -1}}},
         "",
         "in Operate: drive it, a step for each press"},
        {{{SDLK_v, any, open, ToggleCareful{}}}, "", "by hand: freely, or only where it is known to be free"},
        {{{SDLK_s, shift, open, StopAll{}}}, "", "with Shift: stop all robots"},
        {{{SDLK_b, any, open, ToggleBaseView{}}}, "", "the run as the base station sees it, and back"},
        {{}, "Gamepad", "sticks drive; A play, B stop, X strategy, Y as V, shoulders select"},
        {{{SDLK_TAB, any, always, TogglePanels{}}}, "", "hide and show the panels"},
        {{{SDLK_t, any, always, ToggleTheme{}}}, "", "light or dark"},
        {{{SDLK_p, any, always, SavePicture{false}}, {SDLK_p, shift, always, SavePicture{true}}},
         "",
         "save a picture; with Shift of the map alone"},
        {{{SDLK_ESCAPE, any, open, SelectNothing{}}, {SDLK_ESCAPE, any, When::help, ToggleHelp{}}},
         "",
         "select nothing, close this"},
        {{{SDLK_z, ctrl, open, Undo{}}}, "", "in Edit: undo"},
        {{{SDLK_y, ctrl, open, Redo{}}}, "", "in Edit: redo"},
        {{{SDLK_q, ctrl, When::typing, CloseWindow{}}}, "", "close the window"},
        {{{SDLK_F1, any, always, ToggleHelp{}}}, "", "this page"},
    };
    return rows;
}

std::string keys_text(const KeyRow& row) {
    if (row.bindings.empty()) return std::string(row.other);
    std::vector<std::string> names;
    bool ctrl = true;
    for (const KeyBinding& b : row.bindings) {
        const std::string name = SDL_GetKeyName(b.key);
        ctrl = ctrl && b.held == Held::ctrl;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::string out = ctrl ? "Ctrl+" : "";
    if (names.size() > 4) return out + names.front() + " ... " + names.back();
    for (std::size_t k = 0; k < names.size(); ++k) out += (k > 0 ? ", " : "") + names[k];
    return out;
}

std::optional<UiAction> action_of(const KeyPress& key, const KeyContext& context) {
    const auto asks = [](const KeyBinding& b) {
        return static_cast<int>(b.held != Held::any) + (b.when == When::by_hand || b.when == When::help);
    };
    const KeyBinding* best = nullptr;
    for (const KeyRow& row : key_rows())
        for (const KeyBinding& b : row.bindings)
            if (b.key == key.key && holds(b.held, key) && is(b.when, context) && (!best || asks(b) > asks(*best)))
                best = &b;
    return best ? std::optional(best->action) : std::nullopt;
}

std::optional<UiAction> action_of_button(int button) {
    struct Button {
        SDL_GameControllerButton button;
        UiAction action;
    };
    static const std::array buttons{
        Button{SDL_CONTROLLER_BUTTON_A, TogglePlay{}},
        Button{SDL_CONTROLLER_BUTTON_START, TogglePlay{}},
        Button{SDL_CONTROLLER_BUTTON_B, TellRobot{"stop"}},
        Button{SDL_CONTROLLER_BUTTON_X, TellRobot{"autonomous"}},
        Button{SDL_CONTROLLER_BUTTON_Y, ToggleCareful{}},
        Button{SDL_CONTROLLER_BUTTON_LEFTSHOULDER, SelectNext{-1}},
        Button{SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, SelectNext{1}},
        Button{SDL_CONTROLLER_BUTTON_DPAD_LEFT, StepBy{-1}},
        Button{SDL_CONTROLLER_BUTTON_DPAD_RIGHT, StepBy{1}},
        Button{SDL_CONTROLLER_BUTTON_DPAD_UP, ChangeSpeed{1}},
        Button{SDL_CONTROLLER_BUTTON_DPAD_DOWN, ChangeSpeed{-1}},
    };
    for (const Button& b : buttons)
        if (b.button == button) return b.action;
    return {};
}

}  // namespace outrider::view
