#include "scenario/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/image.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "scenario/scenario.hpp"
#include "world/ground.hpp"

namespace outrider {
namespace {

using Percent = Grid<std::uint8_t>;

/// Brightness from 0 to 1, by cell of the map's frame.
Grid<float> read_layer(const Scenario& s, const char* key, const std::string& path) {
    const GreyImage image = [&] {
        try {
            return read_png(path, s.map.channels);
        } catch (const Error& error) {
            fail("terrain.{}: {}", key, error.what());
        }
    }();
    if (image.width != s.walls.width() || image.height != s.walls.height())
        fail("terrain.{}: {}: {} x {} pixels, but the map has {} x {} cells; expected the same size", key, path,
             image.width, image.height, s.walls.width(), s.walls.height());
    Grid<float> out(image.width, image.height, 0, s.walls.lattice());
    for (std::size_t i = 0; i < out.cells().size(); ++i) {
        const Cell c = out.cell(i);
        const auto row = static_cast<std::size_t>(image.height - 1 - c.y);
        out.cells()[i] =
            static_cast<float>(
                image.values[row * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(c.x)]) /
            65535.0f;
    }
    return out;
}

std::uint8_t percent_of(double share) {
    return static_cast<std::uint8_t>(std::clamp<long>(std::lround(100 * share), Ground::least, Ground::level));
}

void slow_down(Percent& ground, std::size_t i, double share) {
    ground.cells()[i] = std::min(ground.cells()[i], percent_of(share));
}

/// What slopes leave of the speed. The slope at a cell is that between its neighbours that are no walls.
void add_slopes(const Scenario& s, const Grid<float>& height, Percent& ground) {
    const double steepest = std::tan(20 * std::numbers::pi / 180);
    const auto slope = [&](Cell c, Cell d) {
        const auto open = [&](Cell n) { return s.walls.get(n, 1) == 0; };
        const Cell high = open(c + d) ? c + d : c, low = open(c - d) ? c - d : c;
        const int cells = std::abs(high.x - low.x) + std::abs(high.y - low.y);
        return cells == 0 ? 0
                          : static_cast<double>(height[high] - height[low]) * s.terrain.height_m /
                                s.walls.lattice().metres(cells);
    };
    for (std::size_t i = 0; i < ground.cells().size(); ++i)
        if (const Cell c = ground.cell(i); !s.walls[c])
            slow_down(ground, i, 1 - std::hypot(slope(c, {1, 0}), slope(c, {0, 1})) / steepest);
}

/// Smooth noise from 0 to 1: numbers at the points of a lattice of patch_m, and between them a weighted mean.
Grid<float> noise(const Scenario& s) {
    Grid<float> out(s.walls.width(), s.walls.height(), 0, s.walls.lattice());
    const double side = s.walls.lattice().cells(s.terrain.patch_m);
    const int columns = static_cast<int>(s.walls.width() / side) + 2,
              rows = static_cast<int>(s.walls.height() / side) + 2;
    Grid<float> points(columns, rows, 0);
    for (std::size_t i = 0; i < points.cells().size(); ++i)
        points.cells()[i] =
            static_cast<float>(Rng(s.run.seed, -1, Purpose::terrain, 0, static_cast<std::uint32_t>(i)).uniform());
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
    const Grid<float> values = noise(s);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < ground.cells().size(); ++i)
        if (!s.walls.cells()[i]) open.push_back(i);
    std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
        return values.cells()[a] != values.cells()[b] ? values.cells()[a] > values.cells()[b] : a < b;
    });
    const auto count = static_cast<std::size_t>(std::lround(s.terrain.rough_share * static_cast<double>(open.size())));
    for (std::size_t k = 0; k < count; ++k) slow_down(ground, open[k], s.terrain.rough_speed);
}

}  // namespace

std::shared_ptr<const Percent> make_ground(const Scenario& s) {
    const TerrainOptions& o = s.terrain;
    auto ground = std::make_shared<Percent>(s.walls.width(), s.walls.height(), Ground::level, s.walls.lattice());
    if (!o.speed.empty()) {
        const Grid<float> share = read_layer(s, "speed", s.layer_files.speed);
        for (std::size_t i = 0; i < ground->cells().size(); ++i)
            slow_down(*ground, i, static_cast<double>(share.cells()[i]));
    }
    if (!o.height.empty()) add_slopes(s, read_layer(s, "height", s.layer_files.height), *ground);
    if (o.rough_share > 0) add_patches(s, *ground);
    return ground;
}

void check_terrain(const Scenario& s) {
    if (!s.terrain.any()) return;
    if (s.terrain.has_images() && s.terrain.rough_share > 0)
        fail("terrain.rough_share = {}: the images say where the ground is rough; expected 0, or no image",
             s.terrain.rough_share);
    if (s.keeps_submaps())
        fail("terrain: with {} maps are drawn anew, without what was seen of the ground; expected {}",
             s.slam.past_moves() ? "slam.method = manifold" : "start.frame = unknown",
             s.slam.past_moves() ? "another method" : "start.frame = known");
    if (s.script) fail("terrain: robots that follow recorded positions know no ground; expected none");
}

std::shared_ptr<const Ground> ground_of(const Scenario& s) {
    if (!s.layers.ground) return nullptr;
    Percent placed = *s.layers.ground;
    placed.set_origin(Cell{} - s.team_origin());
    return std::make_shared<const Ground>(std::move(placed));
}

}  // namespace outrider
