// The table of keys: what it says in the window and on its page, and that each does what it says.
#include <fstream>
#include <set>
#include <sstream>

#include "desk.hpp"

using namespace outrider;
using namespace outrider::view;

namespace {

template <class Action>
bool asks(std::optional<UiAction> action) {
    return action && std::holds_alternative<Action>(*action);
}

}  // namespace

TEST_CASE("the window's page has the table of keys") {
    std::stringstream text;
    text << std::ifstream(source_dir + "/docs/window.md").rdbuf();
    const std::string page = text.str();
    std::size_t rows = 0;
    for (std::size_t at = page.find("| key | what it does |"); at < page.size() && page[at] == '|';
         at = page.find('\n', at) + 1)
        ++rows;
    CHECK(rows == key_rows().size() + 2);
    for (const KeyRow& row : key_rows()) {
        const std::string line = fmt::format("| {} | {} |\n", keys_text(row), row.help);
        INFO("expected " << line);
        CHECK(page.find(line) != std::string::npos);
    }
}

TEST_CASE("keys are called by their names, a long list by its ends, and no two rows have the same") {
    std::set<std::string> names;
    for (const KeyRow& row : key_rows()) {
        CAPTURE(row.help);
        CHECK(row.bindings.empty() != row.other.empty());
        CHECK(!row.help.empty());
        CHECK(names.insert(keys_text(row)).second);
    }
    for (const char* name : {"Space", "Left, Right", "1 ... 9", "I, J, K, L", "Ctrl+Q", "Escape", "F1"})
        CHECK(names.contains(name));
}

TEST_CASE("of several bindings of a key the one that asks for most is taken; others pass") {
    const KeyContext open{.open = true};
    CHECK(asks<action::SavePicture>(action_of({SDLK_p}, {})));
    CHECK(std::get<action::SavePicture>(*action_of({SDLK_p, true}, {})).map_only);
    CHECK_FALSE(std::get<action::SavePicture>(*action_of({SDLK_p, false, true}, {})).map_only);
    CHECK(std::get<action::StepBy>(*action_of({SDLK_LEFT, true}, open)).steps == -10);
    CHECK(std::get<action::StepBy>(*action_of({SDLK_LEFT}, open)).steps == -1);
    CHECK_FALSE(action_of({SDLK_LEFT}, {}));
    CHECK(asks<action::ApplyPreset>(action_of({SDLK_7, true}, open)));
    CHECK(std::get<action::KeepPreset>(*action_of({SDLK_7, false, true}, open)).index == 6);
    CHECK(asks<action::MarkLoop>(action_of({SDLK_l}, open)));
    CHECK(asks<action::DriveStep>(action_of({SDLK_l}, {.open = true, .by_hand = true})));
    CHECK_FALSE(action_of({SDLK_i}, open));
    CHECK(asks<action::SelectNothing>(action_of({SDLK_ESCAPE}, open)));
    CHECK(asks<action::ToggleHelp>(action_of({SDLK_ESCAPE}, {.help = true, .open = true})));
    CHECK_FALSE(action_of({SDLK_q}, open));
    CHECK_FALSE(action_of({SDLK_t}, {.typing = true}));
    CHECK(asks<action::CloseWindow>(action_of({SDLK_q, false, true}, {.typing = true})));
    CHECK(asks<action::ToggleCareful>(action_of_button(SDL_CONTROLLER_BUTTON_Y)));
    CHECK_FALSE(action_of_button(SDL_CONTROLLER_BUTTON_GUIDE));
}

TEST_CASE("keys, and actions that need an open run, do nothing wrong in an empty window") {
    Desk desk;
    for (const KeyRow& row : key_rows())
        for (const KeyBinding& b : row.bindings)
            if (!std::holds_alternative<action::SavePicture>(b.action) &&
                !std::holds_alternative<action::CloseWindow>(b.action)) {
                desk.app.perform(b.action);
                desk.key(b.key);
            }
    CHECK_FALSE(desk.app.closing());
    CHECK(!desk.app.ui().model);
    desk.key(SDLK_q, false, true);
    CHECK(desk.app.closing());
}

TEST_CASE("escape closes the page of help first, then selects nothing") {
    Desk desk(office);
    desk.model().select_robot(1);
    desk.key(SDLK_F1);
    CHECK(desk.app.ui().help);
    desk.key(SDLK_ESCAPE);
    CHECK_FALSE(desk.app.ui().help);
    CHECK(desk.model().selection.robot == 1);
    desk.key(SDLK_ESCAPE);
    CHECK_FALSE(desk.model().selection.robot);
}
