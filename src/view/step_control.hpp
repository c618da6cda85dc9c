// Paces a run step by step: pause, single steps, a rate, run to some step. Clocks decide when a step runs, never its
// result.
#pragma once

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>

namespace outrider::view {

class StepControl {
  public:
    /// Steps a second; 0: as fast as possible.
    void set_speed(double steps_per_s);
    void play(bool on);
    /// Allows this many more steps, then pauses.
    void let_pass(int steps);
    /// Runs without pause or pace until this step is done, then pauses, or plays.
    void run_to(int step, bool then_play = false);
    /// Wakes a waiting thread, once, without allowing a step.
    void poke();
    /// Ends all waiting, for good.
    void close();
    void open();

    enum class Turn { go, poked, closed };
    /// Waits until the step after `done` may begin.
    Turn wait(int done);
    /// Whether wait(done) would block.
    bool would_pause(int done) const;
    bool playing() const;

  private:
    bool may_pass(int done) const;
    using Clock = std::chrono::steady_clock;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool playing_ = false, then_play_ = false, closed_ = false, poked_ = false;
    int left_ = 0, target_ = -1;
    double speed_ = 0;
    Clock::time_point next_{};
};

}  // namespace outrider::view
