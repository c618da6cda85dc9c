#include "pictures/scene_picture.hpp"

#include <map>

namespace outrider {
namespace {

using scene::Shape;

template <class Draw>
void for_each(const scene::Scene& scene, bool areas, Draw&& draw) {
    for (const scene::Layer& layer : scene)
        for (const scene::Item& item : *layer.items)
            if (const scene::Meaning& meaning = layer.info->meanings[item.meaning];
                scene::is_below_robots(item, meaning) == areas)
                draw(item, meaning);
}

void paint_mark(Canvas& canvas, double width, Shape shape, Point at, double radius, Colour colour, double opacity) {
    const double d = 0.7 * radius;
    if (shape == Shape::disc)
        canvas.disc(at, radius, colour, opacity);
    else if (shape == Shape::ring)
        canvas.ring(at, radius, width, colour);
    else
        for (const Point& arm : {Point{d, 0}, Point{0, d}}) canvas.line(std::array{at - arm, at + arm}, width, colour);
}

double mark_width(const MapCanvas& picture) { return std::max(2.0, picture.line_width() * 1.3); }

}  // namespace

void paint_areas(MapCanvas& picture, const scene::Scene& scene) {
    for_each(scene, true, [&](const scene::Item& item, const scene::Meaning& meaning) {
        const Colour colour = shade(meaning.hue);
        const double opacity = meaning.opacity * item.strength;
        for (const scene::CellRun& run : item.runs) picture.tint(run.first, run.length, colour, opacity);
        if (meaning.shape == Shape::segments) {
            for (std::size_t k = 0; k + 1 < item.points.size(); k += 2)
                picture.canvas().line(std::array{picture.pixel(item.points[k]), picture.pixel(item.points[k + 1])},
                                      picture.line_width(), colour, opacity);
            return;
        }
        for (const Point& p : item.points)
            paint_mark(picture.canvas(), mark_width(picture), meaning.shape, picture.pixel(p),
                       picture.pixels(item.radius_m), colour, opacity);
    });
}

void paint_marks(MapCanvas& picture, const scene::Scene& scene) {
    std::map<std::pair<int, int>, int> rows;  // of words, by place: each stands below the one before
    for_each(scene, false, [&](const scene::Item& item, const scene::Meaning& meaning) {
        for (const Point& p : item.points) {
            const Point at = picture.pixel(p);
            if (meaning.shape == Shape::text)
                picture.word(at, rows[{static_cast<int>(at.x) / 20, static_cast<int>(at.y) / 20}]++, item.text,
                             shade(meaning.hue));
            else
                paint_mark(picture.canvas(), mark_width(picture), meaning.shape, at, picture.mark() * 1.8,
                           shade(meaning.hue), meaning.opacity * item.strength);
        }
    });
}

void paint_legend(MapCanvas& picture, const scene::Scene& scene) {
    for (const scene::Meaning* meaning : meanings_in(scene)) {
        const Colour colour = shade(meaning->hue);
        MapCanvas::Symbol symbol;  // areas and words: a box
        if (meaning->shape == Shape::segments)
            symbol = [=, width = picture.line_width()](Canvas& canvas, Point at, double r) {
                canvas.line(std::array{at - Point{1.7 * r, 0}, at + Point{1.7 * r, 0}}, width, colour);
            };
        else if (meaning->shape != Shape::cells && meaning->shape != Shape::text)
            symbol = [=, width = mark_width(picture)](Canvas& canvas, Point at, double r) {
                paint_mark(canvas, width, meaning->shape, at, r, colour, 1);
            };
        picture.entry(colour, std::string(meaning->text), std::move(symbol));
    }
}

}  // namespace outrider
