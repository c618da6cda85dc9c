// Groups that travel together and split at forks: what the reserve, buddy and divide-and-conquer strategies of the
// polimi fork of MRESim (2017) have in common.
#pragma once

#include <optional>
#include <vector>

#include "shared/teamwork.hpp"

namespace outrider {

struct GroupOptions {
    ReplanGuard::Options replan;
    MateOptions mates;
    GoalOptions goals{.goal_spacing = 0};
    double apart_m = 12.5;
    int patience_steps = 50;
    int split_steps = 25;

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        goals.fields(f);
        f("apart_m", apart_m, 0, 1000, "frontiers nearer to each other are one: nobody else is sent there");
        f("patience_steps", patience_steps, 1, 10000,
          "who hears nothing of its leader, or of any explorer, for so long explores");
        f("split_steps", split_steps, 1, 10000, "a group that has split gets that order for so long");
    }
};

/// One robot's part in its group. The first group explores at once; the others wait where they are until a call for a
/// frontier that they are nearest to. A leader goes to the nearest frontier, its followers with it. At a fork the
/// second half of the group takes the other branch, under a leader of its own. Frontiers for which no robot is left are
/// called.
class GroupMember {
  public:
    /// group_size 0: one group of all. Explorers by number: the first so many are a group, and so on.
    GroupMember(const GroupOptions& options, int group_size)
        : options_(options), group_size_(group_size), pursuit_(options.replan) {}
    Intent choose(const Belief& belief);

  private:
    enum State : std::int64_t { waiting, leading, following };
    struct Split {
        std::vector<RobotId> members;  ///< the new leader first
        Cell goal;
        int until;
    };
    void begin(const Belief& belief);
    void hear(const Belief& belief);
    bool called(const Belief& belief) const;
    Intent lead(const Belief& belief);
    int select(const Belief& belief, const std::vector<Frontier>& frontiers);
    std::vector<Word> words(const Belief& belief);
    std::vector<Cell> leaders_goals(const Belief& belief) const;
    bool apart(const Belief& belief, Cell a, Cell b) const;

    GroupOptions options_;
    int group_size_;
    Pursuit pursuit_;
    bool begun_ = false;
    State state_ = waiting;
    RobotId leader_ = 0;
    std::vector<RobotId> followers_;
    std::vector<Split> splits_;
    std::vector<Cell> calls_;      // frontiers that some robot should go to
    std::optional<Cell> sent_to_;  // where a new leader goes first
    int received_ = 0;             // the step of the last message from the leader or, when waiting, from any explorer
};

}  // namespace outrider
