// The radio of IR2 (Tan, Ma, Liang, Chng, Sartoretti, IROS 2024). Walls cost by their thickness, not by their number:
//
//     S = -20 dBm - 31 dB - (40 log10(blocked) + K) - (20 log10(free / 35 m) + X),   linked iff S > -70 dBm
//
// `blocked` and `free` are the lengths in metres of the line between the radios in walls (for a robot: and in the
// unknown) and outside of them. The second term counts only where something blocks, the third only from 35 m on. K and
// X are drawn once for each run. Made for maps of which a cell is a metre: walls of less than a metre cost only K.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "outrider/cells.hpp"
#include "outrider/radio.hpp"
#include "outrider/ray.hpp"
#include "outrider/rng.hpp"

namespace outrider {

inline constexpr double ir2_cutoff_dbm = -70, ir2_near_m = 35;

/// K and X.
struct Ir2Losses {
    double blocked_db = 0, free_db = 0;

    /// Each uniform in [0, radio.ir2_loss_db).
    static Ir2Losses draw(const RadioOptions& radio, std::uint64_t seed) {
        Rng rng(seed, -1, Purpose::radio, -1);
        Ir2Losses out;
        out.blocked_db = rng.uniform(0, radio.ir2_loss_db);
        out.free_db = rng.uniform(0, radio.ir2_loss_db);
        return out;
    }
};

/// What a line between two radios crosses.
struct Ir2Line {
    double blocked_m = 0, free_m = 0;
};

/// The line between the centres of two cells; the same from b to a. blocked(Cell): whether that cell attenuates.
template <class Blocked>
Ir2Line ir2_line(const Lattice& lattice, Cell a, Cell b, Blocked&& blocked) {
    if (b < a) std::swap(a, b);
    const Point from{a.x + 0.5, a.y + 0.5}, to{b.x + 0.5, b.y + 0.5};
    const double length = distance(from, to);
    double sum = 0, since = -1;  // since: where the line entered a blocked stretch; -1: it is in none
    walk_segment(from, to, [&](Cell c, double t) {
        const bool now = blocked(c);
        if (now && since < 0) since = t;
        if (!now && since >= 0) sum += t - std::exchange(since, -1);
        return true;
    });
    if (since >= 0) sum += length - since;
    return {lattice.metres(sum), lattice.metres(length - sum)};
}

inline double ir2_dbm(const Ir2Line& line, const Ir2Losses& losses) {
    double out = -20 - 31;
    if (line.blocked_m > 0) out -= std::max(40 * log10(line.blocked_m), 0.0) + losses.blocked_db;
    if (line.free_m >= ir2_near_m) out -= 20 * log10(line.free_m / ir2_near_m) + losses.free_db;
    return out;
}

}  // namespace outrider
