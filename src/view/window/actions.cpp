// Performs what keys, buttons and gamepads ask for.
#include <algorithm>
#include <filesystem>

#include "base/output.hpp"
#include "view/gamepad.hpp"
#include "view/window/app.hpp"

namespace outrider::view {

/// A function per action; those that need an open run get it.
struct App::Performer {
    App& app;
    Ui& ui;

    void operator()(const action::ToggleHelp&) const { ui.help = !ui.help; }
    void operator()(const action::ToggleTheme&) const {
        ui.dark = !ui.dark;
        apply_style(ui);
    }
    void operator()(const action::TogglePanels&) const { ui.panels = !ui.panels; }
    void operator()(const action::OpenFile& a) const { app.open_file(a.path); }
    void operator()(const action::SavePicture& a) const { app.save_picture(a.map_only); }
    void operator()(const action::CloseWindow&) const { app.closing_ = true; }

    void operator()(const action::TogglePlay&, ViewModel&) const { ui.clock().toggle_play(); }
    void operator()(const action::StepBy& a, ViewModel&) const { ui.clock().step_by(a.steps); }
    void operator()(const action::GoToStart&, ViewModel&) const { ui.clock().go_to(0); }
    void operator()(const action::GoToEnd&, ViewModel&) const { ui.clock().go_last(); }
    void operator()(const action::GoToEvent& a, ViewModel&) const { ui.clock().go_to_event(a.direction); }
    void operator()(const action::ChangeSpeed& a, ViewModel&) const { ui.clock().set_speed(ui.clock().speed() + a.by); }
    void operator()(const action::TypeStep&, ViewModel&) const { ui.focus_step = ui.panels = true; }
    /// The start of the loop, its end, or no loop any more.
    void operator()(const action::MarkLoop&, ViewModel&) const {
        ViewModel& model = ui.clock();
        const auto [from, to] = model.loop();
        if (to >= 0)
            model.set_loop(-1, -1);
        else if (from >= 0)
            model.set_loop(from, std::max(model.step(), from + 1));
        else
            model.set_loop(std::max(0, model.step()), -1);
    }

    void operator()(const action::ShowWholeMap&, ViewModel& model) const { model.fit(ui.px(16), ui.px(48)); }
    void operator()(const action::FollowRobot&, ViewModel& model) const {
        model.follow = model.follow || !model.selection.robot ? std::nullopt : model.selection.robot;
    }
    void operator()(const action::SoloRobot&, ViewModel& model) const {
        if (const auto robot = model.selection.robot) model.layers.solo_robot(static_cast<std::size_t>(*robot));
    }
    void operator()(const action::ApplyPreset& a, ViewModel& model) const { model.apply_preset(a.index); }
    void operator()(const action::KeepPreset& a, ViewModel& model) const {
        const auto index = static_cast<std::size_t>(a.index);
        const std::string own = model.layers.text();
        model.presets[index] = {"Own", own};
        app.kept_.settings.presets[index] = own;
        model.preset = a.index;
        app.keep_settings();
        ui.say(fmt::format("What is shown is kept under the key {}", a.index + 1));
    }
    void operator()(const action::ToggleMeasure&, ViewModel&) const {
        ui.tool = ui.tool == Tool::measure ? Tool::select : Tool::measure;
        ui.measure.clear();
    }
    void operator()(const action::SelectNothing&, ViewModel& model) const {
        model.selection = {};
        ui.measure.clear();
        ui.waypoints.clear();
        ui.tool = Tool::select;
    }
    void operator()(const action::SelectNext& a, ViewModel& model) const { model.select_next_mobile(a.direction); }

    void operator()(const action::ToggleWaypoints&, ViewModel& model) const {
        if (!model.selection.robot || !model.source().can_command()) return;
        ui.tool = ui.tool == Tool::waypoint ? Tool::select : Tool::waypoint;
        ui.tab = Tab::operate;
    }
    void operator()(const action::ToggleCareful&, ViewModel& model) const {
        model.careful = !model.careful;
        ui.say(model.careful ? "By hand: carefully, only where the robot knows that it is free" : "By hand: freely");
    }
    /// An order for one step.
    void operator()(const action::DriveStep& a, ViewModel& model) const {
        if (const auto robot = app.drivable())
            model.command(*robot, drive_command(a.forward, a.left, app.speed_of(*robot), model.careful));
    }
    void operator()(const action::TellRobot& a, ViewModel& model) const {
        if (const auto robot = app.drivable()) model.command(*robot, {a.behaviour, {}, 0, 0});
    }
    void operator()(const action::StopAll&, ViewModel& model) const {
        if (!model.source().can_command()) return;
        for (std::size_t i = 0; i < model.info().robots(); ++i)
            if (!model.info().is_base[i]) model.command(static_cast<RobotId>(i), {"stop", {}, 0, 0});
        ui.say("All robots are ordered to stop");
    }
    void operator()(const action::ToggleBaseView&, ViewModel& model) const {
        if (model.info().is_base.empty() || !model.info().is_base.front()) {
            ui.say("This team has no base station");
            return;
        }
        model.show_as_base(!model.as_base());
    }
    void operator()(const action::ExportEvents&, ViewModel& model) const {
        const std::string text = entries_csv(model, ui.search.among, ui.search.found);
        const char* what = ui.search.among == Among::events ? "events" : "reasons";
        app.save(text, fmt::format("{}_{}", file_name(model.info().scenario.name), what), "csv");
    }
    void operator()(const action::Undo&, ViewModel&) const {
        if (ui.edit && !ui.edit->undo()) ui.say("nothing to undo");
    }
    void operator()(const action::Redo&, ViewModel&) const {
        if (ui.edit && !ui.edit->redo()) ui.say("nothing to redo");
    }
    void operator()(const action::RunEdited&, ViewModel&) const {
        if (!ui.edit) return;
        try {
            Scenario scenario = ui.edit->scenario();
            app.open(make_live(std::move(scenario), app.options_.live, {}));
        } catch (const std::exception& error) {
            ui.error = error.what();
        }
    }
};

void App::perform(const UiAction& action) {
    const Performer performer{*this, ui_};
    std::visit(
        [&](const auto& a) {
            if constexpr (requires { performer(a); })
                performer(a);
            else if (ui_.model)
                performer(a, *ui_.model);
        },
        action);
}

void App::perform_asked() {
    for (const UiAction& action : std::exchange(ui_.asked, {})) perform(action);
}

void App::save_picture(bool map_only) {
    const Raster raster = picture(map_only);
    const std::string stem =
        ui_.model ? fmt::format("{}_step{}", file_name(ui_.model->info().scenario.name), ui_.model->step())
                  : "outrider";
    save(encode_png(raster), stem, "png");
}

void App::save(std::string_view bytes, const std::string& stem, const char* ending) {
    std::string path;
    for (int k = 1; k == 1 || std::filesystem::exists(path); ++k)
        path = fmt::format("{}/{}{}.{}", options_.pictures, stem, k == 1 ? "" : "_" + std::to_string(k), ending);
    try {
        OutputFile file(path, false);
        file.write(bytes);
        file.commit();
        ui_.say("Saved " + path);
    } catch (const std::exception& error) {
        ui_.error = error.what();
    }
}

}  // namespace outrider::view
