// Plans of recurrent connectivity: which places a team takes, all of them linked with the base, and who goes where (the
// two stages of Banfi, Quattrini Li, Rekleitis, Amigoni & Basilico, Autonomous Robots 2018); and the messages about it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "shared/frontier_goals.hpp"
#include "shared/transitions.hpp"

namespace outrider {

/// What the planning robot sends to the others: topic_places.
struct RecurrentPlan {
    struct Task {
        RobotId robot = 0;
        Cell place, look;  ///< equal: nothing to look at
    };
    std::int64_t id = 0;      ///< grows; 0: none
    int deadline = 0;         ///< step at which everybody should have arrived
    std::vector<Task> tasks;  ///< empty: nothing is left to explore

    /// The task of a robot; nullptr: it has none.
    const Task* task_of(RobotId robot) const;
    std::vector<std::int64_t> values() const;
    static std::optional<RecurrentPlan> read(const std::vector<std::int64_t>& values);
};

/// What every robot reports to the others: topic_recurrent.
struct RecurrentNews {
    Recurrent state = Recurrent::ready;
    int since = 0;        ///< step at which it came to stand there
    Cell place;           ///< where it is going, or stands
    bool failed = false;  ///< it is on its path home because it received nothing at its place

    std::vector<std::int64_t> values() const;
    static std::optional<RecurrentNews> read(const TeamRecord& record);
};

struct LinkedSite {
    Cell place, look;  ///< equal: only to relay
    double gain = 0;   ///< unknown area in sight, in cells
};

struct SiteQuery {
    std::vector<RobotId> robots;             ///< to be planned for
    std::vector<Cell> fixed;                 ///< places of robots that are on their way
    std::size_t most_places = 150;           ///< that are considered
    double margin_db = 0;                    ///< an expected signal must be above the cutoff by this much
    GoalOptions goals;                       ///< where to stand on frontiers
    std::function<bool(Cell)> may_stand;     ///< at a place
    std::function<bool(Cell)> worth_a_look;  ///< the goal of a frontier
};

struct SiteChoice {
    std::vector<LinkedSite> sites;       ///< one for each robot at most; empty: nothing new is in reach
    std::vector<LinkedSite> considered;  ///< the base's first, then the fixed ones
};

/// First stage: places that are all linked with the base, and with those of robots on their way.
SiteChoice choose_linked_sites(const Belief& belief, const SiteQuery& query);

/// Second stage: the longest path is as short as possible. A robot without a place joins the nearest one, or drives
/// home. The plan has no id.
RecurrentPlan share_out_sites(const Belief& belief, const std::vector<RobotId>& robots,
                              const std::vector<LinkedSite>& sites);

}  // namespace outrider
