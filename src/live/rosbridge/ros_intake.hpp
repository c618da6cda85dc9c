// What the topics of a robot say, as readings: which topics there are, and what is refused of what comes on them.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "live/complaints.hpp"
#include "live/rosbridge/ros_messages.hpp"
#include "live/vehicle.hpp"
#include "messages/live_options.hpp"

namespace outrider {

/// Of a topic: what comes on it.
struct RosStream {
    enum class Kind { scan, odometry, time, range, battery, victims, mates, mate } kind = Kind::scan;
    std::size_t sensor = 0;  ///< index into Briefing::sensors
    int beam = 0;            ///< of it, of an echo sounder
    RobotId mate = -1;       ///< whose place it is
    double newest_s = -std::numeric_limits<double>::infinity();
    bool came = false;      ///< something, right or wrong
    bool reported = false;  ///< what is wrong with all of its messages was said

    std::string_view type() const;
    /// Whether messages come all the time, so that none means something.
    bool is_steady() const { return kind == Kind::range || kind == Kind::battery; }
};

class RosIntake {
  public:
    /// `robots`: of the team, as topics name them. Throws Error where a topic would be that of two things.
    RosIntake(const Briefing& briefing, const LiveSection& options, const std::vector<std::string>& robots,
              Complaints& complaints);
    const std::map<std::string, RosStream>& streams() const { return streams_; }
    /// Takes what a message says. Throws Error that says what is wrong with it; scans without all of their beams are
    /// taken nevertheless.
    void take(const std::string& topic, const Json& message, Readings& readings);
    /// As the robot writes times; nothing: it has written none yet.
    std::optional<RosDialect> dialect() const { return dialect_; }
    /// The newest time that its messages said.
    double newest_s() const;

  private:
    void add(const std::string& topic, const RosStream& stream);
    void add_echo_sounders();
    void add_mates(const std::vector<std::string>& robots);
    void take_odometry(RosStream& stream, const Json& message, Readings& readings);
    void take_scan(RosStream& stream, const Json& message, Readings& readings);
    void take_range(RosStream& stream, const Json& message, Readings& readings);
    void take_battery(RosStream& stream, const Json& message, Readings& readings);
    void take_poses(RosStream& stream, const Json& message, Readings& readings);
    void expect_lately(double time_s) const;
    bool is_in_odometry(const std::string& frame) const;
    void miss_silent_topics(double time_s);

    const Briefing briefing_;
    const LiveSection options_;
    const std::string name_;
    Complaints& complaints_;
    std::map<std::string, RosStream> streams_;  // by topic
    std::optional<RosDialect> dialect_;
    std::optional<double> first_s_, odometry_s_;  // of the odometry: its first and its newest time
    std::string odometry_frame_, body_frame_;     // as it names them
};

}  // namespace outrider
