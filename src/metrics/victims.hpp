// Whom the team found, as the first base station knows it, against the truth.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "robot/victim_log.hpp"
#include "run/run.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {

class VictimCounts {
  public:
    void on_step(const StepView& view, const SimDriver& truth);
    int all() const { return static_cast<int>(found_at_.size()); }
    /// People of whom the base station has a report within 2 m that is not declined.
    int found() const {
        return static_cast<int>(std::ssize(found_at_) - std::count(found_at_.begin(), found_at_.end(), -1));
    }
    /// The step in which the base station first had such a report; -1: never.
    const std::vector<int>& found_at() const { return found_at_; }
    int confirmed = 0;        ///< people with a confirmed report within 2 m
    int false_confirmed = 0;  ///< confirmed reports with nobody within 2 m
    int driven_over = 0;      ///< steps of robots in which their body touched somebody, summed up
    double cleared_m2 = 0;    ///< floor that, as the base station knows, a camera has cleared
    double score = 0;  ///< 10 for each who is confirmed, known by number, known by status, within 1 m; -10 if false

  private:
    void judge_reports(const StepView& view, const std::vector<Victim>& victims,
                       const std::vector<FoundVictim>& reports);
    std::vector<int> found_at_;
};

}  // namespace outrider
