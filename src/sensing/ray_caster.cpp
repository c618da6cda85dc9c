#include "sensing/ray_caster.hpp"

#include "outrider/error.hpp"

namespace outrider {

void cast_rays(const WallField& walls, Point origin, std::span<const Point> directions, double max_length,
               std::span<double> lengths, RayPath path) {
    OUTRIDER_CHECK(directions.size(), ==, lengths.size());
    ray_kernel(path).cast({walls.data(), walls.width(), walls.origin()},
                          {origin, directions.data(), static_cast<int>(directions.size())}, max_length, lengths.data());
}

}  // namespace outrider
