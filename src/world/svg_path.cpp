#include "world/svg_path.hpp"

#include <charconv>
#include <cmath>

#include "outrider/error.hpp"

namespace outrider {

double SvgText::number() {
    skip();
    const std::size_t from = at_ + (at_ < text_.size() && text_[at_] == '+');
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + from, text_.data() + text_.size(), value);
    if (error != std::errc{} || !(std::abs(value) <= farthest_svg_unit))
        fail("{}: expected a number of at most {:.0f}, not '{}'", where_, farthest_svg_unit, text_.substr(at_, 24));
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
}

bool SvgText::flag() {
    const char c = peek();
    if (c != '0' && c != '1') fail("{}: expected a flag, 0 or 1, not '{}'", where_, text_.substr(at_, 24));
    ++at_;
    return c == '1';
}

std::string_view SvgText::word() {
    skip();
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '%')) ++at_;
    return text_.substr(from, at_ - from);
}

Affine transform_of(SvgText text) {
    Affine all;
    while (!text.empty()) {
        const std::string_view name = text.word();
        std::vector<double> v;
        if (text.peek() != '(') fail("{}: transform: expected name(numbers)", text.where());
        text.letter();
        while (text.at_number()) v.push_back(text.number());
        if (text.peek() != ')') fail("{}: transform: expected numbers and ')'", text.where());
        text.letter();
        const std::size_t n = v.size();
        Affine one;
        if (name == "matrix" && n == 6) {
            one = {v[0], v[1], v[2], v[3], v[4], v[5]};
        } else if (name == "translate" && (n == 1 || n == 2)) {
            one = {1, 0, 0, 1, v[0], n == 2 ? v[1] : 0};
        } else if (name == "scale" && (n == 1 || n == 2)) {
            one = {v[0], 0, 0, n == 2 ? v[1] : v[0], 0, 0};
        } else if (name == "rotate" && (n == 1 || n == 3)) {
            const auto [s, c] = sin_cos(radians(std::fmod(v[0], 360)));
            one = {c, s, -s, c, 0, 0};
            if (n == 3) one = Affine{1, 0, 0, 1, v[1], v[2]} * one * Affine{1, 0, 0, 1, -v[1], -v[2]};
        } else if ((name == "skewX" || name == "skewY") && n == 1) {
            const SinCos skew = sin_cos(radians(std::fmod(v[0], 360)));
            const double t = skew.cos == 0 ? 0 : skew.sin / skew.cos;
            (name == "skewX" ? one.c : one.b) = t;
        } else {
            fail("{}: transform: '{}' with {} numbers; expected matrix, translate, scale, rotate, skewX or skewY",
                 text.where(), name, n);
        }
        all = all * one;
    }
    return all;
}

namespace {

/// Corners of what curves are drawn as.
constexpr int curve_parts = 16;

void add_cubic(Polyline& line, Point p1, Point p2, Point p3) {
    const Point p0 = line.back();
    for (int i = 1; i <= curve_parts; ++i) {
        const double t = static_cast<double>(i) / curve_parts, u = 1 - t;
        line.push_back(p0 * (u * u * u) + p1 * (3 * u * u * t) + p2 * (3 * u * t * t) + p3 * (t * t * t));
    }
}

/// An arc of an ellipse between two points (SVG 1.1, F.6.5).
void add_arc(Polyline& line, double rx, double ry, double turn_deg, bool large, bool sweep, Point to) {
    const Point from = line.back();
    rx = std::abs(rx);
    ry = std::abs(ry);
    if (rx == 0 || ry == 0 || from == to) return line.push_back(to);
    const auto [s, c] = sin_cos(radians(std::fmod(turn_deg, 360)));
    const double dx = (from.x - to.x) / 2, dy = (from.y - to.y) / 2;
    const double x = c * dx + s * dy, y = -s * dx + c * dy;
    const double scale = std::sqrt(x * x / (rx * rx) + y * y / (ry * ry));
    if (scale > 1) {
        rx *= scale;
        ry *= scale;
    }
    const double under = rx * rx * ry * ry - rx * rx * y * y - ry * ry * x * x;
    const double root =
        std::sqrt(std::max(0.0, under / (rx * rx * y * y + ry * ry * x * x))) * (large == sweep ? -1 : 1);
    const double cx = root * rx * y / ry, cy = -root * ry * x / rx;
    const double first = atan2((y - cy) / ry, (x - cx) / rx), last = atan2((-y - cy) / ry, (-x - cx) / rx);
    double turn = last - first;
    if (sweep && turn < 0) turn += 2 * pi;
    if (!sweep && turn > 0) turn -= 2 * pi;
    const Point middle{c * cx - s * cy + (from.x + to.x) / 2, s * cx + c * cy + (from.y + to.y) / 2};
    for (int i = 1; i < 2 * curve_parts; ++i) {
        const SinCos at = sin_cos(first + turn * i / (2 * curve_parts));
        const double px = rx * at.cos, py = ry * at.sin;
        line.push_back({middle.x + c * px - s * py, middle.y + s * px + c * py});
    }
    line.push_back(to);
}

/// The lines of a path's `d`.

}  // namespace

std::vector<Polyline> path_lines(SvgText text) {
    std::vector<Polyline> lines;
    Point start, control;  // of the present part; of the last curve
    char command = '\0', before = '\0';
    while (!text.empty()) {
        if (!text.at_number()) {
            command = text.letter();
        } else if (command == '\0' || command == 'z' || command == 'Z') {
            fail("{}: d: expected a command such as M or L before '{}'", text.where(), text.rest().substr(0, 24));
        }
        const bool relative = std::islower(static_cast<unsigned char>(command));
        const char kind = static_cast<char>(std::toupper(static_cast<unsigned char>(command)));
        if (kind != 'M' && lines.empty()) fail("{}: d: expected M first, not '{}'", text.where(), command);
        const Point here = lines.empty() ? Point{} : lines.back().back();
        const auto point = [&] {
            const double x = text.number(), y = text.number();
            return relative ? here + Point{x, y} : Point{x, y};
        };
        const auto mirrored = [&](std::string_view after) {
            return after.find(before) != std::string_view::npos ? here * 2 - control : here;
        };
        switch (kind) {
            case 'M':
                start = point();
                lines.push_back({start});
                command = relative ? 'l' : 'L';  // what follows are lines
                break;
            case 'Z':
                lines.back().push_back(start);
                if (!text.empty() && std::toupper(static_cast<unsigned char>(text.peek())) != 'M')
                    lines.push_back({start});
                break;
            case 'L':
                lines.back().push_back(point());
                break;
            case 'H': {
                const double x = text.number();
                lines.back().push_back({relative ? here.x + x : x, here.y});
                break;
            }
            case 'V': {
                const double y = text.number();
                lines.back().push_back({here.x, relative ? here.y + y : y});
                break;
            }
            case 'C':
            case 'S': {
                const Point first = kind == 'C' ? point() : mirrored("CS");
                control = point();
                const Point end = point();
                add_cubic(lines.back(), first, control, end);
                break;
            }
            case 'Q':
            case 'T': {
                control = kind == 'Q' ? point() : mirrored("QT");
                const Point end = point();
                add_cubic(lines.back(), here + (control - here) * (2.0 / 3), end + (control - end) * (2.0 / 3), end);
                break;
            }
            case 'A': {
                const double rx = text.number(), ry = text.number(), turn = text.number();
                const bool large = text.flag(), sweep = text.flag();
                add_arc(lines.back(), rx, ry, turn, large, sweep, point());
                break;
            }
            default:
                fail("{}: d: '{}' is no command of a path", text.where(), command);
        }
        before = kind;
        if (lines.back().size() > most_svg_points) fail("{}: d: more than {} points", text.where(), most_svg_points);
    }
    return lines;
}

Polyline ellipse(Point middle, double rx, double ry) {
    Polyline line{{middle.x + rx, middle.y}};
    add_arc(line, rx, ry, 0, false, true, {middle.x - rx, middle.y});
    add_arc(line, rx, ry, 0, false, true, {middle.x + rx, middle.y});
    return line;
}

}  // namespace outrider
