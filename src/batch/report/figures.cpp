#include "batch/report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "batch/report/svg.hpp"
#include "batch/table.hpp"
#include "metrics/metrics.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

std::vector<double> without_nan(const std::vector<double>& values) {
    std::vector<double> out;
    std::copy_if(values.begin(), values.end(), std::back_inserter(out), [](double v) { return !std::isnan(v); });
    return out;
}

/// The last point at which some curve still grows, as a share of the points.
std::size_t last_growth(const std::vector<Results::CoverageBands>& bands, const std::vector<std::size_t>& cells) {
    std::size_t last = 1;
    for (const std::size_t c : cells)
        for (const Band* b : {&bands[c].team, &bands[c].base})
            for (std::size_t i = 1; i < b->mean.size(); ++i)
                if (b->mean.back() - b->mean[i - 1] > 0.002) last = std::max(last, i);
    return last;
}

/// Steps of the middle one of the plans for a group's runs; not a number: there are none for this metric, or half of
/// them never got there.
double median_plan(const Results& results, const CellGroup& group, const std::string& metric,
                   const ReferenceTimes& plans) {
    const auto k =
        static_cast<std::size_t>(std::find(bound_metrics.begin(), bound_metrics.end(), metric) - bound_metrics.begin());
    std::vector<double> steps;
    for (const std::size_t c : group.cells)
        for (std::size_t pair = 0; pair < results.pairs() && k < bound_metrics.size(); ++pair) {
            const auto own = results.there(c, pair) ? plans.find(results.run_of(c, pair)) : plans.end();
            if (own == plans.end()) continue;
            steps.push_back(std::isnan(own->second.plan[k]) ? INFINITY : own->second.plan[k]);
        }
    if (steps.empty()) return std::nan("");
    std::sort(steps.begin(), steps.end());
    return std::isinf(steps[steps.size() / 2]) ? std::nan("") : steps[steps.size() / 2];
}

}  // namespace

std::vector<std::size_t> series_in(const Analysis& analysis) {
    std::set<std::size_t> all;
    for (const CellGroup& g : analysis.groups)
        for (const std::size_t c : g.cells) all.insert(analysis.series[c]);
    return {all.begin(), all.end()};
}

std::string with_group(const std::string& title, const CellGroup& group) {
    return group.label.empty() ? title : title + ", " + group.label;
}

std::string group_columns(const Analysis& a, const CellGroup& group, std::size_t cell) {
    return csv_field(group.label) + "," + csv_field(a.name_of(cell));
}

std::string metric_title(const std::string& metric) {
    const MetricInfo& info = expect_team_metric(metric, "the sweep");
    return info.unit.empty() ? metric : fmt::format("{} ({})", metric, info.unit);
}

std::string metric_words(const std::string& metric) {
    static const std::map<std::string_view, std::string_view> words{
        {"steps", "length of the run"},
        {"final_team", "known to the team at the end"},
        {"final_base", "known at the base at the end"},
        {"auc_team", "known to the team, mean over the steps"},
        {"auc_base", "known at the base, mean over the steps"},
        {"latency_mean", "delay until the base knows, mean"},
        {"latency_max", "delay until the base knows, longest"},
        {"distance_m", "distance driven by the team"},
        {"distance_max_m", "longest distance of a robot"},
        {"connected_share", "share of the time linked to a base"},
        {"redundant_sensing", "sensed more than once"},
        {"messages", "messages delivered"},
        {"bytes", "bytes delivered"},
        {"return_steps", "steps until all were home"},
        {"deaths", "robots out of service at the end"},
        {"victims_found", "people found"},
    };
    if (const auto at = words.find(metric); at != words.end()) return std::string(at->second);
    for (const char* who : {"team", "base"})
        if (metric.size() == 8 && metric[0] == 't' && metric.substr(4) == who && metric[3] == '_')
            return fmt::format("steps until the {} knew {} %", who, metric.substr(1, 2));
    std::string out = metric;
    std::replace(out.begin(), out.end(), '_', ' ');
    const std::string_view unit = expect_team_metric(metric, "the sweep").unit;
    if (!unit.empty() && out.ends_with(" " + std::string(unit))) out.resize(out.size() - unit.size() - 1);
    return out;
}

FigureSet coverage_figure(Results& results, const Analysis& analysis, double width) {
    FigureSet out;
    out.series = series_in(analysis);
    out.csv = "group,cell,of,step,mean,low,high\n";
    const std::vector<Results::CoverageBands> bands = results.coverage();
    const auto points = static_cast<std::size_t>(results.plan().curve_points);
    if (points < 2) return out;
    for (const CellGroup& group : analysis.groups) {
        const std::size_t last = std::min(points - 1, last_growth(bands, group.cells) * 21 / 20 + 1);
        double high = 1;
        for (const std::size_t c : group.cells)
            high = std::max(
                high, (results.step_limit(c) - 1.0) * static_cast<double>(last) / static_cast<double>(points - 1));
        for (const bool base : {false, true}) {
            const std::string title = base ? "known at the base" : "known to the team";
            Plot plot(width, 236, with_group(title, group), {0, high, "step"}, {0, 1, "", true});
            for (const std::size_t c : group.cells) {
                const Band& band = base ? bands[c].base : bands[c].team;
                std::vector<double> x, low, top;
                std::vector<Point> line;
                for (std::size_t i = 0; i < band.mean.size(); ++i) {
                    const double step = std::floor((results.step_limit(c) - 1.0) * static_cast<double>(i) /
                                                   static_cast<double>(points - 1));
                    out.csv += fmt::format("{},{},{},{:.5f},{:.5f},{:.5f}\n", group_columns(analysis, group, c),
                                           base ? "base" : "team", step, band.mean[i], band.low[i], band.high[i]);
                    if (step > high) continue;
                    x.push_back(step);
                    low.push_back(band.low[i]);
                    top.push_back(band.high[i]);
                    line.push_back({step, band.mean[i]});
                }
                plot.band(x, low, top, analysis.series[c]);
                plot.line(line, analysis.series[c]);
                plot.spots(line, analysis.series[c], analysis.name_of(c));
            }
            out.panels.push_back(
                {plot.elements(), width, 236, "share of the area " + with_group(title, group) + " against the steps"});
        }
    }
    return out;
}

FigureSet box_figure(Results& results, const Analysis& analysis, const std::vector<std::string>& metrics, double width,
                     const RunLink& link) {
    FigureSet out;
    out.series = series_in(analysis);
    out.csv = "metric,group,cell,runs,never,whisker_low,quartile_low,median,quartile_high,whisker_high\n";
    for (const std::string& metric : metrics) {
        const std::vector<std::vector<double>> all = results.metric(metric);
        for (const CellGroup& group : analysis.groups) {
            double low = 1e300, high = -1e300, limit = 0;
            bool any_never = false;
            std::vector<std::vector<double>> samples;
            for (const std::size_t c : group.cells) {
                samples.push_back(without_nan(test_values(results, c, metric, all[c])));
                const double end = results.step_limit(c);
                limit = std::max(limit, end);
                for (double& v : samples.back()) {
                    low = std::min(low, v);
                    if (is_time_to(metric) && v > end)
                        any_never = true;
                    else
                        high = std::max(high, v);
                }
            }
            if (low > high) {
                low = 0;
                high = std::max(1.0, limit);
            }
            const double pad = 0.04 * (high - low), reached = high;
            const bool never_zone = any_never;
            low = is_time_to(metric) ? 0 : low - pad;
            // Runs that never reached it stand in a zone of their own at the right.
            const double zone = high + 0.1 * (high - low);
            high = never_zone ? high + 0.18 * (high - low) : high + pad;
            const double height = 62 + 36 * static_cast<double>(group.cells.size());
            Plot::Axis axis{low, high, std::string(expect_team_metric(metric, "the sweep").unit)};
            if (never_zone) axis.at = ticks(low, reached, static_cast<int>(width / 70));
            Plot plot(width, height, with_group(metric_words(metric), group), axis, {}, 0);
            if (never_zone) plot.mark_x(zone - 0.04 * (high - low), "");
            if (never_zone) plot.text(plot.right(), plot.top() - 3, "never", "end", "u n");
            for (std::size_t i = 0; i < group.cells.size(); ++i) {
                const std::size_t c = group.cells[i];
                std::vector<double> v = samples[i];
                const double y = plot.top() + 26 + 36 * static_cast<double>(i);
                std::size_t runs = 0;
                for (std::size_t pair = 0; pair < results.pairs(); ++pair) runs += results.there(c, pair);
                if (v.empty()) {
                    plot.text(plot.left() + 4, y - 12,
                              analysis.name_of(c) +
                                  (runs > 0 ? fmt::format(": not defined in any of {} runs", runs) : ": no runs"));
                    continue;
                }
                std::sort(v.begin(), v.end());
                const auto is_never = [&](double x) { return is_time_to(metric) && x > results.step_limit(c); };
                const auto never = static_cast<std::size_t>(std::count_if(v.begin(), v.end(), is_never));
                const auto shown = [&](double x) { return is_never(x) ? zone : std::min(x, std::max(reached, zone)); };
                const double q1 = value_quantile(results, metric, v, 0.25),
                             q2 = value_quantile(results, metric, v, 0.5),
                             q3 = value_quantile(results, metric, v, 0.75), reach = 1.5 * (q3 - q1);
                // Where no run lies between, a whisker ends at the box.
                const double first = std::min(q1, *std::lower_bound(v.begin(), v.end(), q1 - reach)),
                             last = std::max(q3, *(std::upper_bound(v.begin(), v.end(), q3 + reach) - 1));
                const auto text = [&](double x) { return is_never(x) ? std::string("never") : short_number(x); };
                const auto number = [&](double x) { return is_never(x) ? std::string() : fmt::format("{}", x); };
                const std::string hint =
                    fmt::format("{}: median {}, quartiles {} and {}, {} runs{}", analysis.name_of(c), text(q2),
                                text(q1), text(q3), v.size(), never > 0 ? fmt::format(", {} never", never) : "");
                plot.box({shown(first), shown(q1), shown(q2), shown(q3), shown(last)}, y, 14, analysis.series[c], hint);
                const std::vector<double> values = test_values(results, c, metric, all[c]);
                for (std::size_t pair = 0, shown_runs = 0; pair < values.size() && shown_runs < 200; ++pair) {
                    if (!results.there(c, pair) || std::isnan(values[pair])) continue;
                    ++shown_runs;
                    const std::int64_t run = results.run_of(c, pair);
                    plot.spot(plot.px(shown(values[pair])), y, analysis.series[c],
                              fmt::format("{}: {}, run {} on {}", analysis.name_of(c), text(values[pair]), run,
                                          results.plan().maps[static_cast<std::size_t>(results.map_of(pair))].name),
                              link ? link(run) : "");
                }
                int dots = 0;
                for (const double x : v)
                    if ((x < first || x > last) && ++dots <= 100)
                        plot.raw(fmt::format("<circle class='w {}' cx='{}' cy='{}' r='1.6'/>",
                                             stroke_class(analysis.series[c]), coordinate(plot.px(shown(x))),
                                             coordinate(y)));
                plot.text(plot.left() + 4, y - 11, analysis.name_of(c), "start", "t n");
                plot.text(plot.right() - 2, y - 11,
                          fmt::format("{}{} run{}{}", v.size(), v.size() < runs ? fmt::format(" of {}", runs) : "",
                                      runs == 1 ? "" : "s", never > 0 ? fmt::format(", {} never", never) : ""),
                          "end", "u n");
                out.csv +=
                    fmt::format("{},{},{},{},{},{},{},{},{}\n", metric, group_columns(analysis, group, c), v.size(),
                                never, number(first), number(q1), number(q2), number(q3), number(last));
            }
            out.panels.push_back(
                {plot.elements(), width, height, "box plot of " + with_group(metric_title(metric), group)});
        }
    }
    return out;
}

FigureSet time_to_figure(Results& results, const Analysis& analysis, const std::vector<std::string>& metrics,
                         double width, const ReferenceTimes& plans) {
    FigureSet out;
    out.series = series_in(analysis);
    out.csv = "metric,group,cell,step,reached,low,high\n";
    for (const std::string& metric : metrics) {
        if (!is_time_to(metric)) continue;
        const std::vector<std::vector<double>> all = results.metric(metric);
        for (const CellGroup& group : analysis.groups) {
            double last_event = 1;
            std::vector<Survival> curves;
            std::vector<double> watched;  // until when
            for (const std::size_t c : group.cells) {
                std::vector<double> times;
                std::vector<bool> seen;
                for (std::size_t pair = 0; pair < results.pairs(); ++pair) {
                    if (!results.there(c, pair)) continue;
                    const bool reached = !std::isnan(all[c][pair]);
                    times.push_back(reached ? all[c][pair] : results.step_limit_of(c, pair));
                    seen.push_back(reached);
                }
                double longest = 0;
                for (std::size_t pair = 0; pair < results.pairs(); ++pair)
                    if (results.there(c, pair)) longest = std::max<double>(longest, results.step_limit_of(c, pair));
                watched.push_back(longest);
                curves.push_back(kaplan_meier(times, seen));
                last_event = std::max(last_event, curves.back().steps.back().time);
            }
            const double high = last_event * 1.05;
            const std::string title = with_group("runs by " + metric_words(metric), group);
            Plot plot(width, 236, title, {0, high, "step"}, {0, 1, "", true});
            for (std::size_t i = 0; i < group.cells.size(); ++i) {
                const std::size_t c = group.cells[i];
                if (watched[i] == 0) continue;  // no runs
                std::vector<Point> line;
                std::vector<double> x, low, top;
                for (std::size_t k = 0; k < curves[i].steps.size(); ++k) {
                    const Survival::Step& s = curves[i].steps[k];
                    const double until =
                        k + 1 < curves[i].steps.size() ? curves[i].steps[k + 1].time : std::min(high, watched[i]);
                    for (const double t : {s.time, until}) {
                        line.push_back({t, 1 - s.survival});
                        x.push_back(t);
                        low.push_back(1 - s.interval.high);
                        top.push_back(1 - s.interval.low);
                    }
                    out.csv += fmt::format("{},{},{},{:.5f},{:.5f},{:.5f}\n", metric, group_columns(analysis, group, c),
                                           s.time, 1 - s.survival, 1 - s.interval.high, 1 - s.interval.low);
                }
                plot.band(x, low, top, analysis.series[c]);
                plot.line(line, analysis.series[c]);
                plot.spots(line, analysis.series[c], analysis.name_of(c));
            }
            if (const double plan = median_plan(results, group, metric, plans); !std::isnan(plan))
                plot.mark_x(plan, fmt::format("plan {}", short_number(plan)));
            out.panels.push_back({plot.elements(), width, 236, "share of " + title + " against the steps"});
        }
    }
    return out;
}

}  // namespace outrider
