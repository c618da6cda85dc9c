// The scene of a run on the map, whatever its items stand for.
#include <cmath>

#include "view/window/pen.hpp"

namespace outrider::view {
namespace {

using scene::Shape;

Colour colour_of(const Ui& ui, const scene::Meaning& meaning) { return shade(meaning.hue, ui.dark); }

void draw_runs(Pen& pen, double cell_m, std::span<const scene::CellRun> runs, ImU32 colour) {
    const ImVec2 low = pen.list().GetClipRectMin(), high = pen.list().GetClipRectMax();
    for (const scene::CellRun& run : runs) {
        const ImVec2 a = pen.at({run.first.x * cell_m, (run.first.y + 1) * cell_m}),
                     b = pen.at({(run.first.x + run.length) * cell_m, run.first.y * cell_m});
        if (b.x > low.x && a.x < high.x && b.y > low.y && a.y < high.y) pen.list().AddRectFilled(a, b, colour);
    }
}

void draw_mark(const Ui& ui, ImDrawList& list, Shape shape, ImVec2 c, float r, ImU32 colour) {
    const float d = r * 0.65f;
    switch (shape) {
        case Shape::disc:
            list.AddCircleFilled(c, r, colour, 24);
            break;
        case Shape::ring:
            list.AddCircle(c, r, colour, 24, ui.px(1.8f));
            break;
        case Shape::cross:
            list.AddLine({c.x - d, c.y}, {c.x + d, c.y}, colour, ui.px(2.4f));
            list.AddLine({c.x, c.y - d}, {c.x, c.y + d}, colour, ui.px(2.4f));
            break;
        case Shape::cells:
        case Shape::segments:
        case Shape::text:
            break;
    }
}

/// Below the point, lower when there is a word already.
void draw_word(const Ui& ui, Pen& pen, ImVec2 c, const std::string& text, Colour colour) {
    for (const float row : {1.f, 2.f, 3.f})
        if (pen.word({c.x + ui.px(10), c.y + ui.px(13) * row}, text, mix(colour, ui.colours().text, 0.3))) return;
}

void draw_item(const Ui& ui, Pen& pen, const scene::Item& item, const scene::Meaning& meaning) {
    const Colour colour = colour_of(ui, meaning);
    const double opacity = meaning.opacity * item.strength;
    const auto radius = static_cast<float>(item.radius_m * ui.model->camera.pixels_per_m);
    if (meaning.shape == Shape::cells) {
        draw_runs(pen, ui.model->info().walls.lattice().cell_m, item.runs, paint(colour, opacity));
    } else if (meaning.shape == Shape::segments) {
        for (std::size_t k = 0; k + 1 < item.points.size(); k += 2)
            pen.dashed(item.points[k], item.points[k + 1], colour, opacity, ui.px(1.6f));
    } else {
        for (const Point& p : item.points)
            if (meaning.shape == Shape::text)
                draw_word(ui, pen, pen.at(p), item.text, colour);
            else
                draw_mark(ui, pen.list(), meaning.shape, pen.at(p), std::max(radius, ui.px(item.radius_m > 0 ? 3 : 7)),
                          paint(colour, opacity));
    }
}

void draw(const Ui& ui, Pen& pen, const scene::Scene& scene, bool areas) {
    for (const scene::Layer& layer : scene)
        for (const scene::Item& item : *layer.items)
            if (const scene::Meaning& meaning = layer.info->meanings[item.meaning];
                scene::is_below_robots(item, meaning) == areas)
                draw_item(ui, pen, item, meaning);
}

}  // namespace

void draw_areas(Ui& ui, Pen& pen, const scene::Scene& scene) { draw(ui, pen, scene, true); }

void draw_marks(Ui& ui, Pen& pen, const scene::Scene& scene) { draw(ui, pen, scene, false); }

void draw_sample(const Ui& ui, ImDrawList& list, const scene::Meaning& meaning, ImVec2 c) {
    const ImU32 colour = paint(colour_of(ui, meaning), std::max(0.6, meaning.opacity));
    const float r = ui.px(6);
    if (meaning.shape == Shape::cells)
        list.AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r}, colour, ui.px(2.5f));
    else if (meaning.shape == Shape::segments)
        list.AddLine({c.x - r, c.y}, {c.x + r, c.y}, colour, ui.px(2));
    else if (meaning.shape == Shape::text)
        list.AddRectFilled({c.x - r, c.y - r / 2}, {c.x + r, c.y + r / 2}, colour, ui.px(3));
    else
        draw_mark(ui, list, meaning.shape, c, r, colour);
}

}  // namespace outrider::view
