// The one table of colours, for light and dark ground: window, page, pictures, reports and Foxglove take theirs from
// it. tests/test_theme.cpp says what it promises: contrast, and what people with any colour vision tell apart.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/canvas.hpp"

namespace outrider {

struct Theme {
    bool dark = false;
    Colour window, panel, raised, line, text, faint, accent, on_accent, warning, error;
    // The map.
    Colour outside, unknown, hidden_wall, wall, free, undelivered, safe, frontier, skeleton, paper;
    Colour undelivered_line, safe_line;  ///< hatches over these, which grey prints and projectors keep
    Colour unreachable, narrow;          ///< of what `check` draws
    Colour age_new, age_old, visited_once, visited_often;
    Colour ahead, behind;  ///< known to the robot alone, known to the base alone
    Colour link, goal, candidate, meeting;
    std::array<Colour, 8> robots;  ///< eight in turn; also of strategies in reports
};
const Theme& theme(bool dark);
/// "#0b6bc2"
std::string css(Colour colour);
/// Both themes as variables of the style sheet of the page (src/player/web): dark ones for the class `dark`.
std::string page_colours();
/// Whether a cell is on the line of a hatch: rising to the right, or falling.
inline bool on_hatch(int column, int row, bool rising) { return ((rising ? column - row : column + row) & 3) == 0; }
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

}  // namespace outrider
