// A strategy: one file in strategies/, one class, one OUTRIDER_STRATEGY line. It sees its robot's belief and nothing
// else. Where several strategies are compiled together, each has a namespace of its own: outrider::mine_strategy.
//
//     struct MyOptions {
//         double alpha = 2;
//         void fields(Fields& f) { f("alpha", alpha, 0, 10, "weight of the gain"); }
//     };
//
//     class Mine final : public Strategy {
//       public:
//         static constexpr Traits traits{.explores = true};
//         static constexpr const char* summary = "what it does, in a line";
//         using Options = MyOptions;
//         explicit Mine(const Options& options) ...
//         Intent choose(const Belief& belief, Rng& rng) override ...
//     };
//     OUTRIDER_STRATEGY("mine", Mine)
//
// State is kept in members, never in statics. No files, no clocks: the same belief and the same random numbers must
// give the same intent.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/error.hpp"
#include "outrider/frontier.hpp"
#include "outrider/intent.hpp"
#include "outrider/options.hpp"
#include "outrider/path.hpp"
#include "outrider/percept.hpp"
#include "outrider/rng.hpp"

namespace outrider {

/// What the conformance tests may expect of a strategy.
struct Traits {
    bool explores = false;          ///< explores everything reachable, alone as well
    bool needs_contact = false;     ///< does not move without its team
    bool operator_driven = false;   ///< waits for commands
    bool needs_deliveries = false;  ///< reads the marks at_base
    bool takes_orders = false;      ///< carries out an operator's orders itself: belief.orders()
};

class Strategy {
  public:
    virtual ~Strategy() = default;
    /// Throws Error, beginning with `where`, when its options do not fit maps with cells of this size.
    virtual void expect_fits(double /*cell_m*/, const std::string& /*where*/) const {}
    /// Called every step. rng is keyed by (seed, robot, step).
    virtual Intent choose(const Belief& belief, Rng& rng) = 0;
};

struct NoOptions {
    void fields(Fields&) {}
};

}  // namespace outrider

#include "outrider/detail/register.hpp"

/// Registers Class, which has `traits`, `summary` and Options as above, under that name. The program stops at start-up
/// when two strategies have one name.
#define OUTRIDER_STRATEGY(name, Class) \
    static const bool outrider_registered_##Class = ::outrider::detail::register_type<Class>(name, __FILE__);
