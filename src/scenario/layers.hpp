// What a scenario has besides the walls, cell by cell, and the files that it is read from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "outrider/detail/known_map.hpp"

namespace outrider {

struct Scenario;
class Ground;

/// The cells of a plan.
enum class PlanCell : std::uint8_t { unknown, free, wall };

/// By cell of the map's frame; nullptr: none.
struct MapLayers {
    std::shared_ptr<const Grid<std::uint8_t>> plan = nullptr;     ///< that robots are told, see PlanCell
    std::shared_ptr<const Grid<std::uint8_t>> ground = nullptr;   ///< see Ground
    std::shared_ptr<const Grid<std::uint8_t>> glass = nullptr;    ///< nonzero cells: walls there are of glass
    std::shared_ptr<const Grid<std::uint16_t>> height = nullptr;  ///< from 0 to 65535, which stands for the highest
};

/// An image that was read because the option `key` of a feature's section names it.
struct LayerFile {
    const char* section;
    const char* key;
    std::string path;
};

/// The plan as robots have it, in the team's frame; nullptr: there is none.
std::shared_ptr<const KnownMap> prior_map(const Scenario& s);
/// The ground in the team's frame; nullptr: all of it is level.
std::shared_ptr<const Ground> ground_of(const Scenario& s);

/// Brightness from 0 to 65535, by cell of the map's frame. Throws Error where it is no image of the map's size.
Grid<std::uint16_t> read_layer(const Scenario& s, const std::string& path);

}  // namespace outrider
