// A simulated run of a scenario, with all that watches it: made, stepped, asked, and begun anew.
//
//     Notes notes;
//     Simulation sim(load_scenario("office.toml", {{"team.robots", std::int64_t{4}, "here"}}, notes));
//     while (!sim.done()) sim.step();
//     sim.finish();
#pragma once

#include <functional>
#include <memory>
#include <optional>

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
    std::vector<OperatorOrder> orders{};  ///< given before the steps that they name
    bool overlays = false;                ///< whether somebody looks at what strategies show of their reasons
    StrategyFactory strategies{};         ///< who decides for a robot; none: what the scenario says
};

/// Makes the scenario of a seed: see generated_scenarios().
using ScenarioMaker = std::function<Scenario(std::uint64_t seed)>;

/// A value that can be moved, but not copied; there may be any number of them, also in one thread by turns. What
/// follows from a map alone is shared by all that have the same one. References to its parts hold until a reset.
class Simulation {
  public:
    explicit Simulation(Scenario scenario, const SimulationOptions& options = {});
    /// Of what `make` makes of the seed, now and at each reset: then maps may change with the seed.
    Simulation(ScenarioMaker make, std::uint64_t seed, const SimulationOptions& options = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    /// One step of everybody, and of all observers. CHECK: neither done nor finished.
    void step();
    /// Whether the run is over, by its own rules or by finish().
    bool done() const;
    /// Why; nothing while it goes on.
    std::optional<EndReason> end() const;
    /// Ends a run that is not done here (its reason: interrupted), and the log. Called again, it changes nothing.
    EndReason finish();
    /// Steps until it is done, then finishes.
    EndReason run();
    /// Begins anew with another seed, exactly as a fresh one with that seed would: starts, and maps that are made, are
    /// drawn anew. Whatever watched the run before is let go, and its log, which is finished; there is no new one.
    void reset(std::uint64_t seed);

    /// Adds one that is called after metrics and log, until a reset; it outlives the run.
    void add_observer(Observer& observer);
    /// Tells a robot something; it is part of its next percept.
    void command(RobotId robot, OperatorCommand command);
    /// What a robot wants from the next step on, until it is set again. Throws Error unless its strategy is `remote`.
    void set_intent(RobotId robot, Intent intent);

    const Scenario& scenario() const;
    const SimDriver& driver() const;
    const std::vector<Robot>& team() const;
    const std::vector<Briefing>& briefings() const;
    const Metrics& metrics() const;
    const Run& progress() const;
    const Grid<std::uint8_t>& sensable() const;

  private:
    struct Parts;  // wired to each other, so that they stay where they are
    ScenarioMaker make_;
    std::unique_ptr<Parts> parts_;
};

/// Free cells that the scenario's robots can sense, in the frame of the team.
Grid<std::uint8_t> sensable_cells(const Scenario& scenario);

}  // namespace outrider
