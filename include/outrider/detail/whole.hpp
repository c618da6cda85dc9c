// Doubles as whole numbers. A plain conversion is undefined for what does not fit; these give the nearest number that
// does, and the least one for what is no number.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace outrider {

/// The whole number below, from -2^30 to 2^30 - 1: differences of two of them do not overflow.
inline std::int32_t whole_below(double v) {
    constexpr double far = 1 << 30;
    if (std::abs(v) < far) [[likely]]
        return static_cast<std::int32_t>(std::floor(v));
    return v > 0 ? (1 << 30) - 1 : -(1 << 30);
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
