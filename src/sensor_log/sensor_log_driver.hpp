// The log of a real robot as a driver: a strategy sees what the robot saw, and decides what leads nowhere.
#pragma once

#include "messages/driver.hpp"
#include "robot/robot.hpp"
#include "sensor_log/sensor_log.hpp"

namespace outrider {

class SensorLogDriver final : public Driver {
  public:
    /// `log` outlives this.
    explicit SensorLogDriver(const SensorLog& log);
    /// What the robot of the log knew before the start: its own sensors, and that it starts at (0, 0, 0).
    Briefing briefing(double cell_m) const;
    /// One step for each scan; false after the last.
    bool sense(std::span<Percept> percepts) override;
    void act(std::span<const Decision>) override {}
    int steps() const { return step_; }
    /// Where odometry alone puts the body, in the frame of its start.
    Pose odometry() const { return compose(inverse(first_), last_); }

  private:
    const SensorLog& log_;
    std::vector<SensorSpec> sensors_;
    std::vector<int> sensor_of_;  // by scan
    double step_s_ = 1;
    std::size_t next_ = 0;
    Pose first_, last_;  // of odometry
    int step_ = 0;
};

}  // namespace outrider
