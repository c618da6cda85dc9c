#include "scenario/layer_image.hpp"

#include "base/image.hpp"
#include "outrider/error.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

Grid<std::uint16_t> read_layer(const Scenario& s, std::string_view key, const std::string& path) {
    const GreyImage image = [&] {
        try {
            return read_png(path, s.map.channels);
        } catch (const Error& error) {
            fail("{}: {}", key, error.what());
        }
    }();
    if (image.width != s.walls.width() || image.height != s.walls.height())
        fail("{}: {}: {} x {} pixels, but the map has {} x {} cells; expected the same size", key, path, image.width,
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
