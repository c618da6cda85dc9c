#include "metrics/run_record.hpp"

#include <numeric>

#include "metrics/localisation.hpp"

namespace outrider {
namespace {

TravelTotals travel_totals(const World& world, std::span<const Robot> team) {
    TravelTotals w;
    for (std::size_t i = 0; i < team.size(); ++i) {
        if (!team[i].belief().briefing().me().mobile) continue;
        const double d = world.bodies()[i].travelled_m;
        w.sum += d;
        w.squares += d * d;
        w.longest = std::max(w.longest, d);
        ++w.mobile;
        w.dead += !world.bodies()[i].alive;
    }
    const double mean = share_of(w.sum, w.mobile);
    for (std::size_t i = 0; i < team.size(); ++i)
        if (team[i].belief().briefing().me().mobile) {
            const double off = world.bodies()[i].travelled_m - mean;
            w.off_mean += off * off;
        }
    return w;
}

MapAccuracy compare_with_truth(const World& world, const TileTable<BitTile>& sensable, std::span<const Robot> team,
                               const TrueView& truth, bool walls_changed) {
    TileTable<BitTile> free, occupied;
    for (const Robot& robot : team)
        truth.map(robot).cells().for_each([&](TileCoord t, const CellTile& tile) {
            BitTile &f = free.at(t), &o = occupied.at(t);
            for (int row = 0; row < tile_size; ++row) {
                f.rows[static_cast<std::size_t>(row)] |= tile.free_row(row);
                o.rows[static_cast<std::size_t>(row)] |= tile.occupied.rows[static_cast<std::size_t>(row)];
            }
        });
    MapAccuracy sum;
    free.for_each([&](TileCoord t, const BitTile& f) {
        const BitTile& o = *occupied.find(t);
        const BitTile* reachable = sensable.find(t);
        for (int row = 0; row < tile_size; ++row) {
            const auto i = static_cast<std::size_t>(row);
            const std::uint64_t only_occupied = o.rows[i] & ~f.rows[i];
            sum.free += std::popcount(f.rows[i]);
            sum.occupied += std::popcount(only_occupied);
            const std::uint64_t open = reachable ? reachable->rows[i] : 0;
            const auto walls_in = [&](std::uint64_t cells) {
                std::int64_t walls = 0;
                for (; cells; cells &= cells - 1) walls += world.field().wall(cell_of(t, std::countr_zero(cells), row));
                return walls;
            };
            sum.falsely_occupied += std::popcount(only_occupied & open);
            if (walls_changed) sum.falsely_occupied -= walls_in(only_occupied & open);
            sum.falsely_free += walls_in(walls_changed ? f.rows[i] : f.rows[i] & ~open);
        }
    });
    return sum;
}

MapTrials try_map(const KnownMap& map, const World& world, std::size_t robot) {
    const Cell body = world.lattice().cell_of(world.bodies()[robot].pose.position());
    return {compare_paths(map, world, body, Localisation::off_cells),
            compare_skeletons(map, world, body, Localisation::off_cells)};
}

}  // namespace

RunRecord::RunRecord(std::span<const StepMetrics> steps_, std::span<const double> longest_paths_,
                     const Coverage& coverage_, const Measured& run, const RunTotals& totals_,
                     std::span<const Boxed<Counter>> counters_, EndReason reason_, int steps_limit_)
    : steps(steps_),
      longest_paths(longest_paths_),
      coverage(coverage_),
      driver(run.driver),
      world(run.driver.world()),
      team(run.team),
      truth(run.truth),
      totals(totals_),
      counters(counters_),
      reason(reason_),
      steps_limit(steps_limit_),
      paths(travel_totals(world, team)),
      seen_by_each(
          static_cast<double>(std::accumulate(coverage.sensed().begin(), coverage.sensed().end(), std::int64_t{0}))),
      seen_by_any(static_cast<double>(coverage.sensed_by_any())),
      accuracy(compare_with_truth(world, coverage.sensable_plane(), team, truth, driver.moves_walls())) {
    if (!steps.empty()) last = steps.back();
    if (!find<Localisation>()) return;
    for (std::size_t i = 0; i < team.size(); ++i) {
        const KnownMap& map = truth.map(team[i]);
        walls_off.push_back(outrider::walls_off(map, world));
        trials.emplace_back();
        if (team[i].belief().briefing().me().mobile) trials.back() = try_map(map, world, i);
    }
}

}  // namespace outrider
