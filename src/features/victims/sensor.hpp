// How robots sense people to be found: tags that answer, parts of bodies that a camera sees, and warmth.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "messages/victim_options.hpp"
#include "outrider/percept.hpp"
#include "outrider/rng.hpp"
#include "simulator/walker.hpp"
#include "world/wall_field.hpp"

namespace outrider {

/// Somebody to be found, in the world's frame.
struct Victim {
    Point at;  ///< at the start
    int status = 0;
    std::optional<Walker> walk = {};  ///< of those who move about; others stay where they are

    Point place(double time_s) const { return walk ? walk->at(time_s) : at; }
    /// From a place to the nearest one where they ever are.
    double away_m(Point p) const { return walk ? walk->away_m(p) : distance(p, at); }
};

/// The disc, and the height, of a body.
inline constexpr double body_radius_m = 0.3, body_height_m = 0.3;

/// A tag reader: 5 m, where no wall is between. Beyond 4 m it tells that there is something, beyond 2 m its number,
/// else its status, too. It misses with 0.1 + 0.15 d / range.
struct TagReader {
    static constexpr double range_m = 5, number_m = 4, status_m = 2;
    static double miss(double distance_m) { return 0.1 + 0.15 * distance_m / range_m; }
};

/// A camera: 45 degrees, 6 m. Of somebody it sees as many of seven parts as walls leave; it tells of
/// those of whom it sees more than two.
struct PartsCamera {
    static constexpr double range_m = 6, half_angle = 0.39269908169872414;  // 22.5 degrees
    static constexpr int parts = 7, least = 3;
};
/// How many parts are seen of a body that is in view.
int visible_parts(const WallField& walls, const Lattice& lattice, const Pose& camera, Point body);

/// Three piles of 8 thermal pixels, one above the other, 0.35 m above the floor. A motor turns them once around, in
/// columns of 6 degrees, while the robot stands for 10 s. Source: the TPA81 thermopile (5.12 by 6 degrees a pixel).
struct ThermalScanner {
    static constexpr double stands_s = ThermalLook::stands_s, range_m = ThermalLook::range_m, height_m = 0.35;
    static constexpr int columns = 60, rows = 24;
    static constexpr double row_rad = 0.0893609, column_rad = 0.1047198;  // 5.12 and 6 degrees
    static constexpr double ambient_c = 20, warm_c = 32, noise_c = 0.5, hot_c = ambient_c + 4;
    using Image = std::vector<double>;  ///< degrees C; row by row from the lowest, columns from straight ahead leftward
};
/// What it sees of warm bodies within its range: each pixel is as warm as the share of its cone that is covered.
ThermalScanner::Image thermal_image(const WallField& walls, const Lattice& lattice, const Pose& pose,
                                    std::span<const Point> warm, Rng& rng);
/// Bodies in an image: where two by two pixels or more are hot. Places relative to the scanner, from the direction and
/// from how low the hot pixels are: the floor below is about as far.
std::vector<Point> warm_bodies(const ThermalScanner::Image& image);

/// Those whom a robot could sense in a step.
struct VictimScene {
    std::span<const Victim> victims;
    std::span<const Point> decoys = {};
    double time_s = 0;
    bool stood = false;  ///< the robot has stood long enough for a thermal image
};
/// What a robot senses of them in a step, with false alarms at places within 2 m of a wall.
void sense_victims(const WallField& walls, const Lattice& lattice, const Pose& pose, const VictimScene& scene,
                   const VictimOptions& options, Rng rng, std::vector<Sighting>& out);

}  // namespace outrider
