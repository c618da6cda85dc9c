#include "robot/energy_budget.hpp"

#include <algorithm>
#include <limits>

namespace outrider {
namespace {

constexpr double full_share = 0.99;  // charged
constexpr double low_share = 0.95;   // worth to charge while there is nothing else to do

}  // namespace

EnergyBudget::EnergyBudget(const BatteryOptions& options, const Briefing& briefing)
    : options_(options),
      any_(options.any() && briefing.drives() && !briefing.bases.empty()),
      per_m_j_(options.per_m_j +
               (options.idle_w + options.per_scan_j * static_cast<double>(briefing.sensors.size()) / briefing.step_s) /
                   briefing.me().speed_mps),
      known_way_m_(std::numeric_limits<double>::infinity()) {}

double EnergyBudget::spare_m(const Belief& belief) const {
    const double spare_j = (belief.percept().battery - options_.reserve_share) * options_.full_j();
    return per_m_j_ > 0 ? std::max(0.0, spare_j) / per_m_j_ : std::numeric_limits<double>::infinity();
}

bool EnergyBudget::needs_charge(double battery, bool enough, bool waiting) const {
    if (homeward_) return battery < full_share;
    return !enough || (waiting && battery < low_share);
}

}  // namespace outrider
