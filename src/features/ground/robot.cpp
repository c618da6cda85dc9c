// Ground that a robot finds hard or impossible to drive on, and scanners that tilt with it. This file sees no world.
#include <algorithm>
#include <cmath>

#include "robot/knowledge.hpp"
#include "robot/parts/cell_marks.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// Scanners that tilt with the body: what they cannot tell. Their beams say nothing that got so far that what they met
/// could be the floor, or that met nothing and may have passed over walls: those that point down, beyond 0.8 times
/// where level floor would be, and up, beyond 0.8 times where they rise above walls of 1 m.
class TiltedBeams final : public RobotPart {
  public:
    void before_localising(StepScans& scans) override {
        constexpr double sure_share = 0.8, wall_height_m = 1;
        const Percept& percept = scans.percept();
        if (percept.pitch == 0 && percept.roll == 0) return;
        const SinCos pitch = sin_cos(percept.pitch), roll = sin_cos(percept.roll);
        const double ahead = -pitch.sin / pitch.cos, left = roll.sin / roll.cos;
        std::vector<Point> directions;
        for (Scan& scan : scans.change()) {
            const ScanGeometry& sensor = scans.geometry(scan);
            const double base_m = sensor.spec().tilts_at_m;
            if (base_m == 0) continue;
            sensor.directions(0, directions);
            for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
                std::uint16_t& range = scan.ranges[i];
                if (range == Scan::no_information) continue;
                const double rise = ahead * directions[i].x + left * directions[i].y,
                             to_m = rise < 0 ? base_m : wall_height_m - base_m;
                const bool open = range == Scan::nothing;
                if ((rise < 0 || open) && beam_length_m(sensor.spec(), range) * std::abs(rise) > sure_share * to_m)
                    range = Scan::no_information;
            }
        }
    }
};

/// Slow cells are marked, too high steps become walls.
class GroundMarks final : public RobotPart {
  public:
    void after_drawing(Knowledge& known, const Percept& percept) override {
        CellMarks rough;
        for (const Point& p : percept.rough) rough.add(cell_at(known, p));
        rough.set(known, Mark::rough);
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

std::unique_ptr<RobotPart> make_tilted_beams_part(const Briefing& briefing, const RobotOptions&) {
    const bool tilts = std::any_of(briefing.sensors.begin(), briefing.sensors.end(),
                                   [](const SensorSpec& s) { return s.tilts_at_m > 0; });
    return tilts ? std::make_unique<TiltedBeams>() : nullptr;
}

std::unique_ptr<RobotPart> make_ground_marks_part(const Briefing&, const RobotOptions& options) {
    return options.ground ? std::make_unique<GroundMarks>() : nullptr;
}

}  // namespace outrider
