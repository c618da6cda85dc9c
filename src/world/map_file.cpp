#include "world/map_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/output.hpp"
#include "outrider/error.hpp"
#include "world/map_formats.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// Lower-case ending of the name.
std::string ending(const std::string& path) {
    std::string text = fs::path(path).extension().string();
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// Walls from the occupancy (0 free ... 1 wall) of each pixel; rows of an image begin at the top.
template <class IsWall>
Grid<std::uint8_t> from_image(const GreyImage& image, double cell_m, IsWall is_wall) {
    Grid<std::uint8_t> walls(image.width, image.height, 0, Lattice{cell_m});
    const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    std::uint16_t last = 0;  // most pixels equal the one before
    bool wall = is_wall(0.0);
    for (std::size_t y = 0; y < height; ++y) {
        const std::uint16_t* from = image.values.data() + y * width;
        std::uint8_t* to = walls.cells().data() + (height - 1 - y) * width;
        for (std::size_t x = 0; x < width; ++x) {
            if (from[x] != last) {
                last = from[x];
                wall = is_wall(last / 65535.0);
            }
            to[x] = wall;
        }
    }
    return walls;
}

GreyImage read_image(const std::string& path, Channels channels) {
    return ending(path) == ".pgm" ? read_pgm(path) : read_png(path, channels);
}

MapFile read_ros(MapOptions& options, const std::string& path) {
    const RosMap ros = read_ros_map(path);
    options.cell_m = ros.resolution_m;
    options.occupied_thresh = ros.occupied_thresh;
    options.negate = ros.negate;
    const bool open = options.unknown == Unknown::free;
    MapFile map{from_image(read_image(ros.image, options.channels), ros.resolution_m,
                           [&](double bright) {
                               const double grey = bright * 255;  // map_server counts in bytes
                               if (ros.mode == RosMap::Mode::raw) {
                                   if (grey > 100) return !open;
                                   return grey / 100 >= ros.occupied_thresh || (grey / 100 > ros.free_thresh && !open);
                               }
                               const double occupied = ros.negate ? bright : 1 - bright;
                               return occupied > ros.occupied_thresh || (occupied >= ros.free_thresh && !open);
                           }),
                ros.origin};
    return map;
}

std::string ros_text(const std::string& image, const MapFile& map) {
    return fmt::format(
        "image: {}\nmode: trinary\nresolution: {}\norigin: [{}, {}, {}]\nnegate: 0\n"
        "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
        image, map.walls.lattice().cell_m, map.origin.x, map.origin.y, map.origin.yaw);
}

}  // namespace

MapFile read_map(MapOptions& options, const std::string& path) {
    const std::string kind = ending(path);
    MapFile map;
    if (kind == ".yaml" || kind == ".yml") {
        map = read_ros(options, path);
    } else if (kind == ".map" || kind == ".txt") {
        const Grid<std::uint8_t> walls = kind == ".map" ? read_movingai_map(path) : read_text_map(path);
        map.walls = Grid<std::uint8_t>(walls.width(), walls.height(), 0, Lattice{options.cell_m});
        map.walls.cells() = walls.cells();
    } else {
        map.walls = from_image(read_image(path, options.channels), options.cell_m, [&](double bright) {
            return (options.negate ? bright : 1 - bright) > options.occupied_thresh;
        });
    }
    const auto& cells = map.walls.cells();
    if (std::count(cells.begin(), cells.end(), 0) == 0)
        fail("{}: the map has no free cell; expected some pixels {} than the walls (alpha is ignored)", path,
             options.negate ? "darker" : "brighter");
    return map;
}

void write_map(const std::string& path, const MapFile& map, bool overwrite,
               const std::vector<std::pair<std::string, std::string>>& texts) {
    const Grid<std::uint8_t>& walls = map.walls;
    Raster raster{walls.width(), walls.height(), 1, std::vector<std::uint8_t>(walls.cells().size())};
    for (int y = 0; y < walls.height(); ++y)
        for (int x = 0; x < walls.width(); ++x)
            raster.values[static_cast<std::size_t>(walls.height() - 1 - y) * static_cast<std::size_t>(walls.width()) +
                          static_cast<std::size_t>(x)] = walls[Cell{x, y} + walls.origin()] ? 0 : 255;
    const std::string kind = ending(path);
    OutputFile file(path, overwrite);
    if (kind == ".yaml" || kind == ".yml") {
        const fs::path image = fs::path(path).replace_extension(".pgm");
        OutputFile pixels(image.string(), overwrite);
        for (std::uint8_t& v : raster.values) v = v ? 254 : 0;  // as map_saver writes them
        pixels.write(encode_pgm(raster));
        file.write(ros_text(image.filename().string(), map));
        pixels.commit();
    } else if (kind == ".png") {
        file.write(encode_png(raster, texts));
    } else {
        fail("{}: a map is written as .png or .yaml", path);
    }
    file.commit();
}

Hash128 map_hash(const Grid<std::uint8_t>& walls) {
    Hasher hasher;
    hasher(walls.width())(walls.height())(walls.lattice().cell_m)(std::span<const std::uint8_t>(walls.cells()));
    return hasher.result();
}

}  // namespace outrider
