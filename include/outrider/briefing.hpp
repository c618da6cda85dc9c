// What a robot knows before step 0, and the only constant data that passes from the world to the robots. It is
// recorded, so a log replays without a world. It does not give away the truth: no extent of the map, no goal area.
//
//     const Briefing& me = belief.briefing();
//     if (!me.drives()) return {};                    // a base, or fixed to its place
//     me.lattice.cells(me.me().radio_range_m)         // own radio range in cells
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/detail/known_map.hpp"
#include "outrider/radio.hpp"

namespace outrider {

/// Numbers of the team from 0 in the order of the scenario; base stations among them.
using RobotId = std::int32_t;

enum class Role : std::uint8_t { base, explorer, relay };
inline constexpr std::array<std::string_view, 3> role_names{"base", "explorer", "relay"};

enum class Kinematics : std::uint8_t { holonomic, diff_drive };
inline constexpr std::array<std::string_view, 2> kinematics_names{"holonomic", "diff_drive"};

/// A range finder. Beam i looks along first_angle + i * step_angle in the frame of the mount.
struct SensorSpec {
    Pose mount;  ///< body_from_sensor
    double first_angle = 0, step_angle = 0;
    int beams = 0;
    double range_unit_m = 0.001, max_range_m = 0;
    double cone = 0;        ///< width of each beam: it ends at the nearest wall in it, whose direction nobody knows
    double tilts_at_m = 0;  ///< its height above the floor where it tilts with the body; 0: it is kept level
    bool operator==(const SensorSpec&) const = default;
};

/// What all others know beforehand of a member of the team.
struct TeamMember {
    RobotId id = 0;
    std::string name;
    Role role = Role::explorer;
    RobotId parent = -1, child = -1;  ///< in a hierarchy of relays; -1: none
    bool mobile = true;
    double speed_mps = 0, radio_range_m = 0;
};

struct Briefing {
    RobotId self = 0;
    /// All members, self included; members[i].id == i. One list, shared by all that hold it.
    std::shared_ptr<const std::vector<TeamMember>> members = std::make_shared<const std::vector<TeamMember>>();

    double radius_m = 0;  ///< of the body, a disc; 0: a point
    Kinematics kinematics = Kinematics::holonomic;
    double turn_radps = 0;  ///< diff_drive: rate of turning in place
    std::vector<SensorSpec> sensors;
    RadioOptions radio;
    int link_bytes = 0;         ///< most that a link carries in a step; 0: no limit
    bool cells_change = false;  ///< walls may move: cells are stamped
    bool deliveries = false;    ///< whether the marks at_base are kept

    Lattice lattice;  ///< of the map that this robot draws
    double step_s = 1;
    int mission_steps = 0;  ///< the run ends here at the latest

    FrameId frame;                                ///< of start, bases and map
    Pose start;                                   ///< own pose before step 0
    std::vector<std::pair<RobotId, Pose>> bases;  ///< poses of the base stations, if known
    std::vector<Point> region;  ///< corners of the region of interest, or of a box around it; empty: everywhere
    std::shared_ptr<const KnownMap> prior_map;  ///< a plan of the building that may be wrong; nullptr: none

    const std::vector<TeamMember>& team() const { return *members; }
    const TeamMember& me() const { return team()[static_cast<std::size_t>(self)]; }
    bool is_base() const { return me().role == Role::base; }
    /// Whether it is a robot that can explore: no base station, and not fixed to its place.
    bool drives() const { return me().mobile && !is_base(); }
};

}  // namespace outrider
