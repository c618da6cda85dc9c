// A whole simulated run of a scenario, with all that watches it.
#pragma once

#include <functional>
#include <memory>

#include "log/log_writer.hpp"
#include "metrics/metrics.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

struct SimulationOptions {
    int threads = 0;  ///< 0: one for every sixteen robots, at most one per core
    const std::atomic<bool>* interrupted = nullptr;
    std::string log_path;  ///< empty: no log
    LogLevel log_level = LogLevel::poses;
    int stop_after = 0;                   ///< steps, of which robots know nothing; 0: as the scenario says
    std::vector<OperatorOrder> orders{};  ///< given on the way; none for step 0
    bool overlays = false;                ///< whether somebody looks at what strategies show of their reasons
};

/// The parts of a simulated run, wired up. Not movable: they refer to each other.
class Simulation {
  public:
    Simulation(Scenario scenario, const SimulationOptions& options);
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Adds one that is called after metrics and log; it outlives the run.
    void add_observer(Observer& observer) { run_.observers.push_back(&observer); }
    /// Tells a robot something between two steps.
    void command(RobotId robot, OperatorCommand command) { driver_->command(robot, std::move(command)); }
    /// Runs to the end and finishes the log.
    EndReason run();

    const Scenario& scenario() const { return scenario_; }
    const SimDriver& driver() const { return *driver_; }
    const std::vector<Robot>& team() const { return team_; }
    const std::vector<Briefing>& briefings() const { return briefings_; }
    const Metrics& metrics() const { return *metrics_; }
    const Run& progress() const { return run_; }
    const Grid<std::uint8_t>& sensable() const { return sensable_; }

  private:
    Scenario scenario_;
    SimulationOptions options_;
    std::unique_ptr<SimDriver> driver_;
    std::vector<Briefing> briefings_;
    std::vector<Robot> team_;
    Grid<std::uint8_t> sensable_;
    std::unique_ptr<Metrics> metrics_;
    std::unique_ptr<LogWriter> log_;
    std::unique_ptr<Observer> orders_;
    Run run_;
};

/// Free cells that the scenario's robots can sense, in the frame of the team.
Grid<std::uint8_t> sensable_cells(const Scenario& scenario);

}  // namespace outrider
