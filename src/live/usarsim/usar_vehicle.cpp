// One robot in USARSim, or in a world that speaks like it.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "live/usarsim/client_limits.hpp"
#include "live/usarsim/usar_lines.hpp"
#include "live/usarsim/usarsim.hpp"
#include "net/line_client.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::chrono::seconds until_next_try{1};  // to spawn, when that was refused

/// Sensors that tell where a robot is, the best one last.
constexpr std::array<std::string_view, 3> pose_sensors{"GroundTruth", "INS", "Odometry"};

class UsarVehicle final : public Vehicle {
  public:
    UsarVehicle(const std::string& host, int port, const Briefing& briefing, const LiveSection& options)
        : briefing_(briefing),
          options_(options),
          place_(fmt::format("{}:{}", host, port)),
          client_({.host = host, .port = port}) {
        for (const SensorSpec& sensor : briefing_.sensors) expected_.push_back(expected_usar_scanner(sensor));
    }

    void take(std::chrono::milliseconds wait, Readings& readings) override {
        if (try_again_ && Clock::now() >= *try_again_) spawn();
        for (const NetEvent& event : client_.take(wait)) switch (event.kind) {
                case NetEvent::Kind::joined:
                    if (event.client > 1) complaints_.add(fmt::format("connected to {} again", place_));
                    spawn();
                    break;
                case NetEvent::Kind::left:
                    drives_ = false;
                    try_again_.reset();
                    complaints_.add(event.data.starts_with("cannot") ? event.data
                                    : event.data.empty()             ? fmt::format("{} ended the connection", place_)
                                                         : fmt::format("the link to {} broke: {}", place_, event.data));
                    break;
                default:
                    try {
                        hear(event.data, readings);
                    } catch (const Error& error) {
                        complaints_.add(fmt::format("{}: an odd line: {}", place_, error.what()));
                    }
            }
    }
    void drive(const Velocity& velocity) override {
        if (drives_) client_.send(usar_drive(usar_limited(velocity, briefing_, options_), options_));
    }
    bool connected() const override { return client_.connected(); }
    std::vector<std::string> take_complaints() override { return complaints_.take(); }

  private:
    using Clock = std::chrono::steady_clock;

    /// Robots start where their briefings say, in the frame of these.
    void spawn() {
        try_again_.reset();
        asked_geometry_ = false;
        scanners_.clear();
        client_.send(usarsim_text("INIT", {{"ClassName", options_.usar_class},
                                           {"Name", briefing_.me().name},
                                           {"Location", usar_location(briefing_.start)},
                                           {"Rotation", usar_rotation(briefing_.start)}}));
        drives_ = true;  // USARSim does not answer
    }
    void ask_geometry() {
        if (std::exchange(asked_geometry_, true)) return;
        client_.send("GETGEO {Type RangeScanner}\r\nGETCONF {Type RangeScanner}\r\n");
    }

    void hear(std::string_view text, Readings& readings) {
        if (text.find_first_not_of(" \t") == std::string_view::npos) return;
        const UsarsimLine line = parse_usarsim_line(text);
        if (line.type == "SEN") {
            ask_geometry();
            sense(line, readings);
        } else if (line.type == "STA") {
            ask_geometry();
            hear_status(line, readings);
        } else if (line.type == "RES") {
            hear_result(line);
        } else if (line.type == "GEO" && same_word(line.word("Type"), "RangeScanner")) {
            for (UsarsimMount& mount : usarsim_mounts(line))
                if (UsarScanner* scanner = scanner_of(mount.name)) scanner->mount = std::move(mount);
        } else if (line.type == "CONF" && same_word(line.word("Type"), "RangeScanner") && line.find("MaxRange")) {
            const double reach_m = usarsim_numbers<1>(line, "MaxRange", "the reach of a scanner")[0];
            if (!(reach_m > 0)) fail("expected the reach of a scanner, found {}", reach_m);
            if (UsarScanner* scanner = scanner_of(std::string(line.word("Name")))) scanner->reach_m = reach_m;
        } else if (!is_usarsim_type(line.type)) {
            fail("expected SEN, STA or another line of USARSim, found '{}'", text.substr(0, 40));
        }
    }
    /// What is known of the scanner; nothing: it is none of ours.
    UsarScanner* scanner_of(const std::string& name) {
        for (std::size_t k = 0; k < expected_.size(); ++k)
            if (name == usar_scanner_name(options_, k)) return &scanners_.try_emplace(name, expected_[k]).first->second;
        return nullptr;
    }

    void hear_result(const UsarsimLine& line) {
        if (!same_word(line.word("Type"), "INIT")) {
            if (same_word(line.word("Status"), "Failed"))
                complaints_.add(fmt::format("{} failed: {}", line.word("Type"), line.find("Reason").value_or("")));
        } else if (same_word(line.word("Status"), "OK")) {
            ask_geometry();
        } else {  // perhaps an old connection has not been given up yet
            complaints_.add(fmt::format("{} does not let {} in: {}", place_, briefing_.me().name,
                                        line.find("Reason").value_or("")));
            drives_ = false;
            try_again_ = Clock::now() + until_next_try;
        }
    }
    void hear_status(const UsarsimLine& line, Readings& readings) {
        if (const auto battery = line.find("Battery")) {  // seconds that are left: a full one is what was most
            const double left = usarsim_numbers<1>(line, "Battery", "what is left of the battery")[0];
            full_battery_ = std::max(full_battery_, left);
            readings.battery = full_battery_ > 0 ? std::max(0.0, left / full_battery_) : 0;
        }
        if (const auto time_s = usarsim_stamp(line)) readings.time_s = last_s_ = *time_s;
        if (statuses_ < 2 && ++statuses_ == 2) {
            if (pose_sensor_ < 0) pose_sensor_ = best_seen_;
            if (scanners_.empty() && !foreign_scanner_.empty())
                complaints_.add(
                    fmt::format("there are scans of {}, but none of {}", foreign_scanner_, options_.usar_scanner));
        }
    }
    void sense(const UsarsimLine& line, Readings& readings) {
        const std::string_view type = line.word("Type");
        const double time_s = usarsim_stamp(line).value_or(last_s_);
        if (same_word(type, "RangeScanner")) {
            sweep(line, time_s, readings);
        } else if (same_word(type, "Touch")) {
            for (const UsarsimLine::Segment& s : line.segments)  // {Name Bumper Touch True}
                readings.bumped |= says_touch(s);
        } else {
            for (int k = 0; k < static_cast<int>(pose_sensors.size()); ++k)
                if (same_word(type, pose_sensors[static_cast<std::size_t>(k)])) locate(k, line, time_s, readings);
        }
    }
    static bool says_touch(const UsarsimLine::Segment& segment) {
        std::string_view last = segment.value, before = segment.key;
        if (const auto space = last.find_last_of(" \t"); space != std::string_view::npos) {
            before = last.substr(0, last.find_last_not_of(" \t", space) + 1);
            before.remove_prefix(before.find_last_of(" \t") + 1);  // 0 where there is none
            last.remove_prefix(space + 1);
        }
        return same_word(before, "Touch") && same_word(last, "True");
    }
    void sweep(const UsarsimLine& line, double time_s, Readings& readings) {
        const std::string name(line.word("Name"));
        for (std::size_t k = 0; k < expected_.size(); ++k) {
            if (name != usar_scanner_name(options_, k)) continue;
            std::string complaint;
            readings.sweeps.push_back(
                {static_cast<int>(k), time_s,
                 usar_sweep(usarsim_scan(line), *scanner_of(name), briefing_.sensors[k], complaint)});
            if (!complaint.empty()) complaints_.add(fmt::format("{}: {}", name, complaint));
            return;
        }
        foreign_scanner_ = name;
    }
    /// Odometry counts, and one of the others only where no odometry comes: which one, is decided by the second STA,
    /// and for good, as each has a frame of its own.
    void locate(int sensor, const UsarsimLine& line, double time_s, Readings& readings) {
        best_seen_ = std::max(best_seen_, sensor);
        if (pose_sensor_ < 0 && sensor + 1 == static_cast<int>(pose_sensors.size())) pose_sensor_ = sensor;
        if (sensor != pose_sensor_) return;
        const Pose pose = usarsim_pose(line);
        if (std::abs(pose.x) > 1e6 || std::abs(pose.y) > 1e6) fail("a position of {}, {}", pose.x, pose.y);
        readings.odometry.push_back({time_s, pose});
    }

    const Briefing briefing_;
    const LiveSection options_;
    const std::string place_;
    std::vector<UsarScanner> expected_;            // by sensor
    std::map<std::string, UsarScanner> scanners_;  // ours, by name
    std::string foreign_scanner_;                  // one that is none of ours
    std::atomic<bool> drives_{false};
    std::optional<Clock::time_point> try_again_;  // to spawn
    bool asked_geometry_ = false;
    double full_battery_ = 0, last_s_ = 0;
    int pose_sensor_ = -1, best_seen_ = -1, statuses_ = 0;
    Complaints complaints_{100};
    LineClient client_;  // last: it ends first
};

}  // namespace

std::unique_ptr<Vehicle> make_usar_vehicle(const std::string& host, int port, const Briefing& briefing,
                                           const LiveSection& options) {
    return std::make_unique<UsarVehicle>(host, port, briefing, options);
}

}  // namespace outrider
