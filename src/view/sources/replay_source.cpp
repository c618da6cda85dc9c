// The log of a run: any step of it, rebuilt from what the robots perceived.
#include <unistd.h>

#include <atomic>
#include <climits>
#include <filesystem>
#include <thread>

#include "base/output.hpp"
#include "log/replay.hpp"
#include "recording/sensor_log_run.hpp"
#include "simulation/rerun.hpp"
#include "view/snapshot_maker.hpp"
#include "view/source.hpp"

namespace outrider::view {
namespace {

/// A file that is removed with this object.
class TemporaryLog {
  public:
    TemporaryLog()
        : taken_([folder = std::filesystem::temp_directory_path().string()](int k) {
              return fmt::format("{}/outrider-view-{}-{}.sqlite", folder, getpid(), k);
          }) {}
    ~TemporaryLog() {
        std::error_code ignored;
        for (const char* more : {"", "-wal", "-shm"}) std::filesystem::remove(path() + more, ignored);
    }
    TemporaryLog(const TemporaryLog&) = delete;
    TemporaryLog& operator=(const TemporaryLog&) = delete;
    const std::string& path() const { return taken_.path(); }

  private:
    TakenName taken_;
};

class StepCounter final : public Observer {
  public:
    StepCounter(Telemetry& telemetry, int steps) : telemetry_(telemetry), steps_(steps) {}
    void on_step(const StepView& view) override {
        telemetry_.update(
            [&](Progress& p) { p.note = fmt::format("running the log again: step {} of {}", view.step, steps_); });
    }

  private:
    Telemetry& telemetry_;
    int steps_;
};

class ReplaySource final : public Source {
  public:
    explicit ReplaySource(const std::string& path) : file_(path, notes_, interrupted_) {
        auto log = std::make_unique<LogReader>(file_.path());
        info_ = run_info(log->scenario(), false);
        info_.file = path;
        info_.notes.insert(info_.notes.end(), notes_.begin(), notes_.end());
        info_.again = fmt::format("outrider view {}", shell_word(path));
        info_.level = log->meta().at("level");
        finished_ = log->meta().contains("end_reason");
        end_ = finished_ ? log->meta().at("end_reason") : "";
        telemetry_.begin_anew();
        log_ = std::move(log);
        thread_ = std::thread([this] { work(); });
    }
    ~ReplaySource() override { stop(); }

    void seek(int step) override {
        control_.play(false);
        target_ = step;
        control_.poke();
    }
    void look_again() override {
        if (finished_ || info_.level != "full") return;
        again_ = true;
        control_.poke();
    }
    void stop() override {
        interrupted_ = true;
        control_.close();
        if (thread_.joinable()) thread_.join();
        if (historian_.joinable()) historian_.join();
    }

  private:
    void work() {
        try {
            std::unique_ptr<TemporaryLog> temporary;
            LogSteps steps = log_->steps();
            if (info_.level != "full") {
                temporary = run_again(steps);
                if (interrupted_) return;
                log_ = std::make_unique<LogReader>(temporary->path());
                steps = log_->steps();
            }
            load(std::move(steps));
            playing_ = temporary ? temporary->path() : file_.path();
            Replay replay(*log_);
            play(replay);
            if (historian_.joinable()) historian_.join();  // before a temporary log is removed
        } catch (const std::exception& error) {
            telemetry_.update([&](Progress& p) {
                p.error = error.what();
                p.ended = true;
            });
        }
    }

    /// Runs the scenario of a log without percepts again, with a full log.
    std::unique_ptr<TemporaryLog> run_again(const LogSteps& steps) {
        auto temporary = std::make_unique<TemporaryLog>();
        const int count = steps.steps.empty() ? 1 : steps.steps.back() + 1;
        SimulationOptions options;
        options.interrupted = &interrupted_;
        options.orders = log_->orders();
        options.stop_after = count;
        options.log_path = temporary->path();
        options.log_level = LogLevel::full;
        Simulation sim(info_.scenario, options);
        HashCheck check(steps);
        StepCounter counter(telemetry_, count);
        sim.add_observer(check);
        sim.add_observer(counter);
        sim.run();
        const Provenance then = log_->provenance();
        const std::string changes = changes_since(then, provenance_of(info_.scenario, &then));
        telemetry_.update([&](Progress& p) {
            p.note.clear();
            if (!check.divergence()) return;
            const Divergence& d = *check.divergence();
            p.warning = fmt::format(
                "this program decides otherwise than the one that wrote the log, from step {} on{}{}{}", d.step,
                d.robot < 0 ? "" : " (" + info_.name(d.robot) + ")", changes.empty() ? "" : ": ", changes);
        });
        return temporary;
    }

    /// Rows and events of all steps that the log holds.
    void load(LogSteps steps) {
        for (std::size_t k = rows_; k < steps.steps.size(); ++k) {
            StepRow row{steps.metrics[k], {}, {}};
            if (k < steps.poses.size()) row.poses = std::move(steps.poses[k]);
            if (k < steps.paths.size()) row.paths = std::move(steps.paths[k]);
            telemetry_.add_row(std::move(row));
        }
        const std::vector<LogReader::Event> events = log_->events();
        for (std::size_t k = events_; k < events.size(); ++k) telemetry_.add_event(events[k]);
        rows_ = steps.steps.size();
        events_ = events.size();
        hashes_ = std::move(steps.hashes);
        numbers_ = std::move(steps.steps);
        last_ = numbers_.empty() ? -1 : numbers_.back();
        telemetry_.update([&](Progress& p) {
            p.last = last_;
            for (const std::string& damaged : steps.damaged) p.warning = "the log is damaged: " + damaged;
            if (!finished_)
                p.warning = fmt::format("the log has no end: its run goes on, or was cut off; so far it has {} steps",
                                        last_ + 1);
        });
    }

    void play(Replay& replay) {
        if (!replay.next()) fail("{}: no step of the log can be read", info_.file);
        show(replay, true);
        for (;;) {
            if (const int wanted = target_.exchange(-1); wanted >= 0) {
                const bool found = replay.seek(std::min(wanted, last_));
                telemetry_.update([&](Progress& p) {
                    if (!found)
                        p.warning = fmt::format("step {} cannot be read from the log{}", wanted,
                                                replay.damaged().empty() ? "" : ": " + replay.damaged().back());
                });
                if (found || replay.next()) show(replay, true);
                telemetry_.update([&](Progress& p) { p.sought = wanted; });
                continue;
            }
            if (again_.exchange(false)) {
                LogReader fresh(file_.path());
                if (fresh.meta().contains("end_reason")) {
                    finished_ = true;
                    end_ = fresh.meta().at("end_reason");
                    telemetry_.update([](Progress& p) { p.warning.clear(); });
                }
                load(fresh.steps());
                continue;
            }
            switch (control_.wait(replay.step())) {
                case StepControl::Turn::closed:
                    return;
                case StepControl::Turn::poked:
                    // Where a step could not be read, there may be none to show.
                    if (target_ < 0 && !again_ && replay.seek(replay.step())) show(replay, true);
                    break;
                case StepControl::Turn::go:
                    if (replay.step() < last_ && replay.next())
                        show(replay,
                             telemetry_.wanted() || control_.would_pause(replay.step()) || replay.step() == last_);
                    else
                        control_.play(false);
            }
        }
    }

    /// Reads the whole log once, apart from what is shown: a seek skips the steps in which cells became known.
    void read_history() {
        try {
            LogReader log(playing_);
            Replay replay(log);
            SnapshotMaker maker(telemetry_, info_);
            Health health;
            int rebuilds = -1, before = -1;
            while (!interrupted_ && replay.next()) {
                if (std::exchange(rebuilds, replay.rebuilds()) != replay.rebuilds()) maker.forget();
                const StepView view = replay.view();
                maker.note_history(view, view.step == before + 1);
                health.on_step(view);
                telemetry_.health().note(view.step, health.robots());
                telemetry_.remarks().note(view);
                before = view.step;
                if (before % 64 == 63) telemetry_.update([&](Progress& p) { p.history_to = before; });
            }
        } catch (const std::exception&) {
            // Steps that cannot be read are reported where they are shown.
        }
        telemetry_.update([](Progress& p) { p.history_to = INT_MAX; });
    }

    void show(Replay& replay, bool publish) {
        if (telemetry_.wants().history && !historian_.joinable()) historian_ = std::thread([this] { read_history(); });
        if (rebuilds_ != replay.rebuilds()) maker_.forget();
        rebuilds_ = replay.rebuilds();
        const StepView view = replay.view();
        if (noted_ != view.step) maker_.note_history(view, view.step == noted_ + 1);
        noted_ = view.step;
        compare(view);
        if (!publish) return;
        // The true poses when the robots perceived: those at the end of the step before.
        const std::size_t row = index_of(view.step);
        std::vector<Pose> truth;
        if (view.step == 0)
            for (const Briefing& b : replay.briefings()) truth.push_back(b.start);
        else if (row > 0 && numbers_[row - 1] == view.step - 1)
            truth = telemetry_.poses_at(row - 1);
        std::vector<std::vector<std::uint64_t>> bytes;
        for (const RobotStep& step : replay.recorded()) {
            auto& list = bytes.emplace_back();
            for (const Reception& received : step.received) list.push_back(received.bytes);
        }
        telemetry_.publish(maker_.make(view, truth, bytes));
        telemetry_.update([&](Progress& p) {
            p.ended = finished_ && view.step == last_;
            p.end = end_;
            if (!replay.damaged().empty() && p.warning.empty())
                p.warning = "the log is damaged: " + replay.damaged().back();
        });
    }

    std::size_t index_of(int step) const {
        return static_cast<std::size_t>(std::lower_bound(numbers_.begin(), numbers_.end(), step) - numbers_.begin());
    }

    /// The rebuilt state must have the hash in the log.
    void compare(const StepView& view) {
        const std::size_t k = index_of(view.step);
        if (k >= hashes_.size() || numbers_[k] != view.step || hashes_[k] == view.hash) return;
        telemetry_.update([&](Progress& p) {
            if (p.warning.empty()) p.warning = fmt::format("the replay diverges from the log at step {}", view.step);
        });
    }

    std::vector<std::string> notes_;  // on a recording
    std::atomic<bool> interrupted_{false}, again_{false};
    WatchableLog file_;
    std::unique_ptr<LogReader> log_;
    std::atomic<int> target_{-1};
    std::atomic<bool> finished_{false};
    std::string end_;
    SnapshotMaker maker_{telemetry_, info_};
    int rebuilds_ = -1, noted_ = -1, last_ = -1;
    std::size_t rows_ = 0, events_ = 0;
    std::vector<Hash128> hashes_;
    std::vector<int> numbers_;
    std::string playing_;  // the log that is played: the file, or the one from running it again
    std::thread thread_, historian_;
};

}  // namespace

std::unique_ptr<Source> make_replay(const std::string& log) { return std::make_unique<ReplaySource>(log); }

}  // namespace outrider::view
