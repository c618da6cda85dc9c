// What keys, buttons and gamepads ask of the window. App performs it (actions.cpp).
#pragma once

#include <string>
#include <variant>

namespace outrider::view {

namespace action {
// Of the window, also when nothing is open.
struct ToggleHelp {};
struct ToggleTheme {};
struct TogglePanels {};
struct OpenFile {
    std::string path;
};
struct SavePicture {
    bool map_only = false;
};
struct CloseWindow {};
// Playback.
struct TogglePlay {};
struct StepBy {
    int steps = 1;
};
struct GoToStart {};
struct GoToEnd {};
struct GoToEvent {
    int direction = 1;
};
struct ChangeSpeed {
    int by = 1;
};
struct TypeStep {};
struct MarkLoop {};
// What is shown.
struct ShowWholeMap {};
struct FollowRobot {};
struct SoloRobot {};
struct ApplyPreset {
    int index = 0;
};
struct KeepPreset {
    int index = 0;
};
struct ToggleMeasure {};
struct SelectNothing {};
struct SelectNext {
    int direction = 1;
};
// Operating and editing.
struct ToggleWaypoints {};
struct ToggleCareful {};
struct DriveStep {
    int forward = 0, left = 0;
};
/// A behaviour that needs nothing else: "stop", "autonomous".
struct TellRobot {
    std::string behaviour;
};
/// Stops all mobile robots.
struct StopAll {};
/// The run as it is, or as the base station sees it.
struct ToggleBaseView {};
struct RunEdited {};
/// In the editor.
struct Undo {};
struct Redo {};
/// The events that the table lists, as CSV beside the pictures.
struct ExportEvents {};
}  // namespace action

using UiAction =
    std::variant<action::ToggleHelp, action::ToggleTheme, action::TogglePanels, action::OpenFile, action::SavePicture,
                 action::CloseWindow, action::TogglePlay, action::StepBy, action::GoToStart, action::GoToEnd,
                 action::GoToEvent, action::ChangeSpeed, action::TypeStep, action::MarkLoop, action::ShowWholeMap,
                 action::FollowRobot, action::SoloRobot, action::ApplyPreset, action::KeepPreset, action::ToggleMeasure,
                 action::SelectNothing, action::SelectNext, action::ToggleWaypoints, action::ToggleCareful,
                 action::DriveStep, action::TellRobot, action::StopAll, action::ToggleBaseView, action::RunEdited,
                 action::Undo, action::Redo, action::ExportEvents>;

}  // namespace outrider::view
