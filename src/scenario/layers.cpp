#include "scenario/layers.hpp"

#include "base/image.hpp"
#include "outrider/error.hpp"
#include "scenario/scenario.hpp"
#include "world/ground.hpp"

namespace outrider {

std::shared_ptr<const KnownMap> prior_map(const Scenario& s) {
    if (!s.layers.plan) return nullptr;
    auto map = std::make_shared<KnownMap>(s.walls.lattice());
    TileTable<CellTile> tiles;
    for (std::size_t i = 0; i < s.layers.plan->cells().size(); ++i) {
        const auto value = static_cast<PlanCell>(s.layers.plan->cells()[i]);
        const Cell c = s.layers.plan->cell(i) - s.team_origin();
        if (value != PlanCell::unknown)
            tiles.at(tile_of(c)).set(c, value == PlanCell::wall ? CellState::occupied : CellState::free);
    }
    tiles.for_each([&](TileCoord t, const CellTile& tile) { map->observe(t, tile, 0); });
    return map;
}

std::shared_ptr<const Ground> ground_of(const Scenario& s) {
    if (!s.layers.ground) return nullptr;
    Grid<std::uint8_t> placed = *s.layers.ground;
    placed.set_origin(Cell{} - s.team_origin());
    return std::make_shared<const Ground>(std::move(placed));
}

Grid<std::uint16_t> read_layer(const Scenario& s, const std::string& path) {
    const GreyImage image = read_png(path, s.map.channels);
    if (image.width != s.walls.width() || image.height != s.walls.height())
        fail("{}: {} x {} pixels, but the map has {} x {} cells; expected the same size", path, image.width,
             image.height, s.walls.width(), s.walls.height());
    Grid<std::uint16_t> out(image.width, image.height, 0, s.walls.lattice());
    for (std::size_t i = 0; i < out.cells().size(); ++i) {
        const Cell c = out.cell(i);
        const auto row = static_cast<std::size_t>(image.height - 1 - c.y);
        out.cells()[i] = image.values[row * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(c.x)];
    }
    return out;
}

}  // namespace outrider
