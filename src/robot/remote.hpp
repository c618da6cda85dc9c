// A strategy that is told from outside what to want: by a program that steps a simulation, by a learner, by a test.
#pragma once

#include <memory>
#include <optional>

#include "outrider/strategy.hpp"

namespace outrider {

/// Until it is told anything it stays where it is, and says so; it is then never done.
class RemoteStrategy final : public Strategy {
  public:
    /// What the robot wants, shared with whoever decides that. It is wanted in every step from the next one on, until
    /// something else is; what befell the strategy counts once. Not to be touched while a step is under way.
    struct Slot {
        std::optional<Intent> intent;
    };

    static constexpr Traits traits{.operator_driven = true};
    static constexpr const char* summary = "does what a program that steps the simulation sets as its intent";
    using Options = NoOptions;
    explicit RemoteStrategy(const Options& = {}) {}

    Intent choose(const Belief& belief, Rng& rng) override;
    void set_intent(Intent intent) { slot_->intent = std::move(intent); }
    const std::shared_ptr<Slot>& slot() const { return slot_; }

  private:
    std::shared_ptr<Slot> slot_ = std::make_shared<Slot>();
};

/// For the registry.
StrategyInfo remote_strategy();

}  // namespace outrider
