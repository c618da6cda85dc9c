// Who computes the assignment of a team: every robot for itself from all messages, or the elected leader of each
// connected component, who sends it to the others.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "shared/election.hpp"
#include "shared/teamwork.hpp"

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
    /// The command of the leader, another robot in contact: the frontier nearest to the commanded goal, within a fifth
    /// of the sensor's range of it. Empty: no leader, no command for this robot, or the goal is explored.
    std::optional<int> given(const Belief& belief, const std::vector<Frontier>& frontiers) const;
    /// As a leader: the plan to send. assigned: index into goals or -1, by row of `team`.
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

/// The course of strategies that share out frontiers to a whole team: choose as Pursuit does, each robot for itself or
/// as its leader commands.
class TeamPursuit {
  public:
    struct Options {
        ReplanGuard::Options replan{};
        MateOptions mates{};
        TeamPlan::Options plan{};
        GoalOptions goals{};
        void fields(Fields& f) {
            replan.fields(f);
            mates.fields(f);
            plan.fields(f);
            goals.fields(f);
        }
    };
    /// Who takes part, and the index into the frontiers that each of them gets, or -1.
    struct Shares {
        std::vector<Participant> team;
        std::vector<int> assigned;
    };
    explicit TeamPursuit(const Options& options)
        : goals_(options.goals), pursuit_(options.replan), plan_(options.plan) {}

    /// share(frontiers) gives Shares, this robot among the team. A leader sends the others their goals.
    template <class Share>
    Intent step(const Belief& belief, Rng& rng, Share&& share) {
        plan_.listen(belief, rng);
        const auto candidates = [&](const Belief& b) { return frontier_goals(b, goals_); };
        Intent intent = pursuit_.step(belief, candidates, [&](const std::vector<Frontier>& frontiers) {
            if (const std::optional<int> given = plan_.given(belief, frontiers)) {
                if (belief.overlays_wanted()) explain({Overlay::rule("what the leader of this component decided")});
                return *given;
            }
            const Shares shares = share(frontiers);
            plan_.publish(shares.team, goals_of(frontiers), shares.assigned);
            return shares.assigned[own_row(belief, shares.team)];
        });
        if (!pursuit_.target()) plan_.publish({}, {}, {});
        plan_.speak(intent);
        return intent;
    }
    void explain(std::vector<Overlay> why) { pursuit_.explain(std::move(why)); }

  private:
    GoalOptions goals_;
    Pursuit pursuit_;
    TeamPlan plan_;
};

}  // namespace outrider
