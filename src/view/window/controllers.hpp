// The game controllers that are plugged in.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "view/gamepad.hpp"

union SDL_Event;
struct _SDL_GameController;

namespace outrider::view {

class Controllers {
  public:
    Controllers() = default;
    ~Controllers();
    Controllers(const Controllers&) = delete;
    Controllers& operator=(const Controllers&) = delete;

    /// Whether the event was one of a controller.
    bool handle(const SDL_Event& event);
    /// Sticks of the controller that was moved last.
    const Sticks& sticks() const { return sticks_; }
    /// The button that the last event pressed (SDL_GameControllerButton).
    std::optional<int> pressed() const { return pressed_; }
    /// The message of the last event: a controller was plugged in or out.
    const std::string& news() const { return news_; }

  private:
    std::map<int, _SDL_GameController*> open_;  // by instance
    int moved_ = -1;
    Sticks sticks_;
    std::optional<int> pressed_;
    std::string news_;
};

}  // namespace outrider::view
