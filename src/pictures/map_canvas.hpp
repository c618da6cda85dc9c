// A picture of a map with a legend below it.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "base/canvas.hpp"
#include "grid/grid.hpp"
#include "scene/theme.hpp"

namespace outrider {

/// Colours of pictures: those of the light theme.
namespace ink {
inline const Colour wall = theme(false).wall, known = theme(false).free, unknown = theme(false).unknown,
                    unreachable = theme(false).unreachable, narrow = theme(false).narrow, paper = theme(false).paper,
                    text = theme(false).text, faint = theme(false).faint;
}

/// Base stations are black; robots have the colours of the palette in turn.
inline Colour robot_colour(std::size_t robot) { return robot_colour(theme(false), robot, robot == 0); }

/// A canvas over a map, `scale` pixels per cell, and a legend below it whose entries flow from left to right.
class MapCanvas {
  public:
    explicit MapCanvas(const Grid<std::uint8_t>& walls)
        : walls_(walls),
          scale_(std::clamp(1400 / std::max(walls.width(), walls.height()), 1, 16)),
          text_(std::max(1, walls.width() * scale_ / 600)),
          row_(14 * text_),
          canvas_(std::max(walls.width() * scale_, 420), walls.height() * scale_, ink::paper) {}

    void cell(Cell c, Colour colour) {  // of the grid's frame
        const Cell i = c - walls_.origin();
        canvas_.rectangle(i.x * scale_, (walls_.height() - 1 - i.y) * scale_, scale_, scale_, colour);
    }
    Point pixel(Point metres) const {
        const Point p = walls_.lattice().to_cells(metres);
        return {(p.x - walls_.origin().x) * scale_, (walls_.height() - (p.y - walls_.origin().y)) * scale_};
    }
    double pixels(double metres) const { return metres / walls_.lattice().cell_m * scale_; }
    /// Cells of a row, `first` and those to its right, in part with a colour.
    void tint(Cell first, int length, Colour colour, double opacity) {
        const Cell i = first - walls_.origin();
        canvas_.rectangle(i.x * scale_, (walls_.height() - 1 - i.y) * scale_, length * scale_, scale_, colour, opacity);
    }
    /// A word to the right of a mark and below it; `row`: lower by so many lines.
    void word(Point at, int row, const std::string& text, Colour colour) {
        const int x = static_cast<int>(at.x + mark() + 3), y = static_cast<int>(at.y + 3) + row * 11 * text_;
        canvas_.rectangle(x - 2, y - 2, Canvas::text_width(text, text_) + 3, 11 * text_, ink::paper);
        canvas_.text(x, y, text, text_, colour);
    }
    double mark() const { return std::max(4.0, canvas_.width() / 220.0); }
    void base(Point at) {
        const Point p = pixel(at);
        const int r = static_cast<int>(mark() * 1.8);
        canvas_.rectangle(static_cast<int>(p.x) - r - 2, static_cast<int>(p.y) - r - 2, 2 * r + 4, 2 * r + 4,
                          ink::paper);
        canvas_.rectangle(static_cast<int>(p.x) - r, static_cast<int>(p.y) - r, 2 * r, 2 * r, ink::text);
    }
    double line_width() const { return std::max(1.5, canvas_.width() / 700.0); }
    Canvas& canvas() { return canvas_; }

    // The legend.
    void caption(const std::string& text) {
        const int fits = (canvas_.width() - row_) / std::max(1, Canvas::text_width("n", text_));
        std::string line;
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            if (!line.empty() && static_cast<int>(line.size() + 1 + word.size()) > fits) {
                add(line, {}, false, 0);
                next_line();
                line.clear();
            }
            line += (line.empty() ? "" : " ") + word;
        }
        add(line, {}, false, 0);
        next_line();
    }
    /// Draws a mark of a radius around a point.
    using Symbol = std::function<void(Canvas& canvas, Point centre, double radius)>;
    /// With a box of the colour, or with a symbol in its place.
    void entry(Colour colour, const std::string& text, Symbol symbol = {}) {
        add(text, colour, true, 0);
        legend_.back().symbol = std::move(symbol);
    }
    void next_line() {
        if (next_x_ == row_ / 2) return;
        next_x_ = row_ / 2;
        ++line_;
    }
    /// A bar of a round length.
    void scale_bar() {
        const double per_metre = scale_ / walls_.lattice().cell_m;
        double metres = 0.001;
        for (double next = metres; next * per_metre <= canvas_.width() / 4.0; next *= 10)
            for (const double m : {next, 2 * next, 5 * next})
                if (m * per_metre <= canvas_.width() / 4.0) metres = m;
        add(fmt::format("{} m", metres), ink::text, false, static_cast<int>(std::lround(metres * per_metre)));
    }
    /// Map and legend.
    Raster finish() {
        next_line();
        Canvas whole(canvas_.width(), canvas_.height() + line_ * row_ + row_ / 2, ink::paper);
        whole.paste(canvas_.raster(), 0, 0);
        whole.rectangle(0, canvas_.height(), canvas_.width(), 1, ink::faint);  // where the map ends
        whole.rectangle(walls_.width() * scale_, 0, 1, canvas_.height(), ink::faint);
        for (const Item& i : legend_) {
            const int y = canvas_.height() + row_ / 2 + i.line * row_;
            int x = i.x;
            if (i.box) {
                if (i.symbol) {
                    i.symbol(whole, {x + row_ / 2.0, y + 4.0 * text_}, 4.0 * text_);
                } else {
                    whole.rectangle(x, y, row_, 8 * text_, ink::faint);
                    whole.rectangle(x + 1, y + 1, row_ - 2, 8 * text_ - 2, i.colour);
                }
                x += row_ + 4 * text_;
            }
            whole.text(x, y, i.text, text_, ink::text);
            if (i.bar > 0)
                whole.rectangle(x + Canvas::text_width(i.text, text_) + 4 * text_, y + 3 * text_, i.bar, 2 * text_,
                                ink::text);
        }
        return whole.raster();
    }

  private:
    struct Item {
        std::string text;
        Colour colour;
        bool box;
        int bar, x, line;
        Symbol symbol{};
    };
    void add(const std::string& text, Colour colour, bool box, int bar) {
        const int width =
            Canvas::text_width(text, text_) + (box ? row_ + 4 * text_ : 0) + (bar > 0 ? bar + 4 * text_ : 0);
        if (next_x_ + width > canvas_.width() - row_ / 2) next_line();
        legend_.push_back({text, colour, box, bar, next_x_, line_});
        next_x_ += width + row_;
    }

    const Grid<std::uint8_t>& walls_;
    int scale_, text_, row_;
    Canvas canvas_;
    std::vector<Item> legend_;
    int next_x_ = row_ / 2, line_ = 0;
};

}  // namespace outrider
