#include "world/map_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

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

/// A value for each pixel, by how bright it is (0 to 1); rows of an image begin at the top.
template <class ValueOf>
Grid<std::uint8_t> from_image(const GreyImage& image, double cell_m, ValueOf value_of) {
    Grid<std::uint8_t> walls(image.width, image.height, 0, Lattice{cell_m});
    const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    std::uint16_t last = 0;  // most pixels equal the one before
    auto value = static_cast<std::uint8_t>(value_of(0.0));
    for (std::size_t y = 0; y < height; ++y) {
        const std::uint16_t* from = image.values.data() + y * width;
        std::uint8_t* to = walls.cells().data() + (height - 1 - y) * width;
        for (std::size_t x = 0; x < width; ++x) {
            if (from[x] != last) {
                last = from[x];
                value = static_cast<std::uint8_t>(value_of(last / 65535.0));
            }
            to[x] = value;
        }
    }
    return walls;
}

GreyImage read_image(const std::string& path, Channels channels) {
    return ending(path) == ".pgm" ? read_pgm(path) : read_png(path, channels);
}

bool is_yaml(const std::string& path) {
    const std::string kind = ending(path);
    return kind == ".yaml" || kind == ".yml";
}

/// The .yaml of the same name beside an image, if it is the image's.
std::optional<std::string> yaml_beside(const std::string& image, std::vector<std::string>& notes) {
    for (const char* kind : {".yaml", ".yml"}) {
        const std::string yaml = fs::path(image).replace_extension(kind).string();
        std::error_code error;
        if (!fs::is_regular_file(yaml, error)) continue;
        try {
            const RosMap ros = read_ros_map(yaml);
            if (fs::equivalent(ros.image, image, error)) {
                notes.push_back(fmt::format("{}: read by {} beside it", image, yaml));
                return yaml;
            }
            notes.push_back(fmt::format("{}: {} beside it is of another image, {}, and is not used", image, yaml,
                                        fs::path(ros.image).filename().string()));
        } catch (const Error& wrong) {
            notes.push_back(fmt::format("{}: the .yaml beside it is not used: {}", image, wrong.what()));
        }
    }
    return {};
}

/// What a .yaml says, with the options that somebody set laid over it; `options` become what holds.
RosMap settled(RosMap ros, MapOptions& options, const std::string& path, std::vector<std::string>& notes) {
    const auto settle = [&](std::string_view key, auto& option, std::string_view name, auto& of_file) {
        if (options.is_given(key) && option != of_file)
            notes.push_back(
                fmt::format("map.{} = {} is set and wins over {}: {} of {}", key, option, name, of_file, path));
        if (options.is_given(key))
            of_file = option;
        else
            option = of_file;
    };
    settle("cell_m", options.cell_m, "resolution", ros.resolution_m);
    settle("occupied_thresh", options.occupied_thresh, "occupied_thresh", ros.occupied_thresh);
    settle("negate", options.negate, "negate", ros.negate);
    if (options.is_given("free_thresh")) settle("free_thresh", options.free_thresh, "free_thresh", ros.free_thresh);
    return ros;
}

MapFile read_ros(MapOptions& options, const std::string& path) {
    std::vector<std::string> notes;
    const RosMap ros = settled(read_ros_map(path), options, path, notes);
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
                ros.origin, std::move(notes)};
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
    std::vector<std::string> notes;
    const std::optional<std::string> beside =
        kind == ".png" || kind == ".pgm" ? yaml_beside(path, notes) : std::nullopt;
    MapFile map;
    if (is_yaml(path) || beside) {
        map = read_ros(options, beside.value_or(path));
    } else if (kind == ".map" || kind == ".txt") {
        const Grid<std::uint8_t> walls = kind == ".map" ? read_movingai_map(path) : read_text_map(path);
        map.walls = Grid<std::uint8_t>(walls.width(), walls.height(), 0, Lattice{options.cell_m});
        map.walls.cells() = walls.cells();
    } else {
        map.walls = from_image(read_image(path, options.channels), options.cell_m, [&](double bright) {
            return (options.negate ? bright : 1 - bright) > options.occupied_thresh;
        });
    }
    map.notes.insert(map.notes.begin(), notes.begin(), notes.end());
    const auto& cells = map.walls.cells();
    if (std::count(cells.begin(), cells.end(), 0) == 0)
        fail("{}: the map has no free cell; expected some pixels {} than the walls (alpha is ignored)", path,
             options.negate ? "darker" : "brighter");
    return map;
}

Grid<std::uint8_t> read_plan(const MapOptions& options, const std::string& path) {
    const std::string kind = ending(path);
    const auto plan_of = [&](const std::string& image, bool negate, double wall_thresh, double free_thresh) {
        return from_image(read_image(image, options.channels), options.cell_m, [&](double bright) {
            const double dark = negate ? bright : 1 - bright;
            return dark > wall_thresh ? 2 : dark < free_thresh ? 1 : 0;
        });
    };
    if (is_yaml(path)) {
        const RosMap ros = read_ros_map(path);
        if (std::abs(ros.resolution_m - options.cell_m) > 1e-9)
            fail("{}: its cells are {} m, those of the map {}; expected the same", path, ros.resolution_m,
                 options.cell_m);
        return plan_of(ros.image, ros.negate, ros.occupied_thresh, ros.free_thresh);
    }
    if (kind == ".png" || kind == ".pgm")
        return plan_of(path, options.negate, options.occupied_thresh, std::min(0.196, options.occupied_thresh));
    MapOptions of_file = options;
    Grid<std::uint8_t> plan = read_map(of_file, path).walls;
    for (std::uint8_t& cell : plan.cells()) cell = cell ? 2 : 1;
    return plan;
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
    if (is_yaml(path)) {
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
