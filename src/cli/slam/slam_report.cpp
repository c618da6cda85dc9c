#include "cli/slam/slam_report.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "base/json.hpp"
#include "base/output.hpp"

namespace outrider {
namespace {

void print_ranges(const SensorLog& log) {
    std::vector<double> ranges;
    for (const RecordedScan& scan : log.scans)
        if (std::find(ranges.begin(), ranges.end(), scan.max_range_m) == ranges.end() && ranges.size() < 8)
            ranges.push_back(scan.max_range_m);
    for (const double range : ranges)
        if (range > 0)
            print_plain("nothing seen         readings of {:.3g} m and more\n", range);
        else
            print_plain("nothing seen         no reading is taken to mean that; see --range\n");
}

/// How often odometry turns from one scan to the next by more than half of the field of view.
std::size_t count_blind_turns(const SensorLog& log) {
    std::size_t turns = 0;
    const LogEntry* last = nullptr;
    for (const LogEntry& entry : log.entries) {
        if (entry.scan < 0) continue;
        const RecordedScan& scan = log.scans[static_cast<std::size_t>(entry.scan)];
        const double view = scan.step_angle * static_cast<double>(scan.ranges.size());
        if (last && std::abs(wrap_angle(entry.odometry.yaw - last->odometry.yaw)) > std::abs(view) / 2) ++turns;
        last = &entry;
    }
    return turns;
}

void print_errors(const char* name, const RelationErrors& e) {
    if (e.metres.empty()) {
        print_plain("{:<21}not measured: of no relation do both stamps belong to exactly one pose within 5.5 ms\n",
                    name);
        return;
    }
    const MeanAndDeviation m = mean_and_deviation(e.metres), d = mean_and_deviation(e.degrees);
    print_plain("{:<21}{:.4f} +- {:.4f} m, {:.3f} +- {:.3f} deg ({} relations, largest {:.3f} m)\n", name, m.mean,
                m.deviation, d.mean, d.deviation, e.metres.size(), *std::max_element(e.metres.begin(), e.metres.end()));
}

void print_difference(const char* unit, const std::vector<double>& a, const std::vector<double>& b) {
    const PairedDifference d = paired_bootstrap(a, b);
    print_plain("  difference         {:+.4f} {} (95 %: {:+.4f} ... {:+.4f}): {}\n", d.mean, unit, d.low, d.high,
                d.high < 0  ? "this one is better"
                : d.low > 0 ? "the other one is better"
                            : "not certain");
}

void print_spells(const SlamRun& run) {
    constexpr std::size_t most = 5;
    const double start = run.trajectory.empty() ? 0 : run.trajectory.front().time_s;
    std::vector<std::string> spells;
    for (const SlamRun::Spell& s : run.spells)
        spells.push_back(fmt::format("from {:.1f} s {}", s.lost_s - start,
                                     std::isinf(s.found_s) ? "on" : fmt::format("to {:.1f} s", s.found_s - start)));
    const std::size_t more = spells.size() > most ? spells.size() - most : 0;
    spells.resize(spells.size() - more);
    if (!spells.empty())
        print_plain("lost                 {}{}\n", fmt::join(spells, ", "),
                    more > 0 ? fmt::format(", and {} times more", more) : "");
}

}  // namespace

double peak_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print_log(const SensorLog& log) {
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : log.kinds) kinds.push_back(fmt::format("{} {}", count, kind));
    if (log.ignored > 0) kinds.push_back(fmt::format("{} of other kinds are passed over", log.ignored));
    print_plain("log                  {}: {}\n", log.path, fmt::join(kinds, ", "));
    std::vector<Pose> mounts;
    for (const RecordedScan& scan : log.scans)
        if (std::find(mounts.begin(), mounts.end(), scan.mount) == mounts.end() && mounts.size() < 8)
            mounts.push_back(scan.mount);
    for (const Pose& m : mounts)
        if (m != Pose{})
            print_plain("scanner              {:.3f} m ahead and {:.3f} m left of the centre, turned by {:.1f} deg\n",
                        m.x, m.y, degrees(m.yaw));
    print_ranges(log);
    if (const std::size_t turns = count_blind_turns(log); turns > 0)
        print_plain(
            "note                 in {} places of {} the log turns by more than half of what the scanner sees from "
            "one scan to the next: there the two have little in common to match\n",
            turns, log.scans.size());
    for (const std::string& note : log.notes) print_plain("note                 {}\n", note);
    if (log.odd > 0) print_plain("odd lines            {}, first {}\n", log.odd, log.first_odd);
    if (log.backward > 0) print_plain("stamps backward      {}\n", log.backward);
}

void print_relations(const SlamChecks& checks, const std::vector<TimedPose>& trajectory) {
    const RelationErrors mine = relation_errors(trajectory, checks.relations);
    print_errors("relations", mine);
    if (!checks.against) return;
    const RelationErrors other = relation_errors(*checks.against, checks.relations);
    print_errors("of the other one", other);
    std::vector<double> a, b, c, d;  // of the relations that both have
    for (std::size_t i = 0, j = 0; i < mine.used.size() && j < other.used.size();) {
        if (mine.used[i] == other.used[j]) {
            a.push_back(mine.metres[i]);
            b.push_back(other.metres[j]);
            c.push_back(mine.degrees[i]);
            d.push_back(other.degrees[j]);
        }
        const std::size_t at = mine.used[i];
        i += at <= other.used[j];
        j += other.used[j] <= at;
    }
    if (a.empty()) return;
    print_difference("m", a, b);
    print_difference("deg", c, d);
}

void print_matchers(const std::vector<MatcherRow>& rows) {
    print_plain("matchers of points   pairs, converged, median m and deg, iterations: from odometry; from 0.3 m off\n");
    for (const MatcherRow& r : rows) {
        print_plain("  {:<19}", slam_matcher_names[static_cast<std::size_t>(r.matcher)]);
        for (const MatcherRow::Seeds& s : {r.near, r.far})
            print_plain("{:4} {:4} {:7.4f} {:6.3f} {:5.1f}   ", s.pairs, s.converged, s.median_m, s.median_deg,
                        s.mean_iterations);
        print_plain("accepted: {} of {} right, {} of {} wrong\n", r.right_accepted, r.right, r.wrong_accepted, r.wrong);
    }
}

void print_run(const SlamRun& run, const SlamOptions& slam, double log_mb) {
    const SlamCounters& counted = run.slam->counters();
    const double updates = static_cast<double>(std::max<std::uint64_t>(1, counted.updates));
    print_plain("method               {}\n", slam_method_names[static_cast<std::size_t>(slam.method)]);
    print_plain("updates              {} of {} scans; {} wide searches, {} of them won; odometry believed {} times\n",
                counted.updates, run.scans, counted.searches, counted.recovered, counted.rejected);
    if (counted.patches > 0)
        print_plain("patches              {}, {} relations; loops tried {}, closed {}, of these taken back {}\n",
                    counted.patches, counted.relations, counted.closures_tried, counted.closures_accepted,
                    counted.closures_undone);
    print_spells(run);
    constexpr std::uint64_t enough = 20;
    if (counted.updates >= enough && 4 * counted.rejected >= counted.updates)
        print_plain(
            "doubtful             scans do not fit those before them: the map is broken. Is the log read as it is "
            "meant "
            "(the angles and order of its beams, units, odometry)?\n");
    if (counted.impossible > 0) print_plain("motions left out     {}\n", counted.impossible);
    if (run.swept)
        print_plain("beams without echo   swept {:.1f} m2: free, where nothing else was seen\n",
                    static_cast<double>(run.swept->seen_cells()) * slam.cell_m * slam.cell_m);
    if (run.ends == 0) print_plain("note                 no beam hit anything: the poses are those of odometry\n");
    print_plain(
        "time                 {:.3f} ms CPU per update, {:.3f} ms per scan, {:.3f} s in all; longest {:.1f} ms\n",
        run.cpu_s * 1e3 / updates, run.cpu_s * 1e3 / static_cast<double>(std::max<std::size_t>(1, run.scans)),
        run.cpu_s, run.longest_update_s * 1e3);
    print_plain("memory               {:.1f} MB more than with the log alone, {:.1f} MB in all; map {:.1f} MB\n",
                peak_mb() - log_mb, peak_mb(), static_cast<double>(run.slam->map().bytes()) / 1e6);
}

std::string slam_json(const SensorLog& log, const SlamRun& run, const SlamOptions& slam, const SlamChecks& checks,
                      const std::vector<MatcherRow>& matchers) {
    const auto number = [](auto value) { return Json{static_cast<double>(value)}; };
    const auto errors = [&](const std::vector<TimedPose>& trajectory) -> Json {
        const RelationErrors e = relation_errors(trajectory, checks.relations);
        if (e.metres.empty()) return {};
        const MeanAndDeviation m = mean_and_deviation(e.metres), d = mean_and_deviation(e.degrees);
        return {Json::Object{{"relations", number(e.metres.size())},
                             {"mean_m", number(m.mean)},
                             {"deviation_m", number(m.deviation)},
                             {"mean_deg", number(d.mean)},
                             {"deviation_deg", number(d.deviation)},
                             {"largest_m", number(*std::max_element(e.metres.begin(), e.metres.end()))}}};
    };
    Json::Object records;
    for (const auto& [kind, count] : log.kinds) records.emplace_back(kind, number(count));
    const double start = run.trajectory.empty() ? 0 : run.trajectory.front().time_s;
    Json::Array lost;
    for (const SlamRun::Spell& s : run.spells)
        lost.push_back({Json::Array{number(s.lost_s - start), number(s.found_s - start)}});
    double sigma = 0, largest = 0, fit = 0;
    for (const PoseDoubt& d : run.doubts) {
        const double of_this = std::sqrt(std::max(0.0, d.covariance[0] + d.covariance[4]));
        sigma += of_this / static_cast<double>(run.doubts.size());
        largest = std::max(largest, of_this);
        fit += d.fit / static_cast<double>(run.doubts.size());
    }
    const SlamCounters& c = run.slam->counters();
    Json::Object out{{"log", {log.path}},
                     {"records", {records}},
                     {"odd_lines", number(log.odd)},
                     {"method", {std::string(slam_method_names[static_cast<std::size_t>(slam.method)])}},
                     {"scans", number(run.scans)},
                     {"whole", {run.whole}},
                     {"updates", number(c.updates)},
                     {"wide_searches", number(c.searches)},
                     {"wide_searches_won", number(c.recovered)},
                     {"odometry_believed", number(c.rejected)},
                     {"patches", number(c.patches)},
                     {"relations", number(c.relations)},
                     {"closures_tried", number(c.closures_tried)},
                     {"closures", number(c.closures_accepted)},
                     {"closures_taken_back", number(c.closures_undone)},
                     {"lost_s", {lost}},
                     {"position_sigma_m", {Json::Object{{"mean", number(sigma)}, {"largest", number(largest)}}}},
                     {"fit", number(fit)},
                     {"cpu_s", number(run.cpu_s)},
                     {"longest_update_s", number(run.longest_update_s)},
                     {"memory_mb", number(peak_mb())},
                     {"map_mb", number(static_cast<double>(run.slam->map().bytes()) / 1e6)}};
    if (!checks.relations.empty()) out.emplace_back("errors", errors(run.trajectory));
    if (checks.against) out.emplace_back("errors_of_the_other", errors(*checks.against));
    Json::Array rows;
    for (const MatcherRow& r : matchers) {
        Json::Object row{{"matcher", {std::string(slam_matcher_names[static_cast<std::size_t>(r.matcher)])}}};
        for (const auto& [name, s] : {std::pair("from_odometry", &r.near), {"from_0_3_m_off", &r.far}})
            row.emplace_back(name, Json{Json::Object{{"pairs", number(s->pairs)},
                                                     {"converged", number(s->converged)},
                                                     {"median_m", number(s->median_m)},
                                                     {"median_deg", number(s->median_deg)},
                                                     {"mean_iterations", number(s->mean_iterations)}}});
        row.insert(row.end(), {{"right", number(r.right)},
                               {"right_accepted", number(r.right_accepted)},
                               {"wrong", number(r.wrong)},
                               {"wrong_accepted", number(r.wrong_accepted)}});
        rows.push_back({row});
    }
    if (!rows.empty()) out.emplace_back("matchers", Json{rows});
    return json_text({out}) + "\n";
}

}  // namespace outrider
