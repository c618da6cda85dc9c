#include "live/rosbridge/ros_intake.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "live/rosbridge/beam_fit.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

using Kind = RosStream::Kind;
constexpr double latest_s = 2;    // what is farther from the odometry in time has no place
constexpr double silence_s = 10;  // after which a topic is missed

/// A topic with what stands for `key` in it.
std::string filled_in(std::string pattern, std::string_view key, const std::string& value) {
    for (std::size_t at = 0; (at = pattern.find(key, at)) != pattern.npos; at += value.size())
        pattern.replace(at, key.size(), value);
    return pattern;
}

void expect_order(RosStream& stream, double time_s) {
    if (time_s < stream.newest_s) fail("its time {:.3f} is older than {:.3f}, the last one", time_s, stream.newest_s);
    stream.newest_s = time_s;
}

/// As in a scan; what sounders say at their reach is that nothing is there.
std::uint16_t echo_of(const RosRange& message, const SensorSpec& sensor, NullRange null_range) {
    if (std::isnan(message.range)) return null_range == NullRange::nothing ? Scan::nothing : Scan::no_information;
    if (message.range == 0 || message.range < message.min_range) return Scan::no_information;
    if (message.range >= message.max_range || message.range > sensor.max_range_m) return Scan::nothing;
    return static_cast<std::uint16_t>(std::clamp(std::round(message.range / sensor.range_unit_m), 1.0, 65534.0));
}

}  // namespace

std::string_view RosStream::type() const {
    switch (kind) {
        case Kind::scan:
            return ros_type::scan;
        case Kind::odometry:
            return ros_type::odometry;
        case Kind::time:
            return ros_type::clock;
        case Kind::range:
            return ros_type::range;
        case Kind::battery:
            return ros_type::battery;
        case Kind::victims:
        case Kind::mates:
            return ros_type::poses;
        case Kind::mate:
            return ros_type::pose;
    }
    return "";
}

RosIntake::RosIntake(const Briefing& briefing, const LiveSection& options, const std::vector<std::string>& robots,
                     Complaints& complaints)
    : briefing_(briefing),
      options_(options),
      name_(robots.at(static_cast<std::size_t>(briefing.self))),
      complaints_(complaints) {
    for (std::size_t k = 0; k < briefing.sensors.size(); ++k)
        if (options.sonar.empty() || briefing.sensors[k].cone == 0)
            add(ros_scan_topic(options.scan, name_, k), {.kind = Kind::scan, .sensor = k});
    add(ros_topic(options.odom, name_), {.kind = Kind::odometry});
    if (options.clock == TickClock::robot) add(ros_topic(options.time, name_), {.kind = Kind::time});
    if (!options.sonar.empty()) add_echo_sounders();
    if (!options.battery.empty()) add(ros_topic(options.battery, name_), {.kind = Kind::battery});
    if (!options.victims.empty()) add(ros_topic(options.victims, name_), {.kind = Kind::victims});
    if (!options.mates.empty()) add_mates(robots);
}

void RosIntake::add(const std::string& topic, const RosStream& stream) {
    if (!streams_.emplace(topic, stream).second) fail("the topic {} would be that of two things", topic);
}

void RosIntake::add_echo_sounders() {
    if (options_.sonar.find("{beam}") == std::string::npos)
        fail("live.sonar = {}: expected {{beam}} in it, the number of the echo sounder from 1 on", options_.sonar);
    int number = 0;
    for (std::size_t k = 0; k < briefing_.sensors.size(); ++k)
        for (int beam = 0; briefing_.sensors[k].cone > 0 && beam < briefing_.sensors[k].beams; ++beam)
            add(ros_topic(filled_in(options_.sonar, "{beam}", std::to_string(++number)), name_),
                {.kind = Kind::range, .sensor = k, .beam = beam});
    if (number == 0)
        fail("live.sonar = {}: robot '{}' has no echo sounders; expected a sensor with cone_deg", options_.sonar,
             briefing_.me().name);
}

void RosIntake::add_mates(const std::vector<std::string>& robots) {
    if (options_.mates.find("{mate}") == std::string::npos)
        return add(ros_topic(options_.mates, name_), {.kind = Kind::mates});
    for (const TeamMember& member : briefing_.team())
        if (member.id != briefing_.self)
            add(ros_topic(filled_in(options_.mates, "{mate}", robots[static_cast<std::size_t>(member.id)]), name_),
                {.kind = Kind::mate, .mate = member.id});
}

double RosIntake::newest_s() const {
    double time_s = 0;
    for (const auto& [topic, stream] : streams_) time_s = std::max(time_s, stream.newest_s);
    return time_s;
}

void RosIntake::take(const std::string& topic, const Json& message, Readings& readings) {
    const auto at = streams_.find(topic);
    if (at == streams_.end()) fail("it was not subscribed to");
    RosStream& stream = at->second;
    stream.came = true;
    switch (stream.kind) {
        case Kind::scan:
            return take_scan(stream, message, readings);
        case Kind::odometry:
            return take_odometry(stream, message, readings);
        case Kind::time: {
            const double time_s = read_clock(message);
            expect_order(stream, time_s);
            readings.time_s = time_s;
            return;
        }
        default:
            break;
    }
    try {
        if (stream.kind == Kind::range) return take_range(stream, message, readings);
        if (stream.kind == Kind::battery) return take_battery(stream, message, readings);
        take_poses(stream, message, readings);
    } catch (const Error& error) {
        fail("{} ({})", error.what(), stream.type());
    }
}

void RosIntake::take_odometry(RosStream& stream, const Json& message, Readings& readings) {
    const RosOdometry odometry = read_odometry(message);
    expect_order(stream, odometry.time_s);
    dialect_ = odometry.dialect;
    odometry_frame_ = odometry.frame;
    body_frame_ = odometry.body_frame;
    odometry_s_ = odometry.time_s;
    readings.odometry.push_back({odometry.time_s, odometry.pose});
    miss_silent_topics(odometry.time_s);
}

void RosIntake::take_scan(RosStream& stream, const Json& message, Readings& readings) {
    const SensorSpec& sensor = briefing_.sensors[stream.sensor];
    const RosScan scan = read_scan(message);
    expect_order(stream, scan.time_s);
    dialect_ = scan.dialect;
    readings.sweeps.push_back(
        {static_cast<int>(stream.sensor), scan.time_s, beams_of(scan, sensor, options_.null_range)});
    if (stream.reported) return;
    if (const std::string missing = missing_beams(scan, sensor); !missing.empty()) {
        stream.reported = true;
        fail("{}; beams that nobody measured count as no information", missing);
    }
}

/// The echoes of a step are one sweep of their sensor, taken when the last of them was.
void RosIntake::take_range(RosStream& stream, const Json& message, Readings& readings) {
    const SensorSpec& sensor = briefing_.sensors[stream.sensor];
    const RosRange range = read_range(message);
    expect_lately(range.time_s);
    expect_order(stream, range.time_s);
    const int number = static_cast<int>(stream.sensor);
    auto sweep = std::find_if(readings.sweeps.begin(), readings.sweeps.end(),
                              [&](const Readings::Sweep& s) { return s.sensor == number; });
    if (sweep == readings.sweeps.end())
        sweep = readings.sweeps.insert(
            sweep, {number, range.time_s,
                    std::vector<std::uint16_t>(static_cast<std::size_t>(sensor.beams), Scan::no_information)});
    sweep->time_s = std::max(sweep->time_s, range.time_s);
    sweep->ranges[static_cast<std::size_t>(stream.beam)] = echo_of(range, sensor, options_.null_range);
    if (stream.reported || range.field_of_view <= 0 || std::abs(range.field_of_view - sensor.cone) < radians(1)) return;
    stream.reported = true;
    fail("field_of_view: {:.1f} degrees, expected {:.1f} as sensor.cone_deg, which counts",
         degrees(range.field_of_view), degrees(sensor.cone));
}

void RosIntake::take_battery(RosStream& stream, const Json& message, Readings& readings) {
    const RosBattery battery = read_battery(message);
    if (battery.time_s > 0) {
        expect_lately(battery.time_s);
        expect_order(stream, battery.time_s);
    }
    readings.battery = battery.share;
}

/// Of a step the newest message that names anybody counts.
void RosIntake::take_poses(RosStream& stream, const Json& message, Readings& readings) {
    const bool named = stream.kind == Kind::mate;
    const RosPoses poses = named ? read_stamped_pose(message) : read_poses(message);
    if (poses.poses.empty()) return;
    expect_lately(poses.time_s);
    expect_order(stream, poses.time_s);
    const bool in_odometry = is_in_odometry(poses.frame);
    const auto source = static_cast<std::size_t>(stream.mate + 1) * 2 + (stream.kind == Kind::victims);
    std::erase_if(readings.finds, [&](const Readings::Find& find) { return find.source == source; });
    const auto kind = stream.kind == Kind::victims ? Sighting::Kind::victim : Sighting::Kind::team_mate;
    for (const Pose& pose : poses.poses)
        readings.finds.push_back({kind, stream.mate, poses.time_s, in_odometry, pose, source});
}

void RosIntake::expect_lately(double time_s) const {
    if (!odometry_s_) fail("it came before any odometry");
    const double away_s = time_s - *odometry_s_;
    if (!(std::abs(away_s) <= latest_s))
        fail("its time {:.3f} is {:.1f} s {} than that of the odometry, expected at most {:g} s", time_s,
             std::abs(away_s), away_s < 0 ? "older" : "newer", latest_s);
}

/// Otherwise in that of the body.
bool RosIntake::is_in_odometry(const std::string& frame) const {
    if (!odometry_frame_.empty() && frame == odometry_frame_) return true;
    const std::string body = body_frame_.empty() ? ros_body_frame(name_) : body_frame_;
    const std::string own = name_ + "/", plain = frame.starts_with(own) ? frame.substr(own.size()) : frame;
    if (frame == body || plain == "base_link" || plain == "base_footprint") return false;
    fail("the frame \"{}\", expected \"{}\" (the robot's body) or \"{}\" (its odometry)", shortened(frame), body,
         odometry_frame_);
}

/// A name that is misspelt, or a driver that does not run.
void RosIntake::miss_silent_topics(double time_s) {
    if (!first_s_ || time_s < *first_s_) first_s_ = time_s;
    if (time_s - *first_s_ < silence_s) return;
    for (auto& [topic, stream] : streams_) {
        if (!stream.is_steady() || stream.reported || stream.came) continue;
        stream.reported = true;
        complaints_.add(fmt::format("{}: nothing came in {:g} s, expected {}", topic, silence_s, stream.type()));
    }
}

}  // namespace outrider
