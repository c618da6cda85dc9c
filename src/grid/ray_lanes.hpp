// The source of the ray kernels, only for the files that compile it, each for one instruction set. All of it is in the
// unnamed namespace, so that each file has its own; see base/lanes.hpp. `flatten`: GCC 12 leaves small functions of the
// vectors in loops as calls.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "base/lanes.hpp"
#include "grid/hit_crossing.hpp"
#include "grid/ray_kernel.hpp"

namespace outrider {
namespace {

using Lane = LaneFunctions<Lanes>;

/// The next rays of a bundle, one in each lane. Lanes beyond the last ray follow the last one again.
RayNumbers<Lanes> take_rays(const RayBundle& rays, int at) {
    const Point* const next = rays.directions + at;
    const int last = rays.count - 1 - at;
    if (last + 1 >= lane_count)
        return {rays.origin, Lanes([&](auto i) { return next[i].x; }), Lanes([&](auto i) { return next[i].y; })};
    const auto from = [&](std::size_t i) -> const Point& { return next[std::min(static_cast<int>(i), last)]; };
    return {rays.origin, Lanes([&](auto i) { return from(i).x; }), Lanes([&](auto i) { return from(i).y; })};
}

/// Reads and writes the first `count` lanes.
Lanes load(const double* in, int count) {
    if (count >= lane_count) return Lanes(in, std::experimental::element_aligned);
    Lanes v = 0;
    for (int i = 0; i < count; ++i) v[static_cast<std::size_t>(i)] = in[i];
    return v;
}
void store(Lanes v, double* out, int count) {
    if (count >= lane_count) return v.copy_to(out, std::experimental::element_aligned);
    for (int i = 0; i < count; ++i) out[i] = v[static_cast<std::size_t>(i)];
}
void store_integers(Lanes v, std::int32_t* out, int count) {
    const Lane::Integers whole = Lane::integers(v);
    if (count >= lane_count) {
        __builtin_memcpy(out, &whole, sizeof(whole));
        return;
    }
    for (int i = 0; i < count; ++i) out[i] = whole[i];
}

Lanes load_integers(const std::int32_t* in, int count) {
    Lane::Integers whole{};
    if (count >= lane_count)
        __builtin_memcpy(&whole, in, sizeof(whole));
    else
        for (int i = 0; i < count; ++i) whole[i] = in[i];
    return Lane::doubles(whole);
}

constexpr int group_count = lane_count == 8 ? 5 : 4;  // in flight at a time, to hide the latency of the gathers

/// Rays being traced, one in each lane. Cells and indices are doubles, too: whole numbers are exact, and stay in the
/// same registers as the positions. A lane whose ray has ended goes on; its values are ignored.
struct Group {
    RayNumbers<Lanes> ray;
    Lanes offset, major_stride, minor_stride;  // index of (column j, minor n) = offset + j * major + n * minor
    Lanes column, in, t;                       // j, the minor cell in which the ray enters it, and at which length
    Lanes length;                              // of rays that met a wall; infinity for the others
    LaneMask active;                           // still being traced
    int at, count;                             // of the rays

    Group() = default;
    Group(const WallDistances& walls, const RayBundle& rays, int first)
        : ray(take_rays(rays, first)), at(first), count(rays.count - first) {
        const double x = std::floor(rays.origin.x), y = std::floor(rays.origin.y), width = walls.width;
        offset = Lane::select(ray.x_major, x - walls.origin.x - walls.origin.y * width,
                              (y - walls.origin.y) * width - walls.origin.x);
        const Lanes forward = Lane::select(ray.x_major, 1, width);
        major_stride = Lane::select(ray.up, forward, -forward);
        minor_stride = Lane::select(ray.x_major, width, 1);
        column = 0;
        in = Lane::select(ray.x_major, y, x);
        t = 0;
        length = std::numeric_limits<double>::infinity();
        active = LaneMask(true);
    }
};

/// Advances the rays by some columns; those that have passed the range stop.
inline void enter(Group& g, Lanes columns, Lanes max_length) {
    g.column += columns;
    g.in = Lane::floor(g.ray.minor_at(g.column - 1));
    g.t = g.ray.t_column(g.column);
    g.active = g.active && g.t <= max_length;
}

inline Lane::Integers distance_at(const WallDistances& walls, const Group& g, Lanes minor, LaneMask lanes) {
    const Lanes start = Lane::multiply_add(g.column, g.major_stride, g.offset);
    return Lane::gather(walls.data, Lane::multiply_add(minor, g.minor_stride, start), lanes);
}

/// One jump of all active rays of a group: a cell at distance d from the nearest wall means that the next d - 1 columns
/// are free. Without branches: when a ray meets a wall is a matter of chance, and a wrong guess would stop the other
/// groups in flight, too.
inline void advance(const WallDistances& walls, Group& g, Lanes max_length) {
    const Lane::Integers d = distance_at(walls, g, g.in, g.active);
    const LaneMask wall = g.active && Lane::equal(d, 0);
    // Beside a wall the ray may meet one in the second cell of the column.
    const Lanes out = Lane::floor(g.ray.minor_at(g.column));
    const LaneMask crosses = g.active && Lane::equal(d, 1) && out != g.in;
    const LaneMask side = crosses && Lane::equal(distance_at(walls, g, out, crosses), 0);
    g.length = Lane::select(side, g.ray.t_minor(max(g.in, out)), Lane::select(wall, g.t, g.length));
    g.active = g.active && !(wall || side);
    enter(g, Lane::doubles(Lane::at_least(d - 1, 1)), max_length);
}

[[gnu::flatten]] void cast(const WallDistances& walls, const RayBundle& rays, double max_length, double* lengths) {
    const Lanes most = max_length;
    const auto column = static_cast<std::int64_t>(std::floor(rays.origin.x)) - walls.origin.x;
    const auto row = static_cast<std::int64_t>(std::floor(rays.origin.y)) - walls.origin.y;
    const int clear = walls.data[row * walls.width + column];
    Group groups[group_count];
    int next = 0, flying = 0;
    const auto start = [&](Group& g) {
        std::construct_at(&g, walls, rays, next);  // in its place: a copy of so much costs more than a jump
        if (clear > 1) enter(g, clear - 1, most);  // the first jump of all
        next += lane_count;
    };
    for (; flying < group_count && next < rays.count; ++flying) start(groups[flying]);
    while (flying > 0)
        for (int k = 0; k < flying; ++k) {
            Group& g = groups[k];
            if (any_of(g.active)) advance(walls, g, most);
            if (any_of(g.active)) continue;
            const Lanes never = std::numeric_limits<double>::infinity();
            store(Lane::select(g.length <= most, g.length, never), lengths + g.at, g.count);
            if (next < rays.count)
                start(g);
            else
                g = groups[--flying];
        }
}

[[gnu::flatten]] void locate(const RayBundle& rays, const double* ranges, double tolerance, const HitColumns& hits) {
    const double x = std::floor(rays.origin.x), y = std::floor(rays.origin.y);
    for (int at = 0; at < rays.count; at += lane_count) {
        const RayNumbers<Lanes> ray = take_rays(rays, at);
        const int count = rays.count - at;
        const Lanes range = load(ranges + at, count);
        const Lanes start_major = Lane::select(ray.x_major, x, y), start_minor = Lane::select(ray.x_major, y, x);
        const HitCrossings<Lanes> hit = find_crossings(ray, start_minor, range, tolerance);
        const Lanes step = Lane::select(ray.up, 1, -1);
        const auto write = [&](Lanes column, Lanes minor, std::int32_t* cell_x, std::int32_t* cell_y) {
            const Lanes major = start_major + column * step;
            store_integers(Lane::select(ray.x_major, major, minor), cell_x + at, count);
            store_integers(Lane::select(ray.x_major, minor, major), cell_y + at, count);
        };
        write(hit.column, hit.minor, hits.x, hits.y);
        write(hit.other_column, hit.other_minor, hits.other_x, hits.other_y);
        store(hit.seen, hits.seen + at, count);
        const Lanes cells = Lane::select(hit.lost, -1, Lane::select(hit.two, 2, 1));
        const LaneMask none = load_integers(hits.candidates + at, count) == 0;
        store_integers(Lane::select(none, 0, cells), hits.candidates + at, count);
    }
}

}  // namespace
}  // namespace outrider
