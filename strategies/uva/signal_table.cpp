#include "uva/signal_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "outrider/math.hpp"

namespace outrider {
namespace {

constexpr double least_m = 0.1;  // nearer than that the formula means nothing

}  // namespace

void SignalTable::add(double distance_m, double signal_dbm) {
    newest_ = {std::max(distance_m, least_m), signal_dbm};
    const auto square = [](const Sample& s) { return std::pair(std::floor(s.distance_m), std::floor(s.signal_dbm)); };
    const auto at = std::lower_bound(samples_.begin(), samples_.end(), newest_,
                                     [&](const Sample& a, const Sample& b) { return square(a) < square(b); });
    if (at != samples_.end() && square(*at) == square(newest_))
        *at = newest_;
    else
        samples_.insert(at, newest_);
}

std::optional<SignalTable::Expected> SignalTable::expect(double distance_m, double exponent, double near) const {
    if (samples_.empty()) return {};
    const double d = std::max(distance_m, least_m);
    const double formula = newest_.signal_dbm + 10 * exponent * (log10(newest_.distance_m) - log10(d));
    const Sample* best = nullptr;
    double least = 0;
    for (const Sample& s : samples_) {
        const double metres = std::abs(s.distance_m - d), db = std::abs(s.signal_dbm - formula);
        const double off = metres * metres + db * db;
        if (metres > near || db > near || (best && off >= least)) continue;
        best = &s;
        least = off;
    }
    return best ? Expected{best->signal_dbm, true} : Expected{formula, false};
}

double SignalTable::success(double signal_dbm, double cutoff_dbm) {
    return 1 - std::min(1.0, 2 * pow(10, cutoff_dbm - signal_dbm));
}

}  // namespace outrider
