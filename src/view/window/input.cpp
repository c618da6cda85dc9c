// What keys and gamepads do.
#include <SDL.h>

#include "view/gamepad.hpp"
#include "view/window/app.hpp"

namespace outrider::view {

void App::handle(const SDL_Event& event) {
    if (event.type == SDL_KEYDOWN && !ImGui::GetIO().WantTextInput)
        press(
            {event.key.keysym.sym, (event.key.keysym.mod & KMOD_SHIFT) != 0, (event.key.keysym.mod & KMOD_CTRL) != 0});
    if (event.type == SDL_DROPFILE) {
        open_file(event.drop.file);
        SDL_free(event.drop.file);
    }
    if (!controllers_.handle(event)) return;
    if (const std::string& news = controllers_.news(); !news.empty()) ui_.say(news);
    if (const auto button = controllers_.pressed()) press_button(*button);
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

/// As the sticks of the gamepad are: an order for every step until they are let go.
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

void App::press_button(int button) {
    if (!ui_.model) return;
    ViewModel& model = *ui_.model;
    const auto robot = drivable();
    switch (button) {
        case SDL_CONTROLLER_BUTTON_A:
        case SDL_CONTROLLER_BUTTON_START:
            press({SDLK_SPACE});
            break;
        case SDL_CONTROLLER_BUTTON_B:
            if (robot) model.command(*robot, {"stop", {}, 0, 0});
            break;
        case SDL_CONTROLLER_BUTTON_X:
            if (robot) model.command(*robot, {"autonomous", {}, 0, 0});
            break;
        case SDL_CONTROLLER_BUTTON_Y:
            press({SDLK_v});
            break;
        case SDL_CONTROLLER_BUTTON_LEFTSHOULDER:
            model.select_next_mobile(-1);
            break;
        case SDL_CONTROLLER_BUTTON_RIGHTSHOULDER:
            model.select_next_mobile(1);
            break;
        case SDL_CONTROLLER_BUTTON_DPAD_LEFT:
            press({SDLK_LEFT});
            break;
        case SDL_CONTROLLER_BUTTON_DPAD_RIGHT:
            press({SDLK_RIGHT});
            break;
        case SDL_CONTROLLER_BUTTON_DPAD_UP:
            press({SDLK_UP});
            break;
        case SDL_CONTROLLER_BUTTON_DPAD_DOWN:
            press({SDLK_DOWN});
            break;
        default:
            break;
    }
}

/// Driving by keys: an order for one step.
void App::operate(int key) {
    const auto robot = drivable();
    if (ui_.tab != Tab::operate || !robot) return;
    ViewModel& model = *ui_.model;
    const int forward = key == SDLK_i ? 1 : key == SDLK_k ? -1 : 0, left = key == SDLK_j ? 1 : key == SDLK_l ? -1 : 0;
    model.command(*robot, drive_command(forward, left, speed_of(*robot), model.careful));
}

void App::press(const KeyPress& k) {
    if (k.key == SDLK_F1) ui_.help = !ui_.help;
    if (k.key == SDLK_t) ui_.wish = "theme";
    if (k.key == SDLK_p) ui_.wish = k.shift ? "screenshot map" : "screenshot";
    if (k.key == SDLK_TAB) ui_.panels = !ui_.panels;
    if (k.key == SDLK_ESCAPE && ui_.help) {
        ui_.help = false;
        return;
    }
    if (!ui_.model) return;
    ViewModel& model = *ui_.model;
    const auto robot = model.selection.robot;
    const bool by_hand = ui_.tab == Tab::operate && robot;
    switch (k.key) {
        case SDLK_SPACE:
            model.toggle_play();
            break;
        case SDLK_LEFT:
            model.step_by(k.shift ? -10 : -1);
            break;
        case SDLK_RIGHT:
            model.step_by(k.shift ? 10 : 1);
            break;
        case SDLK_HOME:
            model.go_to(0);
            break;
        case SDLK_END:
            model.go_last();
            break;
        case SDLK_PAGEUP:
            model.go_to_event(-1);
            break;
        case SDLK_PAGEDOWN:
            model.go_to_event(1);
            break;
        case SDLK_UP:
            model.set_speed(model.speed() + 1);
            break;
        case SDLK_DOWN:
            model.set_speed(model.speed() - 1);
            break;
        case SDLK_g:
            ui_.focus_step = ui_.panels = true;
            break;
        case SDLK_v:
            model.careful = !model.careful;
            ui_.say(model.careful ? "By hand: carefully, only where the robot knows that it is free"
                                  : "By hand: freely");
            break;
        case SDLK_f:
            model.fit(ui_.px(16), ui_.px(48));
            break;
        case SDLK_c:
            model.follow = model.follow || !robot ? std::nullopt : robot;
            break;
        case SDLK_o:
            if (robot) model.layers.solo_robot(static_cast<std::size_t>(*robot));
            break;
        case SDLK_m:
            ui_.tool = ui_.tool == Tool::measure ? Tool::select : Tool::measure;
            ui_.measure.clear();
            break;
        case SDLK_w:
            if (robot && model.source().can_command()) {
                ui_.tool = ui_.tool == Tool::way_point ? Tool::select : Tool::way_point;
                ui_.tab = Tab::operate;
            }
            break;
        case SDLK_ESCAPE:
            model.selection = {};
            ui_.measure.clear();
            ui_.way_points.clear();
            ui_.tool = Tool::select;
            break;
        case SDLK_i:
        case SDLK_j:
        case SDLK_k:
            operate(k.key);
            break;
        case SDLK_l:
            if (by_hand)
                operate(k.key);
            else
                ui_.wish = "loop";
            break;
        default:
            if (k.key >= SDLK_1 && k.key <= SDLK_9) {
                const int index = k.key - SDLK_1;
                if (k.ctrl) {
                    const std::string own = model.layers.text();
                    model.presets[static_cast<std::size_t>(index)] = {"Own", own};
                    kept_.settings.presets[static_cast<std::size_t>(index)] = own;
                    model.preset = index;
                    keep_settings();
                    ui_.say(fmt::format("What is shown is kept under the key {}", index + 1));
                } else {
                    model.apply_preset(index);
                }
            }
    }
}

}  // namespace outrider::view
