#include "scene/theme.hpp"

#include <fmt/format.h>

namespace outrider {
namespace {

constexpr Colour hex(std::uint32_t c) {
    return {static_cast<std::uint8_t>(c >> 16), static_cast<std::uint8_t>(c >> 8 & 255),
            static_cast<std::uint8_t>(c & 255)};
}

Theme light_theme() {
    Theme t;
    t.dark = false;
    t.window = hex(0xE9EDF2), t.panel = hex(0xF8FAFC), t.raised = hex(0xFFFFFF), t.line = hex(0xD5DCE5);
    t.text = hex(0x1C222B), t.faint = hex(0x5D6878), t.accent = hex(0x0B6BC2), t.on_accent = hex(0xFFFFFF);
    t.warning = hex(0x9A5B00), t.error = hex(0xB3261E);
    t.outside = hex(0xE2E7ED), t.unknown = hex(0xCBD3DD), t.hidden_wall = hex(0xA6B0BE), t.wall = hex(0x2A303B);
    t.free = hex(0xFFFFFF), t.undelivered = hex(0xFFEDC2), t.safe = hex(0xBFE6D4), t.frontier = hex(0x1C8FDB);
    t.skeleton = hex(0x9A84F5), t.paper = hex(0xFFFFFF);
    t.age_new = hex(0xF7E27C), t.age_old = hex(0x34688F);
    t.visited_once = hex(0xFBD9B5), t.visited_often = hex(0x8A2F04);
    t.ahead = hex(0xC27C0E), t.behind = hex(0x3F86C6);
    t.undelivered_line = hex(0xB87700), t.safe_line = hex(0x00805D);
    t.unreachable = hex(0xA3ACBA), t.narrow = hex(0xF6BE78);
    t.link = hex(0x4E5B6C), t.goal = hex(0xC43E00), t.candidate = hex(0xB87700), t.meeting = hex(0x7B2FBE);
    t.robots = palette;
    return t;
}

Theme dark_theme() {
    Theme t;
    t.dark = true;
    t.window = hex(0x0F1216), t.panel = hex(0x181C22), t.raised = hex(0x222831), t.line = hex(0x323A45);
    t.text = hex(0xE6EAF0), t.faint = hex(0x96A1B0), t.accent = hex(0x4BA3F2), t.on_accent = hex(0x0B1016);
    t.warning = hex(0xF0B45A), t.error = hex(0xFF8A80);
    t.outside = hex(0x0F1216), t.unknown = hex(0x1D2229), t.hidden_wall = hex(0x59636F), t.wall = hex(0xC7D0DC);
    t.free = hex(0x3C4653), t.undelivered = hex(0x5C5034), t.safe = hex(0x2F6553), t.frontier = hex(0x4DB8F5);
    t.skeleton = hex(0x9D8CFF), t.paper = hex(0x14181D);
    t.age_new = hex(0xE8D436), t.age_old = hex(0x33425E);
    t.visited_once = hex(0x6B4A33), t.visited_often = hex(0xFFD08A);
    t.ahead = hex(0xD99A3A), t.behind = hex(0x6FB1EA);
    t.undelivered_line = hex(0xF2B134), t.safe_line = hex(0x4FD1A5);
    t.unreachable = hex(0x59636F), t.narrow = hex(0x8A6A3C);
    t.link = hex(0xA6B2C2), t.goal = hex(0xFF8A4C), t.candidate = hex(0xF2B134), t.meeting = hex(0xC98BFF);
    t.robots = {hex(0x059EC7), hex(0xDD7E1E), hex(0x2DE38F), hex(0xB68690),
                hex(0xEAD000), hex(0xBADAFF), hex(0x9A7EF9), hex(0xFEF5E5)};
    return t;
}

/// As variables of a style sheet.
std::string variables(const Theme& t) {
    std::string out = fmt::format("color-scheme:{}", t.dark ? "dark" : "light");
    for (const auto& [name, colour] :
         std::initializer_list<std::pair<const char*, Colour>>{{"window", t.window},
                                                               {"panel", t.panel},
                                                               {"line", t.line},
                                                               {"text", t.text},
                                                               {"faint", t.faint},
                                                               {"accent", t.accent},
                                                               {"warn", t.error},
                                                               {"outside", t.outside},
                                                               {"unknown", t.unknown},
                                                               {"hidden", t.hidden_wall},
                                                               {"wall", t.wall},
                                                               {"free", t.free},
                                                               {"undelivered", t.undelivered},
                                                               {"undelivered-line", t.undelivered_line},
                                                               {"link", t.link},
                                                               {"goal", t.goal},
                                                               {"candidate", t.candidate},
                                                               {"meeting", t.meeting}})
        out += fmt::format(";--{}:{}", name, css(colour));
    for (std::size_t k = 0; k < t.robots.size(); ++k) out += fmt::format(";--r{}:{}", k, css(t.robots[k]));
    return out;
}

}  // namespace

const Theme& theme(bool dark) {
    static const Theme day = light_theme(), night = dark_theme();
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
