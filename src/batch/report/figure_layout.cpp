// Legends, and figures as files.
#include <algorithm>

#include "batch/report/figures.hpp"
#include "batch/report/svg.hpp"

namespace outrider {

Panel legend(const Analysis& analysis, const std::vector<std::size_t>& series, double width) {
    Panel out;
    out.width = width;
    double x = 2, y = 12;
    for (const std::size_t k : series) {
        const std::string& name = analysis.compared[k];
        const double wide = 34 + 6.2 * static_cast<double>(name.size());
        if (x > 2 && x + wide > width) {
            x = 2;
            y += 17;
        }
        out.svg +=
            fmt::format("<path class='l {}' d='M{} {}h22'/><text class='t' x='{}' y='{}'>{}</text>", stroke_class(k),
                        coordinate(x), coordinate(y - 3.5), coordinate(x + 27), coordinate(y), escaped(name));
        x += wide + 8;
    }
    out.height = series.empty() ? 0 : y + 8;
    return out;
}

std::string svg_file(const FigureSet& figure, const Analysis& analysis, double width_mm) {
    const double width = width_mm / 25.4 * 96;  // CSS pixels
    double x = 0, y = 0, row = 0;
    std::string body;
    const auto place = [&](const Panel& panel) {
        if (x > 0 && x + panel.width > width + 0.5) {
            x = 0;
            y += row + 8;
            row = 0;
        }
        body += fmt::format("<g transform='translate({} {})'>{}</g>\n", coordinate(x), coordinate(y), panel.svg);
        x += panel.width + 8;
        row = std::max(row, panel.height);
    };
    if (const Panel names = legend(analysis, figure.series, width); names.height > 0) {
        place(names);
        x = width;  // on a line of its own
    }
    for (const Panel& panel : figure.panels) place(panel);
    y += row;
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
        "width='{0}mm' height='{1}mm' viewBox='0 0 {2} {3}'><style>{4}</style>"
        "<rect class='ground' width='{2}' height='{3}'/>\n{5}</svg>\n",
        coordinate(width_mm), coordinate(y / 96 * 25.4), coordinate(width), coordinate(y), svg_style(true), body);
}

}  // namespace outrider
