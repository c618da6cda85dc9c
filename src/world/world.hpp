// The true world: walls, bodies and where they stand. Poses and cells are in the team's frame. Only the truth side sees
// it.
#pragma once

#include <memory>
#include <vector>

#include "messages/decision.hpp"
#include "outrider/briefing.hpp"
#include "world/components.hpp"
#include "world/ground.hpp"
#include "world/terrain.hpp"

namespace outrider {

/// A robot as it really is.
struct Body {
    Pose pose;
    double radius_m = 0;
    double speed_mps = 1;
    Kinematics kinematics = Kinematics::holonomic;
    double turn_radps = 0;
    bool alive = true;
    double travelled_m = 0;
    double accel_mps2 = 0;  ///< by how much its speed grows in a second; 0: at once
    double speed_now = 0;   ///< m/s at the end of the last step
};

/// The motion of a body in a step.
struct Move {
    Pose from;                ///< where it began
    Pose delta;               ///< last_from_now, exactly
    std::vector<Point> path;  ///< corners of the path driven, without its end
    bool bumped = false;
};

class World {
  public:
    /// walls: in the team's frame, nonzero cells block. CHECK: every body stands in a free cell.
    World(const Grid<std::uint8_t>& walls, std::vector<Body> bodies, double step_s)
        : World(Terrain::of(walls, walls.origin()), std::move(bodies), step_s) {}
    World(std::shared_ptr<const Terrain> terrain, std::vector<Body> bodies, double step_s);
    /// Walls that changed are copied.
    World(const World& other);
    World(World&&) noexcept = default;
    World& operator=(World&&) noexcept = default;
    ~World() = default;

    const std::shared_ptr<const Terrain>& terrain() const { return terrain_; }
    const Grid<std::uint8_t>& walls() const { return terrain_->walls(); }
    const WallField& field() const { return terrain_->field(); }
    const std::vector<Body>& bodies() const { return bodies_; }
    /// Of all bodies, in their order.
    std::vector<Pose> poses() const {
        std::vector<Pose> out;
        for (const Body& body : bodies_) out.push_back(body.pose);
        return out;
    }
    const Body& body(RobotId robot) const { return bodies_[static_cast<std::size_t>(robot)]; }
    const Lattice& lattice() const { return terrain_->lattice(); }
    double step_s() const { return step_s_; }

    /// Drives a body along the command for one step; it stops before walls.
    Move move(RobotId robot, const Command& command);
    /// Moves a living body to another pose along a straight line, ignoring walls in between. CHECK: the target is in a
    /// free cell.
    Move place(RobotId robot, const Pose& to);
    /// The ground under the bodies, in the world's frame; nullptr: all of it is level, as at first.
    void lay(std::shared_ptr<const Ground> ground) { ground_ = std::move(ground); }
    const Ground* ground() const { return ground_.get(); }
    /// These cells are walls from now on, or free. CHECK: no living body is in them.
    void change(std::span<const Cell> cells, bool wall);
    void kill(RobotId robot) { bodies_[static_cast<std::size_t>(robot)].alive = false; }

  private:
    void find_obstacles();

    std::shared_ptr<const Terrain> terrain_;
    std::shared_ptr<Terrain> own_;  // the same, once it changed
    std::shared_ptr<const Ground> ground_;
    std::vector<Body> bodies_;
    std::vector<const WallField*> obstacles_;  // by body: cells where it cannot stand
    double step_s_;
};

/// Walls grown by a disc: cells whose centre is closer than radius_cells to the square of a wall cell or to the border.
Grid<std::uint8_t> grow_walls(const Grid<std::uint8_t>& walls, double radius_cells);

}  // namespace outrider
