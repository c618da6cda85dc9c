#include "batch/results.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/version.hpp"
#include "batch/sweep_shard.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// Running mean and squares (Welford 1962) of each point of a curve.
struct Moments {
    std::int64_t count = 0;
    std::vector<double> mean, squares;
    void add(const std::vector<double>& values) {
        mean.resize(values.size());
        squares.resize(values.size());
        ++count;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double before = values[i] - mean[i];
            mean[i] += before / static_cast<double>(count);
            squares[i] += before * (values[i] - mean[i]);
        }
    }
};

/// The mean over maps, each weighted by its runs, and its uncertainty from the scatter within maps. Maps with a single
/// run count as one map: alone they would seem to be certain.
Band band_of(const std::vector<Moments>& by_map) {
    Band band;
    double all = 0;
    std::size_t points = 0;
    std::vector<Moments> strata(1);
    for (const Moments& m : by_map) {
        all += static_cast<double>(m.count);
        points = std::max(points, m.mean.size());
        if (m.count == 1) strata[0].add(m.mean);
        if (m.count > 1) strata.push_back(m);
    }
    for (std::size_t i = 0; i < points; ++i) {
        double mean = 0, variance = 0;
        for (const Moments& m : strata) {
            if (m.count == 0) continue;
            const double n = static_cast<double>(m.count), weight = n / all;
            mean += weight * m.mean[i];
            if (m.count > 1) variance += weight * weight * m.squares[i] / (n - 1) / n;
        }
        const double reach = 1.96 * std::sqrt(variance);
        band.mean.push_back(mean);
        band.low.push_back(std::max(0.0, mean - reach));
        band.high.push_back(std::min(1.0, mean + reach));
    }
    return band;
}

/// The step at a point of the curve of a run with that limit, as curve_of() takes it.
double step_of(std::size_t point, std::size_t points, int limit) {
    if (points < 2) return 0;
    return static_cast<double>(static_cast<std::int64_t>(limit - 1) * static_cast<std::int64_t>(point) /
                               static_cast<std::int64_t>(points - 1));
}

/// A curve at the steps of a longer limit: linear between its points, its last value held.
std::vector<double> stretched(const std::vector<double>& curve, int limit, int longest) {
    if (limit == longest || curve.size() < 2) return curve;
    std::vector<double> out;
    for (std::size_t k = 0, at = 0; k < curve.size(); ++k) {
        const double step = step_of(k, curve.size(), longest);
        while (at + 1 < curve.size() && step_of(at + 1, curve.size(), limit) <= step) ++at;
        double value = curve[at];
        if (at + 1 < curve.size()) {
            const double from = step_of(at, curve.size(), limit), to = step_of(at + 1, curve.size(), limit);
            value += (curve[at + 1] - value) * (step - from) / (to - from);
        }
        out.push_back(value);
    }
    return out;
}

int limit_of(const SweepPlan& plan, int map, int cell) {
    ConfigTable config = plan.config(map, cell);
    RunOptions options;
    if (ConfigTable* run = config.table("run")) {
        SettingReader reader(run->settings, "run.");
        options.fields(reader);
    }
    return options.steps;
}

}  // namespace

bool is_time_to(std::string_view metric) {
    const MetricInfo* info = find_metric(metric);
    return info && info->is(MetricInfo::time_to);
}

Results::Results(const std::string& path)
    : db_(open_sweep_file(path, results_application_id, "the merged results of a sweep (outrider sweep merge)",
                          Database::Mode::read)),
      planned_(read_plan_tables(db_)) {
    db_.expect_tables({{"run", "id map start repetition cell seed error end_reason scenario curve"}},
                      "the merged results of a sweep");
    for (const std::string& m : planned_.metrics)
        if (!db_.has_column("run", m)) fail("{}: damaged: its runs have no metric '{}'", path, m);
    pairs_ = static_cast<std::size_t>(planned_.runs()) / planned_.cells.size();
    Statement digest = db_.prepare("SELECT value FROM meta WHERE key = 'digest'");
    if (digest.step()) digest_ = digest.bytes(0);
    read_runs();
    for (std::size_t c = 0; c < plan().cells.size(); ++c) {
        std::vector<int>& limits = map_limits_.emplace_back();
        for (std::size_t m = 0; m < plan().maps.size(); ++m)
            limits.push_back(limit_of(plan(), static_cast<int>(m), static_cast<int>(c)));
        limits_.push_back(*std::max_element(limits.begin(), limits.end()));
    }
}

void Results::read_runs() {
    const std::size_t cells = planned_.cells.size();
    std::vector<std::vector<std::string>> fingerprints(cells);  // of each cell, in the order of its runs
    std::vector<std::vector<std::uint32_t>> decided(cells, std::vector<std::uint32_t>(pairs_));  // 1 + place there
    const SweepRuns listed(planned_);
    Statement runs =
        db_.prepare(fmt::format("SELECT id, error = '', {}, map, cell, start, length(curve) FROM run ORDER BY id",
                                fingerprint_column(db_, "run")));
    while (runs.step()) {
        const std::int64_t number = runs.integer(0);
        const bool known_run = number >= 0 && number < planned_.runs();
        const SweepRun run = known_run ? listed.at(number) : SweepRun{};
        if (!known_run || run.map != runs.integer(3) || run.cell != runs.integer(4) || run.start != runs.integer(5) ||
            runs.integer(6) > std::int64_t{4} * planned_.curve_points)
            fail("{}: damaged: run {} is not as its plan says", path(), number);
        const auto id = static_cast<std::size_t>(number);
        ++done_;
        if (runs.integer(1) == 0) {
            ++failed_;
            continue;
        }
        const std::string_view text = runs.bytes(2);
        if (!text.empty() && !is_fingerprint(text))
            fail("{}: run {}: the fingerprint of what decided is damaged", path(), id);
        std::vector<std::string>& known = fingerprints.at(id % cells);
        auto at = std::find(known.begin(), known.end(), text);
        if (at == known.end()) at = known.insert(at, std::string(text));
        decided[id % cells].at(id / cells) = static_cast<std::uint32_t>(at - known.begin()) + 1;
    }
    split(fingerprints);
    for (std::size_t c = 0; c < origin_.size(); ++c) {
        const std::vector<std::uint32_t>& by = decided[origin_[c]];
        const std::size_t part = c - parts_[origin_[c]][0] + 1;
        there_.emplace_back(pairs_);
        for (std::size_t pair = 0; pair < pairs_; ++pair) there_[c][pair] = by[pair] == part;
    }
    for (Provenance& p : read_provenance(db_))
        if (std::find(fingerprints_.begin(), fingerprints_.end(), p.fingerprint()) != fingerprints_.end())
            provenance_.push_back(std::move(p));
}

/// Makes cells of their own of runs of one cell that different programs decided.
void Results::split(const std::vector<std::vector<std::string>>& fingerprints) {
    std::vector<SweepCell> cells;
    const std::vector<std::string>& axes = planned_.axes;
    auto axis = std::find(axes.begin(), axes.end(), "team.strategy");
    if (axis == axes.end()) axis = std::find(axes.begin(), axes.end(), planned_.report.compare);
    for (std::size_t c = 0; c < planned_.cells.size(); ++c) {
        parts_.emplace_back();
        for (std::size_t k = 0; k < std::max<std::size_t>(1, fingerprints[c].size()); ++k) {
            parts_[c].push_back(cells.size());
            origin_.push_back(c);
            fingerprints_.push_back(fingerprints[c].empty() ? "" : fingerprints[c][k]);
            SweepCell& cell = cells.emplace_back(planned_.cells[c]);
            if (fingerprints[c].size() < 2) continue;
            const std::string mark =
                fmt::format(" [{}]", fingerprints_.back().empty() ? "unknown" : fingerprints_.back());
            cell.label += mark;
            if (axis == axes.end()) continue;
            std::string& value = cell.values.at(static_cast<std::size_t>(axis - axes.begin()));
            value.insert(value.ends_with('"') ? value.size() - 1 : value.size(), mark);
        }
    }
    if (cells.size() == planned_.cells.size()) return;
    split_ = planned_;
    split_->cells = std::move(cells);
}

const Provenance* Results::decided_by(std::size_t cell) const {
    const auto at = std::find_if(provenance_.begin(), provenance_.end(),
                                 [&](const Provenance& p) { return p.fingerprint() == fingerprints_[cell]; });
    return at == provenance_.end() ? nullptr : &*at;
}

int Results::map_of(std::size_t pair) const {
    return static_cast<int>(pair / planned_.starts.size() / static_cast<std::size_t>(planned_.repetitions));
}

std::int64_t Results::start_of(std::size_t pair) const {
    return planned_.starts[pair / static_cast<std::size_t>(planned_.repetitions) % planned_.starts.size()];
}

std::int64_t Results::run_of(std::size_t cell, std::size_t pair) const {
    return static_cast<std::int64_t>(pair * planned_.cells.size() + origin_[cell]);
}

std::pair<std::size_t, std::size_t> Results::place_of(std::int64_t run) const {
    OUTRIDER_CHECK(run, <, planned_.runs());  // as when all were read
    const std::size_t cells = planned_.cells.size(), id = static_cast<std::size_t>(run), pair = id / cells;
    const std::vector<std::size_t>& parts = parts_[id % cells];
    const auto part = std::find_if(parts.begin(), parts.end(), [&](std::size_t c) { return there(c, pair); });
    return {part == parts.end() ? parts[0] : *part, pair};
}

std::vector<std::pair<std::int64_t, std::string>> Results::failures(int most) {
    std::vector<std::pair<std::int64_t, std::string>> out;
    Statement rows = db_.prepare("SELECT id, error FROM run WHERE error <> '' ORDER BY id LIMIT ?");
    rows.bind(1, std::int64_t{most});
    while (rows.step()) out.emplace_back(rows.integer(0), rows.bytes(1));
    return out;
}

std::int64_t Results::repeated() {
    Statement count = db_.prepare(
        fmt::format("SELECT coalesce(sum(alike - 1), 0) FROM (SELECT count(*) AS alike FROM run WHERE error = '' GROUP "
                    "BY cell, map, {}, {})",
                    steps_hash_column(db_, "run"), fingerprint_column(db_, "run")));
    return count.step() ? count.integer(0) : 0;
}

std::vector<std::vector<double>> Results::metric(const std::string& name) {
    if (std::find(planned_.metrics.begin(), planned_.metrics.end(), name) == planned_.metrics.end())
        fail("{}: the sweep did not keep the metric '{}'; it kept {}", path(), name, fmt::join(planned_.metrics, ", "));
    const std::size_t cells = plan().cells.size();
    std::vector<std::vector<double>> out(cells, std::vector<double>(pairs_, std::numeric_limits<double>::quiet_NaN()));
    Statement rows = db_.prepare(fmt::format("SELECT id, {} FROM run WHERE error = ''", sql_name(name)));
    while (rows.step()) {
        const auto [cell, pair] = place_of(rows.integer(0));
        if (rows.is_null(1)) continue;
        if (!can_be(expect_metric(name, path()), rows.number(1)))
            fail("{}: run {}: {} = {}, which no run can have", path(), rows.integer(0), name, rows.number(1));
        out[cell].at(pair) = rows.number(1);
    }
    return out;
}

std::vector<Results::CoverageBands> Results::coverage() {
    const std::size_t cells = plan().cells.size(), maps = plan().maps.size();
    std::vector<CoverageBands> out(cells);
    if (plan().curve_points == 0) return out;
    std::vector<std::vector<Moments>> team(cells, std::vector<Moments>(maps)), base = team;
    Statement rows = db_.prepare("SELECT id, map, curve FROM run WHERE error = ''");
    while (rows.step()) {
        const std::size_t cell = place_of(rows.integer(0)).first;
        const auto map = static_cast<std::size_t>(rows.integer(1));
        const Curves curves = read_curve(rows.bytes(2));
        const int limit = map_limits_.at(cell).at(map), longest = limits_.at(cell);
        team.at(cell).at(map).add(stretched(curves.team, limit, longest));
        base.at(cell).at(map).add(stretched(curves.base, limit, longest));
    }
    for (std::size_t c = 0; c < cells; ++c) out[c] = {band_of(team[c]), band_of(base[c])};
    return out;
}

}  // namespace outrider
