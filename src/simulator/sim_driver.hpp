// The simulator as a driver: true walls, true poses, exact scans, radio.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "messages/beam_fan.hpp"
#include "messages/driver.hpp"
#include "radio/links.hpp"
#include "simulator/along_way.hpp"
#include "simulator/motion_sensor.hpp"
#include "world/world.hpp"

namespace outrider {

enum class Delivery { component, hop };
inline constexpr std::array<std::string_view, 2> delivery_names{"component", "hop"};

struct CommOptions {
    double range_m = 20;
    double base_range_m = 20;
    Delivery delivery = Delivery::component;
    double loss_rate = 0;
    int link_bytes = 0;
    void fields(Fields& f) {
        f("range_m", range_m, 0, 1e6, "reach of a robot's radio in free space");
        f("base_range_m", base_range_m, 0, 1e6, "reach of a base station's radio in free space");
        f("delivery", delivery, delivery_names,
          "a message reaches the whole connected component in a step, or one hop");
        f("loss_rate", loss_rate, 0, 1, "share of messages that are lost, for each receiver by itself");
        f("link_bytes", link_bytes, 0, INT32_MAX,
          "bytes that a link carries in a step; what a message leaves is saved for a whole tile; 0: no limit");
    }
};

struct SimOptions {
    RadioOptions radio;
    CommOptions comm;
    NoiseOptions noise;
    Instrument instrument = Instrument::wheels;  ///< of all robots: what says how they moved
    ScanSpacing scans;  ///< further scans along the way of a step; the last one is always there
    std::uint64_t seed = 1;
};

/// What the simulator has of a robot besides its body.
struct Equipment {
    std::vector<SensorSpec> sensors;
    double radio_range_m = 0;
    int dies_at_step = -1;
};

/// What happened on the air in a step; for observers.
struct Traffic {
    std::vector<Link> links;
    std::vector<int> component;  ///< of each robot
    std::uint64_t messages = 0;  ///< delivered
    std::uint64_t lost = 0;
    std::uint64_t bytes = 0;
    std::vector<std::vector<std::uint64_t>> bytes_heard;  ///< by receiver: of each message of its inbox
};

class SimDriver final : public Driver {
  public:
    SimDriver(World world, std::vector<Equipment> equipment, const SimOptions& options);

    /// Robots stand where they are told, by step, then robot, beginning with their starts, and the run ends with the
    /// last of these poses; their commands move nobody. In the team's frame, each in a free cell.
    void follow(std::vector<std::vector<Pose>> poses) { script_ = std::move(poses); }

    /// deaths; links at the present poses; then per robot, in parallel: messages of the last step, scans, noise.
    bool sense(std::span<Percept> percepts) override;
    /// In the order of numbers: drive, or go on along the script; keep the outboxes.
    void act(std::span<const Decision> decisions) override;

    /// Tells a robot something; it is part of its next percept.
    void command(RobotId robot, OperatorCommand command);

    const World& world() const { return world_; }
    const Traffic& traffic() const { return traffic_; }
    int step() const { return step_; }
    const Move& last_move(RobotId robot) const { return moves_[static_cast<std::size_t>(robot)]; }

  private:
    struct Delivered {
        std::uint64_t messages = 0, lost = 0, bytes = 0;
    };
    void find_traffic();
    void find_lacking();
    Delivered deliver(RobotId to, std::vector<Received>& inbox, std::vector<std::uint64_t>& bytes_heard);
    std::size_t fill_link(const Message& message, RobotId to, std::size_t fixed, const std::vector<TileCoord>& tiles,
                          std::vector<TileCoord>& sent);
    void look(RobotId robot, Percept& percept);
    void scan(RobotId robot, const Pose& pose, int part, std::span<Scan> scans) const;

    World world_;
    std::vector<Equipment> equipment_;
    SimOptions options_;
    std::vector<std::vector<BeamFan>> fans_;    // per robot and sensor
    std::vector<MotionSensor> motion_sensors_;  // per robot
    std::vector<Move> moves_;                   // of the last step
    struct Said {
        std::shared_ptr<const Message> message;
        std::size_t fixed_bytes;
    };
    std::vector<std::vector<Said>> outboxes_, heard_;     // of this step; of the last one, which inboxes refer to
    std::vector<std::vector<LinkReport>> neighbours_;     // of each robot, by number
    std::vector<std::vector<std::size_t>> in_component_;  // robots by component, by number
    // Of large teams whose links carry everything; else empty. By robot: bytes of tiles that each of those who can hear
    // it lacks; and the place of this robot among those who hear the ones that it can hear.
    std::vector<std::vector<std::size_t>> lacking_;
    std::vector<std::vector<std::uint32_t>> places_;
    std::vector<std::map<RobotId, std::size_t>> saved_bytes_;  // by receiver, then sender; limited links
    std::vector<std::vector<OperatorCommand>> told_;           // by robot, for the next step
    Traffic traffic_;
    std::vector<std::vector<Pose>> script_;  // empty: robots go where they want
    int step_ = -1;
};

}  // namespace outrider
