// What keys and gamepads do.
#include <SDL.h>

#include "view/gamepad.hpp"
#include "view/window/app.hpp"

namespace outrider::view {

void App::handle(const SDL_Event& event) {
    if (event.type == SDL_KEYDOWN)
        press({event.key.keysym.sym, (event.key.keysym.mod & KMOD_SHIFT) != 0, (event.key.keysym.mod & KMOD_CTRL) != 0},
              ImGui::GetIO().WantTextInput);
    if (event.type == SDL_DROPFILE) {
        open_file(event.drop.file);
        SDL_free(event.drop.file);
    }
    if (!controllers_.handle(event)) return;
    if (const std::string& news = controllers_.news(); !news.empty()) ui_.say(news);
    if (const auto button = controllers_.pressed())
        if (const auto action = action_of_button(*button)) perform(*action);
    steer();
}

/// The selected robot, if it can be driven.
std::optional<RobotId> App::drivable() const {
    if (!ui_.model || !ui_.model->source().can_command()) return {};
    const auto robot = ui_.model->selection.robot;
    if (!robot || ui_.model->info().is_base[static_cast<std::size_t>(*robot)]) return {};
    return robot;
}

double App::speed_of(RobotId robot) const {
    return ui_.model->info().scenario.robots[static_cast<std::size_t>(robot)].body.speed_mps;
}

/// Follows the sticks of the gamepad: a command for every step until they are released.
void App::steer() {
    if (!ui_.model) return;
    ViewModel& model = *ui_.model;
    const auto robot = drivable();
    if (!robot) {
        if (model.driven()) model.drive(*model.driven(), {});
        return;
    }
    model.drive(*robot, drive_command(controllers_.sticks(), speed_of(*robot), model.careful));
}

void App::press(const KeyPress& key, bool typing) {
    const bool by_hand = ui_.tab == Tab::operate && ui_.model && ui_.model->selection.robot;
    if (const auto action = action_of(key, {typing, ui_.help, ui_.model != nullptr, by_hand})) perform(*action);
}

}  // namespace outrider::view
