// SVG plans: outlines of shapes as walls. XML is expat's part; without that library no SVG is read.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "base/input.hpp"
#include "outrider/error.hpp"
#include "world/plan_lines.hpp"
#include "world/svg_path.hpp"

#ifdef OUTRIDER_EXPAT
#include <expat.h>
#endif

namespace outrider {

#ifndef OUTRIDER_EXPAT

MapFile read_svg_map(const std::string& path, double) {
    fail(
        "{}: it is an SVG, and this program was built without expat (Debian: libexpat1-dev), which reads it; convert "
        "it: rsvg-convert IN -o OUT.png",
        path);
}

#else

namespace {

constexpr std::size_t most_svg_levels = 256;

using Attributes = std::map<std::string, std::string, std::less<>>;

/// Metres of a unit of length; nothing: none of paper.
std::optional<double> metres_of(std::string_view unit) {
    for (const auto& [name, metres] :
         {std::pair<std::string_view, double>{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}})
        if (unit == name) return metres;
    return {};
}

/// Collects the lines of a document, in units of its outermost view.
class SvgReader {
  public:
    explicit SvgReader(const std::string& path) : path_(path) {}

    void read(const std::string& bytes) {
        const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr), XML_ParserFree);
        parser_ = parser.get();
        XML_SetUserData(parser_, this);
        XML_SetElementHandler(
            parser_,
            [](void* self, const char* name, const char** values) {
                static_cast<SvgReader*>(self)->guard([&](SvgReader& r) { r.begin(name, values); });
            },
            [](void* self, const char*) { static_cast<SvgReader*>(self)->end(); });
        const XML_Status status = XML_Parse(parser_, bytes.data(), static_cast<int>(bytes.size()), XML_TRUE);
        if (!error_.empty()) throw Error(error_);
        if (status != XML_STATUS_OK) fail("{}: damaged SVG: {}", where(), XML_ErrorString(XML_GetErrorCode(parser_)));
    }

    std::vector<Polyline> lines;
    std::map<std::string, int> left_out;        ///< elements that are not read
    std::optional<std::array<double, 4>> view;  ///< x, y, width, height
    std::optional<double> metres_per_unit;
    std::string width_text;

  private:
    struct Level {
        Affine transform;
        bool hidden = false;
    };

    /// No exception may pass through expat.
    void guard(const std::function<void(SvgReader&)>& act) {
        if (!error_.empty()) return;
        try {
            act(*this);
        } catch (const Error& error) {
            error_ = error.what();
            XML_StopParser(parser_, XML_FALSE);
        }
    }
    std::string where() const { return fmt::format("{}:{}", path_, XML_GetCurrentLineNumber(parser_)); }

    void begin(std::string_view name, const char** values) {
        if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
        Attributes attributes;
        for (; *values; values += 2) attributes[values[0]] = values[1];
        const std::string at = where();
        if (levels_.empty()) {
            if (name != "svg") fail("{}: expected <svg>, not <{}>", at, name);
            read_view(attributes, at);
        }
        if (levels_.size() == most_svg_levels) fail("{}: more than {} levels of elements", at, most_svg_levels);
        Level level = levels_.empty() ? Level{} : levels_.back();
        for (const char* apart : {"defs", "clipPath", "mask", "symbol", "pattern", "marker", "metadata"})
            level.hidden = level.hidden || name == apart;
        const std::string style = text(attributes, "style");
        level.hidden = level.hidden || text(attributes, "display") == "none" ||
                       style.find("display:none") != style.npos || style.find("display: none") != style.npos;
        if (const auto transform = attributes.find("transform"); transform != attributes.end())
            level.transform = level.transform * transform_of({transform->second, at});
        levels_.push_back(level);
        if (!level.hidden) draw(name, attributes, at);
    }
    void end() {
        if (!levels_.empty()) levels_.pop_back();
    }

    static std::string text(const Attributes& attributes, std::string_view key) {
        const auto found = attributes.find(key);
        return found == attributes.end() ? "" : found->second;
    }
    /// A length in units; what is missing is `otherwise`. Units of paper and shares of the view are refused.
    static double length(const Attributes& attributes, std::string_view key, const std::string& at,
                         double otherwise = 0) {
        const auto found = attributes.find(key);
        if (found == attributes.end()) return otherwise;
        SvgText value(found->second, at);
        const double number = value.number();
        if (const std::string_view unit = value.word(); !unit.empty() && unit != "px")
            fail("{}: {} = {}: expected a number without unit", at, key, found->second);
        return number;
    }

    void read_view(const Attributes& attributes, const std::string& at) {
        std::array<std::optional<double>, 2> size;
        std::optional<double> unit_m;
        for (const std::size_t k : {0u, 1u}) {
            const auto found = attributes.find(k == 0 ? "width" : "height");
            if (found == attributes.end()) continue;
            SvgText value(found->second, at);
            size[k] = value.number();
            const std::string_view unit = value.word();
            if (unit == "%") size[k].reset();
            if (k == 0) unit_m = metres_of(unit);
            if (k == 0) width_text = found->second;
        }
        if (const auto box = attributes.find("viewBox"); box != attributes.end()) {
            SvgText value(box->second, at);
            std::array<double, 4> v{};
            for (double& number : v) number = value.number();
            if (!(v[2] > 0) || !(v[3] > 0))
                fail("{}: viewBox = {}: expected a width and a height above 0", at, box->second);
            view = v;
        } else if (size[0] && size[1]) {
            if (!(*size[0] > 0) || !(*size[1] > 0)) fail("{}: expected a width and a height above 0", at);
            view = {0, 0, *size[0], *size[1]};
        }
        // A drawing of two metres and more is as large as the building.
        if (view && size[0] && unit_m && *size[0] * *unit_m >= 2) metres_per_unit = *size[0] * *unit_m / (*view)[2];
    }

    void add(Polyline line) {
        for (Point& p : line) {
            p = levels_.back().transform(p);
            if (!(std::abs(p.x) <= farthest_svg_unit * 100) || !(std::abs(p.y) <= farthest_svg_unit * 100))
                fail("{}: a place too far away, ({}, {})", where(), p.x, p.y);
        }
        points_ += line.size();
        if (points_ > most_svg_points) fail("{}: more than {} points", where(), most_svg_points);
        if (line.size() > 1) lines.push_back(std::move(line));
    }

    void draw(std::string_view name, const Attributes& attributes, const std::string& at) {
        const auto number = [&](std::string_view key) { return length(attributes, key, at); };
        if (name == "path") {
            for (Polyline& line : path_lines({text(attributes, "d"), at})) add(std::move(line));
        } else if (name == "line") {
            add({{number("x1"), number("y1")}, {number("x2"), number("y2")}});
        } else if (name == "polyline" || name == "polygon") {
            const std::string points = text(attributes, "points");
            SvgText values(points, at);
            Polyline line;
            while (!values.empty()) {
                const double x = values.number(), y = values.number();
                line.push_back({x, y});
            }
            if (name == "polygon" && !line.empty()) line.push_back(line.front());
            add(std::move(line));
        } else if (name == "rect") {
            const double x = number("x"), y = number("y"), w = number("width"), h = number("height");
            if (w > 0 && h > 0) add({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}});
        } else if (name == "circle" || name == "ellipse") {
            const double rx = number(name == "circle" ? "r" : "rx"), ry = number(name == "circle" ? "r" : "ry");
            if (rx > 0 && ry > 0) add(ellipse({number("cx"), number("cy")}, rx, ry));
        } else if (name == "use" || name == "image" || name == "text" || name == "style") {
            ++left_out[std::string(name)];
        }
    }

    const std::string& path_;
    XML_Parser parser_ = nullptr;
    std::vector<Level> levels_;
    std::size_t points_ = 0;
    std::string error_;
};

/// Where the document has no view of its own: what its lines reach.
std::array<double, 4> reach_of(const std::vector<Polyline>& lines) {
    Point low{1e300, 1e300}, high{-1e300, -1e300};
    for (const Polyline& line : lines)
        for (const Point& p : line) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

}  // namespace

MapFile read_svg_map(const std::string& path, double cell_m) {
    const std::string bytes = read_file(path, "an SVG", 20);
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        fail("{}: too large for an SVG", path);
    SvgReader svg(path);
    svg.read(bytes);
    std::string left_out;
    for (const auto& [name, count] : svg.left_out)
        left_out += fmt::format("{}{} <{}>", left_out.empty() ? "" : ", ", count, name);
    if (svg.lines.empty())
        fail("{}: an SVG without lines{}; walls are paths, lines, polylines, polygons, rectangles, circles, ellipses",
             path, left_out.empty() ? "" : ", but with " + left_out);
    const auto [left, top, width, height] = svg.view.value_or(reach_of(svg.lines));
    const double cells_per_unit = svg.metres_per_unit ? *svg.metres_per_unit / cell_m : 1;
    const double columns = std::ceil(width * cells_per_unit - 1e-9), rows = std::ceil(height * cells_per_unit - 1e-9);
    check_map_size(path, columns, rows);
    MapFile map{Grid<std::uint8_t>(static_cast<int>(columns), static_cast<int>(rows), 0, Lattice{cell_m}), {}};
    std::int64_t drawn = 0;
    for (const Polyline& line : svg.lines)
        for (std::size_t i = 0; i + 1 < line.size(); ++i) {
            const auto cell = [&](Point p) {
                return Point{(p.x - left) * cells_per_unit, rows - (p.y - top) * cells_per_unit};
            };
            drawn += draw_line(map.walls, cell(line[i]), cell(line[i + 1]));
            if (drawn > 500'000'000) fail("{}: its lines go through more than 500 million cells", path);
        }
    map.notes.push_back(svg.metres_per_unit
                            ? fmt::format("{}: outlines are walls; a unit is {:.6g} m, by its width of {}", path,
                                          *svg.metres_per_unit, svg.width_text)
                            : fmt::format("{}: outlines are walls; a unit is a cell (map.cell_m = {})", path, cell_m));
    if (!left_out.empty()) map.notes.push_back(fmt::format("{}: not read: {}", path, left_out));
    return map;
}

#endif

}  // namespace outrider
