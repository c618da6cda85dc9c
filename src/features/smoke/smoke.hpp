// Smoke: discs in which light is lost. What a range finder makes of it depends on its kind (S. Formsma et al.,
// "Realistic simulation of laser range finder behavior in a smoky environment", RoboCup 2010).
#pragma once

#include <span>

#include "outrider/geometry.hpp"

namespace outrider {

struct SmokeDisc {
    Point middle;  ///< in metres of the world's frame
    double radius_m = 0;
    double density = 0;  ///< 1: a beam ends after 5.75 mm; where discs overlap, densities add up
};

/// Density times metres after which a beam is lost.
inline constexpr double smoke_limit_m = 0.00575;

/// How far a beam gets, in metres: `length_m`, or where it is lost. direction: of length one.
double clear_length_m(std::span<const SmokeDisc> smoke, Point origin, Point direction, double length_m);

}  // namespace outrider
