// Fire and water on the floor: from when on, and until when, cell by cell. All of it follows from the scenario and its
// seed before the run begins.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "features/hazards/options.hpp"
#include "grid/grid.hpp"
#include "world/relief.hpp"

namespace outrider {

/// Of a cell that does not burn, or is not flooded, by the rules of spreading, but as somebody recorded or computed it.
struct GivenHazard {
    Cell cell;
    std::int32_t from, until;  ///< steps; until: fire only
};

struct Hazard {
    HazardKind kind = HazardKind::fire;
    Cell source;
    int at = 0;                 ///< the step in which it begins
    double spread = 0;          ///< fire: chance by which a burning neighbour lights a cell in a step
    int burn_steps = 0;         ///< fire: how long a cell burns
    double debris_share = 0;    ///< fire: chance that it is a wall then
    double steps_per_cell = 0;  ///< flood: 1 / its speed
    double rise_m = 0;          ///< flood: by how much its level rises in a step, where the floor is not level
    std::vector<GivenHazard> given = {};  ///< not empty: these cells, and no others
};

class HazardField {
  public:
    static constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();

    /// What becomes of the free cells of these walls (nonzero cells block) in so many steps. relief: in their frame;
    /// nullptr: the floor is level.
    HazardField(const Grid<std::uint8_t>& walls, std::span<const Hazard> hazards, int steps, int tolerance_steps,
                std::uint64_t seed, const Relief* relief = nullptr);

    bool burns(Cell c, int step) const { return burns_from_.get(c, never) <= step && step < burns_until_.get(c, 0); }
    bool wet(Cell c, int step) const { return wet_from_.get(c, never) <= step; }
    /// Who stands in fire for so many steps is out of service.
    int tolerance_steps() const { return tolerance_steps_; }
    /// Cells that fire makes walls, and when; by step, then by row.
    struct Debris {
        int step;
        std::vector<Cell> cells;
    };
    const std::vector<Debris>& debris() const { return debris_; }
    /// The same in the frame in which the lower left cell of the walls is `origin`.
    HazardField placed(Cell origin) const;
    const Grid<std::int32_t>& grid() const { return burns_from_; }  ///< for its size

  private:
    void take(const Grid<std::uint8_t>& walls, const Hazard& hazard, std::uint32_t stream, std::uint64_t seed);
    void burn(const Grid<std::uint8_t>& walls, const Hazard& fire, std::uint32_t stream, int steps, std::uint64_t seed);
    void rise(const Grid<std::uint8_t>& walls, const Hazard& flood, const Relief* relief);

    Grid<std::int32_t> burns_from_, burns_until_, wet_from_;
    int tolerance_steps_;
    std::vector<Debris> debris_;
};

}  // namespace outrider
