// The window's model of a log with tables of other values: all that it shows, without a window.
#include <thread>

#include "fuzz/changed_database.hpp"
#include "fuzz/samples.hpp"
#include "view/inspect.hpp"
#include "view/view_model.hpp"

namespace outrider::fuzz {
namespace {

/// Takes over what comes until that holds; false: the log cannot be shown. The fuzzer's own limit ends a wait that has
/// no end.
template <class Condition>
bool come_to(view::ViewModel& model, Condition&& holds) {
    for (;;) {
        model.update();
        const view::Progress& now = model.progress();
        // A programmer's mistake in the thread of the source is told as an error of the file.
        expect(now.error.find("check failed") == std::string::npos, now.error.c_str());
        if (!now.error.empty()) return false;
        if (model.now().step >= 0 && holds(now)) return true;
        std::this_thread::yield();
    }
}

void show_all(view::ViewModel& model) {
    for (std::size_t layer = 0; layer < model.layers.all().size(); ++layer) model.layers.set(layer, true);
    model.update();
    model.scene();
    model.victims();
    model.marks();
    model.base_reports();
    model.stretches();
    messages_received(model);
    for (std::size_t i = 0; i < model.now().robots.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        model.select_robot(robot);
        facts_of_robot(model, robot);
        news_text(model, robot);
        state_text(model, robot);
        facts_of_cell(model, model.cell_at(model.shown_pose(robot).position()));
    }
    for (const RunEvent& event : model.events()) event_text(model, event);
}

void show_log(std::string_view bytes) {
    static const ScratchFile file("viewed.sqlite");
    write_changed(file, sample_log(), bytes);
    view::ViewModel model(view::make_replay(file.path()));
    model.ask_history();
    if (!come_to(model, [](const view::Progress&) { return true; })) return;
    show_all(model);
    for (const int step : {5, 2}) {
        model.go_to(step);
        const int aim = model.aim();
        if (!come_to(model, [&](const view::Progress& now) { return model.step() == aim || now.sought == aim; }))
            return;
        show_all(model);
    }
    model.show_as_base(true);
    show_all(model);
    model.go_to_event(1);
    model.go_to_event(-1);
}

}  // namespace

std::vector<Target> view_targets() {
    return {{"log_view", "a log with other values: the window's model (ViewModel, make_replay)", show_log, 512}};
}

}  // namespace outrider::fuzz
