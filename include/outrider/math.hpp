// Elementary functions whose bits do not depend on the machine.
//
// glibc chooses its sin, exp, ... by what the CPU offers and gives other bits without FMA; whatever feeds a decision
// therefore goes through these. Built from + - * / and sqrt alone; within 2 ulp of the true value in the ranges that
// this project uses (|angle| < 1e5 rad). std::sqrt, std::floor and std::hypot are safe as they are.
#pragma once

#include <numbers>

namespace outrider {

inline constexpr double pi = std::numbers::pi;

struct SinCos {
    double sin, cos;
};

/// Sine and cosine of an angle in radians, |angle| < 1e5.
SinCos sin_cos(double angle);
/// Angle of the vector (x, y) in (-pi, pi]; 0 for the zero vector.
double atan2(double y, double x);
double exp(double x);
/// Natural logarithm; x > 0 (0 gives -infinity).
double log(double x);
double log10(double x);
/// base^exponent for base > 0.
double pow(double base, double exponent);

/// The same angle in (-pi, pi].
double wrap_angle(double angle);
inline constexpr double radians(double degrees) { return degrees * (pi / 180); }
inline constexpr double degrees(double radians) { return radians * (180 / pi); }

}  // namespace outrider
