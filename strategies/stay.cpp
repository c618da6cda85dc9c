// A robot that stays where it is: base stations, relays placed by hand.
#include "outrider/strategy.hpp"

namespace outrider {
namespace {

class StayPut final : public Strategy {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "stays where it is; what base stations do";
    using Options = NoOptions;
    explicit StayPut(const Options&) {}

    Intent choose(const Belief&, Rng&) override { return {.action = Stay{}, .done = true}; }
};

OUTRIDER_STRATEGY("stay", StayPut)

}  // namespace
}  // namespace outrider
