// Reserve (polimi fork of MRESim, 2017): one robot explores, the others wait at the base until it calls.
#include "shared/groups.hpp"

namespace outrider::reserve_strategy {
namespace {

class Reserve final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "one explores, the others wait until a frontier is called (polimi)";
    using Options = GroupOptions;
    explicit Reserve(const Options& options) : member_(options, 1) {}

    Intent choose(const Belief& belief, Rng&) override { return member_.choose(belief); }

  private:
    GroupMember member_;
};

OUTRIDER_STRATEGY("reserve", Reserve)

}  // namespace
}  // namespace outrider::reserve_strategy
