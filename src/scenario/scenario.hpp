// A scenario: a value that describes a run completely. The only place where both sides are built.
//
// Positions in a scenario are metres from the lower left corner of the map, x right, y up; angles are degrees.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config.hpp"
#include "messages/feature_options.hpp"
#include "messages/live_options.hpp"
#include "messages/sighting_options.hpp"
#include "outrider/detail/settings.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/path_planner.hpp"
#include "radio/medium.hpp"
#include "scenario/entries.hpp"
#include "scenario/feature_lists.hpp"
#include "scenario/layers.hpp"
#include "scenario/mresim_options.hpp"
#include "scenario/script.hpp"
#include "slam/mapping.hpp"
#include "slam/slam_options.hpp"
#include "world/map_file.hpp"

namespace outrider {

class Robot;
class SimDriver;
class Strategy;
struct RobotOptions;

struct RunOptions {
    int steps = 3000;
    double step_s = 1;
    std::uint64_t seed = 1;
    void fields(Fields& f) {
        f("steps", steps, 1, 10'000'000, "the run ends here at the latest");
        f("step_s", step_s, 0.001, 3600, "simulated time of a step");
        f("seed", seed, "seed of all random numbers");
    }
};

enum class StopOf { none, base, team, joined };
inline constexpr std::array<std::string_view, 4> stop_of_names{"none", "base", "team", "joined"};
struct StopOptions {
    StopOf of = StopOf::none;
    double fraction = 0.95;
    double left_m2 = 0;
    void fields(Fields& f) {
        f("of", of, stop_of_names,
          "whose knowledge ends the run early; joined: the team's, once its robots in service share one frame");
        f("fraction", fraction, 0, 1, "of the reachable area that ends it");
        f("left_m2", left_m2, 0, 1e9, "of the reachable area, left unknown, that ends it as well");
    }
};

struct TeamOptions {
    int robots = 4;
    int bases = 1;
    std::string strategy = "look_around";
    std::string base_strategy = "stay";
    void fields(Fields& f) {
        f("robots", robots, 1, 100'000, "mobile robots; those without a [[robot]] entry are placed around the base");
        f("bases", bases, 0, 1000, "base stations; those without a [[base]] entry are placed");
        f("strategy", strategy, "what a robot does unless its entry says otherwise: name or name(option=value, ...)");
        f("base_strategy", base_strategy, "what the base stations do");
    }
};

enum class SharedStart { forbid, allow };
inline constexpr std::array<std::string_view, 2> shared_start_names{"forbid", "allow"};
enum class StartFrame { known, unknown };
inline constexpr std::array<std::string_view, 2> start_frame_names{"known", "unknown"};
struct StartOptions {
    SharedStart shared = SharedStart::forbid;
    StartFrame frame = StartFrame::known;
    int jitter_cells = 0;
    bool random_heading = false;
    void fields(Fields& f) {
        f("shared", shared, shared_start_names, "whether two robots may start in one cell");
        f("frame", frame, start_frame_names,
          "whether robots know where the others started; unknown: each has a frame of its own, until robots see each "
          "other or find their surroundings in each other's maps");
        f("jitter_cells", jitter_cells, 0, 1000, "start cells are moved at random by up to so many cells in x and y");
        f("random_heading", random_heading, "start headings are random");
    }
};

/// The default options of all features (scenario/feature.hpp).
FeatureSections default_feature_sections();
/// The lists of all features, empty.
FeatureLists empty_feature_lists();

/// Choices made while loading, and remarks; for people.
using Notes = std::vector<std::string>;

/// Whether the robot's strategy sees to an operator's orders itself.
bool takes_orders(const RobotEntry& robot);

struct Scenario {
    std::string name;
    MapOptions map;
    RunOptions run;
    StopOptions stop;
    TeamOptions team;
    StartOptions start;
    BodyOptions body;
    SensorOptions sensor;
    RadioSection radio;
    CommOptions comm;
    NoiseOptions noise;
    MappingOptions mapping;
    FrontierOptions frontier;
    PlanOptions plan;
    SlamOptions slam;
    SightingOptions sighting;
    LiveSection live;      ///< of robots that are not simulated here: no part of resolved() and hash()
    MresimOptions mresim;  ///< parts that other sections have options for are set there, too
    FeatureSections features = default_feature_sections();
    FeatureLists lists = empty_feature_lists();
    std::vector<RobotEntry> robots;  ///< bases first; the position in the list is the robot's number

    Grid<std::uint8_t> walls;  ///< cell (0, 0): lower left
    std::string map_path;
    Pose map_origin;  ///< of the lower left corner in the frame of a .yaml map; no position here takes it into account
    std::vector<LayerFile> layer_files;  ///< that were read
    MapLayers layers;
    std::shared_ptr<const Script> script;  ///< where robots stand, step by step; none: where they drive to

    /// Calls visit(section name, options struct) for every section that is a single table.
    template <class Self, class Visit>
    static void for_each_section(Self& s, Visit&& visit) {
        const auto core = [&](const char* section, auto& options) {
            visit(section, options);
            s.features.visit_after(section, visit);
        };
        core("map", s.map);
        core("run", s.run);
        core("stop", s.stop);
        core("team", s.team);
        core("start", s.start);
        core("body", s.body);
        core("sensor", s.sensor);
        core("radio", s.radio);
        core("comm", s.comm);
        core("noise", s.noise);
        core("mapping", s.mapping);
        core("frontier", s.frontier);
        core("plan", s.plan);
        core("slam", s.slam);
        core("sighting", s.sighting);
        core("live", s.live);
        core("mresim", s.mresim);
        s.features.visit_after("", visit);
    }

    /// The complete scenario as canonical TOML: all sections, the team expanded.
    std::string resolved() const;
    /// Hash of resolved(), of the map's content, and of its layers and the script if there are any.
    Hash128 hash() const;

    /// Defaults of a robot or base station without an entry in the scenario; without a name.
    RobotEntry plain_entry(bool base) const;
    /// Cells of the map's frame where robot i starts.
    Cell start_cell(std::size_t i) const;
    /// The pose of robot i before step 0 in the team's frame: in the middle of its cell, so that the same team on
    /// another map of the same surroundings has the same coordinates to the last bit.
    Pose start_pose(std::size_t i) const;
    std::vector<Pose> start_poses() const;
    /// The map's cell that is cell (0, 0) of the team's frame: that of the first base, else of robot 0.
    Cell team_origin() const { return start_cell(0); }
    /// Whether robots keep apart what each of them drew: the past may move, or frames may.
    bool keeps_submaps() const { return slam.past_moves() || start.frame == StartFrame::unknown; }
    /// Whether what robots note in their maps depends on how they stood in the step before, which no keyframe holds.
    bool maps_by_motion() const;
    /// Whether scans see others: people, or robots.
    bool crowded() const;
    /// Where the team's frame lies on the map: metres from the map's lower left corner.
    Point team_origin_m() const {
        const Cell origin = team_origin();
        return {origin.x * walls.lattice().cell_m, origin.y * walls.lattice().cell_m};
    }
};

/// Makes the layers of features that follow from the map and the seed.
void draw_layers(Scenario& s);

/// Reads a scenario, loads its map, places robots without a start, and checks everything. Throws Error.
Scenario make_scenario(ConfigTable config, const std::string& name, const std::string& folder, Notes& notes);

/// The same on a map that is there already, and with the layers that were made of files before.
Scenario make_scenario(ConfigTable config, const std::string& name, Grid<std::uint8_t> walls, Notes& notes,
                       MapLayers layers = {});

/// The scenario of a file, of the text of one (its map beside it in `folder`), with `over` laid over what they say:
/// "comm.range_m". Throws Error.
Scenario load_scenario(const std::string& path, const std::vector<Setting>& over, Notes& notes);
Scenario parse_scenario(std::string_view toml, const std::string& name, const std::string& folder,
                        const std::vector<Setting>& over, Notes& notes);

/// The same scenario with another seed: random parts of the starts are drawn anew, as if it had been made with
/// that seed.
Scenario redrawn(Scenario scenario, std::uint64_t seed);

/// The world side of a scenario.
std::unique_ptr<SimDriver> make_driver(const Scenario& scenario);
/// The map that slam.method = localise localises in, in the team's frame; nullptr with any other method.
std::shared_ptr<const Grid<std::uint8_t>> given_map(const Scenario& scenario);
/// What each robot knows beforehand, in the team's frame.
std::vector<Briefing> make_briefings(const Scenario& scenario);
/// How robots draw, search and see each other; without SLAM, maps in parts, batteries and time to think.
RobotOptions robot_options(const Scenario& scenario);
/// Makes the strategy of a robot, of which the scenario says `text`; nullptr: what the registry makes of the text.
using StrategyFactory = std::function<std::unique_ptr<Strategy>(const Briefing& briefing, const std::string& text)>;
/// The robots; `overlays`: whether anybody uses overlays. Without a factory all strategies are the registry's.
std::vector<Robot> make_team(const Scenario& scenario, const std::vector<Briefing>& briefings, bool overlays,
                             const StrategyFactory& factory = {});
std::vector<Robot> make_team(const Scenario& scenario, bool overlays);
/// Throws Error where a robot's strategy would start a program that nobody allowed (base/programs.hpp).
void expect_programs_allowed(const Scenario& scenario);

}  // namespace outrider
