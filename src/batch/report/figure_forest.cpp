// The difference of two cells on each map, and over all maps.
#include <algorithm>
#include <cmath>

#include "batch/report/figures.hpp"
#include "batch/report/svg.hpp"
#include "batch/table.hpp"

namespace outrider {
namespace {

/// Differences b - a of the pairs of one map.
struct ForestRow {
    std::string map;
    double mean = 0, low = 0, high = 0;
    int pairs = 0;
};

/// Of maps with pairs, the smallest difference first.
std::vector<ForestRow> forest_rows(Results& results, const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<ForestRow> rows(results.plan().maps.size());
    for (std::size_t pair = 0; pair < results.pairs(); ++pair) {
        const double d = b[pair] - a[pair];
        if (std::isnan(d)) continue;
        ForestRow& row = rows[static_cast<std::size_t>(results.map_of(pair))];
        row.low = row.pairs > 0 ? std::min(row.low, d) : d;
        row.high = row.pairs > 0 ? std::max(row.high, d) : d;
        row.mean += (d - row.mean) / ++row.pairs;
    }
    for (std::size_t m = 0; m < rows.size(); ++m) rows[m].map = results.plan().maps[m].name;
    std::erase_if(rows, [](const ForestRow& r) { return r.pairs == 0; });
    std::stable_sort(rows.begin(), rows.end(), [](const ForestRow& x, const ForestRow& y) { return x.mean < y.mean; });
    return rows;
}

Panel forest_panel(const Analysis& a, const PairTest& t, const std::vector<ForestRow>& rows, double width) {
    constexpr double row_height = 17, head = 22;
    double low = 0, high = 0;
    for (const ForestRow& r : rows) low = std::min(low, r.low), high = std::max(high, r.high);
    if (!std::isnan(t.interval.low)) low = std::min(low, t.interval.low), high = std::max(high, t.interval.high);
    const double pad = std::max(1e-9, 0.05 * (high - low));
    const double height = 26 + head + row_height * (static_cast<double>(rows.size()) + 1.5) + 36;
    const std::string &first = a.name_of(t.a), &second = a.name_of(t.b);
    const std::string words = metric_words(t.metric), title = with_group(second + " minus " + first, a.groups[t.group]);
    Plot plot(width, height, title, {low - pad, high + pad, words}, {0, 1, "", false, false, {-1}}, 112);
    plot.mark_x(0, "");
    double y = plot.top() + head / 2;
    for (const ForestRow& r : rows) {
        plot.text(plot.left() - 6, y + 3.5, r.map.size() > 19 ? r.map.substr(0, 18) + "…" : r.map, "end", "t n");
        plot.interval(r.mean, r.low, r.high, y, a.series[t.b],
                      fmt::format("{}: {} over {} starts ({} to {})", r.map, short_number(r.mean), r.pairs,
                                  short_number(r.low), short_number(r.high)));
        y += row_height;
    }
    y += row_height / 2;
    plot.text(plot.left() - 6, y + 3.5, "all maps", "end", "t h");
    const bool interval = !std::isnan(t.interval.low);
    plot.interval(t.mean, interval ? t.interval.low : t.mean, interval ? t.interval.high : t.mean, y, a.series[t.b],
                  fmt::format("all maps: {}{}", short_number(t.mean),
                              interval ? fmt::format(" [95 % {}, {}]", short_number(t.interval.low),
                                                     short_number(t.interval.high))
                                       : ", no interval: too few maps"));
    return {plot.elements(), width, height, "difference of " + words + ", " + title + ", by map"};
}

}  // namespace

FigureSet forest_figure(Results& results, const Analysis& a, const std::string& metric, double width,
                        std::size_t most) {
    FigureSet out;
    out.csv = "metric,group,a,b,map,pairs,mean,low,high\n";
    const std::vector<std::vector<double>> all = results.metric(metric);
    for (const PairTest& t : a.tests) {
        if (t.metric != metric || !t.paired || t.pairs == 0) continue;
        const std::vector<ForestRow> rows = forest_rows(results, test_values(results, t.a, metric, all[t.a]),
                                                        test_values(results, t.b, metric, all[t.b]));
        for (const ForestRow& r : rows)
            out.csv += fmt::format("{},{},{},{},{},{},{},{},{}\n", metric, csv_field(a.groups[t.group].label),
                                   csv_field(a.name_of(t.a)), csv_field(a.name_of(t.b)), csv_field(r.map), r.pairs,
                                   r.mean, r.low, r.high);
        if (out.panels.size() < most) out.panels.push_back(forest_panel(a, t, rows, width));
    }
    return out;
}

}  // namespace outrider
