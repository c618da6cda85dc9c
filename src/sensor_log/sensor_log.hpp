// Recorded data of a real robot: odometry and scans in the order of their time stamps.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.hpp"
#include "outrider/geometry.hpp"
#include "slam/slam_options.hpp"

namespace outrider {

/// Scanners with a longer range than this get an answer from nearly everywhere indoors. No answer is then more often
/// due to glass, black paint or dazzling light than to a free view that long, and is taken as no information.
inline constexpr double farthest_free_m = 40;

/// One sweep of a range finder. Beam i looks along first_angle + i * step_angle (radians) in the frame of the mount.
struct RecordedScan {
    Pose mount;  ///< body_from_sensor
    double first_angle = 0, step_angle = 0;
    double max_range_m = 0;     ///< a reading of this or more means that nothing was seen; 0: the log does not say
    std::vector<float> ranges;  ///< metres; not a number, or not positive: no information
};

/// What is known at a time: where odometry says the body is, and what it saw if this is a scan.
struct LogEntry {
    double time_s = 0;
    Pose odometry;
    int scan = -1;  ///< index into SensorLog::scans; -1: odometry only
};

struct SensorLog {
    std::string path;
    std::vector<LogEntry> entries;  ///< by time; of equal times in the order of the file
    std::vector<RecordedScan> scans;
    std::map<std::string, std::size_t> kinds;  ///< lines or messages by kind, of those that were used
    std::size_t odd = 0;                       ///< lines that were not understood
    std::string first_odd;                     ///< where the first of them is, and why
    std::size_t ignored = 0;                   ///< lines of kinds that say nothing about scans and odometry
    std::size_t backward = 0;                  ///< records with an earlier stamp than the one before
    std::vector<std::string> notes;            ///< what else a user should know of how it was read
};

enum class SensorLogKind { carmen, csv, rosbag2, usarsim, rows, folder };
/// Told by the first bytes: an SQLite or MCAP file is a rosbag2, and so is a folder of such files; a text with "odom,"
/// or "scan," lines a CSV, one with "SEN {" or "STA {" lines of USARSim, one of 100 and more numbers a line rows, all
/// else CARMEN.
SensorLogKind sensor_log_kind(const std::string& path);

/// Whether a file is one of these rather than a log of Outrider.
bool is_sensor_log(const std::string& path);

/// Whether a file or folder is surely one of these, by its content; never throws for what cannot be read. Unlike above,
/// a text in which no line is known is none.
bool is_recording_file(const std::string& path);

/// Reads a log of any kind, or a folder with a file for each sensor. Lines that make no sense are counted; a log
/// without a scan throws Error. `seed`: the instrument whose record of the motion becomes `odometry`; a log without
/// that instrument throws Error. `robot`: whose topics or lines are read, of a bag or a log of USARSim of several
/// robots; other logs are those of one robot, and a name throws Error. `scanner`: the one whose scans are read, by its
/// name in a log of USARSim, or the name of its file in a folder; empty: that with the most readings.
SensorLog read_sensor_log(const std::string& path, SlamSeed seed = SlamSeed::odometry, std::string_view robot = {},
                          std::string_view scanner = {});

/// The readers behind it, from text in memory; `where` names the log in messages.
SensorLog parse_carmen(std::string_view text, const std::string& where);
/// Lines "odom,TIME,X,Y,YAW", "scan,TIME,FIRST_ANGLE,STEP_ANGLE,MAX_RANGE,RANGE,RANGE,...", "ins,TIME,X,Y,YAW" of an
/// inertial system and "gps,TIME,X,Y,SIGMA" of positions from satellites, x east, y north, with the standard deviation
/// of both; metres, radians, seconds. With gps_ins the positions correct the track of the inertial system, whose yaw is
/// from east.
SensorLog parse_sensor_csv(std::string_view text, const std::string& where, SlamSeed seed = SlamSeed::odometry);
/// Messages sensor_msgs/msg/LaserScan, nav_msgs/msg/Odometry and tf2_msgs/msg/TFMessage of a .db3 of rosbag2
/// (read_mcap: of a .mcap, which may also hold those of Foxglove). A scanner whose pose is missing in the transforms is
/// taken to sit at the centre of the body.
SensorLog read_rosbag2(const std::string& path, std::string_view robot = {});

/// Lines "SEN {Time t} {Type RangeScanner} {Name N} {Resolution rad} {FOV rad} {Range r,r,...}", with Odometry {Pose
/// x,y,yaw}, INS or GroundTruth {Location x,y,z} {Orientation roll,pitch,yaw}, and "STA {Time t}" of USARSim. What is
/// read is chosen as in read_sensor_log(), and notes say it. A scan gets the pose interpolated at its time.
SensorLog parse_usarsim(std::string_view text, const std::string& where, SlamSeed seed = SlamSeed::odometry,
                        std::string_view robot = {}, std::string_view scanner = {});
/// Lines of x, y, yaw and the readings of half a circle, listed from left to right (Matlab), or of a time and readings,
/// which need slam.seed = none. Where scans agree better with the turns of the odometry the other way round, they are
/// read so.
SensorLog parse_rows(std::string_view text, const std::string& where, SlamSeed seed = SlamSeed::odometry);
/// A folder with a file of time and readings, told by its content, and one of odometry, merged by their time stamps.
SensorLog read_laser_folder(const std::string& path, SlamSeed seed = SlamSeed::odometry, std::string_view scanner = {});

/// A line ROBOTLASER1 of CARMEN, which g2o has, too; what stands after the time stamp is not read. Throws Error.
RecordedScan parse_robot_laser(std::string_view line, double& time_s);

/// The shape of scans that give only the number of their beams: 1 degree apart for 180 and 181 (a SICK over its half
/// circle), half a degree for 360 and 361, and so on; the first beam points 90 degrees to the right.
RecordedScan half_circle(std::size_t n);

/// Whether a scanner can sit there: within 100 m of the body's centre, its heading an angle.
bool is_on_robot(const Pose& mount);
/// Throws Error where the angles of the beams are no directions.
void expect_angles(const RecordedScan& scan);

/// Collects records as they come and puts them in order.
class SensorLogBuilder {
  public:
    explicit SensorLogBuilder(const std::string& where) : budget_(where) { log_.path = where; }
    void odometry(double time_s, const Pose& pose);
    /// Odometry that was held back until it was known to be that. It is put before what has the same stamp.
    void odometry(std::span<const LogEntry> held);
    /// Before memory is taken for what its reader keeps. Throws Error when it is more than what is left.
    void take_memory(std::uint64_t bytes, std::string_view what) { budget_.take(bytes, what); }
    /// With the odometry that belongs to it. Throws Error if its angles are none.
    void scan(double time_s, RecordedScan scan, const Pose& pose);
    /// Without: its odometry is interpolated between the records before and after it. False: it is not taken.
    bool scan(double time_s, RecordedScan scan);
    void kind(const std::string& name) { ++log_.kinds[name]; }
    void ignored() { ++log_.ignored; }
    void odd(std::size_t line, const std::string& why);
    void note(std::string text) { log_.notes.push_back(std::move(text)); }
    /// Throws Error: the log's name, then `why`.
    [[noreturn]] void refuse(const std::string& why) const;
    /// Sorts, interpolates, and finds out which reading means "nothing" where the log does not say. Throws Error
    /// without a scan.
    SensorLog finish();

  private:
    void keep(double time_s, const Pose& pose, RecordedScan scan);
    /// Notes what is wrong with an impossible record: values that are not numbers, or far beyond any robot.
    bool sound(double time_s, const Pose& pose, const Pose& mount);
    void add(double time_s, const Pose& pose, int scan);
    void interpolate();
    SensorLog log_;
    MemoryBudget budget_;
    std::vector<std::size_t> bare_;  // entries whose odometry is to be interpolated
};

}  // namespace outrider
