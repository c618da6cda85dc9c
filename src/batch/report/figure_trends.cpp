// Performance profiles, and metrics against an axis of numbers.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "batch/compare.hpp"
#include "batch/report/figures.hpp"
#include "batch/report/svg.hpp"
#include "batch/table.hpp"

namespace outrider {
namespace {

struct NumericAxis {
    std::size_t index = 0;
    std::string name;
    bool compared = false;  ///< it is the compared axis itself
};

/// An axis of numbers along which cells can be drawn: the only such one among the other axes, or the compared axis
/// alone.
std::optional<NumericAxis> numeric_axis(const Analysis& analysis, const SweepPlan& plan) {
    for (std::size_t k = 0; k < plan.axes.size(); ++k) {
        std::set<std::string> values;
        const bool numbers = std::all_of(plan.cells.begin(), plan.cells.end(), [&](const SweepCell& c) {
            values.insert(c.values[k]);
            return !c.values[k].empty() &&
                   (std::isdigit(static_cast<unsigned char>(c.values[k][0])) || c.values[k][0] == '-');
        });
        if (!numbers || values.size() < 3) continue;
        const bool compared = plan.axes[k] == plan.report.compare;
        if (compared ? analysis.groups.size() == 1 : analysis.others.size() == 1 && analysis.others[0] == plan.axes[k])
            return NumericAxis{k, plan.axes[k], compared};
    }
    return {};
}

double number_of(const std::string& text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace

FigureSet profile_figure(Results& results, const Analysis& analysis, const std::string& metric, double width) {
    FigureSet out;
    out.series = series_in(analysis);
    out.csv = "metric,group,cell,factor,share\n";
    const std::vector<std::vector<double>> all = results.metric(metric);
    const bool less = less_is_better(metric);
    for (const CellGroup& group : analysis.groups) {
        std::vector<std::vector<double>> ratios(group.cells.size());
        std::size_t pairs = 0;
        for (std::size_t pair = 0; pair < results.pairs(); ++pair) {
            if (!std::all_of(group.cells.begin(), group.cells.end(),
                             [&](std::size_t c) { return results.there(c, pair); }))
                continue;
            double best = std::nan("");
            for (const std::size_t c : group.cells)
                best = less ? std::fmin(best, all[c][pair]) : std::fmax(best, all[c][pair]);
            if (std::isnan(best) && !is_time_to(metric)) continue;  // not defined; of a time: no run reached it
            ++pairs;
            for (std::size_t i = 0; i < group.cells.size(); ++i) {
                const double v = all[group.cells[i]][pair];
                if (std::isnan(v)) continue;
                if (is_tie(v, best))
                    ratios[i].push_back(1);  // also where all values are 0
                else if (v > 0 && best > 0)
                    ratios[i].push_back(less ? v / best : best / v);
            }
        }
        if (pairs == 0) continue;
        double high = 1.2;
        for (auto& r : ratios) {
            std::sort(r.begin(), r.end());
            if (!r.empty()) high = std::max(high, quantile(r, 0.95));
        }
        high = std::min(high, 10.0);
        Plot plot(width, 236, with_group(metric_words(metric) + ", within a factor of the best", group),
                  {1, high, "factor", false, true, {1, 1.2, 1.5, 2, 3, 4, 5, 7, 10}}, {0, 1, "", true});
        for (std::size_t i = 0; i < group.cells.size(); ++i) {
            std::vector<Point> line;
            double share = 0;
            line.push_back({1, 0});
            for (int k = 0; k <= 200; ++k) {
                const double factor = std::pow(high, k / 200.0);
                share = static_cast<double>(std::upper_bound(ratios[i].begin(), ratios[i].end(), factor * (1 + 1e-9)) -
                                            ratios[i].begin()) /
                        static_cast<double>(pairs);
                if (k == 0) line[0].y = share;
                line.push_back({factor, share});
                if (k % 10 == 0)
                    out.csv += fmt::format("{},{},{:.4f},{:.5f}\n", metric,
                                           group_columns(analysis, group, group.cells[i]), factor, share);
            }
            plot.line(line, analysis.series[group.cells[i]]);
            for (Point& p : line) p.x = std::round(100 * p.x) / 100;  // as people read it
            plot.spots(line, analysis.series[group.cells[i]], analysis.name_of(group.cells[i]));
        }
        out.panels.push_back({plot.elements(), width, 236, "performance profile of " + with_group(metric, group)});
    }
    return out;
}

FigureSet axis_figure(const Analysis& analysis, const SweepPlan& plan, const std::vector<std::string>& metrics,
                      double width) {
    FigureSet out;
    const auto axis = numeric_axis(analysis, plan);
    if (!axis) return out;
    if (!axis->compared) out.series = series_in(analysis);
    out.csv = fmt::format("metric,cell,{},iqm,low,high,never,runs\n", axis->name);
    for (const std::string& metric : metrics) {
        struct At {
            double x;
            const CellSummary* summary;
        };
        std::vector<std::vector<At>> lines(axis->compared ? 1 : analysis.compared.size());
        double low = 1e300, high = -1e300, first = 1e300, last = -1e300;
        for (const CellSummary& s : analysis.summaries) {
            if (s.metric != metric || s.runs == 0) continue;
            const double x = number_of(plan.cells[s.cell].values[axis->index]);
            lines[axis->compared ? 0 : analysis.series[s.cell]].push_back({x, &s});
            low = std::min(low, s.iqm.interval.low);
            high = std::max(high, s.iqm.interval.high);
            first = std::min(first, x);
            last = std::max(last, x);
        }
        if (low > high) continue;
        const double pad = std::max(0.06 * (high - low), 1e-9), side = 0.03 * (last - first);
        Plot plot(width, 236, metric_words(metric), {first - side, last + side, axis->name},
                  {low - pad, high + pad, ""}, 46);
        for (std::size_t k = 0; k < lines.size(); ++k) {
            std::vector<At>& at = lines[k];
            std::sort(at.begin(), at.end(), [](const At& a, const At& b) { return a.x < b.x; });
            std::vector<Point> line;
            std::vector<double> x, bottom, top;
            for (const At& a : at) {
                const CellSummary& s = *a.summary;
                line.push_back({a.x, s.iqm.value});
                x.push_back(a.x);
                bottom.push_back(s.iqm.interval.low);
                top.push_back(s.iqm.interval.high);
                out.csv += fmt::format("{},{},{},{},{},{},{},{}\n", metric,
                                       csv_field(axis->compared ? "all" : analysis.compared[k]), a.x, s.iqm.value,
                                       s.iqm.interval.low, s.iqm.interval.high, s.never, s.runs);
            }
            plot.band(x, bottom, top, k);
            plot.line(line, k);
            for (const At& a : at)
                plot.dot(
                    {a.x, a.summary->iqm.value}, k,
                    fmt::format("{} = {}: {} [{}, {}]", axis->name, a.x, short_number(a.summary->iqm.value),
                                short_number(a.summary->iqm.interval.low), short_number(a.summary->iqm.interval.high)));
        }
        out.panels.push_back({plot.elements(), width, 236, metric_title(metric) + " against " + axis->name});
    }
    return out;
}

}  // namespace outrider
