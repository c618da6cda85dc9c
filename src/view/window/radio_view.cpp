// The radio on the map: its reach, links, who reports to whom, and the age of what robots know of each other.
#include "view/window/pen.hpp"

namespace outrider::view {
namespace {

void draw_hierarchy(Ui& ui, Pen& pen, RobotId robot) {
    const ViewModel& model = *ui.model;
    if (const RobotId parent = model.moment(robot)->parent; parent >= 0)
        pen.dashed(model.shown_pose(robot).position(), model.shown_pose(parent).position(), ui.colours().meeting, 0.9,
                   ui.px(2));
}

}  // namespace

void draw_last_reports(Ui& ui, Pen& pen, RobotId robot) {
    const ViewModel& model = *ui.model;
    for (const MateNews& mate : model.moment(robot)->mates) {
        if (mate.step < 0 || mate.in_contact || model.info().is_base[static_cast<std::size_t>(mate.robot)]) continue;
        const ImVec2 c = pen.at(mate.pose.position());
        const Colour colour = own(ui, mate.robot);
        pen.list().AddCircle(c, ui.px(5.5f), paint(colour), 20, ui.px(1.6f));
        pen.word({c.x + ui.px(9), c.y}, fmt::format("{} ago", model.step() - mate.step),
                 mix(colour, ui.colours().text, 0.45));
    }
}

void draw_radio(Ui& ui, Pen& pen) {
    const ViewModel& model = *ui.model;
    const std::size_t n = model.now().robots.size();
    for (std::size_t i = 0; i < n; ++i) {
        const RobotMoment& m = model.now().robots[i];
        const auto robot = static_cast<RobotId>(i);
        const Point here = model.shown_pose(robot).position();
        if (model.layers.shown(LayerId::range, i)) pen.geometry(here, m.reach, own(ui, robot), 0.07, 0.6, ui.px(1.3f));
        if (model.layers.shown(LayerId::expected_range, i))
            pen.geometry(m.pose.position(), m.expected, own(ui, robot), 0.03, 0.9, ui.px(1));
    }
    for (std::size_t i = 0; i < n; ++i) {
        const RobotMoment& m = model.now().robots[i];
        const auto robot = static_cast<RobotId>(i);
        const Point here = model.shown_pose(robot).position();
        if (model.layers.shown(LayerId::links))
            for (const RobotId other : m.links)
                if (other > robot)
                    pen.line(std::array{here, model.shown_pose(other).position()}, ui.colours().link, 0.65,
                             ui.px(1.3f));
        if (model.layers.shown(LayerId::hierarchy)) draw_hierarchy(ui, pen, robot);
    }
}

}  // namespace outrider::view
