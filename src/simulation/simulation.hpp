// A simulated run of a scenario, with all its observers: made, stepped, queried, and reset.
//
//     Notes notes;
//     Simulation sim(load_scenario("office.toml", {{"team.robots", std::int64_t{4}, "here"}}, notes));
//     while (!sim.done()) sim.step();
//     sim.finish();
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "log/log_level.hpp"
#include "messages/order_words.hpp"
#include "run/end_reason.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

class Metrics;
class Observer;
struct Run;
struct Standstill;

struct SimulationOptions {
    int threads = 0;  ///< 0: one for every sixteen robots, at most one per core
    const std::atomic<bool>* interrupted = nullptr;
    std::string log_path;  ///< empty: no log
    LogLevel log_level = LogLevel::poses;
    int stop_after = 0;                   ///< steps, not known to the robots; 0: as the scenario says
    std::vector<OperatorOrder> orders{};  ///< given before the steps that they name
    bool overlays = false;                ///< whether anybody looks at the overlays of the strategies
    StrategyFactory strategies{};         ///< who decides for a robot; none: what the scenario says
};

/// Makes the scenario of a seed: see generated_scenarios().
using ScenarioMaker = std::function<Scenario(std::uint64_t seed)>;

/// Can be moved, and copied where all of its parts can be. There may be any number of simulations, also in one thread
/// by turns; those with the same map share what follows from the map alone. References to its parts hold until a reset.
class Simulation {
  public:
    explicit Simulation(Scenario scenario, const SimulationOptions& options = {});
    /// Runs the scenario that `make` returns for the seed, now and at each reset: so maps may change with the seed.
    Simulation(ScenarioMaker make, std::uint64_t seed, const SimulationOptions& options = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    /// The same run at the same moment, which goes its own way from here; without a log, and without the observers that
    /// were added. nullopt: something in it cannot be copied, such as a strategy in Python or in another program.
    /// Whoever follows its parts is to be copied in the same WholeCopy.
    std::optional<Simulation> copy() const;

    /// One step of all robots and all observers. CHECK: neither done nor finished.
    void step();
    /// The same step in halves, for those who look at the robots' beliefs and set intents in between. perceive(): what
    /// the robots sense and hear of this step. CHECK: neither done nor finished, and not called before in this step.
    void perceive();
    /// The robots decide and move. CHECK: perceive() was called, unless the run ended there.
    void act();
    /// Whether perceive() was called, and act() was not yet.
    bool perceived() const;
    /// Whether the run is over, by its own rules or by finish().
    bool done() const;
    /// The reason for the end; nothing while the run goes on.
    std::optional<EndReason> end() const;
    /// Ends the run, if it is not done yet with the reason "interrupted", and finishes the log. Further calls change
    /// nothing.
    EndReason finish();
    /// Steps until it is done, then finishes.
    EndReason run();
    /// Starts again with another seed, exactly as a new simulation with that seed would: starts, and maps that are
    /// generated, are drawn anew. The observers of the old run are removed; its log is finished, and no new one is
    /// written.
    void reset(std::uint64_t seed);

    /// Adds an observer, called after metrics and log, until a reset; it outlives the run.
    void add_observer(Observer& observer);
    /// Sends a robot an operator's command; it is part of the robot's next percept.
    void command(RobotId robot, OperatorCommand command);
    /// Robots that are done wait for commands up to this step.
    void expect_orders(int last_step);
    /// Notes in the log, as an event of the next step, what a program did that takes part in the run.
    void note(const std::string& text);
    /// Sets a robot's command from the next step on, until it is set again. Throws Error unless its strategy is
    /// `remote`.
    void set_intent(RobotId robot, Intent intent);

    const Scenario& scenario() const;
    const SimDriver& driver() const;
    const std::vector<Robot>& team() const;
    const std::vector<Briefing>& briefings() const;
    const Metrics& metrics() const;
    /// Robots that stood still for long, and why.
    const std::vector<Standstill>& standstills() const;
    const Run& progress() const;
    const Grid<std::uint8_t>& sensable() const;
    const Grid<std::uint8_t>& counted() const;

  private:
    struct Parts;  // wired to each other, so they must not move in memory
    Simulation(std::shared_ptr<const ScenarioMaker> make, std::unique_ptr<Parts> parts);
    std::shared_ptr<const ScenarioMaker> make_;  // nullptr: the scenario is drawn anew
    std::unique_ptr<Parts> parts_;
};

/// Free cells that the scenario's robots can sense, in the frame of the team.
std::shared_ptr<const Grid<std::uint8_t>> sensable_cells(const Scenario& scenario);
/// Those of them that measures count: in a region of interest, where there is one.
Grid<std::uint8_t> counted_cells(const Scenario& scenario);

}  // namespace outrider
