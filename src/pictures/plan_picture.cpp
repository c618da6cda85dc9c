#include "pictures/plan_picture.hpp"

#include "outrider/skeleton.hpp"
#include "pictures/map_canvas.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/skeleton/topological_map.hpp"
#include "plan/wall_distance.hpp"

namespace outrider {
namespace {

Colour pale(std::size_t i, double share = 0.55) { return mix(palette[i % palette.size()], ink::paper, share); }

struct Drawing {
    const Grid<std::uint8_t>& walls;
    const NavMap& nav;
    MapCanvas& canvas;

    Point pixel(Cell c) const { return canvas.pixel(walls.lattice().centre(c)); }
    template <class ColourOf>
    void cells(ColourOf&& colour_of) const {
        for (std::size_t i = 0; i < walls.cells().size(); ++i) {
            const Cell c = walls.cell(i);
            if (walls[c])
                canvas.cell(c, ink::wall);
            else
                canvas.cell(c, nav.reached(c) ? colour_of(c) : ink::unreachable);
        }
    }
};

void draw_skeleton(const Drawing& d, const Skeleton& skeleton, const KnownMap& map) {
    d.cells([&](Cell c) { return skeleton.on(c) ? palette[7] : skeleton.wide_open(c) ? pale(4, 0.75) : ink::known; });
    int open = 0;
    for (std::size_t i = 0; i < d.walls.cells().size(); ++i) open += skeleton.wide_open(d.walls.cell(i));
    const double radius = std::max(3.0, d.canvas.mark() * 0.6);
    std::array<int, 3> count{};
    for (const KeyPoint& p : find_key_points(skeleton, map)) {
        const std::size_t kind = p.degree >= 3 ? 0 : p.degree == 2 ? 1 : 2;
        ++count[kind];
        d.canvas.canvas().disc(d.pixel(p.cell), radius, palette[kind]);
    }
    d.canvas.entry(palette[7], "skeleton");
    d.canvas.entry(palette[0], fmt::format("{} junctions", count[0]));
    d.canvas.entry(palette[1], fmt::format("{} on the way", count[1]));
    d.canvas.entry(palette[2], fmt::format("{} ends", count[2]));
    if (open > 0) d.canvas.entry(pale(4, 0.75), "wide open");
}

void draw_segments(const Drawing& d, const Skeleton& skeleton, const WallDistance& walls, double most_clearance) {
    const std::vector<CriticalPoint> cuts = find_critical_points(skeleton, walls, most_clearance);
    const Segments segments(d.nav, cuts);
    d.cells([&](Cell c) {
        const int of = segments.of(c);
        return of < 0 ? ink::known : pale(static_cast<std::size_t>(of));
    });
    for (const CriticalPoint& p : cuts) {
        const std::vector<Point> line{d.pixel(p.left), d.pixel(p.cell), d.pixel(p.right)};
        d.canvas.canvas().line(line, d.canvas.line_width() * 1.5, ink::text);
    }
    d.canvas.entry(pale(0), fmt::format("{} segments", segments.all().size()));
    d.canvas.entry(ink::text, fmt::format("{} cuts at critical points", cuts.size()));
}

void draw_graph(const Drawing& d) {
    TopologicalMap graph;
    graph.update(d.nav);
    const std::vector<Cell> nodes = graph.nodes();
    const auto index = [&](Cell node) {
        return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
    };
    d.cells([&](Cell c) {
        const auto node = graph.node_of(c);
        return node ? pale(index(*node) * 5 + static_cast<std::size_t>(node->y), 0.75) : ink::known;
    });
    for (const TopologicalMap::Edge& e : graph.edges())
        d.canvas.canvas().line(std::vector<Point>{d.pixel(e.a), d.pixel(e.b)}, d.canvas.line_width(), ink::faint);
    for (const Cell node : nodes)
        d.canvas.canvas().disc(d.pixel(node), std::max(2.0, d.canvas.mark() * 0.4), palette[0]);
    d.canvas.entry(palette[0], fmt::format("{} nodes", nodes.size()));
    d.canvas.entry(ink::faint, fmt::format("{} edges", graph.edges().size()));
    d.canvas.entry(pale(1, 0.75), "cells of a node");
}

void draw_transform(const Drawing& d, const PathTransform& transform) {
    std::uint32_t most = 1;
    for (std::size_t i = 0; i < d.walls.cells().size(); ++i)
        if (const std::uint32_t cost = transform.cost(d.walls.cell(i)); cost != no_bound) most = std::max(most, cost);
    constexpr int bands = 16;  // lines of equal cost show where the descent leads
    d.cells([&](Cell c) {
        const std::uint32_t cost = transform.cost(c);
        if (cost == no_bound) return ink::unreachable;
        const double share = cost / static_cast<double>(most);
        const bool odd = static_cast<int>(share * 2 * bands) % 2 == 1;
        return mix(mix(ink::paper, palette[0], 0.85 * share), ink::paper, odd ? 0.25 : 0);
    });
    d.canvas.entry(mix(ink::paper, palette[0], 0.1), "cheap");
    d.canvas.entry(mix(ink::paper, palette[0], 0.85),
                   fmt::format("{:.0f} cells to the goal", most / double(straight_cost)));
    d.canvas.entry(ink::unreachable, "too close to a wall, or not reached");
}

}  // namespace

Raster draw_plan(const Grid<std::uint8_t>& walls, const KnownMap& map, const NavMap& nav, const PlanPicture& picture) {
    MapCanvas canvas(walls);
    const Drawing drawing{walls, nav, canvas};
    Skeleton skeleton;
    WallDistance distance(50);
    if (picture.layer == PlanLayer::skeleton || picture.layer == PlanLayer::segments) skeleton.update(nav);
    if (picture.layer == PlanLayer::segments) distance.update(map);
    switch (picture.layer) {
        case PlanLayer::none:
            drawing.cells([](Cell) { return ink::known; });
            break;
        case PlanLayer::skeleton:
            draw_skeleton(drawing, skeleton, map);
            break;
        case PlanLayer::segments:
            draw_segments(drawing, skeleton, distance, walls.lattice().cells(picture.most_clearance_m));
            break;
        case PlanLayer::graph:
            draw_graph(drawing);
            break;
        case PlanLayer::transform:
            draw_transform(drawing, *picture.transform);
            break;
    }
    const double width = std::max(2.0, canvas.line_width() * 1.5);
    const auto stroke = [&](const std::vector<Point>& points, Colour colour, const std::string& name) {
        canvas.canvas().line(points, width, colour);
        canvas.entry(colour, name);
    };
    const auto line = [&](const std::vector<Cell>& cells, Colour colour, const std::string& name) {
        std::vector<Point> points;
        for (const Cell c : cells) points.push_back(drawing.pixel(c));
        stroke(points, colour, name);
    };
    if (picture.path && *picture.path) line(picture.path->cells, palette[1], "path");
    if (!picture.waypoints.empty()) line(picture.waypoints, palette[3], "with its corners cut");
    if (!picture.taut.empty()) {
        std::vector<Point> points;
        for (const Point& p : picture.taut) points.push_back(canvas.pixel(p));
        stroke(points, palette[4], "shortest at any angle");
    }
    const auto mark = [&](const std::optional<Cell>& c, Colour colour, const std::string& name) {
        if (!c) return;
        canvas.canvas().disc(drawing.pixel(*c), 2.5 * width, colour);
        canvas.entry(colour, name);
    };
    mark(picture.from, palette[0], "start");
    mark(picture.to, palette[2], "goal");
    canvas.scale_bar();
    return canvas.finish();
}

}  // namespace outrider
