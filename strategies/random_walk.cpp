// Random walk as MRESim's helper has it (RandomWalk): mostly straight on, sometimes a small turn. A lower bound.
#include "outrider/strategy.hpp"

namespace outrider::random_walk_strategy {
namespace {

class RandomWalk final : public Strategy {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "wanders at random; a lower bound for comparisons";
    using Options = NoOptions;
    explicit RandomWalk(const Options&) {}

    Intent choose(const Belief&, Rng&) override { return {.action = RandomStep{}}; }
};

OUTRIDER_STRATEGY("random_walk", RandomWalk)

}  // namespace
}  // namespace outrider::random_walk_strategy
