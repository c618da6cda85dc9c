// Reads the map_server files of ROS: alone, since nothing else needs a reader of YAML.
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <filesystem>

#include "base/input.hpp"
#include "outrider/error.hpp"
#include "world/map_formats.hpp"

namespace outrider {

RosMap read_ros_map(const std::string& path) {
    const std::string text = read_file(path, "a map_server YAML file", 256);
    RosMap map;
    YAML::Node root;
    try {
        root = YAML::Load(text);
    } catch (const YAML::Exception& e) {
        fail("{}:{}:{}: {}", path, e.mark.line + 1, e.mark.column + 1, e.msg);
    }
    if (!root.IsMap()) fail("{}: expected a map_server YAML file with image, resolution, origin, ...", path);
    const auto read = [&](const YAML::Node& node, const std::string& key, auto& value, const char* expected) {
        try {
            value = node.as<std::decay_t<decltype(value)>>();
        } catch (const YAML::Exception&) {
            const YAML::Mark mark = node.Mark();
            fail("{}:{}:{}: {}: expected {}", path, mark.line + 1, mark.column + 1, key, expected);
        }
    };
    const auto field = [&](const char* key, auto& value, const char* expected, bool needed) {
        const YAML::Node node = root[key];
        if (node)
            read(node, key, value, expected);
        else if (needed)
            fail("{}: no '{}'; expected {}", path, key, expected);
    };
    field("image", map.image, "the name of an image", true);
    field("resolution", map.resolution_m, "metres per cell", true);
    if (!(map.resolution_m >= 0.001 && map.resolution_m <= 100))
        fail("{}: resolution = {}: expected 0.001 to 100 metres per cell", path, map.resolution_m);
    field("occupied_thresh", map.occupied_thresh, "a number from 0 to 1", false);
    field("free_thresh", map.free_thresh, "a number from 0 to 1", false);
    for (const double t : {map.occupied_thresh, map.free_thresh})
        if (!(t >= 0 && t <= 1)) fail("{}: a threshold of {}: expected 0 to 1", path, t);
    std::string negate = "0", mode = "trinary";
    field("negate", negate, "0 or 1", false);
    if (negate == "0" || negate == "1")
        map.negate = negate == "1";
    else
        field("negate", map.negate, "0 or 1", false);  // true, True, yes ...
    field("mode", mode, "trinary, scale or raw", false);
    if (mode != "trinary" && mode != "scale" && mode != "raw")
        fail("{}: mode = {}: expected trinary, scale or raw", path, mode);
    map.mode = mode == "raw" ? RosMap::Mode::raw : mode == "scale" ? RosMap::Mode::scale : RosMap::Mode::trinary;
    if (const YAML::Node origin = root["origin"]) {
        if (!origin.IsSequence() || origin.size() != 3) fail("{}: origin: expected [x, y, yaw]", path);
        read(origin[0], "origin", map.origin.x, "[x, y, yaw]");
        read(origin[1], "origin", map.origin.y, "[x, y, yaw]");
        read(origin[2], "origin", map.origin.yaw, "[x, y, yaw]");
        if (!std::isfinite(map.origin.x) || !std::isfinite(map.origin.y) || !std::isfinite(map.origin.yaw))
            fail("{}: origin: expected [x, y, yaw], metres and radians", path);
    }
    map.image = (std::filesystem::path(path).parent_path() / map.image).string();
    return map;
}

}  // namespace outrider
