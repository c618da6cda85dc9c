#include "sensing/ray_caster.hpp"

#include <algorithm>
#include <limits>

#include "outrider/ray.hpp"
#include "sensing/ray_kernel.hpp"

namespace outrider {
namespace {

/// Walks as walk_ray does, but jumps: a cell at distance d from the nearest wall vouches for the next d - 1 columns.
double cast_portable(const WallField& walls, const Ray& ray, double max_length) {
    // Index of (column j, minor coordinate n) in the field: offset + j * along + n * across.
    const Cell origin = walls.origin();
    const std::int64_t width = walls.width();
    const std::int64_t along = (ray.x_major ? 1 : width) * ray.major_step, across = ray.x_major ? width : 1;
    const std::int64_t offset =
        ray.x_major ? ray.start.x - origin.x - origin.y * width : (ray.start.y - origin.y) * width - origin.x;
    int in = ray.entry(0);
    double length = 0;
    for (int j = 0; length <= max_length; length = ray.t_column(j)) {
        const std::uint8_t* column = walls.data() + offset + j * along;
        const int d = column[in * across];
        if (d == 0) return length;
        if (d == 1) {
            const int out = ray.exit(j);
            if (out != in && column[out * across] == 0) {
                length = ray.t_minor(std::max(in, out));
                break;
            }
        }
        j += std::max(d - 1, 1);
        in = ray.entry(j);
    }
    return length <= max_length ? length : std::numeric_limits<double>::infinity();
}

}  // namespace

bool has_avx512() {
    static const bool available = ray_kernel_available();
    return available;
}

void cast_rays(const WallField& walls, Point origin, std::span<const Point> directions, double max_length,
               std::span<double> lengths, CastPath path) {
    OUTRIDER_CHECK(directions.size(), ==, lengths.size());
    if (path == CastPath::automatic) path = has_avx512() ? CastPath::avx512 : CastPath::portable;
    if (path == CastPath::avx512) {
        OUTRIDER_CHECK(has_avx512(), ==, true);
        ray_kernel(walls, origin, directions, max_length, lengths);
    } else {
        for (std::size_t i = 0; i < directions.size(); ++i)
            lengths[i] = cast_portable(walls, Ray(origin, directions[i]), max_length);
    }
}

}  // namespace outrider
