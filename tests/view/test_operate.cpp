// Driving robots with a gamepad and keys, scrubbing a live run, and what the window keeps for the next time.
#include <fstream>
#include <sstream>

#include "desk.hpp"

using namespace outrider;
using namespace outrider::view;

namespace {

/// A gamepad that is none, plugged into SDL.
struct VirtualPad {
    int index = -1;
    SDL_Joystick* stick = nullptr;
    VirtualPad() {
        SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
        index = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                          SDL_CONTROLLER_BUTTON_MAX, 0);
        REQUIRE(index >= 0);
        stick = SDL_JoystickOpen(index);
        REQUIRE(stick);
    }
    ~VirtualPad() {
        SDL_JoystickClose(stick);
        if (index >= 0) SDL_JoystickDetachVirtual(index);
    }
    void push(int axis, double share) { SDL_JoystickSetVirtualAxis(stick, axis, static_cast<Sint16>(share * 32767)); }
    void unplug() { SDL_JoystickDetachVirtual(std::exchange(index, -1)); }
};

void pump(Desk& desk) {
    for (int k = 0; k < 3; ++k) desk.platform.poll(0, [&](const SDL_Event& e) { desk.app.handle(e); });
    desk.frames(1);
}

void tap(Desk& desk, VirtualPad& pad, int button) {
    SDL_JoystickSetVirtualButton(pad.stick, button, 1);
    pump(desk);
    SDL_JoystickSetVirtualButton(pad.stick, button, 0);
    pump(desk);
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream out;
    out << file.rdbuf();
    return out.str();
}

std::string new_path(const char* name) {
    return (std::filesystem::temp_directory_path() / fmt::format("outrider-{}-{}", SDL_GetPerformanceCounter(), name))
        .string();
}

}  // namespace

TEST_CASE("a gamepad's stick drives the selected robot step by step until it is let go") {
    Desk desk(office);
    VirtualPad pad;
    pump(desk);
    CHECK(desk.app.ui().message.find("Gamepad") != std::string::npos);
    ViewModel& model = desk.model();
    pad.push(SDL_CONTROLLER_AXIS_LEFTY, -1);
    pump(desk);
    CHECK_FALSE(model.driven());  // nobody is selected
    tap(desk, pad, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER);
    CHECK(model.selection.robot == 1);
    CHECK(model.driven() == 1);
    CHECK(model.ordered(1) == "drive");
    const Pose start = model.shown_pose(1);
    model.step_by(4);
    desk.wait([&] { return model.step() == 4; });
    const Pose driven = model.shown_pose(1);
    const Point ahead{std::cos(start.yaw), std::sin(start.yaw)};
    const Point offset = driven.position() - start.position();
    CHECK(offset.x * ahead.x + offset.y * ahead.y > 0.3);  // straight on
    CHECK(std::abs(driven.yaw - start.yaw) < 1e-9);
    // A stick that is held is one event, however many steps it lasts.
    CHECK(std::count_if(model.events().begin(), model.events().end(),
                        [](const RunEvent& e) { return e.kind == "operator"; }) == 1);

    pad.push(SDL_CONTROLLER_AXIS_LEFTY, 0);
    pump(desk);
    CHECK_FALSE(model.driven());
    model.step_by(1);
    desk.wait([&] { return model.step() == 5; });
    const Pose stopped = model.row(5)->poses[1];
    model.step_by(3);
    desk.wait([&] { return model.step() == 8; });
    CHECK(model.row(8)->poses[1] == stopped);  // it waits

    tap(desk, pad, SDL_CONTROLLER_BUTTON_Y);
    CHECK(model.careful);
    pad.push(SDL_CONTROLLER_AXIS_RIGHTX, -1);
    pump(desk);
    CHECK(model.ordered(1) == "drive_carefully");
    model.step_by(2);
    desk.wait([&] { return model.step() == 10; });
    CHECK(std::abs(model.row(10)->poses[1].yaw - stopped.yaw) > 0.1);
    // Going back tells again what was told, and nothing that is held now.
    model.go_to(3);
    desk.wait([&] { return model.step() == 3; });
    model.go_to(4);
    desk.wait([&] { return model.step() == 4; });
    CHECK(model.shown_pose(1) == driven);
    pad.unplug();
    pump(desk);
    CHECK_FALSE(model.driven());
}

TEST_CASE("of two gamepads the one that was moved last drives, and a stick that trembles in its middle has not moved") {
    Desk desk(office);
    VirtualPad pad, other;
    pump(desk);
    ViewModel& model = desk.model();
    tap(desk, pad, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER);
    pad.push(SDL_CONTROLLER_AXIS_LEFTY, -1);
    pump(desk);
    CHECK(model.driven() == 1);
    other.push(SDL_CONTROLLER_AXIS_LEFTY, 0.1);
    pump(desk);
    CHECK(model.driven() == 1);
    other.push(SDL_CONTROLLER_AXIS_LEFTX, 0.5);
    pump(desk);
    other.push(SDL_CONTROLLER_AXIS_LEFTX, 0);
    pump(desk);
    CHECK_FALSE(model.driven());
}

TEST_CASE("the buttons of a gamepad play, step, stop and give the robot back to its strategy") {
    Desk desk(office);
    VirtualPad pad;
    pump(desk);
    ViewModel& model = desk.model();
    tap(desk, pad, SDL_CONTROLLER_BUTTON_LEFTSHOULDER);
    CHECK(model.selection.robot == static_cast<RobotId>(model.info().robots() - 1));
    const RobotId robot = *model.selection.robot;
    tap(desk, pad, SDL_CONTROLLER_BUTTON_B);
    CHECK(model.ordered(robot) == "stop");
    tap(desk, pad, SDL_CONTROLLER_BUTTON_X);
    CHECK(model.ordered(robot) == "autonomous");
    tap(desk, pad, SDL_CONTROLLER_BUTTON_DPAD_RIGHT);
    desk.wait([&] { return model.step() == 1; });
    tap(desk, pad, SDL_CONTROLLER_BUTTON_A);
    CHECK(model.playing());
    tap(desk, pad, SDL_CONTROLLER_BUTTON_START);
    CHECK_FALSE(model.playing());
}

TEST_CASE("driven carefully, a robot stays before the wall that it knows; driven freely, it bumps") {
    for (const bool careful : {false, true}) {
        CAPTURE(careful);
        Desk desk(office);
        ViewModel& model = desk.model();
        desk.click("card/1");
        desk.click("tab/Operate");
        desk.click(careful ? "drive carefully" : "drive freely");
        CHECK(model.careful == careful);
        bool bumped = false;
        for (int k = 1; k <= 25; ++k) {
            desk.key(SDLK_i);
            model.step_by(1);
            desk.wait([&] { return model.step() == k; });
            bumped = bumped || model.moment(1)->bumped;
        }
        CHECK(model.ordered(1) == (careful ? "drive_carefully" : "drive"));
        CHECK(bumped == !careful);
    }
}

TEST_CASE("while a live run's timeline is dragged back, the step under the mouse is shown, and letting go goes there") {
    Desk desk(office);
    ViewModel& model = desk.model();
    model.go_to(60);
    desk.wait([&] { return model.step() == 60; });
    desk.key(SDLK_1);
    const Pose at_20 = model.row(19)->poses[1], at_60 = model.shown_pose(1);
    const double known = desk.share_of(theme(false).unknown);
    const Rect bar = desk.rect("timeline");
    const float y = (bar.low.y + bar.high.y) / 2, x = bar.low.x + (bar.high.x - bar.low.x) / 3;
    desk.move({x, y});
    desk.press(true);
    desk.frames(2);
    CHECK(model.looks_back());
    CHECK(model.shown_step() == 20);
    CHECK(model.step() == 60);
    CHECK(model.shown_pose(1) == at_20);
    CHECK_FALSE(at_20 == at_60);
    CHECK(desk.share_of(theme(false).unknown) > known + 0.01);  // less was known then
    desk.move({bar.high.x, y});
    CHECK_FALSE(model.looks_back());
    CHECK(model.shown_pose(1) == at_60);
    desk.move({x, y});
    desk.press(false);
    desk.wait([&] { return model.step() == 20; });
    CHECK_FALSE(model.looks_back());
    CHECK(model.shown_pose(1) == at_20);
}

TEST_CASE("G begins typing a step, and Enter goes there") {
    Desk desk(sample);
    desk.key(SDLK_g);
    desk.frames(2);
    CHECK(ImGui::GetIO().WantTextInput);
    ImGui::GetIO().AddInputCharactersUTF8("42");
    desk.frames(1);
    ImGui::GetIO().KeysDown[ImGui::GetIO().KeyMap[ImGuiKey_Enter]] = true;
    desk.frames(1);
    ImGui::GetIO().KeysDown[ImGui::GetIO().KeyMap[ImGuiKey_Enter]] = false;
    desk.wait([&] { return desk.model().step() == 42; });
}

TEST_CASE("colours, layout and sets of layers are there again the next time") {
    AppOptions options = test_options();
    options.settings = new_path("view.toml");
    {
        Desk desk(sample, options);
        const Rect edge = desk.rect("split left");
        desk.drag(edge.centre(), {edge.centre().x + 60, edge.centre().y});
        CHECK(desk.app.ui().left == doctest::Approx(350));
        desk.key(SDLK_t);
        desk.key(SDLK_TAB);
        desk.model().layers.apply("walls free:mobile visits:mobile");
        desk.key(SDLK_7, false, true);
        CHECK(text_of(options.settings).find("visits") != std::string::npos);  // at once
    }
    {
        Desk desk(sample, options);
        CHECK(desk.app.ui().dark);
        CHECK_FALSE(desk.app.ui().panels);
        CHECK(desk.app.ui().left == doctest::Approx(350));
        desk.key(SDLK_7);
        CHECK(desk.model().layers.shown(LayerId::visits, 1));
        desk.key(SDLK_TAB);
        CHECK(desk.rect("map").low.x == doctest::Approx(350));
    }
    std::filesystem::remove(options.settings);
}

TEST_CASE("a damaged file of settings gives a message and is kept") {
    AppOptions options = test_options();
    options.settings = new_path("view.toml");
    std::ofstream(options.settings) << "preset_1 = \"free:all\ndark = ";
    {
        Desk desk(office, options);
        CHECK(desk.app.ui().error.find("view.toml") != std::string::npos);
        CHECK(desk.app.ui().error.find(".damaged") != std::string::npos);
        CHECK(desk.app.ui().rects.contains("copy message"));
        desk.key(SDLK_t);
    }
    CHECK(text_of(options.settings).find("dark = true") != std::string::npos);
    CHECK(text_of(options.settings + ".damaged") == "preset_1 = \"free:all\ndark = ");
    std::filesystem::remove(options.settings);
    std::filesystem::remove(options.settings + ".damaged");
}

TEST_CASE("zooming stays when the panels hide, and the whole map stays whole") {
    Desk desk(office);
    desk.move(desk.rect("map").centre());
    desk.mouse.wheel = 3;
    desk.frames(1);
    desk.mouse.wheel = 0;
    const double scale = desk.model().camera.pixels_per_m;
    desk.key(SDLK_TAB);
    CHECK(desk.model().camera.pixels_per_m == scale);
    desk.key(SDLK_f);
    const double whole = desk.model().camera.pixels_per_m;
    desk.key(SDLK_TAB);
    CHECK(desk.model().camera.pixels_per_m < whole);
}

TEST_CASE("a place is marked by a name and a click, listed, and taken back") {
    Desk desk(office);
    ViewModel& model = desk.model();
    desk.click("tab/Operate");
    desk.app.ui().mark_name = "victim 1";
    desk.click("set mark");
    CHECK(desk.app.ui().tool == Tool::mark);
    const Point where = model.shown_pose(0).position() + Point{2, 1};
    const Colour before = desk.colour({desk.pixel(where).x, desk.pixel(where).y - 18});
    desk.click(desk.pixel(where));
    CHECK(desk.app.ui().tool == Tool::select);
    model.step_by(1);
    desk.wait([&] { return model.step() == 1; });
    REQUIRE(model.marks().size() == 1);
    CHECK(distance(model.marks()[0].at, where) < 0.1);
    CHECK_FALSE(desk.colour({desk.pixel(where).x, desk.pixel(where).y - 18}) == before);
    desk.click("unmark/victim 1");
    model.step_by(1);
    desk.wait([&] { return model.step() == 2; });
    CHECK(model.marks().empty());
}

TEST_CASE("B shows the run as the base station sees it, and Shift+S stops all robots") {
    Desk desk(office);
    ViewModel& model = desk.model();
    model.go_to(30);
    desk.wait([&] { return model.step() == 30; });
    desk.key(SDLK_b);
    CHECK(model.as_base());
    desk.click("tab/Operate");
    desk.click("as base");
    CHECK_FALSE(model.as_base());
    desk.key(SDLK_s);
    CHECK(model.ordered(1).empty());
    desk.key(SDLK_s, true);
    CHECK(model.ordered(1) == "stop");
    CHECK(model.ordered(2) == "stop");
    CHECK(model.ordered(0).empty());
}
