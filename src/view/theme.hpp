// Colours: light and dark, distinct for people with any colour vision.
#pragma once

#include <cstdint>

#include "base/canvas.hpp"

namespace outrider::view {

struct Theme {
    bool dark = false;
    Colour window, panel, raised, line, text, faint, accent, on_accent, warning, error;
    // The map.
    Colour outside, unknown, hidden_wall, wall, free, undelivered, safe, frontier, skeleton, paper;
    Colour age_new, age_old, visited_once, visited_often;
    Colour ahead, behind;  ///< known to the robot alone, known to the base alone
    Colour link, goal, candidate, meeting;
};
const Theme& theme(bool dark);
/// Base stations are neutral; robots have eight colours in turn.
Colour robot_colour(const Theme& theme, std::size_t robot, bool base);
/// How often the colours were used up before this robot got its own: such robots have a mark as well.
std::size_t colour_round(std::size_t robot, bool base);

inline Colour mix(Colour a, Colour b, double share_of_b) {
    const auto channel = [&](std::uint8_t x, std::uint8_t y) {
        return static_cast<std::uint8_t>(x + (y - x) * share_of_b + 0.5);
    };
    return {channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue)};
}

}  // namespace outrider::view
