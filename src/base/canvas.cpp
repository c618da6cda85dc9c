#include "base/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_easy_font.h>
#pragma GCC diagnostic pop

namespace outrider {

Canvas::Canvas(int width, int height, Colour ground) : raster_{width, height, 3, {}} {
    raster_.values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    rectangle(0, 0, width, height, ground);
}

void Canvas::rectangle(int x, int y, int width, int height, Colour colour, double opacity) {
    for (int py = std::max(0, y); py < std::min(y + height, raster_.height); ++py)
        for (int px = std::max(0, x); px < std::min(x + width, raster_.width); ++px) blend(px, py, colour, opacity);
}

void Canvas::blend(int x, int y, Colour colour, double opacity) {
    if (x < 0 || y < 0 || x >= raster_.width || y >= raster_.height || opacity <= 0) return;
    std::uint8_t* p = &raster_.values[(static_cast<std::size_t>(y) * static_cast<std::size_t>(raster_.width) +
                                       static_cast<std::size_t>(x)) *
                                      3];
    if (opacity >= 1) {
        p[0] = colour.red, p[1] = colour.green, p[2] = colour.blue;
        return;
    }
    const auto mix = [&](std::uint8_t& under, std::uint8_t over) {
        under = static_cast<std::uint8_t>(std::lround(under + (over - under) * opacity));
    };
    mix(p[0], colour.red);
    mix(p[1], colour.green);
    mix(p[2], colour.blue);
}

/// Each pixel is covered once, by its distance to the nearest part of the line: joints and crossings stay even. Only
/// the box around the line is looked at, so that many short lines cost little.
void Canvas::line(std::span<const Point> points, double width, Colour colour, double opacity) {
    if (points.empty()) return;
    const double half = width / 2;
    struct Box {
        int x0, y0, x1, y1;  // the last column and row are within
    };
    const auto box_of = [&](Point low, Point high) {
        return Box{std::max(0, static_cast<int>(std::floor(low.x - half - 1))),
                   std::max(0, static_cast<int>(std::floor(low.y - half - 1))),
                   std::min(raster_.width - 1, static_cast<int>(std::ceil(high.x + half + 1))),
                   std::min(raster_.height - 1, static_cast<int>(std::ceil(high.y + half + 1)))};
    };
    Point low = points[0], high = points[0];
    for (const Point& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const Box all = box_of(low, high);
    if (all.x0 > all.x1 || all.y0 > all.y1) return;
    const auto columns = static_cast<std::size_t>(all.x1 - all.x0 + 1);
    std::vector<std::uint8_t> cover(columns * static_cast<std::size_t>(all.y1 - all.y0 + 1));
    const auto cover_at = [&](int x, int y) -> std::uint8_t& {
        return cover[static_cast<std::size_t>(y - all.y0) * columns + static_cast<std::size_t>(x - all.x0)];
    };
    const auto segment = [&](Point a, Point b) {
        const Box box = box_of({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)});
        const Point d = b - a;
        const double length2 = d.x * d.x + d.y * d.y;
        for (int y = box.y0; y <= box.y1; ++y)
            for (int x = box.x0; x <= box.x1; ++x) {
                const Point p{x + 0.5, y + 0.5};
                const double t =
                    length2 > 0 ? std::clamp(((p.x - a.x) * d.x + (p.y - a.y) * d.y) / length2, 0.0, 1.0) : 0;
                const double off = distance(p, a + d * t);
                const auto c = static_cast<std::uint8_t>(std::lround(255 * std::clamp(half + 0.5 - off, 0.0, 1.0)));
                std::uint8_t& here = cover_at(x, y);
                here = std::max(here, c);
            }
    };
    segment(points[0], points[0]);
    for (std::size_t i = 1; i < points.size(); ++i) segment(points[i - 1], points[i]);
    for (int y = all.y0; y <= all.y1; ++y)
        for (int x = all.x0; x <= all.x1; ++x)
            if (const std::uint8_t c = cover_at(x, y)) blend(x, y, colour, opacity * c / 255);
}

void Canvas::disc(Point centre, double radius, Colour colour, double opacity) {
    for (int y = static_cast<int>(centre.y - radius - 1); y <= static_cast<int>(centre.y + radius + 1); ++y)
        for (int x = static_cast<int>(centre.x - radius - 1); x <= static_cast<int>(centre.x + radius + 1); ++x)
            blend(x, y, colour, opacity * std::clamp(radius + 0.5 - distance({x + 0.5, y + 0.5}, centre), 0.0, 1.0));
}

void Canvas::ring(Point centre, double radius, double width, Colour colour) {
    const double outer = radius + width / 2;
    for (int y = static_cast<int>(centre.y - outer - 1); y <= static_cast<int>(centre.y + outer + 1); ++y)
        for (int x = static_cast<int>(centre.x - outer - 1); x <= static_cast<int>(centre.x + outer + 1); ++x) {
            const double off = std::abs(distance({x + 0.5, y + 0.5}, centre) - radius);
            blend(x, y, colour, std::clamp(width / 2 + 0.5 - off, 0.0, 1.0));
        }
}

void Canvas::paste(const Raster& picture, int x, int y) {
    for (int py = 0; py < picture.height; ++py)
        for (int px = 0; px < picture.width; ++px) {
            const std::uint8_t* p =
                &picture.values[(static_cast<std::size_t>(py) * static_cast<std::size_t>(picture.width) +
                                 static_cast<std::size_t>(px)) *
                                3];
            rectangle(x + px, y + py, 1, 1, {p[0], p[1], p[2]});
        }
}

namespace {

/// What the font can show.
std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f)
            out += c;
        else if ((byte & 0xc0) != 0x80)
            out += '?';  // once for each letter in UTF-8
    }
    return out;
}

}  // namespace

void Canvas::text(int x, int y, std::string_view text, int size, Colour colour) {
    struct Vertex {
        float x, y, z;
        unsigned char colour[4];
    };
    std::string copy = printable(text);
    std::vector<Vertex> vertices(copy.size() * 64 + 64);
    const int quads = stb_easy_font_print(0, 0, copy.data(), nullptr, vertices.data(),
                                          static_cast<int>(vertices.size() * sizeof(Vertex)));
    for (int q = 0; q < quads; ++q) {
        const Vertex &a = vertices[static_cast<std::size_t>(4 * q)], &c = vertices[static_cast<std::size_t>(4 * q + 2)];
        rectangle(x + static_cast<int>(a.x) * size, y + static_cast<int>(a.y) * size,
                  static_cast<int>(c.x - a.x) * size, static_cast<int>(c.y - a.y) * size, colour);
    }
}

int Canvas::text_width(std::string_view text, int size) {
    std::string copy = printable(text);
    return stb_easy_font_width(copy.data()) * size;
}

}  // namespace outrider
