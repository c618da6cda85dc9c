// All that one robot knows. Its core alone writes it; strategies read it through a Belief.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "messages/decision.hpp"
#include "outrider/belief.hpp"
#include "outrider/percept.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/path_planner.hpp"
#include "robot/derived.hpp"
#include "robot/frame_tracker.hpp"
#include "robot/mresim_rules.hpp"
#include "robot/team_maps.hpp"

namespace outrider {

/// What a robot knows of the others before any message arrived.
TeamTable initial_team_table(const Briefing& briefing);

struct Knowledge {
    /// `team`: its initial_team_table(), when the caller has it already.
    Knowledge(Briefing briefing, const FrontierOptions& frontier, const PlanOptions& plan,
              const TeamTable* team = nullptr);
    /// What the copy of the robot knows, within a WholeCopy; the percept of this step is left out. Throws CannotCopy.
    std::unique_ptr<Knowledge> copy() const;
    Knowledge& operator=(const Knowledge&) = delete;

    Cell cell() const { return briefing.lattice.cell_of(pose.position()); }
    /// A pose of the own frame, in that of the map.
    Pose in_map(const Pose& own) const { return tracker ? tracker->from_own(own) : own; }
    /// Where the frames of the others lie; nullptr: all share one frame.
    const TeamFrames* frames() const { return tracker ? &tracker->frames() : nullptr; }
    bool looked_in_vain(Cell goal, Cell look) const;
    /// Notes that the robot stands where the last intent led and looked where it asked to, yet that cell is still
    /// unknown.
    void note_vain_look();
    /// Keeps what came over the second channel apart from what messages brought, and shows strategies the newer of
    /// both.
    void hear_far(const Percept& news);

    Briefing briefing;
    const Percept* percept = nullptr;  ///< of the current step; nullptr: the step is over
    int step = 0;
    Pose pose;
    PoseEstimate estimate;       ///< the same in the own frame, and where scans were taken
    bool matches_scans = false;  ///< the estimate has a covariance; otherwise odometry is believed
    KnownMap map;
    TeamTable team;
    std::vector<int> contact;  ///< step of the last message from each robot
    std::shared_ptr<const ReceivedMaps> received;
    std::shared_ptr<const MapSnapshot> sent;  ///< the map of the last message
    /// Where the past or frames may move; nullptr: maps of others are merged for good.
    Boxed<TeamMaps> submaps;
    Boxed<FrameTracker> tracker;  ///< where frames are not all known; nullptr: all share one
    /// In teams in which the past moves: the submaps of the last message, and by robot those last received from it.
    std::shared_ptr<const Submaps> sent_submaps;
    std::vector<std::shared_ptr<const Submaps>> received_submaps;
    /// Where frames are not all known: the team and the inbox as strategies see them, in the frame of the map; who is
    /// not joined with this robot was not heard of.
    struct Here {
        TeamTable team;
        std::vector<Received> inbox;
    };
    std::optional<Here> here;
    /// By robot, what came of it over a second channel: its last record, with the newest word of each topic, and the
    /// step in which it came. Apart from `team`, whose numbers tell others what was received.
    std::vector<std::optional<TeamRecord>> far;
    std::vector<int> far_step;
    std::optional<TeamTable> with_far;              ///< `team` with what is newer in `far`; none: nothing came yet
    std::vector<std::pair<Cell, Cell>> vain_looks;  ///< stood in the first, looked at the second; sorted
    std::optional<std::pair<Point, Point>> facing;  ///< where the last intent led, and where to look there
    TileTable<BitTile> discovered;
    int last_discovery = -1;
    /// How far the battery lets it drive from here, in cells; infinite: there is none.
    double spare_cells = std::numeric_limits<double>::infinity();
    const KnownMap* trusted_plan = nullptr;  ///< Briefing::prior_map while it fits what is known
    bool turned_back = false;                ///< for its battery, at least once
    bool goal_unreachable = false;
    bool overlays_wanted = false;
    std::vector<OperatorCommand> orders;  ///< of an operator, that came in this step
    bool any_angle = false;
    MresimRules mresim;
    /// Not part of the knowledge itself, so readers may compute it.
    Boxed<Derived> derived;

  private:
    Knowledge(const Knowledge&) = default;  // others keep its address
};

/// What stands behind a belief.
struct BeliefOf {
    static const Knowledge& knowledge(const Belief& belief) { return *belief.knowledge_; }
};

}  // namespace outrider
