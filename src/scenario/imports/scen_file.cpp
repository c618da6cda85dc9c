#include "scenario/imports/scen_file.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/image.hpp"
#include "base/input.hpp"
#include "outrider/error.hpp"
#include "world/map_file.hpp"
#include "world/map_formats.hpp"

namespace outrider {

ScenFile read_scen(const std::string& path) {
    namespace fs = std::filesystem;
    std::istringstream text(read_file(path, "a path scenario of MovingAI", 4));
    std::string line;
    if (!std::getline(text, line) || !line.starts_with("version 1") ||
        (line.size() > 9 && line[9] >= '0' && line[9] <= '9'))
        fail("{}:1: expected 'version 1', the head of a path scenario of MovingAI", path);
    ScenFile scen;
    for (int number = 2; std::getline(text, line); ++number) {
        std::istringstream words(line);
        std::string bucket, map;
        int width, height, x0, y0, x1, y1;
        double length;
        if (!(words >> bucket)) continue;
        if (!(words >> map >> width >> height >> x0 >> y0 >> x1 >> y1 >> length))
            fail("{}:{}: expected bucket, map, width, height, start x and y, goal x and y, length", path, number);
        const auto small = [](int v) { return v >= -max_map_side && v <= max_map_side; };
        for (const int v : {width, height, x0, y0, x1, y1})
            if (!small(v)) fail("{}:{}: {}: expected at most {} cells", path, number, v, max_map_side);
        const std::string map_here = (fs::path(path).parent_path() / fs::path(map).filename()).string();
        if (scen.queries.empty()) {
            scen.map = map_here;
            scen.width = width;
            scen.height = height;
        }
        if (map_here != scen.map || width != scen.width || height != scen.height)
            fail(
                "{}:{}: the map is {} of {} x {} cells, expected {} of {} x {} as above; give each map a file of its "
                "own",
                path, number, map, width, height, fs::path(scen.map).filename().string(), scen.width, scen.height);
        scen.queries.push_back({{x0, height - 1 - y0}, {x1, height - 1 - y1}, length});
    }
    if (scen.queries.empty()) fail("{}: there is no query", path);
    return scen;
}

std::vector<Grid<std::uint8_t>> read_networks(const ScenFile& scen, const std::string& path) {
    MapOptions options;
    std::vector<Grid<std::uint8_t>> networks{read_map(options, scen.map).walls};
    const Grid<std::uint8_t>& walls = networks[0];
    if (walls.width() != scen.width || walls.height() != scen.height)
        fail("{}: it is for a map of {} x {} cells, but {} has {} x {}", path, scen.width, scen.height, scen.map,
             walls.width(), walls.height());
    if (!scen.map.ends_with(".map")) return networks;
    Grid<std::uint8_t> water = read_movingai_map(scen.map, Surface::water);
    if (std::count(water.cells().begin(), water.cells().end(), 0) > 0) networks.push_back(std::move(water));
    return networks;
}

}  // namespace outrider
