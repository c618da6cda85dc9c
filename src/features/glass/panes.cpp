#include "features/glass/options.hpp"

#include <cmath>

#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

std::shared_ptr<const Grid<std::uint8_t>> read_glass(const Scenario& s, const std::string& path) {
    constexpr std::uint16_t bright = 0x8000;
    const Grid<std::uint16_t> image = read_layer(s, path);
    auto out = std::make_shared<Grid<std::uint8_t>>(s.walls.width(), s.walls.height(), 0, s.walls.lattice());
    for (std::size_t i = 0; i < out->cells().size(); ++i) out->cells()[i] = image.cells()[i] < bright;
    return out;
}

std::shared_ptr<const Grid<std::uint8_t>> draw_glass(const Scenario& s) {
    constexpr double side_m = 2;
    constexpr int stream = 3;  // after those of plans
    const double share = s.features.get<GlassOptions>().share;
    const int side = std::max(1, static_cast<int>(std::lround(s.walls.lattice().cells(side_m)))),
              columns = (s.walls.width() + side - 1) / side;
    auto out = std::make_shared<Grid<std::uint8_t>>(s.walls.width(), s.walls.height(), 0, s.walls.lattice());
    for (std::size_t i = 0; i < out->cells().size(); ++i) {
        if (!s.walls.cells()[i]) continue;
        const Cell c = out->cell(i);
        const auto square = static_cast<std::uint32_t>(c.y / side * columns + c.x / side);
        out->cells()[i] = Rng(s.run.seed, -1, Purpose::prior, stream, square).uniform() < share;
    }
    return out;
}

}  // namespace outrider
