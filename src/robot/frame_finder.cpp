#include "robot/frame_finder.hpp"

#include <algorithm>
#include <cmath>

#include "slam/manifold/patch_graph.hpp"
#include "slam/place_search.hpp"

namespace outrider {
namespace {

/// The robot looks after so much way, and then uses what it saw along this one.
constexpr double look_m = 2, recent_m = 8;
constexpr std::size_t least_points = 60;
/// A place in the map of another robot, searched for in all of it; so many that agree make a frame known.
constexpr PlaceGate foreign_gate{
    .least_score = 0.4, .least_fitting = 0.5, .least_inliers = 0.8, .most_rms_m = 0.09, .search_points = 150};
constexpr std::size_t enough_places = 3;
constexpr double same_frame_m = 0.3, same_frame_rad = 0.06;
/// Where the frame is known: what has to fit, and what contradicts it.
constexpr PlaceGate known_gate{
    .least_score = 0, .least_fitting = 0.3, .least_inliers = 0.8, .most_rms_m = 0.09, .search_points = 0};
constexpr double contradicting_known = 0.6, contradicting_inliers = 0.5;
/// Errors of matches with maps of cells: so many times as large, in variance, as they say, and never less than this.
constexpr double cell_caution = 9, least_sigma_m = 0.03, least_sigma_rad = 0.005;

CountedMap counted(const KnownMap& map) {
    CountedMapOptions options;
    options.cell_m = map.lattice().cell_m;
    options.horizon_m = std::max(0.5, 4 * options.cell_m);
    Cell low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    map.cells().for_each([&](TileCoord t, const CellTile&) {
        const Cell first = cell_of(t, 0, 0);
        low = {std::min(low.x, first.x), std::min(low.y, first.y)};
        high = {std::max(high.x, first.x + tile_size), std::max(high.y, first.y + tile_size)};
    });
    constexpr std::uint8_t unknown = 2;
    Grid<std::uint8_t> grid(high.x - low.x, high.y - low.y, unknown, map.lattice(), low);
    map.cells().for_each([&](TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (int column = 0; column < tile_size; ++column) {
                const Cell c = cell_of(t, column, row);
                if (tile.known.test(c)) grid[c] = tile.occupied.test(c) ? 1 : 0;
            }
    });
    return CountedMap(options, grid);
}

/// What a match says of the frame of the map, seen from the frame in which the robot is at `own`.
std::pair<Pose, Matrix3> frame_of(const Match& match, const Pose& own) {
    const Pose frame = compose(own, inverse(match.pose));
    Matrix3 covariance = scaled(turned(match.covariance, frame.yaw), cell_caution);
    covariance[0] += least_sigma_m * least_sigma_m;
    covariance[4] += least_sigma_m * least_sigma_m;
    covariance[8] += least_sigma_rad * least_sigma_rad;
    return {frame, at_origin(covariance, own.position(), frame.position())};
}

}  // namespace

void FrameFinder::look(const TeamMaps& maps, const Pose& own, TeamFrames& frames) {
    if (began_ && distance(own.position(), looked_.position()) < look_m) return;
    looked_ = own;
    began_ = true;
    const std::vector<Point> ends = maps.recent_ends(own, recent_m);
    if (ends.size() < least_points) return;
    for (RobotId other = 0; other < static_cast<RobotId>(maps.robots()); ++other) {
        if (other == self_ || maps.submap(other).cells().empty()) continue;
        if (frames.place(other))
            verify(other, maps, ends, own, frames);
        else
            search(other, maps, ends, own, frames);
    }
}

/// Of a robot that it is not joined with. Returns whether it is now.
bool FrameFinder::search(RobotId other, const TeamMaps& maps, const std::vector<Point>& ends, const Pose& own,
                         TeamFrames& frames) {
    const CountedMap map = counted(maps.submap(other));
    const auto [low, high] = map.extent();
    const Point lower = map.lattice().centre(low), upper = map.lattice().centre(high);
    const Point centre = (lower + upper) * 0.5;
    const auto place = find_place(map, ends, {centre.x, centre.y, 0},
                                  std::max(upper.x - lower.x, upper.y - lower.y) / 2, pi, foreign_gate);
    if (!place || place->match.covariance[8] <= 0) return false;
    const auto [frame, covariance] = frame_of(place->match, own);
    std::vector<Found>& found = found_[other];
    found.push_back({frame, covariance, own});
    const Pose there = compose(inverse(frame), own);
    std::vector<const Found*> same;
    for (const Found& f : found) {
        const Pose said = compose(inverse(f.frame), own);
        if (distance(said.position(), there.position()) < same_frame_m &&
            std::abs(wrap_angle(said.yaw - there.yaw)) < same_frame_rad)
            same.push_back(&f);
    }
    if (same.size() < enough_places) return false;
    for (const Found* f : same) frames.measure(other, f->frame, f->covariance);
    found.clear();
    return true;
}

/// Of a robot whose frame is known: measures it anew, or finds that it does not fit.
void FrameFinder::verify(RobotId other, const TeamMaps& maps, const std::vector<Point>& ends, const Pose& own,
                         TeamFrames& frames) {
    const Pose frame = compose(inverse(*frames.place(self_)), *frames.place(other));
    const Pose seed = compose(inverse(frame), own);
    const KnownMap& theirs = maps.submap(other);
    if (theirs.state(theirs.lattice().cell_of(seed.position())) == CellState::unknown) return;
    const CountedMap map = counted(theirs);
    if (const auto place = find_place(map, ends, seed, 0, 0, known_gate)) {
        if (place->match.covariance[8] <= 0) return;
        const auto [measured, covariance] = frame_of(place->match, own);
        frames.measure(other, measured, covariance);
        return;
    }
    Match here;
    here.pose = seed;
    judge(map, ends, {}, here);
    if (here.known > contradicting_known && here.inliers < contradicting_inliers) frames.contradict(other);
}

}  // namespace outrider
