#include "sensor_log/ros_map.hpp"

#include <fmt/format.h>

#include "base/output.hpp"
#include "world/map_formats.hpp"

namespace outrider {

void write_ros_map(const std::string& folder, const std::string& name, const Grid<std::uint8_t>& cells, bool overwrite,
                   const Pose& origin) {
    Raster raster{cells.width(), cells.height(), 1, {}};
    for (int row = cells.height() - 1; row >= 0; --row)
        for (int column = 0; column < cells.width(); ++column) {
            const std::uint8_t c = cells[cells.origin() + Cell{column, row}];
            raster.values.push_back(c == 1 ? std::uint8_t{0} : c == 0 ? std::uint8_t{254} : std::uint8_t{205});
        }
    OutputFile pgm(fmt::format("{}/{}.pgm", folder, name), overwrite);
    OutputFile yaml(fmt::format("{}/{}.yaml", folder, name), overwrite);
    pgm.write(encode_pgm(raster));
    const double cell = cells.lattice().cell_m;
    const Pose corner = compose(origin, {cells.origin().x * cell, cells.origin().y * cell, 0});
    yaml.write(
        fmt::format("image: {}.pgm\nresolution: {}\norigin: [{}, {}, {}]\nnegate: 0\noccupied_thresh: 0.65\n"
                    "free_thresh: 0.196\n",
                    name, cell, corner.x, corner.y, corner.yaw));
    pgm.commit();
    yaml.commit();
}

}  // namespace outrider
