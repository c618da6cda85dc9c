#include "role_based/expected.hpp"

#include <cmath>

#include "role_based/rendezvous.hpp"

namespace outrider {

std::optional<int> ExpectedPartner::arrival(const Belief& belief, RobotId robot, std::optional<Cell> via, Cell point,
                                            double speed) {
    if (robot != robot_ || point != point_) measured_ = received_ = -1;
    robot_ = robot;
    point_ = point;
    const TeamRecord& mate = belief.latest(robot);
    const int now = belief.step();
    if (belief.received_far(robot) && mate.frame == belief.map().frame()) {
        received_ = now;
        if (measured_ < 0 || now - measured_ >= measure_steps) {
            measured_ = now;
            const Cell there = belief.map().lattice().cell_of(mate.pose.position());
            const double length = via ? path_cells(belief, there, *via) + path_cells(belief, *via, point)
                                      : path_cells(belief, there, point);
            arrival_ = mate.step + whole(std::ceil(length / speed));
        }
    }
    if (received_ < 0 || now - received_ > fresh_steps) return {};
    return arrival_;
}

}  // namespace outrider
