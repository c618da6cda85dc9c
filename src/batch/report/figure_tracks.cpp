// Maps with the tracks of the robots: runs of the sweep done again.
#include <algorithm>
#include <cmath>

#include "base/byte_stream.hpp"
#include "batch/report/figures.hpp"
#include "batch/report/run_pages.hpp"
#include "batch/report/svg.hpp"
#include "batch/table.hpp"
#include "outrider/error.hpp"
#include "pictures/picture.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

constexpr std::size_t csv_every = 5;  // steps

/// The walls as a mask: white where there is a wall.
std::string wall_mask(const Grid<std::uint8_t>& walls, const std::string& id, double width, double height) {
    Raster raster{walls.width(), walls.height(), 1, {}};
    for (int y = walls.height() - 1; y >= 0; --y)
        for (int x = 0; x < walls.width(); ++x) raster.values.push_back(walls[{x, y}] ? 255 : 0);
    const std::string data = "data:image/png;base64," + base64(encode_png(raster));
    return fmt::format(
        "<mask id='{0}' maskUnits='userSpaceOnUse' x='0' y='0' width='{1}' height='{2}'>"
        "<image width='{1}' height='{2}' preserveAspectRatio='none' xlink:href='{3}'/></mask>"
        "<rect class='u' fill-opacity='.75' width='{1}' height='{2}' mask='url(#{0})'/>",
        id, coordinate(width), coordinate(height), data);
}

/// The cell's run on a map that has the median of the metric; the lower one if there are two.
std::optional<std::size_t> median_pair(const Results& results, std::size_t cell, int map,
                                       const std::vector<double>& values) {
    std::vector<std::size_t> pairs;
    for (std::size_t pair = 0; pair < results.pairs(); ++pair)
        if (results.map_of(pair) == map && results.there(cell, pair) && !std::isnan(values[pair]))
            pairs.push_back(pair);
    if (pairs.empty()) return {};
    const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>((pairs.size() - 1) / 2);
    std::nth_element(pairs.begin(), middle, pairs.end(),
                     [&](std::size_t a, std::size_t b) { return std::pair(values[a], a) < std::pair(values[b], b); });
    return *middle;
}

}  // namespace

FigureSet tracks_figure(Results& results, const Analysis& analysis, std::size_t maps, double width) {
    FigureSet out;
    out.csv = "map,cell,run,robot,step,x_m,y_m\n";
    const SweepPlan& plan = results.plan();
    const std::string& metric = plan.report.metrics[0];
    const std::vector<std::vector<double>> all = results.metric(metric);
    const std::vector<std::size_t>& cells = analysis.groups[0].cells;
    const SweepRuns runs(results.planned());
    for (std::size_t m = 0; m < std::min(maps, plan.maps.size()); ++m)
        for (std::size_t i = 0; i < std::min(cells.size(), tracks_cells); ++i) {
            const std::size_t c = cells[i];
            const auto pair = median_pair(results, c, static_cast<int>(m), test_values(results, c, metric, all[c]));
            if (!pair) continue;
            const SweepRun run = runs.at(results.run_of(c, *pair));
            const SweepScenario base = sweep_scenario(results.planned(), run.map, run.cell);
            if (!can_run_again(base.scenario, results.decided_by(c))) continue;
            Simulation sim(seeded(base, run.seed), {});
            TrackRecorder tracks(sim.driver());
            sim.add_observer(tracks);
            sim.run();
            const Scenario& s = sim.scenario();
            const double cell_m = s.map.cell_m, scale = width / (s.walls.width() * cell_m),
                         height = s.walls.height() * cell_m * scale, top = 32;
            const Point origin = s.team_origin_m();
            const auto px = [&](Point p) { return Point{(p.x + origin.x) * scale, height - (p.y + origin.y) * scale}; };
            const std::string value = std::isnan(all[c][*pair]) ? "never" : short_number(all[c][*pair]);
            Panel panel;
            panel.width = width;
            panel.height = height + top;
            panel.alt = fmt::format("paths of the robots: {} on {}", analysis.name_of(c), plan.maps[m].name);
            panel.svg = fmt::format(
                "<text class='t h' x='2' y='13'>{}</text><text class='u n' x='2' y='26'>"
                "{}, run {}: {} {}</text><g transform='translate(0 {})'>",
                escaped(analysis.name_of(c)), escaped(plan.maps[m].name), run.id, metric, value, coordinate(top));
            panel.svg += wall_mask(s.walls, fmt::format("m{}c{}", m, c), width, height);
            std::size_t colour = 0;
            for (std::size_t r = 0; r < tracks.tracks().size(); ++r) {
                const std::vector<Point>& track = tracks.tracks()[r];
                if (track.empty()) continue;
                const Point start = px(track.front());
                if (s.robots[r].role == Role::base) {
                    panel.svg += fmt::format("<rect class='t' x='{}' y='{}' width='7' height='7'/>",
                                             coordinate(start.x - 3.5), coordinate(start.y - 3.5));
                    continue;
                }
                std::string path = fmt::format("M{} {}", coordinate(start.x), coordinate(start.y));
                Point last = start;
                for (std::size_t k = 0; k < track.size(); ++k) {
                    const Point at = px(track[k]);
                    if (k % csv_every == 0)
                        out.csv += fmt::format("{},{},{},{},{},{:.3f},{:.3f}\n", csv_field(plan.maps[m].name),
                                               csv_field(analysis.name_of(c)), run.id, csv_field(s.robots[r].name), k,
                                               track[k].x + origin.x, track[k].y + origin.y);
                    if (distance(at, last) < 1.2 && k + 1 < track.size()) continue;
                    path += fmt::format("L{} {}", coordinate(at.x), coordinate(at.y));
                    last = at;
                }
                panel.svg += fmt::format("<path class='w {}' stroke-opacity='.85' stroke-linejoin='round' d='{}'/>",
                                         stroke_class(colour), path);
                panel.svg += fmt::format("<circle class='{}' cx='{}' cy='{}' r='2.6'/>", fill_class(colour++),
                                         coordinate(last.x), coordinate(last.y));
            }
            panel.svg += "</g>";
            out.panels.push_back(std::move(panel));
        }
    return out;
}

}  // namespace outrider
