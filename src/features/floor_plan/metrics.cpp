// Robots with a plan of the building.
#include <array>
#include <bit>

#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

/// The plan that some of the robots have; null: none has one.
const KnownMap* plan_of(std::span<const Robot> team) {
    for (const Robot& robot : team)
        if (const auto& plan = robot.belief().briefing().prior_map) return plan.get();
    return nullptr;
}

/// Of the cells that somebody knows and the plan shows, the share that truly is so.
double right_share(Record r) {
    std::int64_t shown = 0, right = 0;
    plan_of(r.team)->cells().for_each([&](TileCoord t, const CellTile& tile) {
        BitTile known;
        for (const Robot& robot : r.team)
            if (const CellTile* theirs = r.truth.map(robot).tile(t))
                for (std::size_t i = 0; i < tile_size; ++i) known.rows[i] |= theirs->known.rows[i];
        for (int row = 0; row < tile_size; ++row) {
            const auto i = static_cast<std::size_t>(row);
            for (std::uint64_t cells = known.rows[i] & tile.known.rows[i]; cells; cells &= cells - 1) {
                const int column = std::countr_zero(cells);
                ++shown;
                right += r.world.field().wall(cell_of(t, column, row)) == ((tile.occupied.rows[i] >> column & 1) != 0);
            }
        }
    });
    return share_of(count(right), count(shown));
}

constexpr std::array plan_rows{
    MetricInfo{"prior_right_share", "share", 1,
               "cells that the plan shows as they are / cells that it shows, of those that somebody knows at the end",
               more, right_share},
};

std::string plan_in_words(const SummaryWords& run) {
    return fmt::format("plan                 {} of what it says of the known cells is right\n",
                       run.percent("prior_right_share"));
}

}  // namespace

extern const MetricGroup plan_metrics;
const MetricGroup plan_metrics{plan_rows, [](const Measured& run) { return plan_of(run.team) != nullptr; }, nullptr,
                               "plan", plan_in_words};

}  // namespace outrider
