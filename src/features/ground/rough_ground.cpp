#include "features/ground/rough_ground.hpp"

#include "outrider/ray.hpp"

namespace outrider {

void RoughGround::sense(const WorldState& state, RobotId robot, Percept& percept) {
    percept.rough.clear();
    const auto r = static_cast<std::size_t>(robot);
    const std::vector<ScanGeometry>& sensors = state.equipment[r].sensors;
    if (sensors.empty()) return;
    const Lattice& lattice = state.world.lattice();
    const Pose& here = state.world.body(robot).pose;
    const auto see = [&](Cell c) {
        BitTile* tile = unseen_[r].find(tile_of(c));
        bool news = tile && tile->test(c);
        if (news) tile->reset(c);
        if (hazards_ && (hazards_->burns(c, state.step) || hazards_->wet(c, state.step))) {
            BitTile& sensed = sensed_[r].at(tile_of(c));
            news |= !sensed.test(c);
            sensed.set(c);
        }
        if (news) percept.rough.push_back(into_body(here, lattice.centre(c)));
    };
    see(lattice.cell_of(here.position()));  // it feels what it stands on
    thread_local std::vector<Point> directions;
    for (const Scan& s : std::span(percept.scans).last(sensors.size())) {
        const ScanGeometry& sensor = sensors[static_cast<std::size_t>(s.sensor)];
        sensor.directions(here.yaw, directions);
        const Point origin = lattice.to_cells(sensor.origin(here));
        for (std::size_t i = 0; i < s.ranges.size(); ++i) {
            if (s.ranges[i] == Scan::no_information) continue;
            walk_ray(Ray(origin, directions[i]), lattice.cells(beam_length_m(sensor.spec(), s.ranges[i])),
                     [&](Cell c, double) {
                         see(c);
                         return !state.world.field().wall(c);
                     });
        }
    }
}

}  // namespace outrider
