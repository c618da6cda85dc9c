#include "robot/ground_marks.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

constexpr double lying_radius_m = 0.3;

class Marks {
  public:
    void add(Cell c) { cells_.at(tile_of(c)).set(c); }
    void add_disc(const Lattice& lattice, Point middle, double radius_m) {
        const Cell low = lattice.cell_of(middle - Point{radius_m, radius_m}),
                   high = lattice.cell_of(middle + Point{radius_m, radius_m});
        for (int y = low.y; y <= high.y; ++y)
            for (int x = low.x; x <= high.x; ++x)
                if (distance(lattice.centre({x, y}), middle) <= radius_m) add({x, y});
    }
    void set(KnownMap& map, Mark mark) const {
        cells_.for_each([&](TileCoord t, const BitTile& cells) {
            if (cells != BitTile{}) map.mark(mark, t, cells);
        });
    }

  private:
    TileTable<BitTile> cells_;
};

}  // namespace

void mark_rough(KnownMap& map, const Pose& pose, std::span<const Point> rough) {
    Marks seen;
    for (const Point& p : rough) seen.add(map.lattice().cell_of(transform(pose, p)));
    seen.set(map, Mark::rough);
}

void mark_people(KnownMap& map, const Pose& pose, std::span<const Sighting> sightings, double radius_m) {
    Marks seen;
    for (const Sighting& s : sightings)
        if (s.kind == Sighting::Kind::victim)
            seen.add_disc(map.lattice(), transform(pose, s.body_from_other.position()), lying_radius_m + radius_m);
    seen.set(map, Mark::rough);
}

void mark_cleared(KnownMap& map, const Pose& pose, double radius_m) {
    const Lattice& lattice = map.lattice();
    Marks seen;
    const Point from = lattice.to_cells(pose.position());
    const double range = lattice.cells(ClearingCamera::range_m);
    // At the range, rays are half a cell apart.
    const int rays = 2 * std::max(1, static_cast<int>(std::ceil(2 * ClearingCamera::half_angle * range))) + 1;
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(wrap_angle(pose.yaw + ClearingCamera::half_angle * (2.0 * k / (rays - 1) - 1)));
        walk_ray(Ray(from, {c, s}), range, [&](Cell at, double) {
            if (!map.is_free(at)) return false;
            seen.add(at);
            return true;
        });
    }
    seen.add_disc(lattice, pose.position(), radius_m);
    seen.add(lattice.cell_of(pose.position()));
    seen.set(map, Mark::cleared);
}

}  // namespace outrider
