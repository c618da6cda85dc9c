// The way back of a robot that matches scans. Where its pose is off, or that of a team-mate, walls are drawn across
// passages that it came through, and it seems to be cut off from all that is left to explore and from home. It was
// driven, so it is free: its track is drawn anew. Only where the past or frames move: a log of others is replayed from
// keyframes, which do not hold the track.
#include <cmath>

#include "outrider/detail/nav_map.hpp"
#include "outrider/ray.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

class PathBack final : public Copied<PathBack, RobotPart> {
  public:
    void after_drawing(Knowledge& known, const Percept&) override {
        if (!known.matches_scans) return;
        constexpr int beat = 10;  // steps between two looks: what is seen now may wall it off again
        const Point here = known.estimate.pose.position();
        if (track_.empty() || distance(track_.back(), here) > known.map.lattice().cell_m) track_.push_back(here);
        if (known.step % beat == known.briefing.self % beat && blocked(known) && cut_off(known)) draw_track(known);
    }

  private:
    static Point in_map(const Knowledge& known, Point own) {
        return known.map.lattice().to_cells(known.in_map({own.x, own.y, 0}).position());
    }
    static Cell cell_at(Point p) { return {static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y))}; }

    /// Calls visit(cell) for all cells of the track; not across jumps of the estimate, where nobody drove.
    template <class Visit>
    void walk_track(const Knowledge& known, Visit&& visit) const {
        const double longest = known.briefing.me().speed_mps * known.briefing.step_s + 1;
        for (std::size_t i = 1; i < track_.size(); ++i)
            if (distance(track_[i - 1], track_[i]) <= longest)
                walk_segment(in_map(known, track_[i - 1]), in_map(known, track_[i]), [&](Cell c, double) {
                    visit(c);
                    return true;
                });
    }

    /// Whether a wall stands on the track: otherwise it is not cut off, which takes longer to find out.
    bool blocked(const Knowledge& known) const {
        bool wall = false;
        walk_track(known, [&](Cell c) { wall = wall || known.map.is_occupied(c); });
        return wall;
    }

    bool cut_off(const Knowledge& known) const {
        NavMap nav(FrontierKind::unknown, known.map.lattice().cells(known.briefing.radius_m));
        nav.update(known.map, known.cell());
        return !nav.reached(nav.foothold(cell_at(in_map(known, track_.front()))));
    }

    /// As wide as the body.
    void draw_track(Knowledge& known) const {
        const double radius = known.map.lattice().cells(known.briefing.radius_m);
        const int reach = static_cast<int>(std::ceil(radius));
        TileTable<CellTile> free;
        walk_track(known, [&](Cell on) {
            for (int dy = -reach; dy <= reach; ++dy)
                for (int dx = -reach; dx <= reach; ++dx)
                    if (const Cell c = on + Cell{dx, dy}; !known.map.is_free(c))
                        free.at(tile_of(c)).set(c, CellState::free);
        });
        free.for_each([&](TileCoord t, const CellTile& cells) {
            known.map.observe(t, cells, static_cast<std::uint32_t>(known.step));
        });
    }

    std::vector<Point> track_;  // by the estimates of then, in the own frame
};

}  // namespace

std::unique_ptr<RobotPart> make_path_back_part(const Briefing& briefing, const RobotOptions& options) {
    return briefing.me().mobile && options.submaps ? std::make_unique<PathBack>() : nullptr;
}

}  // namespace outrider
