// Colours of what is drawn, by name: each with a shade for light and one for dark ground. They are told apart with any
// colour vision.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/canvas.hpp"

namespace outrider {

enum class Hue : std::uint8_t { ink, faint, red, orange, amber, green, cyan, blue, violet, brown };
inline constexpr std::array<std::string_view, 10> hue_names{"ink",   "faint", "red",  "orange", "amber",
                                                            "green", "cyan",  "blue", "violet", "brown"};

Colour shade(Hue hue, bool dark = false);

}  // namespace outrider
