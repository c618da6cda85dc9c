// Team files of MRESim 2.2: 11 columns, pixels with y down, radians (RobotTeamConfig; formats.md 1).
#include <algorithm>
#include <sstream>

#include "base/input.hpp"
#include "outrider/error.hpp"
#include "scenario/imports/mresim.hpp"

namespace outrider {
namespace {

constexpr int mresim_width = 800, mresim_height = 600;  // its world
constexpr double cell_m = MresimFrame::cell_m;

struct TeamLine {
    std::string where;
    int number = 0, parent = 0, child = 0;
    std::string name, role;
    double x = 0, y = 0, heading = 0, sensing = 0, radio = 0, battery = 0;
};

std::vector<TeamLine> read_team(const std::string& path) {
    std::istringstream file(read_text_file(path, "a team file of MRESim"));
    std::vector<TeamLine> lines;
    std::string text;
    for (int number = 1; std::getline(file, text); ++number) {
        std::istringstream words(text);
        if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
        TeamLine t;
        t.where = fmt::format("{}:{}", path, number);
        words >> t.number >> t.name >> t.x >> t.y >> t.heading >> t.sensing >> t.radio >> t.battery >> t.role >>
            t.parent >> t.child;
        std::string more;
        if (!words || words >> more)
            fail(
                "{}: expected 11 columns (number name x y heading sensing_range comm_range battery role parent child), "
                "got '{}'",
                t.where, text);
        if (t.role != "BaseStation" && t.role != "Explorer" && t.role != "Relay")
            fail("{}: role '{}': expected BaseStation, Explorer or Relay", t.where, t.role);
        if (!(t.sensing >= 0 && t.radio >= 0)) fail("{}: ranges may not be negative", t.where);
        lines.push_back(std::move(t));
    }
    if (lines.empty()) fail("{}: no robot in it; expected a team file of MRESim", path);
    return lines;
}

}  // namespace

MresimFrame::MresimFrame(int map_width, int map_height)
    : left(std::max(0, (mresim_width - map_width) / 2)),
      top(std::max(0, (mresim_height - map_height) / 2)),
      height(map_height) {}

ConfigTable mresim_rules(const std::string& map_file, const std::string& where) {
    ConfigTable config;
    config.where = where;
    const auto set = [&](const char* key, auto value) { config.set({key, value, where}); };
    set("map.file", map_file);
    set("map.cell_m", cell_m);
    set("map.channels", std::string("first"));
    set("map.occupied_thresh", 0.99999);  // an obstacle is exactly 0 in band 0
    set("run.steps", std::int64_t{3000});
    set("stop.of", std::string("base"));
    set("stop.fraction", 0.95);
    set("start.shared", std::string("allow"));
    set("radio.range_rule", std::string("first"));
    return config;
}

ConfigTable import_mresim(const std::string& team_file, const std::string& map_file, Notes& notes) {
    const std::vector<TeamLine> team = read_team(team_file);
    const auto [map_width, map_height] = png_size(map_file);
    const MresimFrame frame(map_width, map_height);
    if (frame.left > 0 || frame.top > 0)
        notes.push_back(fmt::format("the map is smaller than MRESim's world: starts are moved by ({}, {}) pixels",
                                    -frame.left, -frame.top));
    ConfigTable config = mresim_rules(map_file, team_file);

    const auto name_of = [&](int number) -> std::string {
        const auto at = std::find_if(team.begin(), team.end(), [&](const TeamLine& t) { return t.number == number; });
        return at == team.end() ? "" : at->name;
    };
    std::vector<ConfigTable> bases, robots;
    for (const TeamLine& t : team) {
        ConfigTable entry;
        entry.where = t.where;
        const auto put = [&](const char* key, auto value) { entry.set({key, value, t.where}); };
        put("name", t.name);
        const Point start = frame.on_map(t.x, t.y);
        put("x_m", start.x);
        put("y_m", start.y);
        put("yaw_deg", degrees(wrap_angle(-t.heading)));
        put("radio_range_m", t.radio * cell_m);
        if (t.role == "BaseStation") {
            bases.push_back(std::move(entry));
            continue;
        }
        put("role", std::string(t.role == "Relay" ? "relay" : "explorer"));
        if (t.parent != t.number) put("parent", name_of(t.parent));
        if (t.child != 1) put("child", name_of(t.child));  // 1 is the base, nobody's child
        if (t.sensing > 0)
            put("sensor.range_m", t.sensing * cell_m);
        else
            put("sensor.preset", std::string("none"));
        robots.push_back(std::move(entry));
    }
    if (robots.empty()) fail("{}: no robot that moves in it", team_file);
    config.set({"team.bases", static_cast<std::int64_t>(bases.size()), team_file});
    if (!bases.empty()) config.arrays.emplace_back("base", std::move(bases));
    config.arrays.emplace_back("robot", std::move(robots));
    return config;
}

}  // namespace outrider
