// The one table of colours: contrast as WCAG 2.1 defines it, and what people with any colour vision tell apart.
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "batch/report/svg.hpp"
#include "helpers.hpp"
#include "log/viewers/drawings.hpp"
#include "pictures/map_canvas.hpp"
#include "player/page.hpp"
#include "scene/hue.hpp"
#include "scene/theme.hpp"

using namespace outrider;

namespace test_theme {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

/// Red, green and blue as amounts of light.
Triple light_of(Colour c) {
    const auto linear = [](std::uint8_t v) {
        const double s = v / 255.0;
        return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    };
    return {linear(c.red), linear(c.green), linear(c.blue)};
}

Triple times(const Matrix& m, const Triple& v) {
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return out;
}

double luminance(Colour c) {
    const Triple l = light_of(c);
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
}

/// 1 to 21.
double contrast(Colour a, Colour b) {
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
}

/// Normal vision, and full protanopia, deuteranopia and tritanopia (Machado, Oliveira, Fernandes 2009).
const std::array<Matrix, 4> visions{
    {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

/// CIE 1976 difference of two colours as this vision has them; about 2 can just be told apart side by side.
double difference(Colour a, Colour b, const Matrix& vision) {
    const auto lab = [&](Colour c) {
        Triple l = times(vision, light_of(c));
        for (double& v : l) v = std::clamp(v, 0.0, 1.0);
        const Triple xyz = times({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, l);
        const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double x = f(xyz[0] / 0.9505), y = f(xyz[1]), z = f(xyz[2] / 1.089);
        return Triple{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const Triple p = lab(a), q = lab(b);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/// All colours that a text of CSS or script names.
std::set<std::string> colours_in(const std::string& text) {
    static const std::regex colour("#[0-9a-fA-F]{3,6}\\b");
    std::set<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), colour), end; at != end; ++at) out.insert(at->str());
    return out;
}

}  // namespace

TEST_CASE("contrast and difference of colours are those of their definitions") {
    CHECK(contrast({0, 0, 0}, {255, 255, 255}) == doctest::Approx(21));
    CHECK(contrast({119, 119, 119}, {255, 255, 255}) == doctest::Approx(4.48).epsilon(0.01));
    CHECK(difference({0, 0, 0}, {255, 255, 255}, visions[0]) == doctest::Approx(100).epsilon(0.001));
    const Colour red{200, 60, 0}, green{120, 110, 0};
    CHECK(difference(red, green, visions[2]) < 0.5 * difference(red, green, visions[0]));
}

TEST_CASE("what carries meaning stands against its ground with 3 : 1, text with 4.5 : 1, in light and dark") {
    for (const bool dark : {false, true}) {
        const Theme& t = theme(dark);
        CAPTURE(dark);
        for (const Colour c : {t.wall, t.frontier, t.skeleton, t.goal, t.candidate, t.meeting, t.link, t.ahead,
                               t.behind, t.undelivered_line, t.safe_line}) {
            CAPTURE(css(c));
            CHECK(contrast(c, t.free) >= 3);
        }
        for (std::size_t robot = 0; robot < 9; ++robot)
            CHECK(contrast(robot_colour(t, robot, robot == 0), t.free) >= 3);
        for (std::size_t k = 0; k < hue_names.size(); ++k) {
            CAPTURE(hue_names[k]);
            CHECK(contrast(shade(static_cast<Hue>(k), dark), t.free) >= 3);
        }
        for (const Colour c : {t.text, t.faint, t.accent, t.warning, t.error})
            for (const Colour ground : {t.window, t.panel, t.raised}) {
                CAPTURE(css(c));
                CHECK(contrast(c, ground) >= 4.5);
            }
        CHECK(contrast(t.on_accent, t.accent) >= 4.5);
    }
}

TEST_CASE("robots are told apart with any colour vision") {
    for (const bool dark : {false, true})
        for (std::size_t v = 0; v < visions.size(); ++v)
            for (std::size_t a = 0; a < 8; ++a)
                for (std::size_t b = 0; b < a; ++b) {
                    CAPTURE(dark);
                    CAPTURE(v);
                    CAPTURE(css(theme(dark).robots[a]));
                    CAPTURE(css(theme(dark).robots[b]));
                    CHECK(difference(theme(dark).robots[a], theme(dark).robots[b], visions[v]) >= 20);
                }
}

TEST_CASE("what only robots know is told from what a base knows also in grey print") {
    for (const bool dark : {false, true}) {
        const Theme& t = theme(dark);
        CHECK(contrast(t.undelivered_line, t.undelivered) >= 3);
        // The hatch of the one rises, that of the other falls; each is on a quarter of the cells.
        int rising = 0, falling = 0, both = 0;
        for (int y = -8; y < 8; ++y)
            for (int x = -8; x < 8; ++x) {
                rising += on_hatch(x, y, true);
                falling += on_hatch(x, y, false);
                both += on_hatch(x, y, true) && on_hatch(x, y, false);
            }
        CHECK(rising == 64);
        CHECK(falling == 64);
        CHECK(both < 64);
    }
}

TEST_CASE("page, report, pictures and Foxglove have no colours but those of the table") {
    std::set<std::string> table;
    for (const bool dark : {false, true}) {
        const Theme& t = theme(dark);
        for (const Colour c : t.robots) table.insert(css(c));
        for (const Colour c :
             {t.window, t.panel, t.line, t.text, t.faint, t.accent, t.error, t.outside, t.unknown, t.hidden_wall,
              t.wall, t.free, t.undelivered, t.undelivered_line, t.link, t.goal, t.candidate, t.meeting, t.paper})
            table.insert(css(c));
    }
    const std::set<std::string> page = colours_in(player_page({}));
    CHECK(page.size() > 30);
    CHECK(std::includes(table.begin(), table.end(), page.begin(), page.end()));
    for (const bool alone : {false, true}) {
        const std::set<std::string> report = colours_in(svg_style(alone));
        CHECK(report.size() > 8);
        CHECK(std::includes(table.begin(), table.end(), report.begin(), report.end()));
    }
    const Scenario s = text_scenario({"#######", "#B1.2.#", "#######"});
    const Simulation sim(s);
    for (const Robot& robot : sim.team()) {
        const Briefing& briefing = robot.belief().briefing();
        const auto number = static_cast<std::size_t>(briefing.self);
        CHECK(drawn_colour(briefing) == robot_colour(theme(false), number, briefing.is_base()));
        CHECK(robot_colour(number) == drawn_colour(briefing));
    }
}

}  // namespace test_theme
