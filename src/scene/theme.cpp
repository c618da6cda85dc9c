#include "scene/theme.hpp"

#include <fmt/format.h>

namespace outrider {
namespace {

constexpr Colour hex(std::uint32_t c) {
    return {static_cast<std::uint8_t>(c >> 16), static_cast<std::uint8_t>(c >> 8 & 255),
            static_cast<std::uint8_t>(c & 255)};
}

struct Row {
    Colour Theme::*colour;
    const char* variable;  // of the page's style sheet; empty: the page does not use it
    std::uint32_t light, dark;
};
constexpr Row rows[] = {
    {&Theme::window, "window", 0xE9EDF2, 0x0F1216},
    {&Theme::panel, "panel", 0xF8FAFC, 0x181C22},
    {&Theme::raised, "", 0xFFFFFF, 0x222831},
    {&Theme::line, "line", 0xD5DCE5, 0x323A45},
    {&Theme::text, "text", 0x1C222B, 0xE6EAF0},
    {&Theme::faint, "faint", 0x5D6878, 0x96A1B0},
    {&Theme::accent, "accent", 0x0B6BC2, 0x4BA3F2},
    {&Theme::on_accent, "", 0xFFFFFF, 0x0B1016},
    {&Theme::warning, "", 0x9A5B00, 0xF0B45A},
    {&Theme::error, "warn", 0xB3261E, 0xFF8A80},
    {&Theme::outside, "outside", 0xE2E7ED, 0x0F1216},
    {&Theme::unknown, "unknown", 0xCBD3DD, 0x1D2229},
    {&Theme::hidden_wall, "hidden", 0xA6B0BE, 0x59636F},
    {&Theme::wall, "wall", 0x2A303B, 0xC7D0DC},
    {&Theme::free, "free", 0xFFFFFF, 0x3C4653},
    {&Theme::undelivered, "undelivered", 0xFFEDC2, 0x5C5034},
    {&Theme::safe, "", 0xBFE6D4, 0x2F6553},
    {&Theme::frontier, "", 0x1C8FDB, 0x4DB8F5},
    {&Theme::skeleton, "", 0x9A84F5, 0x9D8CFF},
    {&Theme::paper, "", 0xFFFFFF, 0x14181D},
    {&Theme::age_new, "", 0xF7E27C, 0xE8D436},
    {&Theme::age_old, "", 0x34688F, 0x33425E},
    {&Theme::visited_once, "", 0xFBD9B5, 0x6B4A33},
    {&Theme::visited_often, "", 0x8A2F04, 0xFFD08A},
    {&Theme::ahead, "", 0xC27C0E, 0xD99A3A},
    {&Theme::behind, "", 0x3F86C6, 0x6FB1EA},
    {&Theme::undelivered_line, "undelivered-line", 0xB87700, 0xF2B134},
    {&Theme::safe_line, "", 0x00805D, 0x4FD1A5},
    {&Theme::unreachable, "", 0xA3ACBA, 0x59636F},
    {&Theme::narrow, "", 0xF6BE78, 0x8A6A3C},
    {&Theme::link, "link", 0x4E5B6C, 0xA6B2C2},
    {&Theme::goal, "goal", 0xC43E00, 0xFF8A4C},
    {&Theme::candidate, "candidate", 0xB87700, 0xF2B134},
    {&Theme::meeting, "meeting", 0x7B2FBE, 0xC98BFF},
};
constexpr std::array<Colour, 8> bright{hex(0x059EC7), hex(0xDD7E1E), hex(0x2DE38F), hex(0xB68690),
                                       hex(0xEAD000), hex(0xBADAFF), hex(0x9A7EF9), hex(0xFEF5E5)};

Theme make_theme(bool dark) {
    Theme t;
    t.dark = dark;
    t.robots = dark ? bright : palette;
    for (const Row& row : rows) t.*row.colour = hex(dark ? row.dark : row.light);
    return t;
}

/// As variables of a style sheet.
std::string variables(const Theme& t) {
    std::string out = fmt::format("color-scheme:{}", t.dark ? "dark" : "light");
    for (const Row& row : rows)
        if (*row.variable) out += fmt::format(";--{}:{}", row.variable, css(t.*row.colour));
    for (std::size_t k = 0; k < t.robots.size(); ++k) out += fmt::format(";--r{}:{}", k, css(t.robots[k]));
    return out;
}

}  // namespace

const Theme& theme(bool dark) {
    static const Theme day = make_theme(false), night = make_theme(true);
    return dark ? night : day;
}

std::string css(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

std::string page_colours() {
    return ":root{" + variables(theme(false)) + "}\n:root.dark{" + variables(theme(true)) + "}\n";
}

Colour robot_colour(const Theme& theme, std::size_t robot, bool base) {
    if (base) return theme.text;
    return theme.robots[(robot == 0 ? 0 : robot - 1) % theme.robots.size()];
}

std::size_t colour_round(std::size_t robot, bool base) { return base || robot == 0 ? 0 : (robot - 1) / palette.size(); }

}  // namespace outrider
