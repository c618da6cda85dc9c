// The simulator as a driver: true walls, true poses, exact scans, radio.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "messages/driver.hpp"
#include "messages/scan_geometry.hpp"
#include "messages/sighting_options.hpp"
#include "radio/second_channel.hpp"
#include "radio/team_radio.hpp"
#include "radio/word_damage.hpp"
#include "sensing/glass.hpp"
#include "sensing/tilt.hpp"
#include "simulator/along_way.hpp"
#include "simulator/battery.hpp"
#include "simulator/crowd.hpp"
#include "simulator/failures.hpp"
#include "simulator/hazards.hpp"
#include "simulator/motion_sensor.hpp"
#include "simulator/smoke.hpp"
#include "simulator/victim_sensor.hpp"
#include "world/changes.hpp"
#include "world/world.hpp"

namespace outrider {

struct SimOptions {
    RadioSection radio;
    CommOptions comm;
    Instrument instrument = Instrument::wheels;  ///< of all robots: measures their motion
    ScanSpacing scans;  ///< further scans along the path of a step; the last one is always taken
    std::uint64_t seed = 1;
    bool orders_by_radio = true;  ///< a base station passes an operator's orders on
    SightingOptions sighting;     ///< how well robots see others that they recognise
    std::vector<Failure> failures = {};
    bool can_fail = false;             ///< whether there can be any
    std::vector<Change> changes = {};  ///< of the walls, in the world's frame
    SecondChannelOptions radio2 = {};
    std::vector<SmokeDisc> smoke = {};  ///< in the world's frame
    std::vector<Walker> people = {};    ///< likewise
    double person_radius_m = 0;
    std::shared_ptr<const HazardField> hazards = nullptr;  ///< in the world's frame
    std::shared_ptr<const Relief> relief = nullptr;        ///< likewise; nullptr: the floor is level
    std::shared_ptr<const Glass> glass = nullptr;          ///< nullptr: all walls are seen
    std::vector<Victim> victims = {};                      ///< in the world's frame
    std::vector<Point> decoys = {};                        ///< warm things, likewise
    VictimOptions sensing_victims = {};
    bool links_before_move = false;  ///< messages go over the links of where their senders were when they decided
    bool sampled_rays = false;       ///< see sensing/sampled_rays.hpp
};

/// How a sensor is mounted, where the floor is not level.
struct Mounting {
    Levelling levelling = Levelling::always;
    double height_m = 0.35;
    double sweep_m = 0;  ///< it sweeps the floor for steps every so many metres; 0: never
};

/// What the simulator knows of a robot besides its body.
struct Equipment {
    std::vector<SensorSpec> sensors;
    double radio_range_m = 0;
    int dies_at_step = -1;
    NoiseOptions noise;
    BatteryOptions battery = {};
    bool base = false;                     ///< it charges others
    std::vector<SmokeEffect> smoke = {};   ///< by sensor; none: blind
    bool seen = false;                     ///< by the scans of others
    bool recognised = false;               ///< others in whose view it is know who it is
    bool blocks = false;                   ///< others wait for it, and it waits for them and for people
    std::vector<Mounting> mountings = {};  ///< by sensor; none: all are kept level
};

class SimDriver final : public Driver {
  public:
    SimDriver(World world, std::vector<Equipment> equipment, const SimOptions& options);

    /// Robots follow the given poses (by step, then robot, beginning with their starts), and the run ends with the last
    /// of them; motion commands have no effect. In the team's frame, each in a free cell.
    void follow(std::vector<std::vector<Pose>> poses) { script_ = std::move(poses); }

    /// A step of robots that are not simulated, for those who look at it: each stands where it believes to be (in the
    /// team's frame), unless there is a wall; a robot without a pose is not there. `links`: who heard whom, sorted.
    void show(std::span<const std::optional<Pose>> believed, std::vector<Link> links);

    /// The walls change; robots fail and die; the messages of the last step are exchanged over the links at the present
    /// poses; batteries; look, each robot in parallel.
    bool sense(std::span<Percept> percepts) override;
    /// Robots in the order of their numbers: drive, or follow the script; keep the outboxes.
    void act(std::span<const Decision> decisions) override;
    /// In large teams along a Z-order curve, by where they are in this step.
    std::span<const int> order() const override { return order_; }

    /// Gives an operator's order for a robot; it is part of the robot's next percept, or by radio of the first base
    /// station's.
    void command(RobotId robot, OperatorCommand command);

    const World& world() const { return world_; }
    const Traffic& traffic() const { return radio_.traffic(); }
    int step() const { return step_; }
    bool can_fail() const { return options_.can_fail; }
    /// All that can go wrong in the run.
    const std::vector<Failure>& failures() const { return options_.failures; }
    const Battery& battery(RobotId robot) const { return batteries_[static_cast<std::size_t>(robot)]; }
    bool has_batteries() const { return has_batteries_; }
    /// Whether there are people, or robots that are seen or wait for each other.
    bool crowded() const;
    /// Who is to be found.
    const std::vector<Victim>& victims() const { return options_.victims; }
    bool has_second_channel() const { return second_.has_value(); }
    /// The walls as they change; what changed in this step.
    const ChangingWalls& changing() const { return changing_; }
    /// What is wrong with a robot in this step.
    const Faults& faults(RobotId robot) const { return faults_[static_cast<std::size_t>(robot)]; }
    const Move& last_move(RobotId robot) const { return moves_[static_cast<std::size_t>(robot)]; }

  private:
    void change_walls();
    void find_others();
    bool must_wait(std::size_t robot, const Command& command) const;
    void fail_and_die();
    void use_batteries(const Medium::Exchange& air);
    Medium::Exchange& exchange();
    void look(RobotId robot, Percept& percept);
    void sight(RobotId robot, Percept& percept) const;
    void sense_people(RobotId robot, Percept& percept) const;
    void see_ground(RobotId robot, Percept& percept);
    void scan(RobotId robot, const Pose& pose, int part, std::span<Scan> scans) const;
    void cast(const ScanGeometry& fan, const Mounting& mounting, RobotId robot, const Pose& pose, std::uint32_t part,
              std::span<const Disc> others, std::span<const Point> directions, std::span<double> lengths) const;
    void feel_tilt(RobotId robot, Percept& percept) const;
    void sweep_floor(RobotId robot, Percept& percept);

    World world_;
    std::vector<Equipment> equipment_;
    SimOptions options_;
    std::vector<std::vector<ScanGeometry>> fans_;   // per robot and sensor
    std::vector<MotionSensor> motion_sensors_;      // per robot
    std::vector<Move> moves_;                       // of the last step
    std::vector<int> stood_;                        // per robot: for so many steps
    std::vector<TileTable<BitTile>> unseen_rough_;  // per robot, where the ground differs
    std::vector<TileTable<BitTile>> told_hazards_;  // per robot, where there are any: what it saw of them
    struct Exposure {
        int steps_in_fire = 0;
        bool wet = false;
    };
    std::vector<Exposure> exposed_;  // per robot, likewise
    struct Sweep {
        std::vector<double> driven_m;  // by sensor: at the last sweep; below zero: none yet
        TileTable<BitTile> told;       // the steps that were found
    };
    std::vector<Sweep> sweeps_;                   // per robot, where the floor is not level
    std::vector<std::vector<Failure>> failures_;  // per robot
    std::vector<Faults> faults_;                  // per robot, in this step
    ChangingWalls changing_;
    std::vector<Battery> batteries_;                // per robot
    bool has_batteries_ = false;                    // that get empty
    std::vector<double> driven_m_;                  // per robot, up to the step before
    std::vector<Point> decided_at_;                 // per robot, in the step before, with links_before_move
    std::vector<Disc> people_;                      // in this step
    std::vector<std::pair<RobotId, Disc>> bodies_;  // of robots that scans see
    std::vector<int> order_;
    TeamRadio radio_;
    std::optional<SecondChannel> second_;
    WordDamage word_damage_;
    std::vector<std::vector<std::shared_ptr<const Message>>> damaged_;  // by receiver, in this step
    std::vector<Outbox> outboxes_;                                      // of the last step
    std::vector<std::vector<OperatorCommand>> told_;                    // by robot, for the next step
    std::vector<std::vector<Pose>> script_;                             // empty: robots go where they want
    int step_ = -1;
};

}  // namespace outrider
