// Ground that a robot finds hard or impossible to drive on, and scanners that tilt with it. This file sees no world.
#include <algorithm>
#include <cmath>
#include <optional>

#include "robot/knowledge.hpp"
#include "robot/parts/cell_marks.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// Rise per metre of the plane in which a body lies: ahead, and to its left.
struct Rise {
    double ahead = 0, left = 0;
};

/// Scanners that tilt: what they cannot tell. Their beams say nothing that got so far that what they met could be the
/// floor, or that met nothing and may have passed over walls: those that point down, beyond 0.8 times where level floor
/// would be, and up, beyond 0.8 times where they rise above walls of 1 m.
class TiltedBeams final : public Copied<TiltedBeams, RobotPart> {
  public:
    explicit TiltedBeams(std::vector<BeamFilter> filters) : filters_(std::move(filters)) {}
    void before_localising(StepScans& scans) override;

  private:
    void filter(Scan& scan, const ScanGeometry& sensor, double height_m, const Rise& rise);

    std::vector<BeamFilter> filters_;  // by sensor
    std::optional<Rise> before_;       // of the body, in the step before
    std::vector<Point> directions_;
};

void TiltedBeams::before_localising(StepScans& scans) {
    const SinCos reach = sin_cos(radians(20));  // of the joint
    const double most = reach.sin / reach.cos;
    const SinCos pitch = sin_cos(scans.percept().pitch), roll = sin_cos(scans.percept().roll);
    const Rise now{-pitch.sin / pitch.cos, roll.sin / roll.cos}, before = before_.value_or(now);
    before_ = now;
    // A joint turns the scanner back by how the body lay a step before.
    const Rise left_over{now.ahead - std::clamp(before.ahead, -most, most),
                         now.left - std::clamp(before.left, -most, most)};
    const auto is_level = [](const Rise& r) { return r.ahead == 0 && r.left == 0; };
    if (is_level(now) && is_level(left_over)) return;
    for (Scan& scan : scans.change()) {
        const BeamFilter& of = filters_.at(static_cast<std::size_t>(scan.sensor));
        if (of.height_m > 0) filter(scan, scans.geometry(scan), of.height_m, of.levelled ? left_over : now);
    }
}

void TiltedBeams::filter(Scan& scan, const ScanGeometry& sensor, double height_m, const Rise& rise) {
    constexpr double sure_share = 0.8, wall_height_m = 1;
    sensor.directions(0, directions_);
    for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
        std::uint16_t& range = scan.ranges[i];
        if (range == Scan::no_information) continue;
        const double along = rise.ahead * directions_[i].x + rise.left * directions_[i].y,
                     to_m = along < 0 ? height_m : wall_height_m - height_m;
        const bool open = range == Scan::nothing;
        if ((along < 0 || open) && beam_length_m(sensor.spec(), range) * std::abs(along) > sure_share * to_m)
            range = Scan::no_information;
    }
}

/// Slow cells are marked, too high steps become walls.
class GroundMarks final : public Copied<GroundMarks, RobotPart> {
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

std::unique_ptr<RobotPart> make_tilted_beams_part(const Briefing& briefing, const RobotOptions& options) {
    const auto self = static_cast<std::size_t>(briefing.self);
    if (self >= options.beam_filters.size()) return nullptr;
    const std::vector<BeamFilter>& filters = options.beam_filters[self];
    const bool any = std::any_of(filters.begin(), filters.end(), [](const BeamFilter& f) { return f.height_m > 0; });
    return any ? std::make_unique<TiltedBeams>(filters) : nullptr;
}

std::unique_ptr<RobotPart> make_ground_marks_part(const Briefing&, const RobotOptions& options) {
    const bool rough = options.has("ground") || options.has("hazards");
    return rough ? std::make_unique<GroundMarks>() : nullptr;
}

}  // namespace outrider
