// How robots sense people to be found: tags that answer, and parts of bodies that a camera sees.
#pragma once

#include <vector>

#include "messages/victim_options.hpp"
#include "outrider/percept.hpp"
#include "outrider/rng.hpp"
#include "world/wall_field.hpp"

namespace outrider {

/// Somebody to be found, in the world's frame.
struct Victim {
    Point at;
    int status = 0;
};

/// A tag reader: 5 m, where no wall is between. Beyond 4 m it tells that there is something, beyond 2 m its number,
/// else its status, too. It misses with 0.1 + 0.15 d / range.
struct TagReader {
    static constexpr double range_m = 5, number_m = 4, status_m = 2;
    static double miss(double distance_m) { return 0.1 + 0.15 * distance_m / range_m; }
};

/// A camera: 45 degrees, 6 m. Of somebody, a disc of 0.3 m, it sees as many of seven parts as walls leave; it tells of
/// those of whom it sees more than two.
struct PartsCamera {
    static constexpr double range_m = 6, half_angle = 0.39269908169872414;  // 22.5 degrees
    static constexpr double body_radius_m = 0.3;
    static constexpr int parts = 7, least = 3;
};
/// How many parts are seen of a body that is in view.
int visible_parts(const WallField& walls, const Lattice& lattice, const Pose& camera, Point body);

/// What a robot senses of them in a step, with false alarms at places within 2 m of a wall.
void sense_victims(const WallField& walls, const Lattice& lattice, const Pose& pose, const std::vector<Victim>& victims,
                   const VictimOptions& options, Rng rng, std::vector<Sighting>& out);

}  // namespace outrider
