// Measured signals by the distance to the sender: which signal to expect elsewhere (UvA Rescue; Visser & Slamet,
// "Including communication success in the estimation of information gain for multi-robot exploration", 2008).
#pragma once

#include <optional>
#include <vector>

namespace outrider {

class SignalTable {
  public:
    void add(double distance_m, double signal_dbm);

    /// The expected signal at another distance: the newest sample, extrapolated through free space; then replaced by
    /// the sample nearest to that in (metres, dB), if one is within `near` in both. Empty: nothing was measured yet.
    /// `exponent`: of the path loss.
    struct Expected {
        double signal_dbm = 0;
        bool measured = false;  ///< the signal is that of a sample
    };
    std::optional<Expected> expect(double distance_m, double exponent, double near = 8) const;

    /// How likely a message gets through: 1 - 2 * 10^(cutoff - signal), 0 at least.
    static double success(double signal_dbm, double cutoff_dbm);

  private:
    struct Sample {
        double distance_m = 0, signal_dbm = 0;
    };
    std::vector<Sample> samples_;  // at most one in a square of 1 m and 1 dB, sorted by it
    Sample newest_;
};

}  // namespace outrider
