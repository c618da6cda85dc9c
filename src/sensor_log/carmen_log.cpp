// Text logs: CARMEN and plain CSV.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "sensor_log/text_lines.hpp"
#include "simulator/aided_inertial.hpp"

namespace outrider {
RecordedScan half_circle(std::size_t n) {
    RecordedScan scan;
    scan.first_angle = -pi / 2;
    scan.step_angle = n < 2 ? 0 : pi / static_cast<double>(n % 2 == 0 ? n : n - 1);
    return scan;
}

namespace {

void read_ranges(Words& words, std::size_t n, std::vector<float>& ranges) {
    for (std::size_t i = 0; i < n; ++i) ranges.push_back(static_cast<float>(words.number("a range")));
}

/// start_angle fov resolution max_range ... of the newer kinds.
RecordedScan described_scan(Words& words) {
    RecordedScan scan;
    words.number("the laser's type");
    scan.first_angle = words.number("the start angle");
    const double fov = words.number("the field of view");
    scan.step_angle = words.number("the angular resolution");
    scan.max_range_m = words.number("the maximal range");
    words.number("the accuracy");
    words.number("the remission mode");
    const std::size_t n = words.count("the number of readings");
    read_ranges(words, n, scan.ranges);
    read_ranges(words, words.count("the number of remission values"), scan.ranges);
    scan.ranges.resize(n);
    if (!(scan.step_angle > 0)) scan.step_angle = n > 1 ? fov / static_cast<double>(n - 1) : 0;
    return scan;
}

/// What a log states once for all its scans.
struct Context {
    std::string_view text;               // all of it
    Pose front, rear{0, 0, pi};          // where the lasers are on the body
    std::map<std::string, Pose> mounts;  // scanner pose by kind of ROBOTLASER, the last one given
    std::map<std::string, bool> raw;     // by kind of RAWLASER: whether its scans are read
    std::vector<RecordedScan> shapes;    // given by Outrider's own exports, in comments
    std::vector<std::size_t> beams;      // number of beams of each shape
    bool of_gmapping = false;
    double last_s = 0;  // stamp of GMapping's last record
};

/// "# range finder: 181 beams from -1.5708 rad by 0.017453 rad, up to 20 m", as `outrider log export` writes it.
void read_comment(std::string_view line, Context& context) {
    constexpr std::string_view begin = "# range finder: ";
    if (!line.starts_with(begin)) return;
    Words words(line.substr(begin.size()), ' ');
    RecordedScan shape;
    const std::size_t beams = words.count("the number of beams");
    for (int i = 0; i < 2; ++i) words.word();  // "beams from"
    shape.first_angle = words.number("the first angle");
    for (int i = 0; i < 2; ++i) words.word();  // "rad by"
    shape.step_angle = words.number("the angle between beams");
    for (int i = 0; i < 3; ++i) words.word();  // "rad, up to"
    shape.max_range_m = words.number("the maximal range");
    context.shapes.push_back(std::move(shape));
    context.beams.push_back(beams);
}

/// The poses of scanner and robot are rounded: differences in the last digits do not mean another place.
Pose settled(const Pose& mount, const std::string& kind, Context& context) {
    constexpr double same = 0.005;  // metres and radians
    Pose& mounts = context.mounts.try_emplace(kind, mount).first->second;
    const bool moved =
        distance(mounts.position(), mount.position()) > same || std::abs(wrap_angle(mounts.yaw - mount.yaw)) > same;
    return moved ? mounts = mount : mounts;
}

bool has_line(std::string_view text, const std::string& kind) {
    return text.starts_with(kind + ' ') || text.find('\n' + kind + ' ') != std::string_view::npos;
}

/// RAWLASER1 is the front laser, RAWLASER2 the rear one. If a log has the same scans as ROBOTLASER, with the pose of
/// the robot, they are read only once.
bool wanted(const std::string& kind, Context& context) {
    const auto [at, is_new] = context.raw.try_emplace(kind, true);
    if (is_new) at->second = !has_line(context.text, "ROBOT" + kind.substr(3));
    return at->second;
}

void read_parameter(Words& words, Context& context) {
    const std::string name(words.word().value_or(""));
    if (name == "robot_frontlaser_offset") context.front.x = words.number("metres");
    if (name == "robot_frontlaser_side_offset") context.front.y = words.number("metres");
    if (name == "robot_rearlaser_offset") context.rear.x = words.number("metres");
    if (name == "robot_rearlaser_side_offset") context.rear.y = words.number("metres");
}

/// What GMapping takes a scanner to be that only says how many beams it has.
RecordedScan scanner_of_gmapping(std::size_t n) {
    RecordedScan scan = half_circle(n);
    if (n == 540 || n == 541) scan.first_angle = -2.351831, scan.step_angle = 0.008727;
    if (n == 682 || n == 683) scan.first_angle = -2.094395, scan.step_angle = 2 * pi / 1024;
    return scan;
}

/// LASER_READING of GMapping's .gfs: readings, and the pose by odometry; older ones have no time.
void read_gmapping_scan(Words& words, SensorLogBuilder& log, Context& context) {
    const std::size_t n = words.count("the number of readings");
    RecordedScan scan = scanner_of_gmapping(n);
    read_ranges(words, n, scan.ranges);
    const Pose pose = words.pose("odometry");
    if (!words.empty()) context.last_s = words.stamp();
    log.scan(context.last_s, std::move(scan), pose);
}

/// One line of CARMEN; its fields are listed in the header of the logs that CARMEN writes.
void read_carmen_line(std::string_view line, SensorLogBuilder& log, Context& context) {
    Words words(line, ' ');
    const std::string kind(words.word().value_or(""));
    if (kind == "ODOM") {
        const Pose pose = words.pose("odometry");
        const double first = words.number("a velocity");
        if (context.of_gmapping && words.empty()) {  // it is the time
            context.last_s = first;
            log.odometry(first, pose);
        } else {
            for (int i = 0; i < 2; ++i) words.number("a velocity");
            log.odometry(words.stamp(), pose);
        }
    } else if (kind == "FLASER" || kind == "RLASER") {
        const std::size_t n = words.count("the number of readings");
        const auto known = std::find(context.beams.begin(), context.beams.end(), n);
        RecordedScan scan = known == context.beams.end()
                                ? half_circle(n)
                                : context.shapes[static_cast<std::size_t>(known - context.beams.begin())];
        read_ranges(words, n, scan.ranges);
        words.pose("the pose of the laser");
        const Pose pose = words.pose("odometry");
        scan.mount = kind == "FLASER" ? context.front : context.rear;
        log.scan(words.stamp(), std::move(scan), pose);
    } else if (kind == "LASER_READING") {
        read_gmapping_scan(words, log, context);
    } else if (kind.starts_with("ROBOTLASER")) {
        RecordedScan scan = described_scan(words);
        const Pose laser = words.pose("the pose of the laser"), body = words.pose("the pose of the robot");
        scan.mount = settled(compose(inverse(body), laser), kind, context);
        for (int i = 0; i < 5; ++i) words.number("a velocity or a distance of safety");
        log.scan(words.stamp(), std::move(scan), body);
    } else if (kind.starts_with("RAWLASER")) {
        if (!wanted(kind, context)) return log.ignored();
        RecordedScan scan = described_scan(words);
        scan.mount = kind == "RAWLASER2" ? context.rear : context.front;
        log.scan(words.stamp(), std::move(scan));
    } else if (kind == "PARAM") {
        read_parameter(words, context);
        return log.ignored();
    } else {
        return log.ignored();
    }
    log.kind(kind);
}

/// Standard deviation of x and y of an inertial system, as a share of the distance driven.
constexpr double inertial_share = 0.02;

/// How the body moved, from the CSV lines of the chosen instrument.
struct CsvMotion {
    SlamSeed seed;
    std::size_t used = 0;
    std::optional<Pose> inertial = {};  // the last one
    std::optional<AidedInertial> aided = {};

    bool of_wheels() const { return seed != SlamSeed::ins && seed != SlamSeed::gps_ins; }
    /// Each of these: the pose to take, if the line is of use.
    std::optional<Pose> take_inertial(const Pose& pose) {
        const Pose last = inertial.value_or(pose);
        inertial = pose;
        if (seed == SlamSeed::ins) return pose;
        if (!aided) return {};
        const Pose delta = compose(inverse(last), pose);
        aided->move(delta, std::pow(inertial_share * norm(delta.position()), 2));
        return aided->pose();
    }
    std::optional<Pose> take_position(Point position, double sigma) {
        if (seed != SlamSeed::gps_ins) return {};
        if (!inertial) fail("a position from satellites before the first ins line, which tells the heading");
        if (aided)
            aided->correct(position, sigma * sigma);
        else
            aided.emplace(Pose{position.x, position.y, inertial->yaw}, sigma * sigma);
        return aided->pose();
    }
};

void read_csv_motion(const std::string& kind, double time_s, Words& words, SensorLogBuilder& log, CsvMotion& motion) {
    std::optional<Pose> pose;
    if (kind == "odom") {
        const Pose odometry = words.pose("odometry");
        if (motion.of_wheels()) pose = odometry;
    } else if (kind == "ins") {
        pose = motion.take_inertial(words.pose("the pose of an inertial system"));
    } else {
        const double x = words.number("metres east"), y = words.number("metres north");
        pose = motion.take_position({x, y}, words.number("the standard deviation in metres"));
    }
    if (!pose) return;
    ++motion.used;
    log.odometry(time_s, *pose);
}

void read_csv_line(std::string_view line, SensorLogBuilder& log, CsvMotion& motion) {
    Words words(line, ',');
    const std::string kind(words.word().value_or(""));
    if (kind != "odom" && kind != "scan" && kind != "ins" && kind != "gps")
        fail("expected odom, scan, ins or gps, found '{}'", kind);
    const double time_s = words.stamp();
    if (kind != "scan") {
        read_csv_motion(kind, time_s, words, log, motion);
    } else {
        RecordedScan scan;
        scan.first_angle = words.number("the angle of the first beam");
        scan.step_angle = words.number("the angle between beams");
        scan.max_range_m = words.number("the maximal range");
        while (!words.empty()) scan.ranges.push_back(static_cast<float>(words.number("a range")));
        log.scan(time_s, std::move(scan));
    }
    log.kind(kind);
}

}  // namespace

RecordedScan parse_robot_laser(std::string_view line, double& time_s) {
    Words words(line, ' ');
    words.word();
    RecordedScan scan = described_scan(words);
    const Pose laser = words.pose("the pose of the laser"), body = words.pose("the pose of the robot");
    scan.mount = compose(inverse(body), laser);
    for (int i = 0; i < 5; ++i) words.number("a velocity or a distance of safety");
    time_s = words.stamp();
    return scan;
}

SensorLog parse_carmen(std::string_view text, const std::string& where) {
    Context context;
    context.text = text;
    context.of_gmapping = has_line(text, "LASER_READING");
    SensorLogBuilder log(where);
    read_lines(text, log, [&](std::string_view line, SensorLogBuilder& out) {
        if (line[0] == '#')
            read_comment(line, context);
        else
            read_carmen_line(line, out, context);
    });
    return log.finish();
}

SensorLog parse_sensor_csv(std::string_view text, const std::string& where, SlamSeed seed) {
    CsvMotion motion{seed};
    SensorLogBuilder builder(where);
    read_lines(text, builder, [&](std::string_view line, SensorLogBuilder& out) {
        if (line[0] != '#') read_csv_line(line, out, motion);
    });
    SensorLog log = builder.finish();
    if (motion.used == 0 && (seed == SlamSeed::ins || seed == SlamSeed::gps_ins))
        fail("{}: slam.seed = {}: expected {} lines, found none", where,
             slam_seed_names[static_cast<std::size_t>(seed)], seed == SlamSeed::ins ? "ins" : "ins and gps");
    return log;
}

}  // namespace outrider
