#include "sensor_log/sensor_log.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "outrider/error.hpp"

namespace outrider {
namespace {

Pose between(const LogEntry& a, const LogEntry& b, double time_s) {
    const double span = b.time_s - a.time_s, u = span > 0 ? (time_s - a.time_s) / span : 0;
    return {a.odometry.x + u * (b.odometry.x - a.odometry.x), a.odometry.y + u * (b.odometry.y - a.odometry.y),
            wrap_angle(a.odometry.yaw + u * wrap_angle(b.odometry.yaw - a.odometry.yaw))};
}

/// Scanners report their largest values where they saw nothing, often with some jitter, at times a little less than
/// their declared range. Readings that crowd at the top, more than five times as dense as below, are taken to be such.
/// Returns the least of them; 0: there is no crowd. `declared`: the range given by the scans; 0: none given.
double guess_max_range(const std::vector<RecordedScan>& scans, double declared) {
    constexpr std::size_t narrowest = 2, widest = 12;  // per cent of the largest
    constexpr int many = 10;
    constexpr double denser = 5;
    const auto for_each = [&](auto&& visit) {
        for (const RecordedScan& s : scans)
            for (const float r : s.ranges)
                if (r > 0 && std::isfinite(r) && s.max_range_m == declared && !(declared > 0 && r >= declared))
                    visit(static_cast<double>(r));
    };
    double largest = declared;
    if (!(declared > 0)) for_each([&](double r) { largest = std::max(largest, r); });
    std::array<int, 2 * widest> bins{};  // of one per cent, from the top
    for_each([&](double r) {
        const auto bin = static_cast<std::size_t>(100 * (1 - r / largest));
        if (bin < bins.size()) ++bins[bin];
    });
    double clearest = denser / 2, guess = 0;
    for (std::size_t width = narrowest; width <= widest; ++width) {
        const auto edge = bins.begin() + static_cast<std::ptrdiff_t>(width);
        const int top = std::accumulate(bins.begin(), edge, 0),
                  below = std::accumulate(edge, edge + static_cast<std::ptrdiff_t>(width), 0);
        const double clear = top / std::max(1.0, static_cast<double>(below));
        if (top < many || clear <= 2 * clearest) continue;  // a wider crowd has to be much clearer
        clearest = clear;
        guess = (1 - static_cast<double>(width) / 100) * largest;
    }
    return guess;
}

}  // namespace

void expect_angles(const RecordedScan& scan) {
    constexpr double most = 100;  // radians: a larger angle is no direction of a beam
    for (const double angle : {scan.first_angle, scan.step_angle * static_cast<double>(scan.ranges.size())})
        if (!(std::abs(angle) < most)) fail("expected an angle in radians, found {}", angle);
}

bool is_on_robot(const Pose& mount) {
    constexpr double far_m = 100;
    return norm(mount.position()) <= far_m && is_angle(mount.yaw);
}

void SensorLogBuilder::odd(std::size_t line, const std::string& why) {
    if (log_.odd++ == 0) log_.first_odd = line > 0 ? fmt::format("{}:{}: {}", log_.path, line, why) : why;
}

void SensorLogBuilder::refuse(const std::string& why) const { fail("{}: {}", log_.path, why); }

void SensorLogBuilder::add(double time_s, const Pose& pose, int scan) {
    if (!log_.entries.empty() && time_s < log_.entries.back().time_s) ++log_.backward;
    budget_.take(2 * sizeof(LogEntry), "its records");  // twice: while the list grows
    log_.entries.push_back({time_s, pose, scan});
}

void SensorLogBuilder::keep(double time_s, const Pose& pose, RecordedScan scan) {
    budget_.take(2 * sizeof(RecordedScan) + scan.ranges.capacity() * sizeof(float), "its scans");
    add(time_s, pose, static_cast<int>(log_.scans.size()));
    log_.scans.push_back(std::move(scan));
}

bool SensorLogBuilder::sound(double time_s, const Pose& pose, const Pose& mount) {
    constexpr double far_m = 2e7;
    const char* why = nullptr;
    if (!std::isfinite(norm(pose.position())) || !is_angle(pose.yaw) || !std::isfinite(time_s))
        why = "a pose or a time stamp that is not a number";
    else if (norm(pose.position()) > far_m)
        why = "a pose more than 20,000 km from where poses count from";
    else if (!is_on_robot(mount))
        why = "a scanner that is nowhere near its robot";
    if (why) odd(0, why);
    return !why;
}

void SensorLogBuilder::odometry(double time_s, const Pose& pose) {
    if (sound(time_s, pose, {})) add(time_s, pose, -1);
}

void SensorLogBuilder::odometry(std::span<const LogEntry> held) {
    budget_.take(2 * held.size_bytes(), "its records");
    std::vector<LogEntry> all;
    all.reserve(held.size() + log_.entries.size());
    for (const LogEntry& entry : held)
        if (sound(entry.time_s, entry.odometry, {})) all.push_back(entry);
    all.insert(all.end(), log_.entries.begin(), log_.entries.end());
    log_.entries = std::move(all);
}

void SensorLogBuilder::scan(double time_s, RecordedScan scan, const Pose& pose) {
    expect_angles(scan);
    if (!sound(time_s, pose, scan.mount)) return;
    keep(time_s, pose, std::move(scan));
}

bool SensorLogBuilder::scan(double time_s, RecordedScan scan) {
    expect_angles(scan);
    if (!sound(time_s, {}, scan.mount)) return false;
    bare_.push_back(log_.scans.size());
    keep(time_s, {}, std::move(scan));
    return true;
}

/// Gives scans that came without odometry the pose interpolated between the records before and after them.
void SensorLogBuilder::interpolate() {
    // A logger writes what arrives in the order in which it happened, with stamps that jitter by more than the time
    // between two records; only scans that come without odometry need the stamps.
    std::vector<LogEntry>& entries = log_.entries;
    std::stable_sort(entries.begin(), entries.end(),
                     [](const LogEntry& a, const LogEntry& b) { return a.time_s < b.time_s; });
    std::vector<std::uint8_t> bare(log_.scans.size(), 0);
    for (const std::size_t i : bare_) bare[i] = 1;
    const auto is_bare = [&](const LogEntry& e) { return e.scan >= 0 && bare[static_cast<std::size_t>(e.scan)]; };
    constexpr double long_s = 1;
    std::size_t outside = 0;
    const LogEntry* before = nullptr;
    auto after = entries.begin();
    for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
        if (!is_bare(*entry)) {
            before = &*entry;
            continue;
        }
        if (after <= entry) after = std::find_if(entry, entries.end(), [&](const LogEntry& e) { return !is_bare(e); });
        const LogEntry* const next = after == entries.end() ? nullptr : &*after;
        if (before && next) {
            entry->odometry = between(*before, *next, entry->time_s);
        } else if (const LogEntry* const only = before ? before : next) {
            entry->odometry = only->odometry;
            outside += std::abs(entry->time_s - only->time_s) > long_s;
        }
    }
    if (std::all_of(entries.begin(), entries.end(), is_bare))
        note("no odometry: the robot is taken to stand still; with seed = none every scan is matched");
    else if (outside > 0)
        note(
            fmt::format("{} of {} scans have stamps more than a second before or after all odometry, as if the robot "
                        "stood still then",
                        outside, log_.scans.size()));
}

SensorLog SensorLogBuilder::finish() {
    if (log_.scans.empty())
        fail(
            "{}: no scan in it{}; expected a log of CARMEN (FLASER, RLASER, ROBOTLASER1, RAWLASER1 and ODOM lines) or "
            "USARSim (SEN lines of a RangeScanner), a CSV with odom and scan lines, rows of numbers, or a bag (.db3, "
            ".mcap) with LaserScan messages",
            log_.path, log_.odd > 0 ? fmt::format(" ({} odd lines, first {})", log_.odd, log_.first_odd) : "");
    if (!bare_.empty()) interpolate();
    constexpr std::size_t most_ranges = 64;  // of scanners that declare different ones
    constexpr double farthest_m = 1000;      // a declared range above this means "no limit"
    for (RecordedScan& s : log_.scans)
        if (!(s.max_range_m > 0 && s.max_range_m <= farthest_m)) s.max_range_m = 0;
    std::vector<std::pair<double, double>> ranges;  // as declared, and as found
    for (const RecordedScan& s : log_.scans)
        if (ranges.size() < most_ranges &&
            std::none_of(ranges.begin(), ranges.end(), [&](const auto& r) { return r.first == s.max_range_m; }))
            ranges.emplace_back(s.max_range_m, guess_max_range(log_.scans, s.max_range_m));
    for (RecordedScan& s : log_.scans)
        for (const auto& [declared, found] : ranges)
            if (s.max_range_m == declared && found > 0) {
                s.max_range_m = found;
                break;
            }
    return std::move(log_);
}

}  // namespace outrider
