// The keys of the window, listed once: for the handler, the page of help and the table in docs/window.md.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "view/window/actions.hpp"

namespace outrider::view {

/// A key with its modifiers; letters are lower case.
struct KeyPress {
    int key = 0;  ///< SDL_Keycode
    bool shift = false, ctrl = false;
};

/// Which modifiers must be held; any: does not matter.
enum class Held : std::uint8_t { any, shift, ctrl };
/// When a key does something.
enum class When : std::uint8_t {
    always,
    typing,   ///< always, also while a text is typed
    help,     ///< while the page of help is shown
    open,     ///< something is open
    by_hand,  ///< in the tab Operate, with a robot selected
};
struct KeyBinding {
    int key = 0;
    Held held = Held::any;
    When when = When::always;
    UiAction action{};
};

/// A row of the page of help: keys that belong together, or what else a hand does.
struct KeyRow {
    std::vector<KeyBinding> bindings;
    std::string_view other;  ///< instead of keys: the mouse, the gamepad
    std::string_view help;
};
const std::vector<KeyRow>& key_rows();
/// "Left, Right", "1 ... 9", "Ctrl+Q".
std::string keys_text(const KeyRow& row);

/// The window's state when a key is pressed.
struct KeyContext {
    bool typing = false, help = false, open = false, by_hand = false;
};
/// The action of a key: among several that fit, the one with the most conditions.
std::optional<UiAction> action_of(const KeyPress& key, const KeyContext& context);
/// The action of a button of a gamepad, an SDL_GameControllerButton.
std::optional<UiAction> action_of_button(int button);

}  // namespace outrider::view
