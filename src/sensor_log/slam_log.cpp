#include "sensor_log/slam_log.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <sstream>

#include "base/input.hpp"
#include "messages/scan_geometry.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "sensor_log/saved_map.hpp"
#include "slam/find_pose.hpp"
#include "slam/known_cells.hpp"
#include "slam/localise_slam.hpp"
#include "slam/manifold/around_map.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

constexpr double same_time_s = 0.0055;
/// Closer readings are of the robot itself.
constexpr double least_range_m = 0.05;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// Rows of `columns` numbers; lines that begin with # are left out.
template <class Row>
void read_rows(const std::string& path, std::initializer_list<std::size_t> columns, const char* what, Row&& row) {
    std::istringstream text(read_file(path, what, 16));
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
        std::istringstream words(line);
        std::vector<double> values;
        for (double v; words >> v;) values.push_back(v);
        // Other columns mean another kind of file.
        if (std::find(columns.begin(), columns.end(), values.size()) == columns.end() || !words.eof())
            fail("{}:{}: '{}': expected {} numbers: {}", path, number, line.substr(0, 60), *columns.begin(), what);
        row(values);
    }
}

/// Which scanner took a scan, by where it sits and looks.
std::size_t scanner_of(const RecordedScan& scan, std::vector<Pose>& known) {
    constexpr double same = 0.1;  // metres and radians: more than rounded poses differ by
    const Pose first = compose(scan.mount, {0, 0, scan.first_angle});
    const auto at = std::find_if(known.begin(), known.end(), [&](const Pose& k) {
        return distance(k.position(), first.position()) < same && std::abs(wrap_angle(k.yaw - first.yaw)) < same;
    });
    const auto number = static_cast<std::size_t>(at - known.begin());
    if (at == known.end()) known.push_back(first);
    return number;
}

/// How far the beams without echo got, in the frame of the body (REP 117): those that report the maximal range or more.
/// None where that is not known, or beyond farthest_free_m. Between two that are neighbours all is clear: there are
/// more ends, not farther than `apart_m` from each other.
void clear_ends(const RecordedScan& scan, double apart_m, std::vector<Point>& ends) {
    constexpr double widest = 0.1;  // radians between beams with nothing between them
    ends.clear();
    const double reach_m = scan.max_range_m, turn = std::abs(scan.step_angle);
    if (!(reach_m > 0) || reach_m > farthest_free_m) return;
    const bool joined = turn <= widest && turn * static_cast<double>(scan.ranges.size()) <= 2 * pi + widest;
    const int parts = joined ? std::max(1, static_cast<int>(std::ceil(reach_m * turn / apart_m))) : 1;
    const bool circle = joined && turn * static_cast<double>(scan.ranges.size()) > 2 * pi - turn / 2;
    bool before = circle && static_cast<double>(scan.ranges.back()) >= reach_m;
    for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
        const bool clear = static_cast<double>(scan.ranges[i]) >= reach_m;  // not what is not a number
        for (int part = before ? parts - 1 : 0; clear && part >= 0; --part) {
            const double beam = static_cast<double>(i) - static_cast<double>(part) / parts;
            const auto [s, c] = sin_cos(scan.mount.yaw + scan.first_angle + beam * scan.step_angle);
            ends.push_back(beam_end(scan.mount.position(), {c, s}, reach_m));
        }
        before = clear;
    }
}

/// A scan whose beams without echo say what is free: its number in the log, and that of its pose in the trajectory.
struct SweptScan {
    std::size_t entry = 0, pose = 0;
};

/// What beams without echo crossed; nothing where there are none.
std::optional<CountedMap> sweep(const SensorLog& log, const std::vector<SweptScan>& scans,
                                const std::vector<TimedPose>& trajectory, const SlamOptions& options) {
    std::optional<CountedMap> swept;
    std::vector<Point> clear, ends;
    for (const SweptScan& of : scans) {
        const RecordedScan& scan = log.scans[static_cast<std::size_t>(log.entries[of.entry].scan)];
        clear_ends(scan, options.cell_m, clear);
        if (clear.empty()) continue;
        beam_ends(scan, ends);
        const Pose& at = trajectory[of.pose].pose;
        for (auto* points : {&clear, &ends})
            for (Point& p : *points) p = transform(at, p);
        if (!swept) swept.emplace(map_options(options));
        swept->insert_free(transform(at, scan.mount.position()), clear, ends);
    }
    return swept;
}

/// Where the first pose in a map of before is not known, a robot first localises in that map.
std::unique_ptr<Slam> first_method(const SlamOptions& options, std::uint64_t seed, const SlamBegin& begin) {
    if (!begin.unknown) return make_slam(options, begin.pose, seed, begin.given, begin.before);
    SlamOptions localise = options;
    localise.method = SlamMethod::localise;
    localise.start = SlamStart::unknown;
    const Grid<std::uint8_t> map = known_cells(map_of(begin.before, map_options(options)));
    return std::make_unique<LocaliseSlam>(localise, Pose{}, map);
}

}  // namespace

void beam_ends(const RecordedScan& scan, std::vector<Point>& ends) {
    ends.clear();
    for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
        const double r = static_cast<double>(scan.ranges[i]);
        if (!(r >= least_range_m) || !std::isfinite(r) || (scan.max_range_m > 0 && r >= scan.max_range_m)) continue;
        const auto [s, c] = sin_cos(scan.mount.yaw + scan.first_angle + static_cast<double>(i) * scan.step_angle);
        ends.push_back(beam_end(scan.mount.position(), {c, s}, r));
    }
}

SlamRun run_slam(const SensorLog& log, const SlamOptions& options, std::uint64_t seed, const SlamBegin& begin,
                 const std::atomic<bool>* interrupted, const std::function<void(std::size_t)>& progress) {
    SlamRun run;
    run.slam = first_method(options, seed, begin);
    run.placed = !begin.unknown;
    const double start = cpu_seconds();
    std::vector<Point> ends;
    std::vector<Pose> scanners;
    Pose last = log.entries.empty() ? Pose{} : log.entries.front().odometry;
    bool began = false;
    std::uint64_t updates = 0;
    Pose at_update;
    std::vector<std::pair<std::uint64_t, Pose>> after_update;  // for each pose: which update, and the motion since
    std::vector<std::uint64_t> kept_in;                        // of each scan kept: in which update
    std::vector<SweptScan> swept;
    std::size_t searching = 0;  // records while the first pose was looked for
    for (const LogEntry& entry : log.entries) {
        if (interrupted && interrupted->load()) {
            run.whole = false;
            break;
        }
        if (progress) progress(static_cast<std::size_t>(&entry - log.entries.data()));
        const Pose motion = compose(inverse(last), entry.odometry);
        last = entry.odometry;
        bool drawn = false;
        if (entry.scan < 0) {
            if (!began) continue;
            run.slam->move({motion, {}});
        } else {
            const RecordedScan& scan = log.scans[static_cast<std::size_t>(entry.scan)];
            beam_ends(scan, ends);
            ++run.scans;
            run.ends += ends.size();
            const auto before = std::chrono::steady_clock::now();
            drawn = run.slam->update({began ? motion : Pose{}, {}}, scan.mount.position(), ends,
                                     scanner_of(scan, scanners));
            run.longest_update_s = std::max(
                run.longest_update_s, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
            began = true;
        }
        const auto before_scan = updates, now = run.slam->counters().updates;
        if (now != updates) {
            updates = now;
            at_update = run.slam->pose();
            if (drawn && run.placed) {
                run.kept.push_back({static_cast<std::size_t>(&entry - log.entries.data()), at_update});
                kept_in.push_back(updates);
            }
        }
        if (drawn && run.placed && !run.slam->lost() &&  // scans without an end are drawn, too, and due at every step
            (now != before_scan || swept.empty() ||
             moved_enough(compose(inverse(run.trajectory[swept.back().pose].pose), run.slam->pose()), options)))
            swept.push_back({static_cast<std::size_t>(&entry - log.entries.data()), run.trajectory.size()});
        if (run.slam->lost() != (!run.spells.empty() && std::isinf(run.spells.back().found_s))) {
            if (run.slam->lost())
                run.spells.push_back({entry.time_s, HUGE_VAL});
            else
                run.spells.back().found_s = entry.time_s;
        }
        run.trajectory.push_back({entry.time_s, run.slam->pose()});
        run.doubts.push_back({run.slam->covariance(), run.slam->fit(), run.slam->lost()});
        after_update.emplace_back(updates, compose(inverse(at_update), run.slam->pose()));
        if (const auto* localise = dynamic_cast<const LocaliseSlam*>(run.slam.get());
            !run.placed && localise && localise->sure()) {
            run.slam = make_slam(options, run.slam->pose(), seed, nullptr, begin.before);
            run.placed = true;
            run.spells.clear();
            searching = run.trajectory.size();
            updates = 0;
        }
    }
    if (const std::vector<Pose> path = run.slam->path(); !path.empty()) {
        for (std::size_t i = searching; i < after_update.size(); ++i)
            if (const auto& [update, since] = after_update[i]; update > 0)
                run.trajectory[i].pose = compose(path.at(update - 1), since);
        for (std::size_t i = 0; i < kept_in.size(); ++i) run.kept[i].pose = path.at(kept_in[i] - 1);
    }
    if (options.method != SlamMethod::localise) run.swept = sweep(log, swept, run.trajectory, options);
    run.cpu_s = cpu_seconds() - start;
    return run;
}

Grid<std::uint8_t> read_given_map(const std::string& path, double cell_m) {
    if (path.ends_with(".g2o")) {
        SlamOptions cells;
        cells.cell_m = cell_m;
        const PatchGraph patches = patches_of(read_saved_map(path));
        return known_cells(map_of(&patches, map_options(cells)));
    }
    MapOptions options;
    options.cell_m = cell_m;
    options.unknown = Unknown::free;
    MapFile map = read_map(options, path);
    if (map.origin.yaw != 0) fail("{}: its origin is turned by {} radians; expected 0", path, map.origin.yaw);
    options.unknown = Unknown::wall;
    const Grid<std::uint8_t> closed = load_map(options, path);  // unknown cells count as wall here
    Grid<std::uint8_t>& cells = map.walls;
    for (std::size_t i = 0; i < cells.cells().size(); ++i)
        cells.cells()[i] = cells.cells()[i] ? 1 : closed.cells()[i] ? 2 : 0;
    const double cell = cells.lattice().cell_m;
    cells.set_origin({static_cast<int>(std::floor(map.origin.x / cell + 0.5)),
                      static_cast<int>(std::floor(map.origin.y / cell + 0.5))});
    return std::move(cells);
}

std::vector<Relation> read_relations(const std::string& path) {
    std::vector<Relation> out;
    read_rows(path, {8}, "t1 t2 dx dy dz roll pitch yaw", [&](const std::vector<double>& v) {
        out.push_back({v[0], v[1], {v[2], v[3], wrap_angle(std::remainder(v[7], 2 * pi))}});
    });
    return out;
}

std::vector<TimedPose> read_trajectory(const std::string& path) {
    std::vector<TimedPose> out;
    read_rows(path, {4, 10}, "time x y yaw", [&](const std::vector<double>& v) {
        out.push_back({v[0], {v[1], v[2], wrap_angle(std::remainder(v[3], 2 * pi))}});
    });
    return out;
}

std::string trajectory_text(const SlamRun& run) {
    std::string out = "# time_s x_m y_m yaw_rad xx_m2 xy_m2 yy_m2 yaw_rad2 fit lost\n";
    for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
        const auto& [time_s, pose] = run.trajectory[i];
        const PoseDoubt& doubt = run.doubts[i];
        out += fmt::format("{:.6f} {:.6f} {:.6f} {:.6f} {:.3g} {:.3g} {:.3g} {:.3g} {:.3f} {:d}\n", time_s, pose.x,
                           pose.y, pose.yaw, doubt.covariance[0], doubt.covariance[1], doubt.covariance[4],
                           doubt.covariance[8], doubt.fit, doubt.lost);
    }
    return out;
}

RelationErrors relation_errors(const std::vector<TimedPose>& trajectory, const std::vector<Relation>& relations) {
    std::vector<TimedPose> poses = trajectory;
    const auto earlier = [](const TimedPose& a, const TimedPose& b) { return a.time_s < b.time_s; };
    std::stable_sort(poses.begin(), poses.end(), earlier);
    const auto pose_at = [&](double t) -> const Pose* {
        const auto first = std::lower_bound(poses.begin(), poses.end(), TimedPose{t - same_time_s, {}}, earlier);
        const auto last = std::upper_bound(poses.begin(), poses.end(), TimedPose{t + same_time_s, {}}, earlier);
        return last - first == 1 ? &first->pose : nullptr;
    };
    RelationErrors errors;
    for (std::size_t i = 0; i < relations.size(); ++i) {
        const Pose *first = pose_at(relations[i].first_s), *second = pose_at(relations[i].second_s);
        if (!first || !second) continue;
        const Pose off = compose(inverse(relations[i].first_from_second), compose(inverse(*first), *second));
        errors.metres.push_back(norm(off.position()));
        errors.degrees.push_back(std::abs(degrees(off.yaw)));
        errors.used.push_back(i);
    }
    return errors;
}

MeanAndDeviation mean_and_deviation(const std::vector<double>& values) {
    if (values.empty()) return {};
    const double n = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (const double v : values) sum += v;
    for (const double v : values) squares += (v - sum / n) * (v - sum / n);
    return {sum / n, std::sqrt(squares / n)};
}

PairedDifference paired_bootstrap(const std::vector<double>& a, const std::vector<double>& b) {
    OUTRIDER_CHECK(a.size(), ==, b.size());
    constexpr std::size_t resamples = 10'000;
    if (a.empty()) return {};
    std::vector<double> differences, means;
    for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
    Rng rng(1, -1, Purpose::bootstrap, 0);
    const auto n = static_cast<std::uint32_t>(differences.size());
    for (std::size_t k = 0; k < resamples; ++k) {
        double sum = 0;
        for (std::uint32_t i = 0; i < n; ++i) sum += differences[rng.below(n)];
        means.push_back(sum / n);
    }
    std::sort(means.begin(), means.end());
    return {mean_and_deviation(differences).mean, means[resamples / 40], means[resamples - 1 - resamples / 40]};
}

}  // namespace outrider
