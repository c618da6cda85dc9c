#include "scenario/imports/marmotlab.hpp"

#include "base/image.hpp"
#include "outrider/error.hpp"
#include "outrider/geometry.hpp"

namespace outrider {
namespace {

/// Grey, or mean of (255, 216, 0), in 16 bits.
bool marks_start(std::uint16_t value) { return value == 208 * 257 || value == 157 * 257; }

/// The middle of the pixels that mark the start, as a place on the map: y up from the lower edge.
Point start_of(const GreyImage& image, const std::string& file) {
    Point sum;
    double count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
            if (!marks_start(image.values[at + static_cast<std::size_t>(x)])) continue;
            sum = sum + Point{x + 0.5, image.height - y - 0.5};
            ++count;
        }
    if (count == 0) fail("{}: no pixel marks a start (grey 208, or yellow 255, 216, 0)", file);
    return sum * (1 / count);
}

}  // namespace

ConfigTable import_marmotlab(const std::string& map_file) {
    const Point start = start_of(read_png(map_file, Channels::mean), map_file);
    ConfigTable config;
    config.where = map_file;
    const auto set = [&](const char* key, auto value) { config.set({key, value, map_file}); };
    set("map.file", map_file);
    set("map.cell_m", 1.0);
    set("map.occupied_thresh", 0.41);  // 150 is a wall, 151 is free
    set("team.robots", std::int64_t{1});
    set("team.bases", std::int64_t{1});
    set("body.speed_mps", 2.0);
    set("sensor.fov_deg", 360.0);
    set("sensor.beams", std::int64_t{721});
    set("sensor.range_m", 80.0);
    set("sensor.range_unit_m", 0.01);
    set("radio.model", std::string("circle"));
    set("comm.range_m", 1e6);
    set("comm.base_range_m", 1e6);
    set("stop.of", std::string("team"));
    set("stop.fraction", 0.99);
    std::vector<Setting> place{{"x_m", start.x, map_file}, {"y_m", start.y, map_file}};
    config.arrays.emplace_back("base", std::vector<ConfigTable>{{map_file, std::move(place), {}, {}}});
    return config;
}

}  // namespace outrider
