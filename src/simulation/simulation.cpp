#include "simulation/simulation.hpp"

#include <algorithm>
#include <thread>

#include "base/parallel.hpp"
#include "world/sensable.hpp"

namespace outrider {
namespace {

int choose_threads(int wanted, std::size_t robots) {
    if (wanted > 0) return wanted;
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return std::clamp(static_cast<int>(robots) / 16, 1, cores);
}

/// A full log holds what the strategies show.
bool full_log(const SimulationOptions& options) {
    return !options.log_path.empty() && options.log_level == LogLevel::full;
}

/// Gives orders before the steps that they belong to.
class OrderGiver final : public Observer {
  public:
    OrderGiver(SimDriver& driver, const std::vector<OperatorOrder>& orders) : driver_(driver), orders_(orders) {}
    void on_step(const StepView& view) override {
        for (const OperatorOrder& order : orders_)
            if (order.step == view.step + 1) driver_.command(order.robot, order.command);
    }

  private:
    SimDriver& driver_;
    const std::vector<OperatorOrder>& orders_;
};

}  // namespace

Grid<std::uint8_t> sensable_cells(const Scenario& s) {
    std::vector<Explorer> explorers;
    for (std::size_t i = 0; i < s.robots.size(); ++i)
        if (const RobotEntry& r = s.robots[i]; r.body.speed_mps > 0)
            explorers.push_back(
                {s.start_cell(i), r.body.radius_m, r.sensor.preset == SensorPreset::none ? 0 : r.sensor.range_m});
    Grid<std::uint8_t> sensable = sensable_cells(s.walls, explorers);
    sensable.set_origin(Cell{} - s.team_origin());
    return sensable;
}

Simulation::Simulation(Scenario scenario, const SimulationOptions& options)
    : scenario_(std::move(scenario)),
      options_(options),
      driver_(make_driver(scenario_)),
      briefings_(make_briefings(scenario_)),
      team_(make_team(scenario_, briefings_, options.overlays || full_log(options))),
      sensable_(sensable_cells(scenario_)),
      metrics_(std::make_unique<Metrics>(*driver_, team_, sensable_)),
      run_{*driver_, team_, {metrics_.get()}, {}} {
    if (!options.log_path.empty() && options.log_level != LogLevel::none) {
        log_ = std::make_unique<LogWriter>(options.log_path, options.log_level, scenario_, briefings_, *driver_,
                                           *metrics_);
        run_.observers.push_back(log_.get());
    }
    if (!options_.orders.empty()) {
        orders_ = std::make_unique<OrderGiver>(*driver_, options_.orders);
        run_.observers.push_back(orders_.get());
    }
    run_.limits.steps =
        options.stop_after > 0 ? std::min(options.stop_after, scenario_.run.steps) : scenario_.run.steps;
    run_.limits.interrupted = options.interrupted;
    const auto share = scenario_.stop.of == StopOf::base ? &StepMetrics::base_share : &StepMetrics::team_share;
    if (scenario_.stop.of != StopOf::none)
        run_.limits.stop_rule = [this, share] { return metrics_->steps().back().*share >= scenario_.stop.fraction; };
}

EndReason Simulation::run() {
    const ThreadLimit limit(choose_threads(options_.threads, team_.size()));
    EndReason reason = run_to_end(run_);
    if (scenario_.script && reason == EndReason::step_limit &&
        run_.steps == static_cast<int>(scenario_.script->steps.size()))
        reason = EndReason::log_ended;
    if (log_) {
        // Stopped before the limit that the log's scenario names.
        const bool cut = reason == EndReason::step_limit && run_.steps < scenario_.run.steps;
        const EndReason logged = cut ? EndReason::interrupted : reason;
        log_->finish(logged, run_, metrics_->summary(logged, scenario_.run.steps));
    }
    return reason;
}

}  // namespace outrider
