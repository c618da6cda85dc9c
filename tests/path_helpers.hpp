// Maps to plan on.
#pragma once

#include "helpers.hpp"
#include "outrider/path.hpp"

namespace outrider {

/// A map that is known completely, with its passability.
struct Known {
    Grid<std::uint8_t> walls;
    KnownMap map;
    NavMap nav;
    Known(Grid<std::uint8_t> w, Cell at, double radius = 0)
        : walls(std::move(w)), map(known_all(walls)), nav(FrontierKind::unknown, radius) {
        nav.update(map, at);
    }
};

inline Cell random_free(const Grid<std::uint8_t>& walls, Rng& rng) {
    for (;;) {
        const Cell c = walls.cell(rng.below(static_cast<std::uint32_t>(walls.cells().size())));
        if (!walls[c]) return c;
    }
}

}  // namespace outrider
