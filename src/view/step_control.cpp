#include "view/step_control.hpp"

namespace outrider::view {

void StepControl::set_speed(double steps_per_s) {
    const std::lock_guard lock(mutex_);
    speed_ = steps_per_s;
    next_ = Clock::now();
    changed_.notify_all();
}

void StepControl::play(bool on) {
    const std::lock_guard lock(mutex_);
    then_play_ = false;
    playing_ = on;
    left_ = 0;
    target_ = -1;
    next_ = Clock::now();
    changed_.notify_all();
}

void StepControl::let_pass(int steps) {
    const std::lock_guard lock(mutex_);
    then_play_ = false;
    playing_ = false;
    target_ = -1;
    left_ += steps;
    changed_.notify_all();
}

void StepControl::run_to(int step, bool then_play) {
    const std::lock_guard lock(mutex_);
    playing_ = false;
    then_play_ = then_play;
    left_ = 0;
    target_ = step;
    changed_.notify_all();
}

void StepControl::poke() {
    const std::lock_guard lock(mutex_);
    poked_ = true;
    changed_.notify_all();
}

void StepControl::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

void StepControl::open() {
    const std::lock_guard lock(mutex_);
    closed_ = poked_ = false;
}

bool StepControl::may_pass(int done) const { return playing_ || left_ > 0 || done < target_; }

bool StepControl::would_pause(int done) const {
    const std::lock_guard lock(mutex_);
    return !playing_ && !then_play_ && left_ <= 0 && done >= target_;
}

bool StepControl::playing() const {
    const std::lock_guard lock(mutex_);
    return playing_ || then_play_;
}

StepControl::Turn StepControl::wait(int done) {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (closed_) return Turn::closed;
        if (poked_) {
            poked_ = false;
            return Turn::poked;
        }
        if (then_play_ && done >= target_) {
            playing_ = true;
            then_play_ = false;
            target_ = -1;
            next_ = Clock::now();
        }
        if (!may_pass(done)) {
            changed_.wait(lock);
            continue;
        }
        if (playing_ && speed_ > 0 && Clock::now() < next_) {
            changed_.wait_until(lock, next_);
            continue;
        }
        break;
    }
    if (!playing_ && left_ > 0) --left_;
    if (playing_ && speed_ > 0) {
        // Keeps the beat; missed steps are not made up for.
        const auto beat = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / speed_));
        const auto now = Clock::now();
        next_ = next_ + beat < now ? now + beat : next_ + beat;
    }
    return Turn::go;
}

}  // namespace outrider::view
