// Divide and conquer (polimi fork of MRESim, 2017): one group that halves itself at every fork.
#include "shared/groups.hpp"

namespace outrider::divide_and_conquer_strategy {
namespace {

class DivideAndConquer final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "all travel together and halve the group at every fork (polimi)";
    using Options = GroupOptions;
    explicit DivideAndConquer(const Options& options) : member_(options, 0) {}

    Intent choose(const Belief& belief, Rng&) override { return member_.choose(belief); }

  private:
    GroupMember member_;
};

OUTRIDER_STRATEGY("divide_and_conquer", DivideAndConquer)

}  // namespace
}  // namespace outrider::divide_and_conquer_strategy
