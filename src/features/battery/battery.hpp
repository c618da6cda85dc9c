// The battery of a robot as it really is.
#pragma once

#include "messages/battery_options.hpp"

namespace outrider {

class Battery {
  public:
    explicit Battery(const BatteryOptions& options) : options_(options), left_j_(options.full_j()) {}

    /// What a robot did in a step.
    struct Use {
        double step_s = 0, driven_m = 0, sent_kb = 0;
        int scans = 0;
        bool at_base = false;  ///< within reach of a base station that charges it
    };
    void use(const Use& u) {
        if (!options_.any()) return;
        // Who only stays at a base with a full battery does not come to charge.
        const bool charged = charging_;
        charging_ = u.at_base && (charging_ ? share() < 1 : share() < comes_to_charge);
        trips_ += charging_ && !charged;
        left_j_ += (u.at_base ? options_.charge_w : 0) * u.step_s;
        const double used = options_.idle_w * u.step_s + options_.per_m_j * u.driven_m + options_.per_kb_j * u.sent_kb +
                            options_.per_scan_j * u.scans;
        used_j_ += used;
        left_j_ -= used;
        left_j_ = left_j_ < 0 ? 0 : left_j_ > options_.full_j() ? options_.full_j() : left_j_;
    }
    /// Share of a full one; without a battery 1.
    double share() const { return options_.any() ? left_j_ / options_.full_j() : 1; }
    /// Whether it is at a base, where it came with less than 95 % and is not full yet.
    bool charging() const { return charging_; }
    /// How often it came to charge.
    int trips() const { return trips_; }
    /// All that was taken from it.
    double used_j() const { return used_j_; }
    bool empty() const { return options_.any() && left_j_ <= 0; }

  private:
    static constexpr double comes_to_charge = 0.95;
    BatteryOptions options_;
    double left_j_, used_j_ = 0;
    bool charging_ = false;
    int trips_ = 0;
};

}  // namespace outrider
