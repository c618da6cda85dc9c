// Ground that a robot finds hard or impossible to drive on: slow cells are marked, too high steps become walls.
#include "robot/knowledge.hpp"
#include "robot/parts/cell_marks.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

class GroundMarks final : public RobotPart {
  public:
    void after_drawing(Knowledge& known, const Percept& percept) override {
        CellMarks rough;
        for (const Point& p : percept.rough) rough.add(cell_at(known, p));
        rough.set(known.map, Mark::rough);
        draw_steps(known, percept);
    }

  private:
    static Cell cell_at(const Knowledge& known, Point in_body) {
        return known.map.lattice().cell_of(transform(known.pose, in_body));
    }
    /// Steps are walls for sure: no scan that passes over them clears them.
    static void draw_steps(Knowledge& known, const Percept& percept) {
        TileTable<CellTile> claims;
        for (const Point& p : percept.steps)
            if (const Cell c = cell_at(known, p); c != known.cell())
                claims.at(tile_of(c)).set(c, CellState::safe_occupied);
        claims.for_each([&](TileCoord t, const CellTile& tile) {
            if (tile != CellTile{}) known.map.observe(t, tile, static_cast<std::uint32_t>(percept.step));
        });
    }
};

}  // namespace

std::unique_ptr<RobotPart> make_ground_marks_part(const Briefing&, const RobotOptions& options) {
    return options.ground ? std::make_unique<GroundMarks>() : nullptr;
}

}  // namespace outrider
