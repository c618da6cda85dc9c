// The simulator as a driver: true walls, true poses, exact scans, radio.
#pragma once

#include <optional>
#include <vector>

#include "messages/driver.hpp"
#include "radio/team_radio.hpp"
#include "simulator/along_path.hpp"
#include "simulator/motion_sensor.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

struct SimOptions {
    RadioSection radio;
    CommOptions comm;
    Instrument instrument = Instrument::wheels;  ///< of all robots: measures their motion
    ScanSpacing scans;            ///< further scans along the path of a step; the last one is always taken
    bool orders_by_radio = true;  ///< a base station passes an operator's orders on
    std::uint64_t seed = 1;
};

class SimDriver final : public Driver {
  public:
    /// parts: in the order in which they are called.
    SimDriver(World world, std::vector<Equipment> equipment, const SimOptions& options, WorldParts parts);

    /// For a copy of the run. Throws CannotCopy.
    SimDriver(const SimDriver&) = default;

    /// Robots follow the given poses (by step, then robot, beginning with their starts), and the run ends with the last
    /// of them; motion commands have no effect. In the team's frame, each in a free cell.
    void follow(std::vector<std::vector<Pose>> poses) { script_ = std::move(poses); }

    /// A step of robots that are not simulated, for those who look at it: each stands where it believes to be (in the
    /// team's frame), unless there is a wall; a robot without a pose is not there. `links`: who heard whom, sorted.
    void show(std::span<const std::optional<Pose>> believed, std::vector<Link> links);

    /// The step begins for the parts of the world; the messages of the last step are exchanged over the links at the
    /// present poses; robots look, in parallel.
    bool sense(std::span<Percept> percepts) override;
    /// Robots in the order of their numbers: drive, or follow the script; keep the outboxes.
    void act(std::span<const Decision> decisions) override;
    /// In large teams along a Z-order curve, by where they are in this step.
    std::span<const int> order() const override { return order_; }

    /// Gives an operator's order for a robot; it is part of the robot's next percept, or by radio of the first base
    /// station's.
    void command(RobotId robot, OperatorCommand command);

    const World& world() const { return state_.world; }
    const Traffic& traffic() const { return radio_.traffic(); }
    int step() const { return state_.step; }
    const Move& last_move(RobotId robot) const { return state_.moves[static_cast<std::size_t>(robot)]; }
    const WorldParts& parts() const { return parts_; }
    bool moves_walls() const {
        return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->moves_walls(); });
    }
    /// The part of the world of this kind, as after this step; nullptr: there is none.
    template <class Part>
    const Part* part() const {
        for (const auto& p : parts_)
            if (const auto* found = dynamic_cast<const Part*>(p.get())) return found;
        return nullptr;
    }

  private:
    Medium::Exchange& exchange();
    void look(RobotId robot, Percept& percept);
    void scan(RobotId robot, const Pose& pose, int part, std::span<Scan> scans) const;
    void cast(Rays rays, std::span<const Point> directions, std::span<double> lengths) const;

    WorldState state_;
    WorldParts parts_;
    TeamRadio radio_;
    std::vector<MotionSensor> motion_sensors_;  // by robot
    ScanSpacing scan_spacing_;
    std::vector<int> order_;
    std::vector<Outbox> outboxes_;                      // of the last step
    std::vector<std::vector<OperatorCommand>> orders_;  // by robot, for the next step
    bool orders_by_radio_;
    std::vector<std::vector<Pose>> script_;  // empty: robots go where they want
};

}  // namespace outrider
