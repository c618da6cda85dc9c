// What environments show beside their agents' observations: the truth, and pictures.
#include <bit>
#include <map>

#include "learning/place_lattice.hpp"
#include "learning/true_graph.hpp"
#include "outrider/behaviours.hpp"
#include "pictures/picture.hpp"
#include "player/page.hpp"
#include "player/page_observer.hpp"
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

py::dict Environments::true_graph(int environment, int most) const {
    expect_environment(environment);
    const Episode& episode = this->episode(environment);
    const TrueGraph graph = outrider::true_graph(episode);
    const auto count = static_cast<int>(graph.places.size());
    if (count > most) fail("true_graph: the map has {} places: expected as many nodes or more, got {}", count, most);
    const auto range = static_cast<float>(sensor_range_cells(episode.belief(0)));
    py::array_t<float> nodes({most, 3});
    py::array_t<std::int32_t> neighbours({most, PlaceGraph::neighbours}), rows(py::ssize_t{agents_});
    py::array_t<std::int8_t> mask(py::ssize_t{most});
    std::fill_n(nodes.mutable_data(), nodes.size(), 0.0f);
    std::fill_n(neighbours.mutable_data(), neighbours.size(), -1);
    std::fill_n(rows.mutable_data(), rows.size(), -1);
    std::ranges::copy(graph.agent_rows, rows.mutable_data());
    std::map<std::pair<int, int>, int> row_of;
    for (int i = 0; i < count; ++i) {
        const Cell c = graph.places[static_cast<std::size_t>(i)];
        row_of[{c.x, c.y}] = i;
    }
    for (int i = 0; i < most; ++i) {
        mask.mutable_at(i) = i < count;
        if (i >= count) continue;
        const auto k = static_cast<std::size_t>(i);
        const Cell c = graph.places[k];
        nodes.mutable_at(i, 0) = (static_cast<float>(c.x) + 0.5f) / range;
        nodes.mutable_at(i, 1) = (static_cast<float>(c.y) + 0.5f) / range;
        nodes.mutable_at(i, 2) = static_cast<float>(graph.utility[k]) / (range * range);
        for (std::uint32_t edges = graph.edges[k]; edges != 0; edges &= edges - 1) {
            const int slot = std::countr_zero(edges);
            const Cell step = step_of(slot);
            neighbours.mutable_at(i, slot) =
                row_of.at({c.x + step.x * graph.spacing_cells, c.y + step.y * graph.spacing_cells});
        }
    }
    py::dict out;
    out["nodes"] = nodes;
    out["neighbours"] = neighbours;
    out["node_mask"] = mask;
    out["agents"] = rows;
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

py::bytes Environments::page(int environment) const {
    expect_environment(environment);
    std::string page;
    {
        const py::gil_scoped_release released;
        std::optional<PlayerRecorder> recorder;
        std::optional<PageObserver> observer;
        const Episode played = episode(environment).again([&](Simulation& sim) {
            recorder.emplace(sim.scenario(), sim.driver().world().walls());
            sim.add_observer(observer.emplace(sim, *recorder, true));
        });
        const Simulation& sim = played.simulation();
        recorder->settle(sim.team());
        PlayerCaption caption = page_caption(sim, sim.end().value_or(EndReason::interrupted), "");
        if (!sim.end()) caption.end.clear();
        const PlayedRun run{*recorder, std::move(caption)};
        page = player_page(std::span(&run, 1));
    }
    return page;
}

}  // namespace outrider::python
