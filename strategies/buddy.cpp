// Buddy system (polimi fork of MRESim, 2017): pairs travel together and part at forks; idle pairs are called.
#include "shared/groups.hpp"

namespace outrider::buddy_strategy {
namespace {

class Buddy final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "pairs travel together and part at forks; others wait to be called (polimi)";
    using Options = GroupOptions;
    explicit Buddy(const Options& options) : member_(options, 2) {}

    Intent choose(const Belief& belief, Rng&) override { return member_.choose(belief); }

  private:
    GroupMember member_;
};

OUTRIDER_STRATEGY("buddy", Buddy)

}  // namespace
}  // namespace outrider::buddy_strategy
