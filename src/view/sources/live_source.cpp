// A live run: a simulation in a thread of its own, with an observer that can also make it wait.
#include <atomic>
#include <thread>

#include "simulation/simulation.hpp"
#include "view/snapshot_sink.hpp"
#include "view/source.hpp"

namespace outrider::view {
namespace {

/// Poses, tracks and metrics of the step just done.
StepRow row_of(const Simulation& sim) {
    StepRow row{sim.metrics().steps().back(), {}, {}};
    const std::vector<Body>& bodies = sim.driver().world().bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        row.poses.push_back(bodies[i].pose);
        row.paths.push_back(sim.driver().last_move(static_cast<RobotId>(i)).path);
    }
    return row;
}

class LiveSource final : public Source {
  public:
    LiveSource(Scenario scenario, const LiveOptions& options, std::vector<std::string> notes) : options_(options) {
        info_ = run_info(std::move(scenario), true);
        info_.notes = std::move(notes);
        info_.again = options.again;
        telemetry_.begin_anew();
        start();
    }
    ~LiveSource() override { stop(); }

    /// What is past is computed again and is the same, with all that was ordered then and later.
    void seek(int step) override {
        if (step < at_) {
            halt();
            future_ = telemetry_.progress().last;
            telemetry_.go_back();
            start();
        }
        sought_ = step;
        control_.run_to(step);
    }

    bool can_command() const override { return true; }
    void command(RobotId robot, OperatorCommand command) override {
        forget_future();
        const std::lock_guard lock(mutex_);
        pending_.push_back({0, robot, std::move(command)});
    }
    void hold(RobotId robot, std::optional<OperatorCommand> command) override {
        if (command) forget_future();
        const std::lock_guard lock(mutex_);
        held_.reset();
        if (command) held_ = {0, robot, std::move(*command)};
    }

    void stop() override {
        interrupted_ = true;
        control_.close();
        if (thread_.joinable()) thread_.join();
    }

  private:
    /// Ends the run, which will start again.
    void halt() {
        halted_ = true;
        stop();
        halted_ = false;
        pending_.clear();
        held_.reset();
        options_.log_path.clear();  // the log keeps the first run, as far as it went
    }

    /// Before an order at a step that is past: the run goes on otherwise from here, and what it ordered later is
    /// dropped.
    void forget_future() {
        if (at_ >= future_) return;
        const int here = std::min(std::max<int>(at_, sought_), future_);
        const bool playing = control_.playing();
        halt();
        std::erase_if(orders_, [&](const OperatorOrder& order) { return order.step > here; });
        telemetry_.begin_anew();
        future_ = -1;
        start();
        resumes_ = sought_ = here;
        control_.run_to(here, playing);
    }

    void start() {
        at_ = sought_ = resumes_ = -1;
        interrupted_ = false;
        control_.open();
        control_.play(false);
        thread_ = std::thread([this] { work(); });
    }

    void work() {
        try {
            SimulationOptions options;
            options.threads = options_.threads;
            options.interrupted = &interrupted_;
            options.overlays = true;
            options.log_path = options_.log_path;
            options.log_level = options_.log_level;
            options.orders = orders_;
            Simulation sim(info_.scenario, options);
            SnapshotSink sink(telemetry_, control_,
                              {[&] {
                                   at_ = sim.metrics().steps().back().step;
                                   return row_of(sim);
                               },
                               [&] { return std::span(sim.driver().traffic().bytes_received); },
                               [&]() -> const SimDriver& { return sim.driver(); }},
                              info_);
            sim.add_observer(sink);
            const Run& run = sim.progress();
            while (!sim.done()) {
                sim.step();
                if (!sink.wait(last_step(run))) break;
                give_orders(sim, run.steps);
            }
            const EndReason reason = sim.finish();
            if (halted_) return;
            telemetry_.update([&](Progress& p) {
                p.ended = true;
                p.end = end_reason_texts[static_cast<std::size_t>(reason)];
            });
            sink.stay(last_step(run));
        } catch (const std::exception& error) {
            telemetry_.update([&](Progress& p) {
                p.error = error.what();
                p.ended = true;
            });
        }
    }

    void give_orders(Simulation& sim, int step) {
        const std::lock_guard lock(mutex_);
        if (step <= resumes_) return;
        if (held_ && step > sought_) pending_.push_back(*held_);
        for (OperatorOrder& order : pending_) {
            order.step = step;
            sim.command(order.robot, order.command);
            orders_.push_back(std::move(order));
        }
        pending_.clear();
    }

    LiveOptions options_;
    std::mutex mutex_;
    std::vector<OperatorOrder> orders_, pending_;  // given, and to be given
    std::optional<OperatorOrder> held_;            // to be given each step
    std::atomic<int> sought_{-1};                  // up to this step no manual driving
    std::atomic<int> resumes_{-1};                 // up to this step no new orders, since it began anew for one
    std::atomic<int> at_{-1};                      // the last step that was done
    int future_ = -1;                              // up to this step it was computed before it went back
    std::atomic<bool> interrupted_{false};
    std::atomic<bool> halted_{false};  // interrupted to start again
    std::thread thread_;
};

}  // namespace

std::unique_ptr<Source> make_live(Scenario scenario, const LiveOptions& options, std::vector<std::string> notes) {
    return std::make_unique<LiveSource>(std::move(scenario), options, std::move(notes));
}

}  // namespace outrider::view
