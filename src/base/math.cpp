#include "outrider/geometry.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace outrider {
namespace {

// pi/2 in three parts of 33, 33 and 53 bits: n * part is exact for the n that occur (Cody & Waite 1980).
constexpr double half_pi_1 = 1.57079632673412561417e+00;
constexpr double half_pi_2 = 6.07710050630396597660e-11;
constexpr double half_pi_3 = 2.02226624879595063154e-21;
constexpr double ln2_high = 6.93147180369123816490e-01;
constexpr double ln2_low = 1.90821492927058770002e-10;

/// Taylor series of the sine and the cosine on |r| <= pi/4; the first omitted terms are below 1e-18.
double sin_small(double r) {
    const double q = r * r;
    double s = 1.0 / 355687428096000;
    for (const double c :
         {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6})
        s = s * q + c;
    return r + r * (q * s);
}
double cos_small(double r) {
    const double q = r * r;
    double s = 1.0 / 20922789888000;
    for (const double c : {-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24})
        s = s * q + c;
    const double half = 0.5 * q;
    const double one = 1 - half;
    return one + (((1 - one) - half) + q * q * s);
}

/// Arc tangent on [0, 1]: shift by pi/8 or pi/4, then the series on |z| <= tan(pi/16).
double atan_unit(double a) {
    constexpr double tan_pi_8 = 0.41421356237309504880, tan_pi_16 = 0.19891236737965800691,
                     tan_3_pi_16 = 0.66817863791929891999;
    double offset = 0, z = a;
    if (a > tan_3_pi_16) {
        offset = pi / 4;
        z = (a - 1) / (a + 1);
    } else if (a > tan_pi_16) {
        offset = pi / 8;
        z = (a - tan_pi_8) / (1 + a * tan_pi_8);
    }
    const double q = z * z;
    double s = 0;
    for (int k = 23; k >= 3; k -= 2) s = (s + ((k / 2) % 2 == 0 ? 1.0 : -1.0) / k) * q;
    return offset + (z + z * s);
}

}  // namespace

SinCos sin_cos(double angle) {
    const double n = std::floor(angle * (2 / pi) + 0.5);
    const double r = ((angle - n * half_pi_1) - n * half_pi_2) - n * half_pi_3;
    const double s = sin_small(r), c = cos_small(r);
    switch (static_cast<long long>(n) & 3) {
        case 0:
            return {s, c};
        case 1:
            return {c, -s};
        case 2:
            return {-s, -c};
        default:
            return {-c, s};
    }
}

double atan2(double y, double x) {
    const double ax = std::abs(x), ay = std::abs(y);
    if (ax == 0 && ay == 0) return 0;
    double a = ay <= ax ? atan_unit(ay / ax) : pi / 2 - atan_unit(ax / ay);
    if (x < 0) a = pi - a;
    return y < 0 ? (a == pi ? pi : -a) : a;
}

double exp(double x) {
    if (x > 709.7) return std::numeric_limits<double>::infinity();
    if (x < -745) return 0;
    const double n = std::floor(x * (1 / std::numbers::ln2) + 0.5);
    const double r = (x - n * ln2_high) - n * ln2_low;
    double s = 0;
    for (int k = 15; k >= 2; --k) s = (s + 1) * r / k;
    return std::ldexp(1 + (r + r * s), static_cast<int>(n));
}

double log(double x) {
    if (x <= 0) return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    if (!std::isfinite(x)) return x;
    int exponent;
    double m = std::frexp(x, &exponent);
    if (m < std::numbers::sqrt2 / 2) {
        m *= 2;
        --exponent;
    }
    const double z = (m - 1) / (m + 1), q = z * z;  // log m = 2 artanh z
    double s = 0;
    for (int k = 23; k >= 3; k -= 2) s = (s + 1.0 / k) * q;
    return exponent * ln2_high + (2 * z + (2 * z * s + exponent * ln2_low));
}

double log10(double x) { return log(x) * (1 / std::numbers::ln10); }

double pow(double base, double exponent) { return exp(exponent * log(base)); }

double wrap_angle(double angle) {
    const double turns = std::ceil((angle - pi) / (2 * pi));  // (-pi, pi]
    double a = angle - turns * (2 * pi);
    if (a <= -pi) a = pi;  // one rounding below the open end
    return a > pi ? pi : a;
}

}  // namespace outrider
