#include "world/truth_map.hpp"

#include <algorithm>

#include "outrider/error.hpp"

namespace outrider {

Grid<std::uint8_t> load_map(const MapOptions& options, const std::string& path) {
    const GreyImage image = read_png(path, options.channels);
    Grid<std::uint8_t> walls(image.width, image.height, 0, Lattice{options.cell_m});
    std::size_t free = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const Cell c{x, image.height - 1 - y};  // images have row 0 at the top
            const double bright = image.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                               static_cast<std::size_t>(x)] /
                                  65535.0;
            const bool wall = (options.negate ? bright : 1 - bright) > options.occupied_thresh;
            walls[c] = wall;
            free += !wall;
        }
    if (free == 0) fail("{}: the map has no free cell; expected some pixels brighter than the walls", path);
    return walls;
}

Hash128 map_hash(const Grid<std::uint8_t>& walls) {
    Hasher hasher;
    hasher(walls.width())(walls.height())(walls.lattice().cell_m)(std::span<const std::uint8_t>(walls.cells()));
    return hasher.result();
}

}  // namespace outrider
