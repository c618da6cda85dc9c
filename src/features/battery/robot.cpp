// What a robot makes of its battery, whatever its strategy: it drives home to charge in time, and leaves frontiers
// alone from which it would not come back.
#include <algorithm>
#include <limits>

#include "messages/battery_options.hpp"
#include "outrider/belief.hpp"
#include "outrider/intent.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

constexpr double full_share = 0.99;  // charged
constexpr double low_share = 0.95;   // worth to charge while there is nothing else to do

/// All that a metre of way takes, in joules.
double per_metre_j(const BatteryOptions& options, const Briefing& briefing) {
    const double scans_j = options.per_scan_j * static_cast<double>(briefing.sensors.size());
    return options.per_m_j + (options.idle_w + scans_j / briefing.step_s) / briefing.me().speed_mps;
}

class EnergyBudget final : public Copied<EnergyBudget, RobotPart> {
  public:
    EnergyBudget(const BatteryOptions& options, const Briefing& briefing)
        : options_(options), per_m_j_(per_metre_j(options, briefing)) {}

    void before_choice(Knowledge& known) override {
        known.spare_cells = known.briefing.lattice.cells(spare_m(*known.percept));
    }
    void after_choice(Knowledge& known, Intent& intent) override {
        const bool waiting = intent.done && known.derived->frontiers_out_of_reach();
        homeward_ = must_charge(known, waiting);
        if (!homeward_) return;
        known.turned_back = true;
        intent.action = Goto{Belief(known).home(), 0.8 * charging_range_m, {}};
        intent.done = false;
        if (known.overlays_wanted)
            intent.overlays.push_back(Overlay::note(Overlay::Meaning::rule, "battery", "goes home to charge"));
    }

  private:
    /// How far it can drive until only the reserve is left.
    double spare_m(const Percept& percept) const {
        const double spare_j = (percept.battery - options_.reserve_share) * options_.full_j();
        return per_m_j_ > 0 ? std::max(0.0, spare_j) / per_m_j_ : std::numeric_limits<double>::infinity();
    }
    /// Whether it has to be on its path home, or stay there until it is full. `waiting`: it found nothing to do but
    /// frontiers that are out of reach.
    bool must_charge(Knowledge& known, bool waiting) {
        const Percept& percept = *known.percept;
        // Whoever drove so far can drive back: the path home is no longer than it was, and the way since.
        known_path_m_ += norm(percept.motion.delta.position());
        if (homeward_) return percept.battery < full_share;
        const auto enough = [&] { return spare_m(percept) >= path_home_factor * known_path_m_; };
        if (!enough()) known_path_m_ = known.briefing.lattice.metres(known.derived->path_home_cells(known.cell()));
        return !enough() || (waiting && percept.battery < low_share);
    }

    BatteryOptions options_;
    double per_m_j_;
    bool homeward_ = false;
    double known_path_m_ = std::numeric_limits<double>::infinity();  // the path home is no longer
};

}  // namespace

std::unique_ptr<RobotPart> make_energy_budget_part(const Briefing& briefing, const RobotOptions& options) {
    const bool can_charge = briefing.drives() && !briefing.bases.empty();
    const auto battery = options.features.get_or_default<BatteryOptions>();
    return battery.any() && can_charge ? std::make_unique<EnergyBudget>(battery, briefing) : nullptr;
}

}  // namespace outrider
