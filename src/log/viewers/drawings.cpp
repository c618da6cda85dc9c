#include "log/viewers/drawings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scene/theme.hpp"

namespace outrider {
namespace {

constexpr const char* map_frame = "map";
/// Heights, so that nothing hides the other: maps lie at 0.
constexpr double cells_z = 0.01, links_z = 0.02, paths_z = 0.03, overlays_z = 0.05, goals_z = 0.1, labels_z = 0.4;

Tint tint_of(Colour c, double alpha = 1) {
    const auto part = [](std::uint8_t v) { return static_cast<float>(v) / 255; };
    // Two digits, so that texts are short.
    return {part(c.red), part(c.green), part(c.blue), static_cast<float>(std::round(alpha * 100) / 100)};
}

bool is_place(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

/// For each point how strongly it is drawn, 0 to 1; empty: all alike.
std::vector<double> strengths_of(const Overlay& o, const std::optional<Point>& goal, double cell_m) {
    if (o.values.size() != o.points.size()) return {};
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double v : o.values)
        if (std::isfinite(v)) {
            low = std::min(low, v);
            high = std::max(high, v);
        }
    if (!(high > low)) return {};
    std::vector<double> out;
    bool less_is_better = false;
    for (std::size_t k = 0; k < o.points.size(); ++k) {
        const double v = o.values[k];
        out.push_back(std::isfinite(v) ? (v - low) / (high - low) : 0);
        less_is_better |= goal && distance(o.points[k], *goal) < 1.5 * cell_m && out.back() < 0.5;
    }
    if (less_is_better)
        for (double& s : out) s = 1 - s;
    return out;
}

SceneItem dots_of(const Overlay& o, double cell_m, const std::optional<Point>& goal, Colour colour) {
    constexpr std::size_t most = 500;
    const std::vector<double> strengths = strengths_of(o, goal, cell_m);
    std::vector<std::size_t> shown(o.points.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    std::erase_if(shown, [&](std::size_t k) { return !is_place(o.points[k]); });
    if (shown.size() > most && !strengths.empty())
        std::stable_sort(shown.begin(), shown.end(),
                         [&](std::size_t a, std::size_t b) { return strengths[a] > strengths[b]; });
    shown.resize(std::min(shown.size(), most));
    SceneItem item{.kind = SceneItem::Kind::dots,
                   .colour = tint_of(colour, 0.8),
                   .size_m = o.kind == Overlay::Kind::cells ? cell_m : 2 * cell_m,
                   .z_m = overlays_z};
    for (const std::size_t k : shown) {
        item.points.push_back(o.points[k]);
        if (!strengths.empty()) item.tints.push_back(tint_of(colour, 0.2 + 0.8 * strengths[k]));
    }
    return item;
}

}  // namespace

Colour drawn_colour(const Briefing& briefing) {
    return robot_colour(theme(false), static_cast<std::size_t>(std::max(0, briefing.self)), briefing.is_base());
}

SceneMessage body_drawing(const Briefing& briefing, const std::string& frame, const std::string& label, bool alive) {
    const double radius = std::max(briefing.radius_m, 1.5 * briefing.lattice.cell_m);
    const Tint colour = tint_of(drawn_colour(briefing), alive ? 1 : 0.4);
    SceneMessage out{frame, "body", {}};
    out.items.push_back(
        {.kind = SceneItem::Kind::disc, .colour = colour, .size_m = 2 * radius, .z_m = disc_height_m / 2});
    if (briefing.me().mobile)
        out.items.push_back(
            {.kind = SceneItem::Kind::arrow, .colour = colour, .size_m = 2 * radius, .z_m = disc_height_m});
    out.items.push_back({.kind = SceneItem::Kind::text,
                         .colour = tint_of(drawn_colour(briefing)),
                         .size_m = 2 * radius,
                         .z_m = labels_z,
                         .text = label});
    return out;
}

SceneMessage overlay_drawing(const std::string& layer, std::span<const Overlay* const> overlays, double cell_m,
                             const std::optional<Point>& goal, Colour colour) {
    SceneMessage out{map_frame, layer, {}};
    for (const Overlay* o : overlays) {
        if (o->kind == Overlay::Kind::text) continue;
        if (o->kind != Overlay::Kind::line) {
            out.items.push_back(dots_of(*o, cell_m, goal, colour));
        } else {
            SceneItem line{.kind = SceneItem::Kind::line,
                           .colour = tint_of(colour, 0.8),
                           .size_m = cell_m / 2,
                           .z_m = overlays_z,
                           .points = o->points};
            std::erase_if(line.points, [](Point p) { return !is_place(p); });
            if (line.points.size() > 1) out.items.push_back(std::move(line));
        }
    }
    std::erase_if(out.items, [](const SceneItem& item) { return item.points.empty(); });
    return out;
}

SceneMessage goal_drawing(const std::optional<Point>& goal, double cell_m, Colour colour) {
    SceneMessage out{map_frame, "goal", {}};
    if (goal && is_place(*goal))
        out.items.push_back({.kind = SceneItem::Kind::dots,
                             .colour = tint_of(colour),
                             .size_m = 3 * cell_m,
                             .z_m = goals_z,
                             .points = {*goal}});
    return out;
}

SceneMessage path_drawing(std::vector<Point> corners, double cell_m, Colour colour) {
    SceneMessage out{map_frame, "path", {}};
    if (corners.size() > 1)
        out.items.push_back({.kind = SceneItem::Kind::line,
                             .colour = tint_of(colour, 0.7),
                             .size_m = cell_m / 2,
                             .z_m = paths_z,
                             .points = std::move(corners)});
    return out;
}

SceneMessage links_drawing(std::vector<Point> ends, double cell_m) {
    SceneMessage out{map_frame, "links", {}};
    if (!ends.empty())
        out.items.push_back({.kind = SceneItem::Kind::segments,
                             .colour = tint_of(theme(false).link, 0.6),
                             .size_m = cell_m / 3,
                             .z_m = links_z,
                             .points = std::move(ends)});
    return out;
}

namespace {

/// A mark as lines: a ring of sixteen, a cross of two.
std::vector<Point> outline_of(scene::Shape shape, Point at, double radius) {
    if (shape == scene::Shape::cross)
        return {at - Point{radius, 0}, at + Point{radius, 0}, at - Point{0, radius}, at + Point{0, radius}};
    std::vector<Point> out;
    constexpr int corners = 16;
    for (int k = 0; k < corners; ++k)
        for (const int end : {k, k + 1}) {
            const SinCos a = sin_cos(2 * pi * end / corners);
            out.push_back(at + Point{radius * a.cos, radius * a.sin});
        }
    return out;
}

void add_rectangle(std::vector<Point>& triangles, Point low, Point high) {
    const Point right{high.x, low.y}, left{low.x, high.y};
    for (const Point& p : {low, right, high, low, high, left}) triangles.push_back(p);
}

}  // namespace

SceneMessage layer_drawing(const scene::Layer& layer, double cell_m, Point offset) {
    constexpr double mark_m = 0.4;  // radius of marks that have none
    SceneMessage out{map_frame, std::string(layer.info->title), {}};
    if (!layer.items) return out;
    for (const scene::Item& item : *layer.items) {
        const scene::Meaning& meaning = layer.info->meanings[item.meaning];
        const double radius = item.radius_m > 0 ? item.radius_m : mark_m;
        SceneItem drawn{.colour = tint_of(shade(meaning.hue), meaning.opacity * item.strength), .z_m = overlays_z};
        switch (meaning.shape) {
            case scene::Shape::cells:
                drawn.kind = SceneItem::Kind::triangles;
                drawn.z_m = cells_z;
                for (const scene::CellRun& run : item.runs) {
                    const Point low = Point{run.first.x * cell_m, run.first.y * cell_m} + offset;
                    add_rectangle(drawn.points, low, low + Point{run.length * cell_m, cell_m});
                }
                break;
            case scene::Shape::disc:
                drawn.kind = SceneItem::Kind::dots;
                drawn.size_m = 2 * radius;
                for (const Point& p : item.points) drawn.points.push_back(p + offset);
                break;
            case scene::Shape::ring:
            case scene::Shape::cross:
            case scene::Shape::segments:
                drawn.kind = SceneItem::Kind::segments;
                drawn.size_m = cell_m / 2;
                if (meaning.shape == scene::Shape::segments)
                    for (const Point& p : item.points) drawn.points.push_back(p + offset);
                else
                    for (const Point& p : item.points)
                        for (const Point& q : outline_of(meaning.shape, p + offset, radius)) drawn.points.push_back(q);
                break;
            case scene::Shape::text:
                drawn.kind = SceneItem::Kind::text;
                drawn.size_m = mark_m;
                drawn.z_m = labels_z;
                drawn.text = item.text;
                for (const Point& p : item.points) {
                    drawn.pose = {p.x + offset.x, p.y + offset.y - 1.5 * mark_m, 0};
                    out.items.push_back(drawn);
                }
                continue;
        }
        out.items.push_back(std::move(drawn));
    }
    return out;
}

}  // namespace outrider
