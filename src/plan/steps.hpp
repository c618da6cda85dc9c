// The eight steps of a path, and which of them a neighbourhood allows.
#pragma once

#include <array>
#include <cstdint>

#include "outrider/path.hpp"

namespace outrider {

/// Directions by row, then column.
inline constexpr std::array<Cell, 8> steps{{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
inline constexpr std::array<bool, 8> is_diagonal{true, false, true, false, false, true, false, true};
inline constexpr std::array<std::uint32_t, 8> step_cost{diagonal_cost, straight_cost, diagonal_cost, straight_cost,
                                                        straight_cost, diagonal_cost, straight_cost, diagonal_cost};

/// For each 3x3 neighbourhood of passable cells (bit 3 * (dy + 1) + dx + 1), the directions in which a step is allowed:
/// from a passable cell into one, and a diagonal one only between two.
inline constexpr std::array<std::uint8_t, 512> allowed_steps = [] {
    std::array<std::uint8_t, 512> table{};
    for (unsigned around = 0; around < 512; ++around)
        for (std::size_t d = 0; d < 8; ++d) {
            const auto pass = [&](int dx, int dy) { return (around >> (3 * (dy + 1) + dx + 1) & 1) != 0; };
            const int dx = steps[d].x, dy = steps[d].y;
            if (pass(0, 0) && pass(dx, dy) && (dx == 0 || pass(dx, 0)) && (dy == 0 || pass(0, dy)))
                table[around] = static_cast<std::uint8_t>(table[around] | 1u << d);
        }
    return table;
}();

}  // namespace outrider
