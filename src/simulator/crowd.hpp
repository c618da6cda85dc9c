// Others in the way: people who walk about, and the bodies of robots. Scans see them as discs, and who has a body
// himself waits for them.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/geometry.hpp"
#include "outrider/options.hpp"

namespace outrider {

enum class Walk { path, random };
inline constexpr std::array<std::string_view, 2> walk_names{"path", "random"};

struct CrowdOptions {
    int people = 0;
    Walk walk = Walk::path;
    double speed_mps = 1.2;
    double radius_m = 0.25;
    int doubt_steps = 5;
    void fields(Fields& f) {
        f("people", people, 0, 10'000, "people who walk to and fro, whatever robots, doors and rubble do");
        f("walk", walk, walk_names,
          "path: the shortest ways between four places drawn at random; random: straight on until something is in the "
          "way, then in another direction");
        f("speed_mps", speed_mps, 0, 20, "of each of them");
        f("radius_m", radius_m, 0.05, 2, "of the disc that scans see");
        f("doubt_steps", doubt_steps, 0, 1000,
          "with people, or robots that are seen (body.seen): a wall where free space was known counts when it is still "
          "seen so many steps later; 0: at once");
    }
};

/// Somebody or something round in the way.
struct Disc {
    Point middle;
    double radius_m = 0;
};

/// Somebody who walks along a way and back again, for ever.
class Walker {
  public:
    /// way: at least one point; the walk begins at the first.
    Walker(std::vector<Point> way, double speed_mps);
    Point at(double time_s) const;
    /// From a place to the nearest point of the way.
    double away_m(Point p) const;

  private:
    std::vector<Point> way_;
    std::vector<double> reached_m_;  // by point: the way to it
    double speed_mps_;
};

/// The radius that scans see of a robot that is smaller.
inline constexpr double least_seen_radius_m = 0.2;

/// How far a beam gets: `length_m`, or to the first disc. A disc around its origin does not count. direction: of length
/// one.
double length_to_discs(std::span<const Disc> discs, Point origin, Point direction, double length_m);

/// Shortens the beams, whose lengths are in cells, to the first of the discs; those farther than the range of the
/// sensor are left out.
void shorten_to_discs(std::span<const Disc> discs, Point origin, std::span<const Point> directions, double range_m,
                      double cell_m, std::span<double> lengths);

/// Whether a body that drives along the way, so far of it, comes closer than `gap_m` to the rim of a disc.
bool meets(const Disc& disc, Point from, std::span<const Point> way, double length_m, double gap_m);

}  // namespace outrider
