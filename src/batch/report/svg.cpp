#include "batch/report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/theme.hpp"

namespace outrider {
namespace {

/// Dashes, so that lines can be told apart without colours as well.
constexpr std::array<const char*, 8> dashes{"none", "7 3", "2 2.5", "9 3 2 3", "12 4", "4 2", "9 3 2 3 2 3", "1.5 4"};

std::string number_text(double v, bool percent) {
    if (std::abs(v) < 1e-12) v = 0;  // a tick's place is a product: -0, 1e-17
    if (percent) return fmt::format("{:.3g} %", 100 * v);
    if (v == 0) return "0";
    if (std::abs(v) >= 1e6) return fmt::format("{:.3g}", v);
    return fmt::format("{:.6g}", v);
}

}  // namespace

std::string stroke_class(std::size_t series) {
    const std::size_t colour = series % palette.size(), round = series / palette.size();
    if (round == 0) return fmt::format("s{}", colour + 1);
    return fmt::format("s{} d{}", colour + 1, (colour + round) % dashes.size() + 1);  // the colour, with another dash
}
std::string fill_class(std::size_t series) { return fmt::format("f{}", series % palette.size() + 1); }

std::string coordinate(double v) {
    std::string text = fmt::format("{:.2f}", v);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string svg_style(bool alone) {
    const auto colours = [](const Theme& t) {
        std::string out;
        for (std::size_t i = 0; i < t.robots.size(); ++i) out += fmt::format("--c{}:{};", i + 1, css(t.robots[i]));
        return out + fmt::format("--ink:{};--faint:{};--grid:{};--ground:{};", css(t.text), css(t.faint), css(t.line),
                                 css(t.paper));
    };
    const Theme& light = theme(false);
    const std::string on_white = colours(light), on_black = colours(theme(true));
    std::string out;
    if (alone) {
        // Programs that draw pictures for papers do not support CSS variables.
        for (std::size_t i = 0; i < light.robots.size(); ++i)
            out += fmt::format(".s{0}{{stroke:{1};stroke-dasharray:{2}}}.f{0}{{fill:{1}}}", i + 1, css(light.robots[i]),
                               dashes[i]);
        out += fmt::format(
            ".ink{{stroke:{0}}}.grid{{stroke:{2}}}.faint{{stroke:{1}}}.t{{fill:{0}}}.u{{fill:{1}}}"
            "text.u{{stroke:{3}}}.ground{{fill:{3}}}.hollow{{fill:{3}}}",
            css(light.text), css(light.faint), css(light.line), css(light.paper));
    } else {
        out += ":root{" + on_white + "}@media (prefers-color-scheme:dark){:root{" + on_black + "}}@media print{:root{" +
               on_white + "}}";
        for (std::size_t i = 0; i < light.robots.size(); ++i)
            out += fmt::format(".s{0}{{stroke:var(--c{0});stroke-dasharray:{1}}}.f{0}{{fill:var(--c{0})}}", i + 1,
                               dashes[i]);
        out +=
            ".ink{stroke:var(--ink)}.grid{stroke:var(--grid)}.faint{stroke:var(--faint)}.t{fill:var(--ink)}"
            ".u{fill:var(--faint)}text.u{stroke:var(--ground)}.ground{fill:var(--ground)}.hollow{fill:var(--ground)}";
    }
    for (std::size_t i = 0; i < dashes.size(); ++i) out += fmt::format(".d{}{{stroke-dasharray:{}}}", i + 1, dashes[i]);
    return out +
           ".l{fill:none;stroke-width:1.8;stroke-linejoin:round}.b{stroke:none;opacity:.18}.q{fill-opacity:.22;"
           "stroke-width:1.2;stroke-dasharray:none}.w{stroke-width:1.2;stroke-dasharray:none;fill:none}"
           ".m{stroke-width:2.4;stroke-dasharray:none}.g{stroke-width:.8}"
           ".t,.u{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:10.5px}"
           "text.u{paint-order:stroke;stroke-width:2.5px;stroke-linejoin:round}"
           ".p{fill-opacity:0;pointer-events:all}.p:hover,a:focus "
           ".p{fill-opacity:1}.h{font-size:11.5px;font-weight:600}.n{font-size:9.5px}";
}

std::vector<double> ticks(double low, double high, int count) {
    if (!(high > low)) return {low};
    const double raw = (high - low) / std::max(1, count), power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double round : {1.0, 2.0, 2.5, 5.0})
        if (round * power >= raw) {
            step = round * power;
            break;
        }
    std::vector<double> out;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) out.push_back(k * step);
    return out;
}

Plot::Plot(double width, double height, std::string title, Axis x, Axis y, double left)
    : width_(width),
      height_(height),
      left_(left > 0 ? left : 8),
      top_(title.empty() ? 10 : 26),
      bottom_(x.label.empty() ? 22 : 36),
      title_(std::move(title)),
      x_(std::move(x)),
      y_(std::move(y)) {
    if (!(x_.high > x_.low)) x_.high = x_.low + 1;
    if (!(y_.high > y_.low)) y_.high = y_.low + 1;
    if (const double room = width - left_, needed = 6.2 * static_cast<double>(title_.size()); needed <= room)
        text(left > 0 ? 2 : left_, 14, title_, "start", "t h");
    else  // smaller letters
        body_ += fmt::format("<text class='t h' x='{}' y='14' style='font-size:{}px'>{}</text>",
                             coordinate(left > 0 ? 2 : left_), coordinate(std::max(7.5, 11.5 * room / needed)),
                             escaped(title_));
    const std::vector<double> x_at = x_.at.empty() ? ticks(x_.low, x_.high, static_cast<int>(width / 70)) : x_.at;
    for (const double v : x_at) {
        if (v < x_.low || v > x_.high) continue;
        body_ += fmt::format("<path class='grid g' d='M{0} {1}V{2}'/>", coordinate(px(v)), coordinate(top()),
                             coordinate(bottom()));
        const std::string label = number_text(v, x_.percent);
        const bool last = px(v) + 2.7 * static_cast<double>(label.size()) > width_ - 1;  // does not fit when centred
        text(last ? width_ - 1 : px(v), bottom() + 13, label, last ? "end" : "middle", "t n");
    }
    if (left > 0)
        for (const double v :
             y_.at.empty() ? ticks(y_.low, y_.high, static_cast<int>((bottom() - top()) / 32)) : y_.at) {
            if (v < y_.low || v > y_.high) continue;
            body_ += fmt::format("<path class='grid g' d='M{0} {1}H{2}'/>", coordinate(left_), coordinate(py(v)),
                                 coordinate(right()));
            text(left_ - 4, py(v) + 3.5, number_text(v, y_.percent), "end", "t n");
        }
    body_ += fmt::format("<path class='faint g' fill='none' d='M{} {}V{}H{}'/>", coordinate(left_), coordinate(top()),
                         coordinate(bottom()), coordinate(right()));
    text((left_ + right()) / 2, height - 6, x_.label, "middle", "u");
    if (left > 0 && !y_.label.empty())
        body_ += fmt::format("<text class='u' text-anchor='middle' transform='translate(10 {}) rotate(-90)'>{}</text>",
                             coordinate((top() + bottom()) / 2), escaped(y_.label));
}

double Plot::px(double x) const {
    const double share =
        x_.logarithmic ? std::log(x / x_.low) / std::log(x_.high / x_.low) : (x - x_.low) / (x_.high - x_.low);
    return left_ + share * (right() - left_);
}
double Plot::py(double y) const { return bottom() - (y - y_.low) / (y_.high - y_.low) * (bottom() - top()); }

void Plot::line(std::span<const Point> points, std::size_t series) {
    std::string path;
    bool pen = false;
    for (const Point& p : points) {
        if (std::isnan(p.y)) {
            pen = false;
            continue;
        }
        path += fmt::format("{}{} {}", pen ? "L" : "M", coordinate(px(p.x)), coordinate(py(p.y)));
        pen = true;
    }
    body_ += fmt::format("<path class='l {}' d='{}'/>", stroke_class(series), path);
}

void Plot::band(std::span<const double> x, std::span<const double> low, std::span<const double> high,
                std::size_t series) {
    std::string path;
    for (std::size_t i = 0; i < x.size(); ++i)
        path += fmt::format("{}{} {}", i == 0 ? "M" : "L", coordinate(px(x[i])), coordinate(py(high[i])));
    for (std::size_t i = x.size(); i-- > 0;)
        path += fmt::format("L{} {}", coordinate(px(x[i])), coordinate(py(low[i])));
    if (!path.empty()) body_ += fmt::format("<path class='b {}' d='{}Z'/>", fill_class(series), path);
}

void Plot::dot(Point at, std::size_t series, const std::string& hint) {
    body_ +=
        fmt::format("<circle class='{}' cx='{}' cy='{}' r='2.4'>{}</circle>", fill_class(series), coordinate(px(at.x)),
                    coordinate(py(at.y)), hint.empty() ? "" : "<title>" + escaped(hint) + "</title>");
}

void Plot::spot(double x, double y, std::size_t series, const std::string& hint, const std::string& link) {
    const std::string mark = fmt::format("<circle class='p {}' cx='{}' cy='{}' r='4'><title>{}</title></circle>",
                                         fill_class(series), coordinate(x), coordinate(y), escaped(hint));
    body_ += link.empty() ? mark : fmt::format("<a href='{}'>{}</a>", escaped(link), mark);
}

void Plot::spots(std::span<const Point> points, std::size_t series, const std::string& name) {
    const std::size_t every = std::max<std::size_t>(1, (points.size() + 39) / 40);
    for (std::size_t i = 0; i < points.size(); i += every)
        if (!std::isnan(points[i].y))
            spot(
                px(points[i].x), py(points[i].y), series,
                fmt::format("{}, {} {}: {}", name, x_.label, number_text(points[i].x, false),
                            number_text(y_.percent ? std::round(1000 * points[i].y) / 1000 : points[i].y, y_.percent)));
}

void Plot::box(const Box& b, double y, double height, std::size_t series, const std::string& hint) {
    const std::string stroke = stroke_class(series);
    const double half = height / 2;
    body_ += fmt::format("<g><title>{}</title><path class='w {}' d='M{} {}H{}M{} {}H{}'/>", escaped(hint), stroke,
                         coordinate(px(b.whisker_low)), coordinate(y), coordinate(px(b.low)), coordinate(px(b.high)),
                         coordinate(y), coordinate(px(b.whisker_high)));
    body_ += fmt::format("<rect class='q {} {}' x='{}' y='{}' width='{}' height='{}'/>", stroke, fill_class(series),
                         coordinate(px(b.low)), coordinate(y - half), coordinate(std::max(0.5, px(b.high) - px(b.low))),
                         coordinate(height));
    body_ += fmt::format("<path class='m {}' d='M{} {}v{}'/></g>", stroke, coordinate(px(b.median)),
                         coordinate(y - half), coordinate(height));
}

void Plot::interval(double value, double a, double b, double y, std::size_t series, const std::string& hint) {
    body_ += fmt::format(
        "<g><title>{}</title><path class='w {}' d='M{} {}H{}'/><circle class='{}' cx='{}' cy='{}' "
        "r='3.2'/></g>",
        escaped(hint), stroke_class(series), coordinate(px(a)), coordinate(y), coordinate(px(b)), fill_class(series),
        coordinate(px(value)), coordinate(y));
}

void Plot::mark_x(double x, const std::string& label) {
    body_ += fmt::format("<path class='faint g' stroke-dasharray='3 3' d='M{} {}V{}'/>", coordinate(px(x)),
                         coordinate(top()), coordinate(bottom()));
    if (!label.empty()) text(px(x) - 3, top() + 9, label, "end", "u n");
}

void Plot::text(double x, double y, std::string_view words, const char* anchor, const char* css) {
    if (words.empty()) return;
    body_ += fmt::format("<text class='{}' x='{}' y='{}' text-anchor='{}'>{}</text>", css, coordinate(x), coordinate(y),
                         anchor, escaped(words));
}

std::string Plot::elements() const { return body_; }

}  // namespace outrider
