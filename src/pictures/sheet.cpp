#include "pictures/sheet.hpp"

#include <algorithm>
#include <cmath>

#include "scene/theme.hpp"

namespace outrider {
namespace {

const Colour paper = theme(false).paper, wall = theme(false).wall, floor_colour = theme(false).panel,
             text_colour = theme(false).text, faint = theme(false).faint, mark = theme(false).goal;
constexpr int box_width = 480, box_height = 360, margin = 20, title_height = 40;

/// Each pixel shows the share of walls in its area; thin walls are made a little darker, or they would vanish.
void draw_map(Canvas& canvas, const SheetEntry& entry, int x0, int y0) {
    const Grid<std::uint8_t>& walls = entry.walls;
    const double scale = std::max(static_cast<double>(walls.width()) / box_width,
                                  static_cast<double>(walls.height()) / box_height);  // cells per pixel
    const int width = static_cast<int>(walls.width() / scale), height = static_cast<int>(walls.height() / scale);
    x0 += (box_width - width) / 2;
    y0 += (box_height - height) / 2;
    for (int py = 0; py < height; ++py)
        for (int px = 0; px < width; ++px) {
            const int x = static_cast<int>(px * scale), y = static_cast<int>(py * scale);
            const int x1 = std::min(std::max(x + 1, static_cast<int>((px + 1) * scale)), walls.width());
            const int y1 = std::min(std::max(y + 1, static_cast<int>((py + 1) * scale)), walls.height());
            int count = 0;
            for (int j = y; j < y1; ++j)
                for (int i = x; i < x1; ++i) count += walls[walls.origin() + Cell{i, walls.height() - 1 - j}] != 0;
            const double share = std::pow(static_cast<double>(count) / ((x1 - x) * (y1 - y)), 0.7);
            canvas.rectangle(x0 + px, y0 + py, 1, 1, mix(floor_colour, wall, share));
        }
    for (const Cell base : entry.bases) {
        const Point p{x0 + (base.x + 0.5) / scale, y0 + (walls.height() - base.y - 0.5) / scale};
        canvas.disc(p, 6, paper);
        canvas.disc(p, 4.5, mark);
    }
}

}  // namespace

Raster draw_sheet(const std::vector<SheetEntry>& entries, int columns) {
    const int rows = (static_cast<int>(entries.size()) + columns - 1) / columns;
    Canvas canvas(columns * (box_width + margin) + margin, rows * (box_height + title_height + margin) + margin, paper);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const int x = margin + static_cast<int>(i) % columns * (box_width + margin);
        const int y = margin + static_cast<int>(i) / columns * (box_height + title_height + margin);
        canvas.text(x, y, entries[i].title, 2, text_colour);
        canvas.text(x, y + 22, entries[i].subtitle, 1, faint);
        draw_map(canvas, entries[i], x, y + title_height);
    }
    return canvas.raster();
}

}  // namespace outrider
