// Who works out the assignment of a team: every robot for itself from what all said, or the elected leader of each
// connected component, who tells the others.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "outrider/election.hpp"
#include "outrider/teamwork.hpp"

namespace outrider {

enum class PlannedBy { each, leader };
inline constexpr std::array<std::string_view, 2> planned_by_names{"each", "leader"};

class TeamPlan {
  public:
    struct Options {
        PlannedBy planner = PlannedBy::each;
        Election::Options election;
        void fields(Fields& f) {
            f("planner", planner, planned_by_names,
              "who shares out the goals: every robot by itself, or the leader that each connected component elects");
            election.fields(f);
        }
    };
    explicit TeamPlan(const Options& options) : options_(options) {}

    /// Once a step, before anything else.
    void listen(const Belief& belief, Rng& rng);
    /// What the leader, another robot in contact, told this one: the frontier nearest to the goal that it got, within
    /// a fifth of the sensor's range of it. Empty: no leader, no word of this robot, or the goal is explored.
    std::optional<int> given(const Belief& belief, const std::vector<Frontier>& frontiers) const;
    /// As a leader: what to tell. assigned: index into goals or -1, by row of `team`.
    void publish(const std::vector<Participant>& team, const std::vector<Cell>& goals,
                 const std::vector<int>& assigned);
    void speak(Intent& intent) const;
    /// -1: none is known, or everybody plans.
    RobotId leader() const { return election_ ? election_->leader() : -1; }

  private:
    bool leads() const { return election_ && election_->office() == Office::leader; }

    Options options_;
    std::optional<Election> election_;
    std::vector<std::int64_t> says_;  // of the election
    std::vector<std::int64_t> plan_;  // robot, goal x, goal y, ...
};

}  // namespace outrider
