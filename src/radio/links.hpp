// Radio links between robots, from the true walls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/ir2_radio.hpp"
#include "outrider/briefing.hpp"
#include "outrider/detail/boxed.hpp"
#include "radio/fading.hpp"
#include "world/wall_field.hpp"

namespace outrider {

/// A radio and its position; it has no links when its robot is dead.
struct Transceiver {
    Point position;
    double range_m = 0;
    bool alive = true;
    bool operator==(const Transceiver&) const = default;
};

struct Link {
    RobotId a = 0, b = 0;   ///< a < b
    double signal_dbm = 0;  ///< path loss and ir2: as received; otherwise 0
    bool operator==(const Link&) const = default;
};

/// What is drawn by chance: for a run, and for a step of it.
struct RadioChance {
    Ir2Losses losses = {};
    Fading fading = {};
    int step = 0;
};

/// The radio of links that are better by so much; path loss only.
RadioOptions better_by(RadioOptions radio, double gain_db);

/// All links by (a, b). Symmetric: a hears b iff b hears a. Pairs beyond the largest possible reach cost nothing.
std::vector<Link> find_links(const WallField& walls, const Lattice& lattice, const RadioOptions& radio,
                             std::span<const Transceiver> radios, const RadioChance& chance = {});

/// The same from step to step, of one radio on one lattice: links between radios that stand are those of the step
/// before while no wall changes and nothing fades. A thousand base stations are half a million pairs.
class LinkFinder {
  public:
    const std::vector<Link>& find(const WallField& walls, const Lattice& lattice, const RadioOptions& radio,
                                  std::span<const Transceiver> radios, const RadioChance& chance = {});

  private:
    NotCopied<const WallField*> walls_;
    std::uint64_t wall_changes_ = 0;
    std::vector<Transceiver> radios_;  // of the step before
    std::vector<Link> links_;
};

/// Connected component of each of n robots, numbered in the order of their lowest members; dead robots are alone.
std::vector<int> components(std::size_t n, std::span<const Link> links);

}  // namespace outrider
