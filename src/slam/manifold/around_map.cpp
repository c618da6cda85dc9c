#include "slam/manifold/around_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "slam/find_pose.hpp"

namespace outrider {
namespace {

/// A patch is drawn while it is so near, and its place so well known (standard deviation); one that is drawn stays
/// until it is known only half as well.
constexpr double around_m = 15, certain_m = 0.25;
/// Patches that moved by less stay drawn as they are: in cells, and radians.
constexpr double moved_cells = 0.5, moved_rad = 0.005;
/// When all is drawn anew, of patches in the same square, with headings in the same part of the circle, only the newest
/// ones are used.
constexpr double alike_m = 0.5;
constexpr int headings = 12;
constexpr int most_alike = 2;

struct Alike {
    Cell square;
    int heading, patch;
    friend bool operator<(const Alike& a, const Alike& b) {
        if (a.square != b.square) return a.square < b.square;
        return a.heading != b.heading ? a.heading < b.heading : a.patch > b.patch;
    }
};

/// Without those that have enough newer ones like them; in ascending order.
std::vector<int> thinned(const PatchGraph& graph, const std::vector<int>& patches) {
    std::vector<Alike> all;
    for (const int id : patches) {
        const Pose p = graph.pose(id);
        const Cell square{static_cast<int>(std::floor(p.x / alike_m)), static_cast<int>(std::floor(p.y / alike_m))};
        all.push_back({square, static_cast<int>(std::floor((wrap_angle(p.yaw) / pi + 1) * headings / 2)), id});
    }
    std::sort(all.begin(), all.end());
    std::vector<int> out;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::size_t older = k - std::min<std::size_t>(k, most_alike);
        const bool plenty =
            k >= most_alike && all[older].square == all[k].square && all[older].heading == all[k].heading;
        if (!plenty) out.push_back(all[k].patch);
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

void draw_patches(const PatchGraph& graph, std::span<const int> patches, const Pose& frame, CountedMap& map,
                  bool surfaces) {
    std::vector<Point> ends;
    for (const int id : patches) {
        const ScanPatch& p = graph.patch(id);
        const Pose at = compose(inverse(frame), graph.pose(id));
        ends.clear();
        for (const Point end : p.ends) ends.push_back(transform(at, end));
        map.insert_unsettled(transform(at, p.sensor), ends, surfaces);
    }
    map.settle();
}

CountedMap map_of(const PatchGraph* graph, const CountedMapOptions& options) {
    CountedMap map(options);
    if (!graph) return map;
    std::vector<int> all(static_cast<std::size_t>(graph->count()));
    std::iota(all.begin(), all.end(), 0);
    draw_patches(*graph, all, {}, map);
    return map;
}

void AroundMap::draw_newest(const PatchGraph& graph, bool surfaces) {
    surfaces_ = surfaces;
    const int id = graph.count() - 1;
    std::vector<Point> memory;
    draw_scan(map_, graph.pose(id), graph.patch(id).sensor, graph.patch(id).ends, memory, surfaces);
    drawn_.resize(static_cast<std::size_t>(id + 1));
    drawn_.back() = {true, graph.pose(id)};
}

void AroundMap::look_over(const PatchGraph& graph, int here, const std::vector<Reached>& reached) {
    const Point around = graph.pose(here).position();
    drawn_.resize(static_cast<std::size_t>(graph.count()));
    const double moved_m = moved_cells * options_.cell_m;
    bool anew = false;
    std::vector<int> certain, missing;
    for (int id = 0; id < graph.count(); ++id) {
        const Pose& at = graph.pose(id);
        if (distance(at.position(), around) > around_m) continue;
        const Reached& r = reached[static_cast<std::size_t>(id)];
        const Drawn& drawn = drawn_[static_cast<std::size_t>(id)];
        const double sigma = r.relations < 0 ? HUGE_VAL : position_sigma(r.covariance);
        anew |= drawn.in && (sigma > 2 * certain_m || distance(at.position(), drawn.at.position()) > moved_m ||
                             std::abs(wrap_angle(at.yaw - drawn.at.yaw)) > moved_rad);
        if (sigma > certain_m) continue;
        certain.push_back(id);
        if (!drawn.in) missing.push_back(id);
    }
    if (anew) {
        map_ = CountedMap(options_);
        std::fill(drawn_.begin(), drawn_.end(), Drawn{});
        missing = certain;
        for (const int id : certain) drawn_[static_cast<std::size_t>(id)] = {true, graph.pose(id)};
        draw_patches(graph, thinned(graph, certain), {}, map_, surfaces_);
    } else {
        for (const int id : missing) drawn_[static_cast<std::size_t>(id)] = {true, graph.pose(id)};
        draw_patches(graph, missing, {}, map_, surfaces_);
    }
}

}  // namespace outrider
