#include "soak/judge.hpp"

#include <algorithm>

#include "features/failures/world.hpp"
#include "metrics/metrics.hpp"
#include "metrics/standstill.hpp"
#include "outrider/error.hpp"
#include "simulation/simulation.hpp"

namespace outrider::soak {
namespace {

/// Looks whether some body is in a wall after a step.
class WallWatch final : public Observer {
  public:
    explicit WallWatch(const SimDriver& driver) : driver_(driver) {}
    void on_step(const StepView& view) override {
        const World& world = driver_.world();
        for (std::size_t i = 0; i < world.bodies().size(); ++i) {
            const Cell cell = world.lattice().cell_of(world.bodies()[i].pose.position());
            if (found_.empty() && world.walls().get(cell, 1) != 0)
                found_ = fmt::format("wall: robot {} is in the wall cell ({}, {}) after step {}", i, cell.x, cell.y,
                                     view.step);
        }
    }
    const std::string& found() const { return found_; }

  private:
    const SimDriver& driver_;
    std::string found_;
};

/// Counts the steps in which a failure keeps a robot where it is: it has no reason of its own to state.
class FailureWatch final : public Observer {
  public:
    explicit FailureWatch(const SimDriver& driver) : failing_(driver.part<FailingRobots>()) {}
    void on_step(const StepView& view) override {
        for (std::size_t i = 0; failing_ && i < view.team.size(); ++i)
            if (failing_->faults(static_cast<RobotId>(i)).stuck) stuck_.emplace_back(view.step, i);
    }
    int stuck_steps(const Standstill& s) const {
        return static_cast<int>(std::count_if(stuck_.begin(), stuck_.end(), [&](const auto& stuck) {
            return stuck.second == static_cast<std::size_t>(s.robot) && stuck.first >= s.from && stuck.first <= s.to;
        }));
    }

  private:
    const FailingRobots* failing_;
    std::vector<std::pair<int, std::size_t>> stuck_;  // step and robot
};

}  // namespace

std::vector<std::string> judge(const Scenario& scenario, const std::vector<OperatorOrder>& orders,
                               const StrategyFactory& strategies) {
    std::vector<std::string> wrong;
    Hash128 digests[2];
    for (const int threads : {1, 2}) {
        SimulationOptions options;
        options.threads = threads;
        options.orders = orders;
        options.strategies = strategies;
        Simulation sim(scenario, options);
        WallWatch walls(sim.driver());
        FailureWatch failures(sim.driver());
        sim.add_observer(walls);
        sim.add_observer(failures);
        const EndReason end = sim.run();
        digests[threads - 1] = sim.progress().digest;
        if (threads == 2) break;
        if (end == EndReason::interrupted) wrong.push_back("end: for no reason");
        if (!walls.found().empty()) wrong.push_back(walls.found());
        for (const Standstill& s : sim.standstills())
            if (!s.stated_wait && s.steps() - failures.stuck_steps(s) >= Standstills::patience)
                wrong.push_back(fmt::format("stall: robot {} ({}) {} for {} steps from step {}: {}", s.robot,
                                            scenario.robots[static_cast<std::size_t>(s.robot)].strategy,
                                            s.never_moved ? "never moved" : "stood", s.steps(), s.from, s.why));
    }
    if (digests[0] != digests[1])
        wrong.push_back(fmt::format("digest: {} with one thread, {} with two", digests[0].hex(), digests[1].hex()));
    return wrong;
}

}  // namespace outrider::soak
