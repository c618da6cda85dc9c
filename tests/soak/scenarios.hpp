// Random scenarios over all families of maps, strategies and settings, by number: the same seed and number give the
// same scenario.
#pragma once

#include <cstdint>
#include <string>

#include "messages/order_words.hpp"
#include "scenario/scenario.hpp"

namespace outrider::soak {

struct Draw {
    std::string toml;  ///< as a user would write it; with its map "map.png"
    Scenario scenario;
    std::string orders_file;  ///< for `--operator`; empty: no orders
    std::vector<OperatorOrder> orders;
};
/// Throws Error when what was drawn does not fit together (three robots with a body on a map without room for them).
Draw draw_scenario(std::uint64_t seed, std::uint64_t number);

}  // namespace outrider::soak
