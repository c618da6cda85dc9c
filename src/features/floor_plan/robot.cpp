// Whether a plan of the building fits what a robot has seen.
#include <bit>

#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// A plan is trusted as long as three quarters of the wall cells that the robot knows lie within two cells of a wall of
/// the plan, where it says something; at first it is. Plans that miss some walls stay trusted, those that lie off do
/// not.
class PlanTrust final : public Copied<PlanTrust, RobotPart> {
  public:
    explicit PlanTrust(const KnownMap& plan);
    void after_drawing(Knowledge& known, const Percept&) override {
        update(known.map);
        const bool trusted =
            walls_ < least_walls || static_cast<double>(fitting_) >= least_share * static_cast<double>(walls_);
        known.trusted_plan = trusted ? known.briefing.prior_map.get() : nullptr;
    }

  private:
    static constexpr int tolerance_cells = 2;
    static constexpr double least_share = 0.75;
    static constexpr std::int64_t least_walls = 100;  // fewer known wall cells say nothing

    void update(const KnownMap& map);

    TileTable<BitTile> near_;   // cells near a wall of the plan
    TileTable<BitTile> shown_;  // cells of which it says something
    struct Count {
        std::int64_t walls = 0, fitting = 0;
    };
    TileTable<Count> counts_;  // by tile of the robot's map
    std::int64_t walls_ = 0, fitting_ = 0;
    ChangeCursor seen_;
};

PlanTrust::PlanTrust(const KnownMap& plan) {
    plan.cells().for_each([&](TileCoord t, const CellTile& tile) {
        shown_.at(t) = tile.known;
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t walls = tile.occupied.rows[static_cast<std::size_t>(row)]; walls; walls &= walls - 1) {
                const Cell wall = cell_of(t, std::countr_zero(walls), row);
                for (int dy = -tolerance_cells; dy <= tolerance_cells; ++dy)
                    for (int dx = -tolerance_cells; dx <= tolerance_cells; ++dx) {
                        const Cell c = wall + Cell{dx, dy};
                        near_.at(tile_of(c)).set(c);
                    }
            }
    });
}

/// Takes in what changed in the map.
void PlanTrust::update(const KnownMap& map) {
    const MapChanges changes = map.changes_since(seen_);
    if (changes.everything) {
        counts_ = {};
        walls_ = fitting_ = 0;
    }
    changes.for_each([&](const TileChange& change) {
        const CellTile* tile = map.tile(change.tile);
        const BitTile *shown = shown_.find(change.tile), *near = near_.find(change.tile);
        if (!tile || !shown) return;
        Count now;
        for (std::size_t i = 0; i < tile_size; ++i) {
            const std::uint64_t walls = tile->occupied.rows[i] & shown->rows[i];
            now.walls += std::popcount(walls);
            if (near) now.fitting += std::popcount(walls & near->rows[i]);
        }
        Count& before = counts_.at(change.tile);
        walls_ += now.walls - before.walls;
        fitting_ += now.fitting - before.fitting;
        before = now;
    });
}

}  // namespace

std::unique_ptr<RobotPart> make_plan_trust_part(const Briefing& briefing, const RobotOptions&) {
    return briefing.prior_map ? std::make_unique<PlanTrust>(*briefing.prior_map) : nullptr;
}

}  // namespace outrider
