// What environments show beside their agents' observations: the truth, and pictures.
#include "pictures/picture.hpp"
#include "python/environments.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider::python {

py::array_t<std::uint8_t> Environments::state(int environment) const {
    expect_environment(environment);
    const Simulation& sim = episode(environment).simulation();
    const Grid<std::uint8_t>& walls = sim.scenario().walls;
    const py::ssize_t width = walls.width(), height = walls.height();
    py::array_t<std::uint8_t> out({py::ssize_t{4}, height, width});
    auto at = out.mutable_unchecked<3>();
    const Cell origin = sim.scenario().team_origin();
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Cell c = Cell{x, y} - origin;
            at(0, y, x) = walls[{x, y}];
            at(1, y, x) = std::any_of(sim.team().begin(), sim.team().end(),
                                      [&](const Robot& r) { return r.map().state(c) != CellState::unknown; });
            at(2, y, x) = at(3, y, x) = 0;
        }
    const auto& bodies = sim.driver().world().bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Cell c = sim.briefings()[i].lattice.cell_of(bodies[i].pose.position()) + origin;
        if (c.x < 0 || c.y < 0 || c.x >= width || c.y >= height) continue;
        at(sim.briefings()[i].is_base() ? 3 : 2, c.y, c.x) = 1;
    }
    return out;
}

py::array_t<std::uint8_t> Environments::render(int environment) const {
    expect_environment(environment);
    const Simulation& sim = episode(environment).simulation();
    const std::vector<std::vector<Point>> no_tracks(sim.team().size());
    scene::Stage stage(sim.scenario());
    const Raster raster = draw_run(moment_of(sim, no_tracks, stage), fmt::format("step {}", sim.progress().steps));
    py::array_t<std::uint8_t> out({py::ssize_t{raster.height}, py::ssize_t{raster.width}, py::ssize_t{3}});
    std::copy(raster.values.begin(), raster.values.end(), out.mutable_data());
    return out;
}

}  // namespace outrider::python
