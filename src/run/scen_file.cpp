#include "run/scen_file.hpp"

#include <filesystem>
#include <sstream>

#include "base/input.hpp"
#include "outrider/error.hpp"

namespace outrider {

ScenFile read_scen(const std::string& path) {
    namespace fs = std::filesystem;
    std::istringstream text(read_file(path, "a path scenario of MovingAI"));
    std::string line;
    if (!std::getline(text, line) || !line.starts_with("version 1"))
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
        if (scen.map.empty()) scen.map = (fs::path(path).parent_path() / fs::path(map).filename()).string();
        scen.queries.push_back({{x0, height - 1 - y0}, {x1, height - 1 - y1}, length});
    }
    return scen;
}

}  // namespace outrider
