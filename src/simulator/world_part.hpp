// A part of the world that only some scenarios have, such as fire, people or batteries. It takes part in each step of
// the simulator, phase by phase. The simulator does not know what parts there are; a run without any calls nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "messages/scan_geometry.hpp"
#include "outrider/detail/boxed.hpp"
#include "radio/links.hpp"
#include "radio/medium.hpp"
#include "simulator/noise.hpp"
#include "world/world.hpp"

namespace outrider {

/// The share of its speed at which something that is slow moves.
inline constexpr double slow_share = 0.3;

/// What the simulator knows of a robot besides its body.
struct Equipment {
    std::vector<ScanGeometry> sensors;
    double radio_range_m = 0;
    NoiseOptions noise;
    bool base = false;
};

/// The truth in a step, in the team's frame. Lists are by robot.
struct WorldState {
    World world;
    std::vector<Equipment> equipment;
    std::uint64_t seed = 1;
    int step = -1;
    std::vector<Move> moves = {};            ///< the last one of each: of the step before, until it moves in this one
    std::vector<std::uint8_t> blinded = {};  ///< its sensors say nothing in this step

    double time_s() const { return step * world.step_s(); }
};

/// Rays that a sensor casts at once: its beams, or several for each of them.
struct Rays {
    RobotId robot = 0;
    std::size_t sensor = 0;
    Pose body;              ///< while it casts them
    std::uint32_t key = 0;  ///< of random numbers: another one for each scan of a robot in a step
    Point origin_m;
    double range_m = 0;                      ///< of the sensor
    std::span<const Point> directions = {};  ///< unit vectors, in the team's frame as the origin
    bool level = true;                       ///< no part cast them as tilted ones
};

/// The phases of a step, in their order. Each is called for one part after the other, in the order of the list that the
/// driver is given (scenario/world_parts.cpp).
class WorldPart {
  public:
    virtual ~WorldPart() = default;
    /// For a copy of the run; see Copied. nullptr: there can be none.
    virtual std::unique_ptr<WorldPart> clone() const { return nullptr; }

    /// Whether walls can change by it, and the walls (nonzero cells block) with every cell free that it can free.
    virtual bool moves_walls() const { return false; }
    virtual void open_up(Grid<std::uint8_t>& /*walls*/) const {}

    /// The step begins: walls change, robots fail or die, people walk on.
    virtual void begin(WorldState&) {}
    /// Before it is found who hears whom: who can, and from where. sent: what robots sent in the step before.
    virtual void on_air(const WorldState&, std::span<Transceiver> /*radios*/, std::span<const Outbox> /*sent*/) {}
    /// The messages of this step have been delivered.
    virtual void delivered(const WorldState&, const Medium::Exchange&) {}

    // Robots look, in parallel: a call changes only what belongs to its robot.

    /// Casts rays that are tilted: lengths in cells, as of cast_rays(). False: these are level.
    virtual bool cast_tilted(const WorldState&, const Rays&, std::span<double> /*lengths*/) const { return false; }
    /// Makes rays that were cast longer or shorter; lengths in cells.
    virtual void adjust(const WorldState&, const Rays&, std::span<double> /*lengths*/) const {}
    /// Air in which beams get lost. echoes: their lengths in units of the sensor, before its noise; lost: those that
    /// say nothing. lengths: in cells, of the beams in clear air.
    virtual void dim(const WorldState&, const Rays&, std::span<const double> /*lengths*/, std::span<double> /*echoes*/,
                     std::span<std::uint8_t> /*lost*/) const {}
    /// Adds to the percept of a robot in service, which has its scans already.
    virtual void sense(const WorldState&, RobotId, Percept&) {}

    // Robots act, one after the other.

    /// What a body makes of a command; robots with lower numbers have moved. True: it waits for somebody, which is felt
    /// as a bump.
    virtual bool limit(const WorldState&, RobotId, Command&) const { return false; }
};

using WorldParts = std::vector<Boxed<WorldPart>>;

}  // namespace outrider
