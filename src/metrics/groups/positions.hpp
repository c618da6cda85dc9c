// Positions that robots hold (strategy positions): how often they change, and how often two hold the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "metrics/group.hpp"
#include "outrider/intent.hpp"

namespace outrider {

class PositionCounts final : public Copied<PositionCounts, Counter> {
  public:
    void on_step(const StepView& view) override {
        for (std::size_t i = 0; i < view.team.size(); ++i)
            if (view.percepts[i].alive)
                take(i, view.decisions[i].strategy_events);
            else
                leave(i);
        end_step();
    }
    /// What a robot's strategy reported in a step.
    void take(std::size_t robot, const std::vector<StrategyEvent>& events) {
        for (const StrategyEvent& e : events) {
            if (e.kind != StrategyEvent::Kind::positioned) continue;
            held_.resize(std::max(held_.size(), robot + 1), -1);
            changes_ += held_[robot] >= 0;
            held_[robot] = e.steps;
        }
    }
    /// That robot is out of service: it holds nothing.
    void leave(std::size_t robot) {
        if (robot < held_.size() && held_[robot] > 0) held_[robot] = 0;
    }
    void end_step() {
        if (!any()) return;
        ++steps_;
        std::vector<int> held;
        std::copy_if(held_.begin(), held_.end(), std::back_inserter(held), [](int position) { return position > 0; });
        std::sort(held.begin(), held.end());
        doubled_ += std::adjacent_find(held.begin(), held.end()) != held.end();
    }
    bool any() const override { return !held_.empty(); }
    /// After the first one of each robot.
    std::int64_t changes() const { return changes_; }
    /// Steps since the first robot took one, and those of them in which two held the same.
    std::int64_t steps() const { return steps_; }
    std::int64_t doubled() const { return doubled_; }

  private:
    std::vector<int> held_;  // by robot; 0: none, -1: none yet
    std::int64_t changes_ = 0, steps_ = 0, doubled_ = 0;
};

}  // namespace outrider
