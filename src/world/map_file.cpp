#include "world/map_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>

#include "base/output.hpp"
#include "outrider/error.hpp"
#include "world/map_formats.hpp"
#include "world/map_kinds.hpp"
#include "world/plan_lines.hpp"
#include "world/stage_world.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// Lower-case ending of the name.
std::string ending(const std::string& path) {
    std::string text = fs::path(path).extension().string();
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// Calls visit(value, first, end) for each stretch of equal ones: most pixels equal the one before.
template <class Visit>
void for_each_stretch(std::span<const std::uint16_t> values, Visit&& visit) {
    for (std::size_t i = 0; i < values.size();) {
        const std::size_t first = i;
        while (i < values.size() && values[i] == values[first]) ++i;
        visit(values[first], first, i);
    }
}

/// A value for each pixel, by how bright it is (0 to 1); rows of an image begin at the top.
template <class ValueOf>
Grid<std::uint8_t> from_image(const GreyImage& image, double cell_m, ValueOf value_of) {
    Grid<std::uint8_t> walls(image.width, image.height, 0, Lattice{cell_m});
    const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    for (std::size_t y = 0; y < height; ++y) {
        std::uint8_t* to = walls.cells().data() + (height - 1 - y) * width;
        for_each_stretch(std::span(image.values).subspan(y * width, width),
                         [&](std::uint16_t grey, std::size_t first, std::size_t end) {
                             if (const auto value = static_cast<std::uint8_t>(value_of(grey / 65535.0)))
                                 std::fill(to + first, to + end, value);
                         });
    }
    return walls;
}

bool is_yaml(const std::string& path) {
    const std::string kind = ending(path);
    return kind == ".yaml" || kind == ".yml";
}

/// The .yaml of the same name beside an image, if it is the image's.
std::optional<std::string> yaml_of_image(const std::string& image, std::vector<std::string>& notes) {
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

enum CellKind : std::uint8_t { free_kind, wall_kind, unknown_kind };

/// What a pixel of a .yaml map is by its format, by how bright it is (0 to 1).
CellKind kind_of(const RosMap& ros, double bright) {
    const double grey = bright * 255;  // map_server counts in bytes
    if (ros.mode == RosMap::Mode::raw) {
        if (grey > 100) return unknown_kind;
        return grey / 100 >= ros.occupied_thresh ? wall_kind : grey / 100 > ros.free_thresh ? unknown_kind : free_kind;
    }
    const double occupied = ros.negate ? bright : 1 - bright;
    if (occupied > ros.occupied_thresh) return wall_kind;
    if (occupied < ros.free_thresh) return free_kind;
    if (ros.mode == RosMap::Mode::trinary) return unknown_kind;
    // mode: scale says how likely a wall is: none where it is less likely than not.
    return 2 * occupied < ros.free_thresh + ros.occupied_thresh ? free_kind : wall_kind;
}

/// Cells of an image by their grey, in bytes, and by how opaque they are.
struct GreyCounts {
    std::array<std::size_t, 256> of{};
    std::size_t transparent = 0;

    explicit GreyCounts(const GreyImage& image) {
        for_each_stretch(image.values, [&](std::uint16_t value, std::size_t first, std::size_t end) {
            of[value / 257] += end - first;
        });
        transparent = static_cast<std::size_t>(
            std::count_if(image.alpha.begin(), image.alpha.end(), [](std::uint16_t a) { return a < 65535; }));
    }
    /// Whether the grey that map savers write for unknown cells stands out: it is no shade of a continuous scale.
    bool marks_unknown() const { return of[unknown_grey] > of[unknown_grey - 1] + of[unknown_grey + 1]; }

    static constexpr std::size_t unknown_grey = 205;
};

/// By the same bytes as GreyCounts.
bool is_unknown_grey(double bright) {
    return std::lround(bright * 65535) / 257 == static_cast<long>(GreyCounts::unknown_grey);
}

std::string share_text(std::size_t part, std::size_t all) {
    return fmt::format("{:.3g} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

std::string unknown_grey_text(const std::string& path, const GreyCounts& greys, std::size_t cells,
                              const std::string& why_free) {
    const std::size_t count = greys.of[GreyCounts::unknown_grey];
    return fmt::format(
        "{}: {} cells ({}) have the grey that map savers write for unknown (205), but {} them free; --set "
        "map.unknown=wall makes them walls, map.unknown=outside leaves them unexplored, map.unknown=free says that "
        "they are meant to be free",
        path, count, share_text(count, cells), why_free);
}

/// What is to be said of the unknown cells of a map, so that nobody takes them for what they are not.
void note_unknown(const RosMap& ros, const std::string& path, const MapOptions& options, const GreyCounts& greys,
                  const std::vector<std::uint8_t>& kinds, bool grey_is_free, std::vector<std::string>& notes) {
    const auto count = [&](CellKind kind) {
        return static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), kind));
    };
    const std::size_t free = count(free_kind), wall = count(wall_kind), unknown = count(unknown_kind);
    if (greys.transparent > 0)
        notes.push_back(fmt::format("{}: {} cells are transparent: as in map_server, {}", path, greys.transparent,
                                    ros.mode == RosMap::Mode::trinary ? "alpha counts as a fourth colour"
                                    : ros.mode == RosMap::Mode::scale ? "mode: scale makes them unknown"
                                                                      : "mode: raw takes their colour alone"));
    if (grey_is_free)
        notes.push_back(
            unknown_grey_text(path, greys, kinds.size(), fmt::format("free_thresh = {} makes", ros.free_thresh)));
    if (unknown == 0) return;
    notes.push_back(fmt::format("{}: {} cells are free, {} wall, {} ({}) unknown, which count as {} (map.unknown)",
                                path, free, wall, unknown, share_text(unknown, kinds.size()),
                                options.unknown == Unknown::free   ? "free"
                                : options.unknown == Unknown::wall ? "walls"
                                                                   : "free, but not in the region of interest"));
    // Greys between the thresholds that no map saver writes for unknown cells: somebody's probabilities.
    if (ros.mode != RosMap::Mode::trinary) return;
    std::size_t shades = 0, least = 255, most = 0;
    for (std::size_t grey = 0; grey < 256; ++grey) {
        if (greys.of[grey] == 0 || kind_of(ros, static_cast<double>(grey) / 255) != unknown_kind) continue;
        if (grey == GreyCounts::unknown_grey && greys.marks_unknown()) continue;
        shades += greys.of[grey];
        least = std::min(least, grey);
        most = grey;
    }
    if (shades * 100 < kinds.size() || greys.transparent > 0) return;
    notes.push_back(fmt::format(
        "{}: {} of the unknown cells ({}) are of the greys {} to {}, between free_thresh = {} and occupied_thresh = "
        "{}; --set map.free_thresh=0.5 --set map.unknown=wall makes those free that are free rather than not",
        path, shades, share_text(shades, kinds.size()), least, most, ros.free_thresh, ros.occupied_thresh));
}

/// Makes of cells of three kinds what they count as.
void settle_unknown(MapFile& map, Unknown unknown) {
    std::vector<std::uint8_t>& cells = map.walls.cells();
    if (unknown == Unknown::outside && std::find(cells.begin(), cells.end(), unknown_kind) != cells.end()) {
        map.outside.resize(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) map.outside[i] = cells[i] == unknown_kind;
    }
    for (std::uint8_t& cell : cells) cell = cell == wall_kind || (cell == unknown_kind && unknown == Unknown::wall);
}

MapFile read_ros(MapOptions& options, const std::string& path) {
    std::vector<std::string> notes;
    const RosMap ros = settled(read_ros_map(path), options, path, notes);
    const bool trinary = ros.mode == RosMap::Mode::trinary;
    GreyImage image = read_any_image(ros.image, options.channels, true);
    if (trinary)
        for (std::size_t i = 0; i < image.alpha.size(); ++i)
            image.values[i] = static_cast<std::uint16_t>((3 * image.values[i] + image.alpha[i]) / 4);
    const GreyCounts greys(image);
    constexpr double unknown_bright = GreyCounts::unknown_grey / 255.0;
    const bool open_grey = trinary && !ros.negate && greys.marks_unknown() && kind_of(ros, unknown_bright) == free_kind,
               taken = open_grey && options.is_given("unknown");
    options.unknown_by_format = open_grey && !taken;
    MapFile map{from_image(image, ros.resolution_m,
                           [&](double bright) {
                               const bool unknown = taken && std::lround(bright * 255) == int{GreyCounts::unknown_grey};
                               return unknown ? unknown_kind : kind_of(ros, bright);
                           }),
                ros.origin, std::move(notes)};
    std::vector<std::uint8_t>& cells = map.walls.cells();
    if (ros.mode == RosMap::Mode::scale && !image.alpha.empty())
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Cell c = map.walls.cell(i);
            const auto row = static_cast<std::size_t>(image.height - 1 - c.y);
            if (image.alpha[row * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(c.x)] < 65535)
                cells[i] = unknown_kind;
        }
    note_unknown(ros, path, options, greys, cells, open_grey && !taken, map.notes);
    settle_unknown(map, options.unknown);
    return map;
}

/// An image without a .yaml. Map savers' grey is free in it, unless somebody says what unknown cells are.
MapFile read_plain(MapOptions& options, const std::string& path) {
    const GreyImage image = read_any_image(path, options.channels);
    const GreyCounts greys(image);
    const auto wall = [&](double bright) { return (options.negate ? bright : 1 - bright) > options.occupied_thresh; };
    const std::size_t grey = GreyCounts::unknown_grey;
    const bool open_grey = !options.negate && greys.marks_unknown() && !wall(static_cast<double>(grey) / 255) &&
                           greys.of[grey] * 100 >= image.values.size(),
               taken = open_grey && options.is_given("unknown");
    options.unknown_by_format = open_grey && !options.is_given("unknown");
    MapFile map{
        from_image(image, options.cell_m,
                   [&](double bright) {
                       return wall(bright) ? wall_kind : taken && is_unknown_grey(bright) ? unknown_kind : free_kind;
                   }),
        {}};
    settle_unknown(map, options.unknown);
    if (options.unknown_by_format)
        map.notes.push_back(unknown_grey_text(path, greys, image.values.size(), "an image without a .yaml has"));
    return map;
}

/// The bitmap of a world of Stage, as large as the world says.
MapFile read_stage(MapOptions& options, const std::string& path) {
    StageWorld world = read_stage_world(path);
    MapOptions of_image = options;
    MapFile map;
    try {
        map = read_plain(of_image, world.image);
    } catch (const Error& error) {
        fail("{}: bitmap: {}", world.where, error.what());
    }
    const double cell_m = world.width_m / map.walls.width(), rows_m = world.height_m / map.walls.height();
    if (std::abs(cell_m - rows_m) > 0.02 * cell_m)
        fail("{}: an image of {} x {} pixels, but a size of {} x {} m: cells of {:.4g} x {:.4g} m; expected squares",
             world.where, map.walls.width(), map.walls.height(), world.width_m, world.height_m, cell_m, rows_m);
    if (options.is_given("cell_m") && std::abs(options.cell_m - cell_m) > 1e-9)
        world.notes.push_back(fmt::format("map.cell_m = {} is set and wins over the size in {}, {:.6g} m",
                                          options.cell_m, world.where, cell_m));
    else
        options.cell_m = cell_m;
    Grid<std::uint8_t> walls(map.walls.width(), map.walls.height(), 0, Lattice{options.cell_m});
    walls.cells() = std::move(map.walls.cells());
    map.notes.insert(map.notes.begin(), world.notes.begin(), world.notes.end());
    return {std::move(walls), world.corner(), std::move(map.notes), std::move(map.outside)};
}

MapFile read_of_kind(MapKind kind, MapOptions& options, const std::string& path) {
    switch (kind) {
        case MapKind::ros_yaml:
            return read_ros(options, path);
        case MapKind::movingai:
        case MapKind::text: {
            const Grid<std::uint8_t> cells = kind == MapKind::movingai ? read_movingai_map(path) : read_text_map(path);
            MapFile map{Grid<std::uint8_t>(cells.width(), cells.height(), 0, Lattice{options.cell_m}), {}};
            map.walls.cells() = cells.cells();
            return map;
        }
        case MapKind::stage:
            return read_stage(options, path);
        case MapKind::houseexpo:
            return read_houseexpo_map(path, options.cell_m);
        case MapKind::svg:
            return read_svg_map(path, options.cell_m);
        case MapKind::image:
        case MapKind::none:  // what it is, is said there
            break;
    }
    return read_plain(options, path);
}

std::string ros_text(const std::string& image, const MapFile& map) {
    return fmt::format(
        "image: {}\nmode: trinary\nresolution: {}\norigin: [{}, {}, {}]\nnegate: 0\n"
        "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
        image, map.walls.lattice().cell_m, map.origin.x, map.origin.y, map.origin.yaw);
}

}  // namespace

MapFile read_map(MapOptions& options, const std::string& path) {
    const MapKind kind = map_kind(path);
    std::vector<std::string> notes;
    const bool drawn = kind == MapKind::image || kind == MapKind::none;
    const std::optional<std::string> yaml = drawn ? yaml_of_image(path, notes) : std::nullopt;
    MapFile map = yaml ? read_ros(options, *yaml) : read_of_kind(kind, options, path);
    map.notes.insert(map.notes.begin(), notes.begin(), notes.end());
    if (options.unknown == Unknown::outside && map.outside.empty())
        map.notes.push_back(fmt::format("{}: no cell is unknown: map.unknown = outside leaves none out", path));
    const auto& cells = map.walls.cells();
    if (std::count(cells.begin(), cells.end(), 0) == 0)
        fail("{}: the map has no free cell; expected some pixels {} than the walls{}", path,
             options.negate ? "darker" : "brighter", kind != MapKind::image || yaml ? "" : " (alpha is ignored)");
    return map;
}

Grid<std::uint8_t> read_plan(const MapOptions& options, const std::string& path) {
    const MapKind kind = map_kind(path);
    const auto plan_of = [&](const std::string& image, bool negate, double wall_thresh, double free_thresh) {
        return from_image(read_any_image(image, options.channels), options.cell_m, [&](double bright) {
            const double dark = negate ? bright : 1 - bright;
            return dark > wall_thresh ? 2 : dark < free_thresh ? 1 : 0;
        });
    };
    if (kind == MapKind::ros_yaml) {
        const RosMap ros = read_ros_map(path);
        if (std::abs(ros.resolution_m - options.cell_m) > 1e-9)
            fail("{}: its cells are {} m, those of the map {}; expected the same", path, ros.resolution_m,
                 options.cell_m);
        return plan_of(ros.image, ros.negate, ros.occupied_thresh, ros.free_thresh);
    }
    if (kind == MapKind::image || kind == MapKind::none)
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
