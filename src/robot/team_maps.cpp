#include "robot/team_maps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "outrider/error.hpp"
#include "robot/knowledge.hpp"

namespace outrider {
namespace {

/// Scans that moved by less stay drawn as they are: in cells, and radians.
constexpr double off_cells = 0.5, off_rad = 0.005;
/// On the air, of a cell that was marked: where it lies from the body.
constexpr std::size_t marked_place_bytes = 4;

}  // namespace

TeamMaps::TeamMaps(const Briefing& briefing, const MappingOptions& mapping)
    : self_(briefing.self), lattice_(briefing.lattice) {
    for (const SensorSpec& sensor : briefing.sensors) mappers_.emplace_back(sensor, lattice_, mapping);
    for (const TeamMember& member : briefing.team()) {
        submaps_.emplace_back(lattice_, FrameId{member.id, 0}, briefing.cells_change);
        carried_.emplace_back(lattice_, FrameId{member.id, 0}, briefing.cells_change);
    }
    drawn_from_.resize(submaps_.size());
}

/// Draws a scan into a map in which the own frame lies at `frame`.
void TeamMaps::insert(const Drawn& drawn, const Pose& frame, KnownMap& into) {
    mappers_.at(static_cast<std::size_t>(drawn.scan.sensor))
        .insert(into, compose(frame, drawn.body), drawn.scan, static_cast<std::uint32_t>(drawn.step));
}

void TeamMaps::draw(const Scan& scan, const Pose& body, int step) {
    scans_.push_back({scan, body, step});
    insert(scans_.back(), {}, own());
    DrawnFrom& from = drawn_from_[static_cast<std::size_t>(self_)];
    ++from.scans;
    from.bytes += drawn_pose_bytes + sizeof scan.ranges[0] * scan.ranges.size();
}

void TeamMaps::mark(Mark mark, const TileTable<BitTile>& cells, const Pose& own_from_map) {
    Marked news{mark, scans_.size(), {}};
    const Pose body = taken_at(news.scan);
    cells.for_each([&](TileCoord t, const BitTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t bits = tile.rows[static_cast<std::size_t>(row)]; bits; bits &= bits - 1) {
                const Point at = transform(own_from_map, lattice_.centre(cell_of(t, std::countr_zero(bits), row)));
                if (!own().marked(mark, lattice_.cell_of(at))) news.places.push_back(into_body(body, at));
            }
    });
    if (news.places.empty()) return;
    insert(news);
    drawn_from_[static_cast<std::size_t>(self_)].bytes += news.places.size() * marked_place_bytes;
    marked_.push_back(std::move(news));
}

/// The four quarters of each cell, so that a turn leaves no holes.
void TeamMaps::insert(const Marked& marked) {
    const Pose body = taken_at(marked.scan);
    const double quarter_m = lattice_.cell_m / 4;
    TileTable<BitTile> cells;
    for (const Point& place : marked.places)
        for (const Point& off : {Point{-1, -1}, Point{1, -1}, Point{-1, 1}, Point{1, 1}}) {
            const Cell c = lattice_.cell_of(transform(body, place) + off * quarter_m);
            cells.at(tile_of(c)).set(c);
        }
    cells.for_each([&](TileCoord t, const BitTile& tile) { own().mark(marked.mark, t, tile); });
}

bool TeamMaps::misplaced(std::span<const Pose> poses) const {
    OUTRIDER_CHECK(poses.size(), <=, scans_.size());
    const double most_m = off_cells * lattice_.cell_m;
    for (std::size_t k = 0; k < poses.size(); ++k) {
        const Pose& then = scans_[k].body;
        if (distance(poses[k].position(), then.position()) > most_m) return true;
        if (std::abs(wrap_angle(poses[k].yaw - then.yaw)) > off_rad) return true;
    }
    return false;
}

void TeamMaps::redraw(std::span<const Pose> poses) {
    OUTRIDER_CHECK(poses.size(), ==, scans_.size());
    own().redraw({self_, own().frame().epoch + 1});
    for (std::size_t k = 0; k < poses.size(); ++k) {
        scans_[k].body = poses[k];
        insert(scans_[k], {}, own());
    }
    for (const Marked& marked : marked_) insert(marked);
    anew_ = true;
}

void TeamMaps::merge(const Submaps& theirs) {
    for (KnownMap& mine : submaps_) {
        const MapSnapshot* submap = theirs.find(mine.frame().robot);
        if (!submap || submap->frame.epoch < mine.frame().epoch) continue;
        if (submap->frame.epoch > mine.frame().epoch) {
            mine.redraw(submap->frame);
            anew_ = true;
        }
        mine.merge(*submap);
        DrawnFrom& from = drawn_from_[static_cast<std::size_t>(mine.frame().robot)];
        const DrawnFrom theirs_from = theirs.drawn_from(mine.frame().robot);
        if (theirs_from.bytes > from.bytes) from = theirs_from;
    }
}

void TeamMaps::mark_all(Mark mark) {
    for (KnownMap& submap : submaps_)
        submap.cells().for_each([&](TileCoord t, const CellTile& tile) { submap.mark(mark, t, tile.known); });
}

bool TeamMaps::put_together(KnownMap& map, const TeamFrames* frames, bool moved) {
    const bool anew = std::exchange(anew_, false) || moved;
    if (anew) map.redraw(frames ? FrameId{frames->leader(), 0} : map.frame());
    for (KnownMap& submap : submaps_) {
        const RobotId robot = submap.frame().robot;
        const std::optional<Pose> place = frames ? frames->place(robot) : Pose{};
        if (!place || submap.cells().empty()) continue;
        MapSnapshot part = submap.snapshot();
        const bool carry = !(*place == Pose{});
        const auto empty = [](const auto& plane) { return plane->blocks.empty(); };
        const bool marked = !std::all_of(part.marks.begin(), part.marks.end(), empty);
        if (carry && (robot != self_ || marked)) {
            CarriedMap& carried = carried_[static_cast<std::size_t>(robot)];
            carried.follow(submap, *place);
            part = carried.map().snapshot();
        }
        if (robot == self_ && carry) {  // its scans are drawn where they belong; of the rest the marks
            part.cells = std::make_shared<const PlaneSnapshot<CellTile>>();
            part.stamps = std::make_shared<const PlaneSnapshot<StampTile>>();
            if (anew)
                for (const Drawn& drawn : scans_) insert(drawn, *place, map);
        }
        part.frame = map.frame();
        map.merge(part);
    }
    return anew;
}

void TeamMaps::put_together(Knowledge& known, bool moved) {
    if (!put_together(known.map, known.frames(), moved)) return;
    known.vain_looks.clear();
    known.facing.reset();
}

std::vector<Point> TeamMaps::recent_ends(const Pose& own, double travelled_m) const {
    std::vector<std::pair<Cell, Point>> ends;
    std::vector<Point> directions;
    double travelled = 0;
    for (std::size_t k = scans_.size(); k-- > 0;) {
        const Drawn& drawn = scans_[k];
        if (k + 1 < scans_.size()) travelled += distance(drawn.body.position(), scans_[k + 1].body.position());
        if (travelled > travelled_m) break;
        const ScanGeometry& geometry = mappers_[static_cast<std::size_t>(drawn.scan.sensor)].geometry();
        const Pose from_own = compose(inverse(own), drawn.body);
        geometry.directions(from_own.yaw, directions);
        const Point sensor = geometry.origin(from_own);
        for (std::size_t i = 0; i < drawn.scan.ranges.size(); ++i) {
            const std::uint16_t r = drawn.scan.ranges[i];
            if (r == Scan::no_information || r == Scan::nothing) continue;
            const Point end = beam_end(sensor, directions[i], beam_length_m(geometry.spec(), r));
            ends.emplace_back(lattice_.cell_of(end), end);
        }
    }
    std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Point> out;
    for (std::size_t k = 0; k < ends.size(); ++k)
        if (k == 0 || ends[k].first != ends[k - 1].first) out.push_back(ends[k].second);
    return out;
}

std::shared_ptr<const Submaps> TeamMaps::snapshot() {
    auto out = std::make_shared<Submaps>();
    for (KnownMap& submap : submaps_)
        out->set(submap.frame().robot, std::make_shared<const MapSnapshot>(submap.snapshot()));
    out->set_drawn_from(drawn_from_);
    return out;
}

}  // namespace outrider
