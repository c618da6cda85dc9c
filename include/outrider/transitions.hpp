// The state machines of strategies without what is done in a state: pure functions, tested row by row.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace outrider {

/// How a robot keeps up the link to the one before it in a chain.
enum class Tether : std::uint8_t {
    held,  ///< linked
    back,  ///< drives back to where it was linked last
    seek,  ///< drives to where the other one was last
    home   ///< gave up: drives home
};
inline constexpr std::array<std::string_view, 4> tether_names{"held", "back", "seek", "home"};

/// When a broken link makes a robot change its mind: steps since it broke.
struct TetherTimes {
    int back = 20, seek = 100;
};

constexpr Tether next(Tether now, bool linked, int lost_for, TetherTimes times) {
    if (linked) return Tether::held;
    switch (now) {
        case Tether::held:
            return Tether::back;
        case Tether::back:
            return lost_for >= times.back ? Tether::seek : Tether::back;
        case Tether::seek:
            return lost_for >= times.seek ? Tether::home : Tether::seek;
        case Tether::home:
            return Tether::home;
    }
    return now;
}

}  // namespace outrider
