// What is drawn of a run besides maps and robots: layers of items, each with a meaning. The window, pages, pictures,
// Foxglove and rviz all draw these, and know nothing of what they stand for.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/briefing.hpp"
#include "outrider/cells.hpp"
#include "outrider/geometry.hpp"
#include "scene/hue.hpp"

namespace outrider::scene {

/// In which part of a list of layers one stands.
enum class Group : std::uint8_t { map, robots, radio, reasons };
inline constexpr std::array<std::string_view, 4> group_names{"Map", "Robots", "Radio and team", "Reasons"};

enum class Shape : std::uint8_t {
    cells,     ///< Item::runs, filled
    disc,      ///< at each point, filled
    ring,      ///< at each point
    cross,     ///< at each point
    segments,  ///< between the first two points, the next two, ...
    text,      ///< beside each point
};
inline constexpr std::array<std::string_view, 6> shape_names{"cells", "disc", "ring", "cross", "segments", "text"};

/// Whose knowledge an item is.
enum class Knower : std::uint8_t { nobody, base, robot };  ///< nobody: it is the truth

/// What items stand for, and how they look: an entry of the legend.
struct Meaning {
    std::string_view text;
    Shape shape = Shape::cells;
    Hue hue = Hue::ink;
    double opacity = 1;
    Knower knower = Knower::nobody;
};

/// Cells of a row, from `first` to the right, in the team's frame.
struct CellRun {
    Cell first;
    int length = 1;
    bool operator==(const CellRun&) const = default;
};

/// Metres of the team's frame.
struct Item {
    std::uint8_t meaning = 0;  ///< index into LayerInfo::meanings
    RobotId robot = -1;        ///< whom it is about; -1: nobody in particular
    double strength = 1;       ///< 0 to 1, times the meaning's opacity
    double radius_m = 0;       ///< of discs and rings; 0: a mark of the same size at any scale
    std::vector<Point> points{};
    std::vector<CellRun> runs{};
    std::string text{};
    bool operator==(const Item&) const = default;
};
/// What covers a part of the map, and lines, are drawn below robots; marks and words above them.
inline bool is_below_robots(const Item& item, const Meaning& meaning) {
    return meaning.shape == Shape::cells || meaning.shape == Shape::segments || item.radius_m > 0;
}
/// nullptr: none. Those that do not change from step to step are the same object.
using Items = std::shared_ptr<const std::vector<Item>>;

/// What is known of a layer before a run begins.
struct LayerInfo {
    std::string_view key;          ///< in presets, topics and arguments: letters, digits, _
    std::string_view title, help;  ///< for people
    Group group = Group::map;
    bool per_robot = false;  ///< can be shown for some robots alone: each of its items is about one
    std::vector<Meaning> meanings{};
};

struct Layer {
    const LayerInfo* info = nullptr;  ///< lives as long as the program
    Items items;
};
using Scene = std::vector<Layer>;

/// The runs of the cells of a rectangle, `first` its lower left one, for which `is` holds.
template <class Is>
std::vector<CellRun> runs_of(Cell first, int width, int height, Is&& is) {
    std::vector<CellRun> runs;
    for (int y = first.y; y < first.y + height; ++y)
        for (int x = first.x; x < first.x + width; ++x) {
            const int from = x;
            while (x < first.x + width && is(Cell{x, y})) ++x;
            if (x > from) runs.push_back({{from, y}, x - from});
        }
    return runs;
}

inline Items items_of(std::vector<Item> items) {
    return items.empty() ? nullptr : std::make_shared<const std::vector<Item>>(std::move(items));
}

/// What the items of a scene stand for, each once: its legend.
std::vector<const Meaning*> meanings_in(const Scene& scene);

/// Follows a scene from step to step.
class SceneFollower {
  public:
    /// The layers that show something else than when this was last called; without items: nothing any more.
    Scene changes(const Scene& now);

  private:
    Scene last_;
};

}  // namespace outrider::scene
