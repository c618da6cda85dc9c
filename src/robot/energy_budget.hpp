// What a robot makes of its battery, whatever its strategy: it drives home to charge in time, and leaves frontiers
// alone from which it would not come back.
#pragma once

#include "messages/battery_options.hpp"
#include "outrider/belief.hpp"

namespace outrider {

class EnergyBudget {
  public:
    /// The way home takes so much more than the same way elsewhere: detours, waiting, rounding.
    static constexpr double caution = 1.2;

    EnergyBudget(const BatteryOptions& options, const Briefing& briefing);
    /// Whether there is a battery that can get empty, and a base to charge it.
    bool any() const { return any_; }

    /// How far, in metres, it can drive until only the reserve is left.
    double spare_m(const Belief& belief) const;
    /// Once a step: whether it has to be on its way home, or stay there until it is full. `way_home_m()`: as far as it
    /// knows; asked for when it could matter. `waiting`: it found nothing to do but frontiers that are out of reach.
    template <class WayHome>
    bool homeward(const Belief& belief, WayHome&& way_home_m, bool waiting) {
        // Whoever drove so far can drive back: the way home is no longer than it was, and the way since.
        known_way_m_ += norm(belief.percept().motion.delta.position());
        const auto enough = [&] { return spare_m(belief) >= caution * known_way_m_; };
        if (!homeward_ && !enough()) known_way_m_ = way_home_m();
        homeward_ = needs_charge(belief.percept().battery, enough(), waiting);
        return homeward_;
    }

  private:
    bool needs_charge(double battery, bool enough, bool waiting) const;

    BatteryOptions options_;
    bool any_;
    double per_m_j_;  // all that a metre of way takes
    bool homeward_ = false;
    double known_way_m_;  // the way home is no longer
};

}  // namespace outrider
