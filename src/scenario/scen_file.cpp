#include "scenario/scen_file.hpp"

#include <filesystem>
#include <sstream>

#include "base/image.hpp"
#include "base/input.hpp"
#include "outrider/error.hpp"

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
        const std::string beside = (fs::path(path).parent_path() / fs::path(map).filename()).string();
        if (scen.queries.empty()) {
            scen.map = beside;
            scen.width = width;
            scen.height = height;
        }
        if (beside != scen.map || width != scen.width || height != scen.height)
            fail(
                "{}:{}: the map is {} of {} x {} cells, expected {} of {} x {} as above; give each map a file of its "
                "own",
                path, number, map, width, height, fs::path(scen.map).filename().string(), scen.width, scen.height);
        scen.queries.push_back({{x0, height - 1 - y0}, {x1, height - 1 - y1}, length});
    }
    if (scen.queries.empty()) fail("{}: there is no query", path);
    return scen;
}

}  // namespace outrider
