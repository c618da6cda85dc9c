#include "robot/frame_finder.hpp"

#include <algorithm>
#include <cmath>

#include "slam/manifold/patch_graph.hpp"
#include "slam/place_search.hpp"

namespace outrider {
namespace {

/// The robot looks after so much way, and then uses what it saw along this one.
constexpr double look_m = 2, recent_m = 8, around_m = 15;
constexpr std::size_t least_points = 60;
/// A place in the map of another robot, searched for in all of it; so many that agree make a frame known.
constexpr PlaceLimits foreign_limits{.least_score = 0.5,
                                     .least_fitting = 0.5,
                                     .least_inliers = 0.8,
                                     .most_rms_m = 0.09,
                                     .search_range_m = 10,
                                     .turned_rivals = true};
constexpr std::size_t enough_places = 3;
constexpr double same_frame_m = 0.3, same_frame_rad = 0.06;
/// Where the frame is known: what has to fit, and what contradicts it.
constexpr PlaceLimits known_limits{.least_score = 0, .least_fitting = 0.3, .least_inliers = 0.8, .most_rms_m = 0.09};
constexpr double contradicting_known = 0.6, contradicting_inliers = 0.5;
/// Errors of matches with maps of cells: so many times as large, in variance, as they say, and never less than this.
constexpr double cell_caution = 9, least_sigma_m = 0.03, least_sigma_rad = 0.005;

/// The walls of a map, within `reach_m` of a place.
CountedMap counted(const KnownMap& map, Point place, double reach_m) {
    const Lattice& lattice = map.lattice();
    CountedMapOptions options;
    options.cell_m = lattice.cell_m;
    options.horizon_m = std::max(0.5, 4 * options.cell_m);
    Cell low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    map.cells().for_each([&](TileCoord t, const CellTile&) {
        const Cell first = cell_of(t, 0, 0);
        low = {std::min(low.x, first.x), std::min(low.y, first.y)};
        high = {std::max(high.x, first.x + tile_size), std::max(high.y, first.y + tile_size)};
    });
    const Cell middle = lattice.cell_of(place);
    const int reach = static_cast<int>(reach_m / lattice.cell_m);
    low = {std::max(low.x, middle.x - reach), std::max(low.y, middle.y - reach)};
    high = {std::max(low.x, std::min(high.x, middle.x + reach)), std::max(low.y, std::min(high.y, middle.y + reach))};
    constexpr std::uint8_t unknown = 2;
    Grid<std::uint8_t> grid(high.x - low.x, high.y - low.y, unknown, lattice, low);
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x)
            if (const CellState state = map.state({x, y}); state != CellState::unknown)
                grid[{x, y}] = state == CellState::occupied || state == CellState::safe_occupied ? 1 : 0;
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
    if (const auto other = next(maps, frames, false, last_searched_)) {
        last_searched_ = *other;
        search(*other, maps, ends, own, frames);
    }
    if (const auto other = next(maps, frames, true, last_verified_)) {
        last_verified_ = *other;
        verify(*other, maps, ends, own, frames);
    }
}

/// The one whose turn it is, among those that this robot is joined with, or not: the next number after the last one.
std::optional<RobotId> FrameFinder::next(const TeamMaps& maps, const TeamFrames& frames, bool joined,
                                         RobotId after) const {
    const auto robots = static_cast<RobotId>(maps.robots());
    for (RobotId k = 1; k <= robots; ++k) {
        const RobotId other = (after + k) % robots;
        if (other != self_ && !maps.submap(other).cells().empty() && frames.place(other).has_value() == joined)
            return other;
    }
    return {};
}

/// Of a robot that it is not joined with.
void FrameFinder::search(RobotId other, const TeamMaps& maps, const std::vector<Point>& ends, const Pose& own,
                         TeamFrames& frames) {
    constexpr double everything_m = 1e5;
    const CountedMap map = counted(maps.submap(other), {}, everything_m);
    const auto [low, high] = map.extent();
    const Point lower = map.lattice().centre(low), upper = map.lattice().centre(high);
    const Point centre = (lower + upper) * 0.5;
    const auto place = find_place(map, ends, {centre.x, centre.y, 0},
                                  std::max(upper.x - lower.x, upper.y - lower.y) / 2, pi, foreign_limits);
    if (!place || place->match.covariance[8] <= 0) return;
    const auto [frame, covariance] = frame_of(place->match, own);
    std::vector<Found>& found = found_[other];
    found.push_back({frame, covariance, own});
    const Pose there = compose(inverse(frame), own);
    std::vector<const Found*> same;
    for (const Found& f : found) {
        const Pose reported = compose(inverse(f.frame), own);
        if (distance(reported.position(), there.position()) < same_frame_m &&
            std::abs(wrap_angle(reported.yaw - there.yaw)) < same_frame_rad)
            same.push_back(&f);
    }
    if (same.size() < enough_places) return;
    for (const Found* f : same) frames.measure(other, f->frame, f->covariance, f->at.position());
    found.clear();
}

/// Of a robot whose frame is known: measures it anew, or finds that it does not fit.
void FrameFinder::verify(RobotId other, const TeamMaps& maps, const std::vector<Point>& ends, const Pose& own,
                         TeamFrames& frames) {
    const Pose frame = compose(inverse(*frames.place(self_)), *frames.place(other));
    const Pose seed = compose(inverse(frame), own);
    const KnownMap& theirs = maps.submap(other);
    if (theirs.state(theirs.lattice().cell_of(seed.position())) == CellState::unknown) return;
    const CountedMap map = counted(theirs, seed.position(), around_m);
    if (const auto place = find_place(map, ends, seed, 0, 0, known_limits)) {
        if (place->match.covariance[8] <= 0) return;
        const auto [measured, covariance] = frame_of(place->match, own);
        frames.measure(other, measured, covariance, own.position());
        return;
    }
    Match here;
    here.pose = seed;
    judge(map, ends, {}, here);
    if (here.known > contradicting_known && here.inliers < contradicting_inliers) frames.contradict(other);
}

}  // namespace outrider
