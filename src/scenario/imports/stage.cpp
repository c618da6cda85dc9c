#include "scenario/imports/stage.hpp"

#include <fmt/format.h>

#include "world/stage_world.hpp"

namespace outrider {

ConfigTable import_stage(const std::string& path, Notes& notes) {
    const StageWorld world = read_stage_world(path);
    ConfigTable config;
    config.where = path;
    config.set({"map.file", path, path});
    if (world.robots.empty()) return config;
    config.set({"team.robots", static_cast<std::int64_t>(world.robots.size()), path});
    std::vector<ConfigTable> robots;
    for (const StageWorld::Robot& robot : world.robots) {
        const Pose on_map = compose(inverse(world.corner()), robot.pose);
        ConfigTable entry;
        entry.where = robot.where;
        entry.set({"name", robot.name, robot.where});
        entry.set({"x_m", on_map.x, robot.where});
        entry.set({"y_m", on_map.y, robot.where});
        entry.set({"yaw_deg", degrees(on_map.yaw), robot.where});
        robots.push_back(std::move(entry));
    }
    config.arrays.emplace_back("robot", std::move(robots));
    notes.push_back(fmt::format("{}: {} robots as in the world of Stage; sensors and speeds are those of this program",
                                path, world.robots.size()));
    return config;
}

}  // namespace outrider
