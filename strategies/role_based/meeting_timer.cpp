#include "role_based/meeting_timer.hpp"

namespace outrider {

bool MeetingTimer::due(const Belief& belief, const RendezvousOptions& options, ParentSide& side, double range_m,
                       int late) {
    const Meeting& m = side.agreed();
    if (!m.agreed() || belief.step() % 2 != 0) return false;
    const double v = belief.speed_cells(), left = m.time + late - belief.step();
    const double longest = path_cells_ + v * (belief.step() - measured_);
    if (measured_id_ == m.id && longest / v < left) return false;
    path_cells_ = path_cells(belief, belief.cell(), m.child_point);
    measured_ = belief.step();
    measured_id_ = m.id;
    if (path_cells_ / v < left) return false;
    if ((options.kind != RendezvousKind::multi_point && options.kind != RendezvousKind::joint) || end_chosen_ == m.id)
        return true;
    end_chosen_ = m.id;
    measured_id_ = 0;
    side.choose_end(nearer_end(belief, options, m.child_point, m.parent_point, range_m));
    return due(belief, options, side, range_m, late);
}

}  // namespace outrider
