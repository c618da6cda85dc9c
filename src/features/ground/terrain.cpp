#include "features/ground/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "scenario/scenario.hpp"
#include "world/ground.hpp"

namespace outrider {
namespace {

using Percent = Grid<std::uint8_t>;

constexpr double most_level = 65535;  // of a height

std::uint8_t percent_of(double share) {
    return static_cast<std::uint8_t>(std::clamp<long>(std::lround(100 * share), Ground::least, Ground::level));
}

void slow_down(Percent& ground, std::size_t i, double share) {
    ground.cells()[i] = std::min(ground.cells()[i], percent_of(share));
}

/// What slopes leave of the speed. The slope at a cell is that between its neighbours that are no walls.
void add_slopes(const Scenario& s, Percent& ground) {
    const auto [rise, run] = sin_cos(radians(20));
    const double steepest = rise / run, level_m = terrain_of(s).top_m() / most_level;
    const Grid<std::uint16_t>& height = *s.layers.height;
    const auto slope = [&](Cell c, Cell d) {
        const auto open = [&](Cell n) { return s.walls.get(n, 1) == 0; };
        const Cell high = open(c + d) ? c + d : c, low = open(c - d) ? c - d : c;
        const int cells = std::abs(high.x - low.x) + std::abs(high.y - low.y);
        return cells == 0 ? 0 : (height[high] - height[low]) * level_m / s.walls.lattice().metres(cells);
    };
    for (std::size_t i = 0; i < ground.cells().size(); ++i)
        if (const Cell c = ground.cell(i); !s.walls[c])
            slow_down(ground, i, 1 - std::hypot(slope(c, {1, 0}), slope(c, {0, 1})) / steepest);
}

/// Smooth noise from 0 to 1: numbers at the points of a lattice of patch_m, and between them a weighted mean.
Grid<float> noise(const Scenario& s, int stream) {
    Grid<float> out(s.walls.width(), s.walls.height(), 0, s.walls.lattice());
    const double side = s.walls.lattice().cells(terrain_of(s).patch_m);
    const int columns = static_cast<int>(s.walls.width() / side) + 2,
              rows = static_cast<int>(s.walls.height() / side) + 2;
    Grid<float> points(columns, rows, 0);
    for (std::size_t i = 0; i < points.cells().size(); ++i)
        points.cells()[i] =
            static_cast<float>(Rng(s.run.seed, -1, Purpose::terrain, stream, static_cast<std::uint32_t>(i)).uniform());
    const auto smooth = [](double t) { return static_cast<float>(t * t * (3 - 2 * t)); };
    for (std::size_t i = 0; i < out.cells().size(); ++i) {
        const Cell c = out.cell(i);
        const double x = (c.x + 0.5) / side, y = (c.y + 0.5) / side;
        const Cell p{static_cast<int>(x), static_cast<int>(y)};
        const float u = smooth(x - p.x), v = smooth(y - p.y);
        const auto between = [](float a, float b, float t) { return a + (b - a) * t; };
        out.cells()[i] = between(between(points[p], points[p + Cell{1, 0}], u),
                                 between(points[p + Cell{0, 1}], points[p + Cell{1, 1}], u), v);
    }
    return out;
}

/// The free cells with the highest noise, as many as are asked for.
void add_patches(const Scenario& s, Percent& ground) {
    const Grid<float> values = noise(s, 0);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < ground.cells().size(); ++i)
        if (!s.walls.cells()[i]) open.push_back(i);
    std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
        return values.cells()[a] != values.cells()[b] ? values.cells()[a] > values.cells()[b] : a < b;
    });
    const TerrainOptions& o = terrain_of(s);
    const auto count = static_cast<std::size_t>(std::lround(o.rough_share * static_cast<double>(open.size())));
    for (std::size_t k = 0; k < count; ++k) slow_down(ground, open[k], o.rough_speed);
}

/// Squares of 1.2 m with blocks of 0.1 m on the floor, each as high as chance will, in metres. None within 1 m of a
/// start.
Grid<float> step_fields(const Scenario& s) {
    constexpr double field_m = 1.2, block_m = 0.1, clear_m = 1;
    Grid<float> out(s.walls.width(), s.walls.height(), 0, s.walls.lattice());
    const double share = terrain_of(s).step_share;
    if (share == 0) return out;
    const Lattice& lattice = s.walls.lattice();
    for (std::size_t i = 0; i < out.cells().size(); ++i) {
        const Point p = lattice.centre(out.cell(i));
        const auto key = [&](double side_m) {
            return (static_cast<std::int64_t>(p.y / side_m) << 20) + static_cast<std::int64_t>(p.x / side_m);
        };
        if (Rng(s.run.seed, key(field_m), Purpose::terrain, 2).uniform() >= share) continue;
        bool start = false;
        for (std::size_t k = 0; k < s.robots.size() && !start; ++k)
            start = distance(lattice.centre(s.start_cell(k)), p) < clear_m;
        if (start) continue;
        out.cells()[i] =
            static_cast<float>(highest_block_m * Rng(s.run.seed, key(block_m), Purpose::terrain, 3).uniform());
    }
    return out;
}

/// Walls get the height of the free cells around them, so that the floor goes on below them.
void go_on_below_walls(const Grid<std::uint8_t>& walls, Grid<std::uint16_t>& height) {
    std::vector<Cell> rim;
    Percent done(walls.width(), walls.height(), 0);
    for (std::size_t i = 0; i < walls.cells().size(); ++i)
        if (!walls.cells()[i]) {
            done.cells()[i] = 1;
            rim.push_back(walls.cell(i));
        }
    while (!rim.empty()) {
        std::vector<Cell> next;
        for (const Cell c : rim)
            for (const Cell d : {Cell{1, 0}, Cell{0, 1}, Cell{-1, 0}, Cell{0, -1}}) {
                if (!walls.contains(c + d) || done[c + d]) continue;
                done[c + d] = 1;
                height[c + d] = height[c];
                next.push_back(c + d);
            }
        rim = std::move(next);
    }
}

}  // namespace

const TerrainOptions& terrain_of(const Scenario& s) { return s.features.get<TerrainOptions>(); }

std::shared_ptr<const Grid<std::uint16_t>> read_height(const Scenario& s, const std::string& path) {
    auto out = std::make_shared<Grid<std::uint16_t>>(read_layer(s, path));
    go_on_below_walls(s.walls, *out);
    return out;
}

std::shared_ptr<const Grid<std::uint16_t>> draw_height(const Scenario& s) {
    auto out = std::make_shared<Grid<std::uint16_t>>(s.walls.width(), s.walls.height(), 0, s.walls.lattice());
    const TerrainOptions& o = terrain_of(s);
    const Grid<float> hills = noise(s, 1), blocks = step_fields(s);
    for (std::size_t i = 0; i < out->cells().size(); ++i) {
        const double height_m =
            o.hills_m * static_cast<double>(hills.cells()[i]) + static_cast<double>(blocks.cells()[i]);
        out->cells()[i] = static_cast<std::uint16_t>(std::lround(height_m / o.top_m() * most_level));
    }
    return out;
}

std::shared_ptr<const Percent> make_ground(const Scenario& s, const Grid<std::uint16_t>* speed) {
    auto ground = std::make_shared<Percent>(s.walls.width(), s.walls.height(), Ground::level, s.walls.lattice());
    if (speed)
        for (std::size_t i = 0; i < ground->cells().size(); ++i) slow_down(*ground, i, speed->cells()[i] / most_level);
    if (s.layers.height) add_slopes(s, *ground);
    if (terrain_of(s).rough_share > 0) add_patches(s, *ground);
    return ground;
}

}  // namespace outrider
