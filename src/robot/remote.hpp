// A strategy whose intent is set from outside: by a program that steps a simulation, by a learner, by a test.
#pragma once

#include <memory>
#include <optional>

#include "robot/registry.hpp"

namespace outrider {

/// Until an intent is set, the robot stays where it is and an overlay says so; it is not done until then.
class RemoteStrategy final : public Strategy, public CopiesItself {
  public:
    /// The robot's intent, shared with whoever sets it. It holds in every step from the next one on, until another is
    /// set; its strategy events count once. Not to be touched during a step.
    struct Slot {
        std::optional<Intent> intent;
    };

    static constexpr Traits traits{.operator_driven = true};
    static constexpr const char* summary = "does what a program that steps the simulation sets as its intent";
    struct Options {
        bool obeys = true;
        void fields(Fields& f) {
            f("obeys", obeys,
              "an operator's orders take the place of what is set; otherwise who sets it sees to them (outrider "
              "serve)");
        }
    };
    RemoteStrategy() = default;
    explicit RemoteStrategy(const Options& options) : options_(options) {}
    /// In a WholeCopy, whose of() finds the slot.
    std::unique_ptr<Strategy> copy() const override;
    bool obeys() const { return options_.obeys; }

    Intent choose(const Belief& belief, Rng& rng) override;
    void set_intent(Intent intent) { slot_->intent = std::move(intent); }
    const std::shared_ptr<Slot>& slot() const { return slot_; }

  private:
    Options options_;
    std::shared_ptr<Slot> slot_ = std::make_shared<Slot>();
};

/// For the registry.
StrategyInfo remote_strategy();

}  // namespace outrider
