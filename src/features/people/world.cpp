#include "features/people/world.hpp"

#include <algorithm>

namespace outrider {

void PeopleAndBodies::begin(WorldState& state) {
    people_.clear();
    for (const Walker& person : walkers_) people_.push_back({person.at(state.time_s()), person_radius_m_});
    bodies_.clear();
    for (std::size_t i = 0; i < presence_.size(); ++i) {
        const Body& body = state.world.bodies()[i];
        if (presence_[i].seen)
            bodies_.push_back(
                {static_cast<RobotId>(i), {body.pose.position(), std::max(least_seen_radius_m, body.radius_m)}});
    }
}

void PeopleAndBodies::adjust(const WorldState& state, const Rays& rays, std::span<double> lengths) const {
    thread_local std::vector<Disc> others;
    others = people_;
    for (const auto& [robot, body] : bodies_)
        if (robot != rays.robot) others.push_back(body);
    shorten_to_discs(others, rays.origin_m, rays.directions, rays.range_m, state.world.lattice().cell_m, lengths);
}

bool PeopleAndBodies::limit(const WorldState& state, RobotId robot, Command& command) const {
    constexpr double gap_m = 0.05;
    if (!presence_[static_cast<std::size_t>(robot)].blocks) return false;
    const Body& body = state.world.body(robot);
    thread_local std::vector<Point> path;
    path.clear();
    for (const Point& p : command.path_body) path.push_back(transform(body.pose, p));
    const double length_m = std::min(command.speed_mps, body.speed_mps) * state.world.step_s();
    const auto in_the_way = [&](const Disc& disc) {
        return meets(disc, body.pose.position(), path, length_m, body.radius_m + gap_m);
    };
    if (std::any_of(people_.begin(), people_.end(), in_the_way)) return true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(robot); ++k) {
        const Body& other = state.world.bodies()[k];
        const bool moved = other.alive && distance(state.moves[k].from.position(), other.pose.position()) > 0;
        if (presence_[k].blocks && moved && in_the_way({other.pose.position(), other.radius_m})) return true;
    }
    return false;
}

}  // namespace outrider
