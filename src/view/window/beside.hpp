// Two logs side by side: the same step, layers, part of the map and robot of both. One of them has the focus: panels
// and actions are about it, and a click into the other one's picture gives the focus to that.
#pragma once

#include "view/window/ui.hpp"

namespace outrider::view {

/// Opens a second log beside the one that is open. Throws Error when one of them is not a log.
void open_beside(Ui& ui, std::unique_ptr<Source> source);
/// Gives the focus to the other run; nothing happens when there is none.
void exchange_runs(Ui& ui);
/// Brings the other run to the step, layers, selection and part of the map of the one with the focus. To be called
/// before each picture; returns whether anything of it changed.
bool follow_focus(Ui& ui);
/// Whether the other run is on its way to the step that is shown.
bool is_behind(const Ui& ui);
/// The map; with two runs both, left and right, or one above the other where there is more height than width.
void draw_maps(Ui& ui, Rect area);

}  // namespace outrider::view
