// What robots believe, in the team's frame. Where they do not know where the others started, each has a frame of its
// own, and only the simulator knows how these lie; everywhere else this adds nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "grid/carried_map.hpp"
#include "robot/robot.hpp"

namespace outrider {

class TrueView {
  public:
    /// `starts`: true poses of the robots before step 0.
    TrueView(std::span<const Pose> starts, std::span<const Robot> team);
    /// Where the frame of a robot's map lies in that of the team. `starts`: as above.
    static Pose team_from_map(std::span<const Pose> starts, const Robot& robot);
    /// To be called after each step.
    void update(std::span<const Robot> team);

    const KnownMap& map(const Robot& robot) const;
    /// A place or a pose of the robot's map.
    Point point(const Robot& robot, Point p) const;
    Pose pose(const Robot& robot, const Pose& p) const;
    /// A place in the robot's own frame, which is not always that of its map.
    Point own_point(const Robot& robot, Point p) const;
    /// Calls visit(tile, cells) for the cells that the last scans of the robot gave information on; a tile may come
    /// several times.
    template <class Visit>
    void for_each_footprint(const Robot& robot, Visit&& visit) const {
        if (own_frames()) return carried_footprint(robot).for_each(visit);
        for (const ScanMapper& mapper : robot.mappers())
            for (const auto& [t, cells] : mapper.footprint()) visit(t, cells);
    }
    /// Whether robots have frames of their own.
    bool own_frames() const { return !starts_.empty(); }

  private:
    TileTable<BitTile> carried_footprint(const Robot& robot) const;
    const Pose& frame(const Robot& robot) const { return starts_[static_cast<std::size_t>(robot.map().frame().robot)]; }

    std::vector<Pose> starts_;      // the frame of each robot; empty: all share that of the team
    std::vector<CarriedMap> maps_;  // by robot
};

}  // namespace outrider
