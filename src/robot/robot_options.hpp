// What a robot is made with, besides its briefing and its strategy.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "grid/grid.hpp"
#include "messages/feature_options.hpp"
#include "messages/sighting_options.hpp"
#include "outrider/detail/team_table.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/frontiers/search_region.hpp"
#include "plan/path_planner.hpp"
#include "robot/mresim_rules.hpp"
#include "slam/mapping.hpp"
#include "slam/slam_options.hpp"

namespace outrider {

/// A scanner whose beams may meet the floor, or pass over walls, and are left out then.
struct BeamFilter {
    double height_m = 0;    ///< of the scanner; 0: all its beams are believed
    bool levelled = false;  ///< by a joint, a step late; otherwise it tilts with the body
};

struct RobotOptions {
    MappingOptions mapping;
    FrontierOptions frontier;
    PlanOptions plan;
    bool overlays = false;  ///< whether anybody looks at overlays
    SlamOptions slam;
    /// What slam.method = localise localises in, in the robot's frame: 0 free, 1 wall, anything else unknown.
    std::shared_ptr<const Grid<std::uint8_t>> given_map = nullptr;
    /// The initial_team_table() of all robots with the same members and frame, so that they share one; nullptr: each
    /// robot makes its own.
    std::shared_ptr<const TeamTable> initial_team_table = nullptr;
    bool submaps = false;           ///< robots send what each of them drew by itself, since the past or frames may move
    bool unknown_frames = false;    ///< and do not know where the others started
    SightingOptions sighting;       ///< how well they see each other then
    int think_steps = 0;            ///< what the strategy wants is done so many steps later
    bool takes_orders = false;      ///< its strategy sees to an operator's orders
    MresimRules mresim = {};        ///< what is asked of it after the manner of MRESim
    FeatureSections features = {};  ///< options of those in src/features/, for this robot
    std::vector<std::string_view> parts = {};  ///< that the scenario has: "victims"; see outrider options --goes-with
    std::vector<std::vector<BeamFilter>> beam_filters = {};  ///< by robot, then by sensor; empty: none
    bool cut_mates = false;  ///< beams that end at team-mates in view say nothing of walls
    std::shared_ptr<const SearchRegion> region = nullptr;  ///< of interest, in the robot's frame; nullptr: everywhere

    bool has(std::string_view part) const { return std::find(parts.begin(), parts.end(), part) != parts.end(); }
};

}  // namespace outrider
