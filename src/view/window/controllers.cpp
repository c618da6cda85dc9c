#include "view/window/controllers.hpp"

#include <SDL.h>

#include <cmath>

namespace outrider::view {

Controllers::~Controllers() {
    if (!SDL_WasInit(SDL_INIT_GAMECONTROLLER)) return;
    for (const auto& [id, controller] : open_) SDL_GameControllerClose(controller);
}

bool Controllers::handle(const SDL_Event& event) {
    pressed_.reset();
    news_.clear();
    switch (event.type) {
        case SDL_CONTROLLERDEVICEADDED:
            if (SDL_GameController* added = SDL_GameControllerOpen(event.cdevice.which)) {
                open_[SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(added))] = added;
                const char* name = SDL_GameControllerName(added);
                news_ = std::string("Gamepad: ") + (name ? name : "without a name") + ". F1 tells what it does.";
            }
            return true;
        case SDL_CONTROLLERDEVICEREMOVED:
            if (const auto found = open_.find(event.cdevice.which); found != open_.end()) {
                SDL_GameControllerClose(found->second);
                open_.erase(found);
                news_ = "The gamepad is gone.";
            }
            if (moved_ == event.cdevice.which) sticks_ = {};
            return true;
        case SDL_CONTROLLERBUTTONDOWN:
            pressed_ = event.cbutton.button;
            return true;
        case SDL_CONTROLLERAXISMOTION: {
            const double value = event.caxis.value / 32767.0;
            if (moved_ != event.caxis.which) {
                if (std::abs(value) < dead_zone) return true;  // a stick in its middle is never quite still
                sticks_ = {};
            }
            moved_ = event.caxis.which;
            if (event.caxis.axis == SDL_CONTROLLER_AXIS_LEFTX) sticks_.left_x = value;
            if (event.caxis.axis == SDL_CONTROLLER_AXIS_LEFTY) sticks_.left_y = value;
            if (event.caxis.axis == SDL_CONTROLLER_AXIS_RIGHTX) sticks_.right_x = value;
            if (event.caxis.axis == SDL_CONTROLLER_AXIS_RIGHTY) sticks_.right_y = value;
            return true;
        }
        default:
            return false;
    }
}

}  // namespace outrider::view
