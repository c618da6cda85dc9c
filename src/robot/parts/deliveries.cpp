// What strategies see of deliveries to a base station: the cells that the robot's own scans showed before any received
// map did (Knowledge::discovered), and at a base station the marks of all that it knows.
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// Of a robot that explores.
class Discoveries final : public Copied<Discoveries, RobotPart> {
  public:
    void before_drawing(Knowledge& known, StepScans&) override { note_known(known, false); }
    void after_drawing(Knowledge& known, const Percept&) override { note_known(known, true); }

  private:
    /// Takes note of the cells that became known since the last call; `own`: by this robot's scans.
    void note_known(Knowledge& known, bool own) {
        const KnownMap& map = known.map;
        const MapChanges changes = map.changes_since(seen_);
        if (changes.everything && own) known_ = {};
        changes.for_each([&](const TileChange& change) {
            const CellTile* tile = map.tile(change.tile);
            if (!tile) return;
            BitTile& before = known_.at(change.tile);
            if (own) {
                BitTile& discovered = known.discovered.at(change.tile);
                for (std::size_t j = 0; j < tile_size; ++j) discovered.rows[j] |= tile->known.rows[j] & ~before.rows[j];
            }
            before = tile->known;
        });
    }

    TileTable<BitTile> known_;  // cells known at the last call
    ChangeCursor seen_;         // of the map
};

/// Of a base station.
class DeliveryMarks final : public Copied<DeliveryMarks, RobotPart> {
  public:
    void after_drawing(Knowledge& known, const Percept&) override {
        KnownMap& map = known.map;
        if (known.submaps) known.submaps->mark_all(Mark::at_base);
        for (const TileCoord t : map.changes_since(seen_).tiles())
            if (const CellTile* tile = map.tile(t)) map.mark(Mark::at_base, t, tile->known);
        map.changes_since(seen_);  // the marks themselves
    }

  private:
    ChangeCursor seen_;  // of the map
};

}  // namespace

std::unique_ptr<RobotPart> make_deliveries_part(const Briefing& briefing, const RobotOptions&) {
    if (!briefing.deliveries) return nullptr;
    if (briefing.is_base()) return std::make_unique<DeliveryMarks>();
    return std::make_unique<Discoveries>();
}

}  // namespace outrider
