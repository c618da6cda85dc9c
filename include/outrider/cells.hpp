// The cells of a map: the lattice (the one place that converts cell <-> metre), whose frame a map is in, and what is
// claimed of a cell.
//
//     const Lattice lattice{0.1};       // cells of 10 cm
//     lattice.cell_of({0.25, -0.05});   // column 2, row -1
#pragma once

#include <cstdint>

#include "outrider/detail/whole.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

/// Square cells of `cell_m` metres. Cell (i, j) covers [i, i+1) x [j, j+1) times cell_m of its frame.
struct Lattice {
    double cell_m = 0.1;

    /// What is farther than any map, or no number, gives a cell off all maps.
    Cell cell_of(Point p) const { return {whole_below(p.x / cell_m), whole_below(p.y / cell_m)}; }
    Point centre(Cell c) const { return {(c.x + 0.5) * cell_m, (c.y + 0.5) * cell_m}; }
    /// The point in cell units: its floor is cell_of(p).
    Point to_cells(Point p) const { return {p.x / cell_m, p.y / cell_m}; }
    Point to_metres(Point cells) const { return {cells.x * cell_m, cells.y * cell_m}; }
    double cells(double metres) const { return metres / cell_m; }
    double metres(double cells) const { return cells * cell_m; }
    bool operator==(const Lattice&) const = default;
};

/// Whose frame a pose, a map or a goal is in. Robots whose poses are known share {0, 0}: the lattice of the world, with
/// the cell of the first base station (or of robot 0) as cell (0, 0).
struct FrameId {
    std::int32_t robot = 0, epoch = 0;
    bool operator==(const FrameId&) const = default;
};

/// Ordered by rank: of two claims about a cell that are equally old, the higher rank wins.
enum class CellState : std::uint8_t { unknown, occupied, free, safe_free, safe_occupied };

/// Marks beside the claims; they merge by OR. at_base: a base station reported that it knows the cell. rough: the
/// ground is slow there, or somebody lies there. cleared: a camera saw the floor.
enum class Mark : std::uint8_t { at_base, rough, cleared };
inline constexpr std::size_t mark_count = 3;

}  // namespace outrider
