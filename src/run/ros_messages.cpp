#include "run/ros_messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// Reads the values of a message in order; each is aligned to its size, counted from behind the four bytes that say
/// which byte order follows.
class Cdr {
  public:
    explicit Cdr(std::string_view bytes) : bytes_(bytes) {
        if (bytes_.size() < 4) fail("a message without a head");
        if (bytes_[0] != 0 || (bytes_[1] != 0 && bytes_[1] != 1))
            fail("expected plain CDR, found representation {:#x}{:02x}", bytes_[0], bytes_[1]);
        big_ = bytes_[1] == 0;
        bytes_.remove_prefix(4);
    }
    template <class T>
    T value() {
        at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        if (at_ > bytes_.size() || bytes_.size() - at_ < sizeof(T)) fail("a message that ends too early");
        char raw[sizeof(T)];
        std::memcpy(raw, bytes_.data() + at_, sizeof(T));
        if (big_) std::reverse(raw, raw + sizeof(T));
        at_ += sizeof(T);
        T v;
        std::memcpy(&v, raw, sizeof(T));
        return v;
    }
    void skip_text() {
        const auto n = value<std::uint32_t>();
        if (n > bytes_.size() - at_) fail("a text that is longer than its message");
        at_ += n;
    }
    double header() {
        const auto seconds = value<std::int32_t>();
        const auto nanoseconds = value<std::uint32_t>();
        skip_text();
        return seconds + nanoseconds * 1e-9;
    }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool big_ = false;
};

void read_laser_scan(Cdr cdr, SensorLogBuilder& log) {
    const double time_s = cdr.header();
    RecordedScan scan;
    scan.first_angle = static_cast<double>(cdr.value<float>());
    cdr.value<float>();  // angle_max
    scan.step_angle = static_cast<double>(cdr.value<float>());
    cdr.value<float>();  // time_increment
    cdr.value<float>();  // scan_time
    const float least = cdr.value<float>(), most = cdr.value<float>();
    scan.max_range_m = static_cast<double>(most);
    const auto n = cdr.value<std::uint32_t>();
    if (n > 1'000'000) fail("a scan of {} beams", n);
    for (std::uint32_t i = 0; i < n; ++i) {
        float r = cdr.value<float>();
        if (r < least) r = 0;
        if (r > 0 && std::isinf(r)) r = most;  // REP 117: nothing within the range
        scan.ranges.push_back(r);
    }
    if (!std::isfinite(scan.first_angle) || !std::isfinite(scan.step_angle)) fail("an angle that is not a number");
    log.scan(time_s, std::move(scan));
}

void read_odometry(Cdr cdr, SensorLogBuilder& log) {
    const double time_s = cdr.header();
    cdr.skip_text();  // child_frame_id
    const double x = cdr.value<double>(), y = cdr.value<double>();
    cdr.value<double>();
    const double qx = cdr.value<double>(), qy = cdr.value<double>(), qz = cdr.value<double>(), qw = cdr.value<double>();
    log.odometry(time_s, {x, y, atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz))});
}

}  // namespace

void take_ros_message(std::string_view type, std::string_view bytes, std::size_t number, SensorLogBuilder& log) {
    try {
        if (type == "sensor_msgs/msg/LaserScan")
            read_laser_scan(Cdr(bytes), log);
        else if (type == "nav_msgs/msg/Odometry")
            read_odometry(Cdr(bytes), log);
        else
            return log.ignored();
        log.kind(std::string(type.substr(type.rfind('/') + 1)));
    } catch (const Error& e) {
        log.odd(number, e.what());
    }
}

}  // namespace outrider
