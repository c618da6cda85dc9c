// What attributes of SVG say: numbers, transforms, and paths as lines.
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

constexpr double farthest_svg_unit = 1e7;
constexpr std::size_t most_svg_points = 5'000'000;

/// x' = a x + c y + e, y' = b x + d y + f, as SVG names them.
struct Affine {
    double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
    Point operator()(Point p) const { return {a * p.x + c * p.y + e, b * p.x + d * p.y + f}; }
    Affine operator*(const Affine& o) const {
        return {a * o.a + c * o.b, b * o.a + d * o.b,     a * o.c + c * o.d,
                b * o.c + d * o.d, a * o.e + c * o.f + e, b * o.e + d * o.f + f};
    }
};

/// Numbers, words and flags of an attribute, one after the other.
class SvgText {
  public:
    SvgText(std::string_view text, std::string_view where) : text_(text), where_(where) {}
    bool empty() {
        skip();
        return at_ >= text_.size();
    }
    char peek() { return empty() ? '\0' : text_[at_]; }
    char letter() { return text_[at_++]; }
    bool at_number() {
        const char c = peek();
        return c == '+' || c == '-' || c == '.' || (c >= '0' && c <= '9');
    }
    double number();
    /// Of an arc: 0 or 1, and what follows may touch it.
    bool flag();
    std::string_view word();
    std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }
    std::string_view where() const { return where_; }

  private:
    void skip() {
        while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == ',')) ++at_;
    }
    std::string_view text_, where_;
    std::size_t at_ = 0;
};

/// Of the attribute `transform`: all of it, the first one outermost. This and what follows throw Error with where it
/// is.
Affine transform_of(SvgText text);

using Polyline = std::vector<Point>;

/// Of the attribute `d` of a path: a line for each part, curves as corners.
std::vector<Polyline> path_lines(SvgText text);
Polyline ellipse(Point middle, double rx, double ry);

}  // namespace outrider
