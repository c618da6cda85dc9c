// All that one robot knows. Its core alone writes it; strategies read it through a Belief.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "outrider/percept.hpp"
#include "robot/derived.hpp"

namespace outrider {

struct Knowledge {
    /// `team`: its initial_team_table(), when somebody has them at hand.
    Knowledge(Briefing briefing, const FrontierOptions& frontier, const PlanOptions& plan,
              const TeamTable* team = nullptr);
    Knowledge(const Knowledge&) = delete;  // others hold on to where it is
    Knowledge& operator=(const Knowledge&) = delete;

    Cell cell() const { return briefing.lattice.cell_of(pose.position()); }
    bool looked_in_vain(Cell goal, Cell look) const;
    void note_vain_look(Cell goal, Cell look);

    Briefing briefing;
    const Percept* percept = nullptr;  ///< of the step that is going on; nullptr: it is over
    int step = 0;
    Pose pose;
    KnownMap map;
    TeamTable team;
    std::vector<int> contact;  ///< step of the last message from each robot
    std::shared_ptr<const HeardMaps> heard;
    std::shared_ptr<const MapSnapshot> said;        ///< the map of the last message
    std::vector<std::pair<Cell, Cell>> vain_looks;  ///< stood in the first, looked at the second; sorted
    TileTable<BitTile> discovered;
    int last_discovery = -1;
    bool goal_unreachable = false;
    bool overlays_wanted = false;
    bool any_angle = false;
    /// Not part of what is known, so that readers work it out.
    const std::unique_ptr<Derived> derived;
};

}  // namespace outrider
