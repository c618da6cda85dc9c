// Doubles as whole numbers. A plain conversion is undefined for what does not fit; these give the nearest number that
// does, and the least one for what is no number.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace outrider {

/// The whole number below, within 2^30 of zero: differences of two of them do not overflow.
inline std::int32_t whole_below(double v) {
    constexpr std::int32_t far = 1 << 30;
    const double floor = std::floor(v);
    if (!(floor > -far)) return 1 - far;
    return floor < far ? static_cast<std::int32_t>(floor) : far;
}

/// The value without its fraction, as static_cast has it where it fits.
template <class T = int>
T whole(double v) {
    static_assert(std::is_integral_v<T>);
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    if (!(v > static_cast<double>(low))) return low;
    return v < static_cast<double>(high) ? static_cast<T>(v) : high;
}

}  // namespace outrider
