#include "simulation/rerun.hpp"

namespace outrider {

void HashCheck::on_step(const StepView& view) {
    while (next_ < log_.steps.size() && log_.steps[next_] < view.step) ++next_;  // a damaged chunk leaves a gap
    if (divergence_ || next_ == log_.steps.size() || log_.steps[next_] != view.step) return;
    ++compared_;
    if (log_.hashes[next_] == view.hash) return;
    divergence_ = Divergence{view.step, -1};
    if (next_ >= log_.robot_hashes.size()) return;
    for (std::size_t i = 0; i < view.robot_hashes.size(); ++i)
        if (log_.robot_hashes[next_][i] != static_cast<std::uint32_t>(view.robot_hashes[i].low)) {
            divergence_->robot = static_cast<RobotId>(i);
            return;
        }
}

}  // namespace outrider
