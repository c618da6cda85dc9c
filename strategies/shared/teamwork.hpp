// Parts of strategies that share out goals among a team: who takes part, where to go, and the costs for each robot.
#pragma once

#include <optional>
#include <vector>

#include "shared/frontier_goals.hpp"
#include "shared/tours.hpp"

namespace outrider {

/// A robot that is planned for.
struct Participant {
    RobotId robot = 0;
    Cell cell;                 ///< where it is, or was last
    std::optional<Cell> goal;  ///< where it reported to go
    int received = 0;          ///< the step of the message that reported this
};

struct MateOptions {
    int remember_steps = 100;
    void fields(Fields& f) {
        f("remember_steps", remember_steps, 0, 1'000'000, "team-mates silent for longer are left out");
    }
};

/// This robot and the explorers heard of lately that are not done, by number: equal knowledge gives the same team.
std::vector<Participant> participants(const Belief& belief, const MateOptions& options);
/// The place of this robot among them.
std::size_t own_row(const Belief& belief, const std::vector<Participant>& team);

/// The least path costs, in cells, from each robot to so many of the goals nearest to it: one search per robot. no_way
/// for the other goals, and where there is no path. (An assignment of n robots with the least sum of costs needs no
/// more than the n nearest goals of each.)
CostMatrix path_costs(const Belief& belief, const std::vector<Participant>& team, const std::vector<Cell>& goals,
                      std::size_t nearest);
/// Path lengths from a cell to goals and between those, in cells, as tours need them; no_way where there is no path.
TourCosts tour_costs(const Belief& belief, Cell start, const std::vector<Cell>& goals);
std::vector<Cell> goals_of(const std::vector<Frontier>& frontiers);

/// The course of most strategies: keep to a frontier, choose anew when the guard says so, go home when none is left.
class Pursuit {
  public:
    explicit Pursuit(const ReplanGuard::Options& options) : replan_(options) {}

    /// choose(frontiers) gives an index, or -1: none can be reached. `candidates(belief)` gives the frontiers; those
    /// that the robot got stuck on are left out.
    template <class Candidates, class Choose>
    Intent step(const Belief& belief, Candidates&& candidates, Choose&& choose) {
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) {
            if (gone || stalled) target_.reset();
            std::vector<Frontier> frontiers = candidates(belief);
            std::erase_if(frontiers, [&](const Frontier& f) { return stall_.barred(belief, f.goal); });
            const int chosen = frontiers.empty() ? -1 : choose(frontiers);
            target_ = chosen < 0 ? std::nullopt : std::optional(frontiers[static_cast<std::size_t>(chosen)]);
            if (!target_ && belief.overlays_wanted()) why_ = {Overlay::rule("no frontier can be reached: home")};
        }
        Intent intent = target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
        intent.overlays = why_;
        return intent;
    }
    /// Where it goes; while choosing: where it went, if that is still to be explored.
    const std::optional<Frontier>& target() const { return target_; }
    void explain(std::vector<Overlay> why) { why_ = std::move(why); }

  private:
    ReplanGuard replan_;
    StallGuard stall_;
    std::optional<Frontier> target_;
    std::vector<Overlay> why_;  // of the last choice
};

/// Shows a choice: the candidates with a value each, the rule, and who goes where (index into the frontiers or -1, by
/// row of `team`; empty: not shown).
std::vector<Overlay> assignment_overlays(const Belief& belief, const std::vector<Frontier>& frontiers,
                                         std::vector<double> values, std::string what, std::string rule,
                                         const std::vector<Participant>& team, const std::vector<int>& assigned);

}  // namespace outrider
