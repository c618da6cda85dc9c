// A small writer of vector graphics: plots with axes, lines, bands, boxes. The text it gives is the same everywhere.
//
// Colours are classes, not values: .s1 ... .s8 stroke and .f1 ... .f8 fill the series, and the page that shows a
// picture says what they look like on a light ground, a dark one, and paper.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

/// Class of the stroke ("s1") or fill ("f1") of the k-th series, from 0; they repeat after eight.
std::string stroke_class(std::size_t series);
std::string fill_class(std::size_t series);

/// The style of all classes: once for a page, or inside of a picture that stands alone (then without dark colours).
std::string svg_style(bool alone);

/// About `count` round numbers from low to high.
std::vector<double> ticks(double low, double high, int count);

/// A plot in a box of width x height, y up inside of its axes.
class Plot {
  public:
    struct Axis {
        double low = 0, high = 1;
        std::string label = {};
        bool percent = false, logarithmic = false;
        std::vector<double> at = {};  ///< ticks; empty: round numbers
    };
    /// left: room for the numbers of the y axis; 0: no y axis is drawn.
    Plot(double width, double height, std::string title, Axis x, Axis y, double left = 40);

    /// Lines through points; not a number breaks one.
    void line(std::span<const Point> points, std::size_t series);
    /// The area between two lines over the same x.
    void band(std::span<const double> x, std::span<const double> low, std::span<const double> high, std::size_t series);
    void dot(Point at, std::size_t series, const std::string& hint);
    /// Seen only under the mouse, with its hint; `link`: what a click opens, empty: nothing.
    void spot(double x_px, double y_px, std::size_t series, const std::string& hint, const std::string& link = {});
    /// The same on at most 40 points of a line.
    void spots(std::span<const Point> points, std::size_t series, const std::string& name);
    /// A horizontal box from `low` to `high` with its median, whiskers and a hint, at height y of the plot (in pixels).
    struct Box {
        double whisker_low, low, median, high, whisker_high;
    };
    void box(const Box& box, double y_px, double height_px, std::size_t series, const std::string& hint);
    /// A horizontal bar from a to b with a dot at `value`.
    void interval(double value, double a, double b, double y_px, std::size_t series, const std::string& hint);
    /// A thin dashed line across the plot.
    void mark_x(double x, const std::string& text);
    /// anchor: start, middle or end.
    void text(double x_px, double y_px, std::string_view text, const char* anchor = "start", const char* css = "t");
    void raw(std::string_view svg) { body_ += svg; }

    double px(double x) const;
    double py(double y) const;
    double left() const { return left_; }
    double right() const { return width_ - 8; }
    double top() const { return top_; }
    double bottom() const { return height_ - bottom_; }
    double width() const { return width_; }
    double height() const { return height_; }
    /// All of it, as elements without an <svg> around them.
    std::string elements() const;

  private:
    double width_, height_, left_, top_, bottom_;
    std::string title_;
    Axis x_, y_;
    std::string body_;
};

/// A number as short as SVG takes it: two decimals at most.
std::string coordinate(double v);

}  // namespace outrider
