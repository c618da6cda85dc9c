// The figures of a report or a paper: panels side by side, with their numbers as CSV.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/output.hpp"
#include "batch/analysis.hpp"
#include "batch/reference_times.hpp"
#include "metrics/metric_list.hpp"
#include "metrics/metrics.hpp"

namespace outrider {

struct Panel {
    std::string svg;  ///< elements, in a box of width x height
    double width = 0, height = 0;
    std::string alt;  ///< what it shows, for readers who cannot see it
};

struct FigureSet {
    std::vector<Panel> panels;
    std::vector<std::size_t> series;  ///< series shown in the panels, for the legend
    std::string csv;
};

/// What the team and the base know against the steps, mean and 95 % band; two panels for each group.
FigureSet coverage_figure(Results& results, const Analysis& analysis, double width);
/// A box for each cell: median, quartiles, whiskers to 1.5 times their distance; and how many runs never reached it.
/// `link`: where a click on a run leads; none: nowhere.
using RunLink = std::function<std::string(std::int64_t run)>;
FigureSet box_figure(Results& results, const Analysis& analysis, const std::vector<std::string>& metrics, double width,
                     const RunLink& link = {});
/// Share of the runs that reached a level by each step: Kaplan-Meier, with its 95 % band. A line where half of
/// the plans were that know the map, where they are given.
FigureSet time_to_figure(Results& results, const Analysis& analysis, const std::vector<std::string>& metrics,
                         double width, const ReferenceTimes& plans = {});
/// Share of the pairs in which a cell is within a factor of the best (Dolan & More 2002).
FigureSet profile_figure(Results& results, const Analysis& analysis, const std::string& metric, double width);
/// Mean difference of each tested pair of cells on each map, with the range over its starts, and over all maps with its
/// 95 % interval: a forest plot. Panels of at most `most` pairs.
FigureSet forest_figure(Results& results, const Analysis& analysis, const std::string& metric, double width,
                        std::size_t most = 10);
/// Interquartile mean and its interval against the numbers of another axis; no panels when there is no such axis.
FigureSet axis_figure(const Analysis& analysis, const SweepPlan& plan, const std::vector<std::string>& metrics,
                      double width);
inline constexpr std::size_t tracks_cells = 4;  ///< the most cells that tracks_figure() shows
/// For each cell the run of median outcome on up to `maps` maps, run again: the map and the tracks of the robots.
FigureSet tracks_figure(Results& results, const Analysis& analysis, std::size_t maps, double width);

/// Names of the series with their colours, as a strip of at most `width`.
Panel legend(const Analysis& analysis, const std::vector<std::size_t>& series, double width);
/// Panels in rows below the legend, as a file that stands alone: `width_mm` wide.
std::string svg_file(const FigureSet& figure, const Analysis& analysis, double width_mm);

/// "t90_base (steps)"
std::string metric_title(const std::string& metric);
/// What a metric is, in a few words: "steps until the base knew 90 %".
std::string metric_words(const std::string& metric);
/// All series of an analysis.
std::vector<std::size_t> series_in(const Analysis& analysis);
/// A title that names the group, if there are several.
std::string with_group(const std::string& title, const CellGroup& group);
/// Group and cell as columns of CSV.
std::string group_columns(const Analysis& analysis, const CellGroup& group, std::size_t cell);

}  // namespace outrider
