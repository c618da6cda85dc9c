#include "log/exports.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "base/output.hpp"
#include "messages/scan_geometry.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double earth_radius_m = 6'378'137;

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "'" : std::string(1, c);
    return out + "\"";
}

/// Seconds since 1970 as in 1970-01-02T03:04:05.250Z; the fraction only when there is one.
std::string utc(double seconds) {
    const auto milliseconds = static_cast<std::int64_t>(std::floor(seconds * 1000 + 0.5));
    const std::int64_t days = milliseconds / 86'400'000, rest = milliseconds % 86'400'000;
    // Civil date from days (H. Hinnant, chrono-compatible low-level date algorithms).
    const std::int64_t z = days + 719'468, era = z / 146'097, day_of_era = z % 146'097;
    const std::int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t mp = (5 * day_of_year + 2) / 153, day = day_of_year - (153 * mp + 2) / 5 + 1;
    const std::int64_t month = mp < 10 ? mp + 3 : mp - 9, year = year_of_era + era * 400 + (month <= 2);
    std::string out = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", year, month, day, rest / 3'600'000,
                                  rest / 60'000 % 60, rest / 1000 % 60);
    if (rest % 1000 != 0) out += fmt::format(".{:03}", rest % 1000);
    return out + "Z";
}

}  // namespace

Placement Placement::parse(const std::string& text) {
    std::vector<double> numbers;
    std::istringstream parts(text + ",");
    bool good = true;
    for (std::string part; std::getline(parts, part, ',');) {
        double number = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        good = good && error == std::errc() && end == part.data() + part.size();
        numbers.push_back(number);
    }
    if (!good || numbers.size() < 2 || numbers.size() > 3 || !(std::abs(numbers[0]) <= 85) ||
        !(std::abs(numbers[1]) <= 180) || (numbers.size() == 3 && !(std::abs(numbers[2]) <= 360)))
        fail("--geo {}: expected LAT,LON or LAT,LON,BEARING in degrees, such as 51.7586,-1.2544", text);
    return {numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 0};
}

LatLon on_earth(const Placement& placement, Point map_m) {
    const auto [s, c] = sin_cos(radians(placement.bearing_deg));
    const double east = c * map_m.x + s * map_m.y, north = c * map_m.y - s * map_m.x;
    return {placement.lat_deg + degrees(north / earth_radius_m),
            placement.lon_deg + degrees(east / (earth_radius_m * sin_cos(radians(placement.lat_deg)).cos))};
}

namespace {

std::string gpx_head(const Placement& placement, const std::string& title) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<gpx version=\"1.1\" creator=\"outrider\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n" +
           fmt::format(
               "<metadata><name>{}</name><desc>Simulated. Second 0 is 1970-01-01T00:00:00Z; the lower left corner of "
               "the map is at {}, {}, its y axis {} degrees clockwise from north.</desc></metadata>\n",
               escaped(title), placement.lat_deg, placement.lon_deg, placement.bearing_deg);
}

}  // namespace

std::string places_gpx_of(std::span<const FoundPlace> places, const Placement& placement, const std::string& title) {
    const auto point = [&](const char* tag, Point p, const std::string& inside) {
        const LatLon at = on_earth(placement, p);
        return fmt::format("<{0} lat=\"{1:.9f}\" lon=\"{2:.9f}\">{3}</{0}>\n", tag, at.lat_deg, at.lon_deg, inside);
    };
    std::string out = gpx_head(placement, title);
    for (const FoundPlace& place : places)
        out += point("wpt", place.at,
                     fmt::format("<name>{}</name><desc>{}</desc>", escaped(place.name), escaped(place.about)));
    for (const FoundPlace& place : places) {
        if (place.route.empty()) continue;
        out += fmt::format("<rte><name>to {}</name>\n", escaped(place.name));
        for (const Point& p : place.route) out += point("rtept", p, "");
        out += "</rte>\n";
    }
    return out + "</gpx>\n";
}

std::string gpx_of(std::span<const Track> tracks, const Placement& placement, const std::string& title) {
    std::string out = gpx_head(placement, title);
    for (const Track& track : tracks) {
        out += fmt::format("<trk><name>{}</name><type>{}</type>", escaped(track.name), escaped(track.role));
        for (const auto& part : track.parts) {
            out += "<trkseg>\n";
            for (const auto& [seconds, place] : part) {
                const LatLon at = on_earth(placement, place);
                out += fmt::format("<trkpt lat=\"{:.9f}\" lon=\"{:.9f}\"><time>{}</time></trkpt>\n", at.lat_deg,
                                   at.lon_deg, utc(seconds));
            }
            out += "</trkseg>";
        }
        out += "</trk>\n";
    }
    return out + "</gpx>\n";
}

std::string mif_of(std::span<const Track> tracks, const std::optional<Placement>& placement, double width_m,
                   double height_m) {
    std::string out = "Version 300\nCharset \"Neutral\"\nDelimiter \",\"\n";
    out += placement ? std::string("CoordSys Earth Projection 1, 104\n")
                     : fmt::format("CoordSys NonEarth Units \"m\" Bounds (0, 0) ({}, {})\n", width_m, height_m);
    out += "Columns 3\n  name Char(64)\n  role Char(16)\n  length_m Float\nData\n\n";
    for (const Track& track : tracks) {
        const auto line = [](const auto& part) { return part.size() > 1; };
        const auto lines = std::count_if(track.parts.begin(), track.parts.end(), line);
        out += lines == 0 ? "None\n" : lines == 1 ? "Pline " : fmt::format("Pline Multiple {}\n", lines);
        for (const auto& part : track.parts) {
            if (!line(part)) continue;
            out += fmt::format("{}\n", part.size());
            for (const auto& [seconds, place] : part) {
                if (placement) {
                    const LatLon at = on_earth(*placement, place);
                    out += fmt::format("{:.9f} {:.9f}\n", at.lon_deg, at.lat_deg);
                } else {
                    out += fmt::format("{:.4f} {:.4f}\n", place.x, place.y);
                }
            }
        }
    }
    return out;
}

std::string mid_of(std::span<const Track> tracks) {
    std::string out;
    for (const Track& track : tracks) {
        double length = 0;
        for (const auto& part : track.parts)
            for (std::size_t i = 1; i < part.size(); ++i) length += distance(part[i - 1].second, part[i].second);
        out += fmt::format("{},{},{:.3f}\n", quoted(track.name), quoted(track.role), length);
    }
    return out;
}

CarmenLog::CarmenLog(const Briefing& briefing, Point offset)
    : briefing_(briefing), offset_(offset), odometry_(briefing.start) {
    text_ = fmt::format("# {}, simulated by outrider; metres and radians, from the lower left corner of the map\n",
                        briefing.me().name);
    for (const SensorSpec& s : briefing.sensors)
        text_ += fmt::format("# range finder: {} beams from {:.4f} rad by {:.6f} rad, up to {} m\n", s.beams,
                             s.first_angle, s.step_angle, s.max_range_m);
}

void CarmenLog::add(const Percept& percept, const Pose& believed, const Pose& truth) {
    const auto pose = [&](const Pose& p) {
        return fmt::format("{:.4f} {:.4f} {:.6f}", p.x + offset_.x, p.y + offset_.y, p.yaw);
    };
    odometry_ = compose(odometry_, percept.motion.delta);
    const double seconds = percept.step * briefing_.step_s;
    const auto stamp_at = [](double s) { return fmt::format("{:.3f} outrider {:.3f}\n", s, s); };
    const std::string stamp = stamp_at(seconds);
    const double speed = norm(percept.motion.delta.position()) / briefing_.step_s,
                 turn = percept.motion.delta.yaw / briefing_.step_s;
    const auto add_scan = [&](const Scan& scan) {
        const SensorSpec& sensor = briefing_.sensors.at(static_cast<std::size_t>(scan.sensor));
        const Pose body = compose(believed, scan.now_from_then);
        text_ += fmt::format("FLASER {}", scan.ranges.size());
        for (const std::uint16_t r : scan.ranges) text_ += fmt::format(" {:.3f}", beam_length_m(sensor, r));
        text_ += fmt::format(" {} {} {}", pose(compose(body, sensor.mount)),
                             pose(compose(odometry_, scan.now_from_then)), stamp_at(seconds - scan.age_s));
    };
    // In the order of time: scans along the path come before the odometry of the whole path.
    for (const Scan& scan : percept.scans)
        if (scan.age_s > 0) add_scan(scan);
    text_ += fmt::format("ODOM {} {:.4f} {:.6f} 0 {}", pose(odometry_), speed, turn, stamp);
    text_ += fmt::format("TRUEPOS {} {} {}", pose(truth), pose(odometry_), stamp);
    for (const Scan& scan : percept.scans)
        if (scan.age_s == 0) add_scan(scan);
}

}  // namespace outrider
