// Seeds of logs of real robots.
#include <filesystem>

#include "base/input.hpp"
#include "base/sqlite.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "log/exports.hpp"
#include "mcap/coding.hpp"
#include "packed_text.hpp"
#include "ros_bag.hpp"

namespace outrider::fuzz {

namespace {

/// A file for Foxglove, and its messages.
void add_foxglove(SeedList& out) {
    using namespace mcap;
    const auto json = [](std::uint64_t time_ns, const ToolMessage& m) { return foxglove_coding().encode(m, time_ns); };
    const std::vector<std::string> messages{
        json(1'000'000'000, PoseMessage{"r1/odom", "r1", {1, 2, 0.5}, {}}),
        json(1'500'000'000, ScanMessage{"r1", "r1/laser", {0.1, 0, 0}, -1, 0.5, 8, 1, {1.5f, 8, 2}}),
        json(1'500'000'000, TransformsMessage{{{"map", "r1/odom", {}}, {"r1/odom", "r1", {1, 2, 0.5}}}}),
        json(2'000'000'000, PoseMessage{"r1/odom", "r1", {2, 2, 0.5}, {}})};
    std::string records = channel(1, "foxglove.PoseInFrame", "json") +
                          channel(2, "foxglove.LaserScan", "json", text("max_range_m") + text("8")) +
                          channel(3, "foxglove.FrameTransforms", "json");
    for (const int k : {1, 2, 3, 1}) records += message(k, 1, messages[static_cast<std::size_t>(k - 1)]);
    out.add("mcap", "foxglove.mcap",
            "\x89MCAP0\r\n" + record(1, text("") + text("a seed")) + chunk(records, "") + record(15, number(0, 4)) +
                record(2, number(0, 20)) + "\x89MCAP0\r\n");
    out.add("foxglove_messages", "all", join_parts(messages));
}

void add_ros1(SeedList& out) {
    using namespace ros1;
    std::string records = connection(0, "/scan", "sensor_msgs/LaserScan") + connection(1, "/tf", "tf/tfMessage") +
                          connection(2, "/odom", "nav_msgs/Odometry");
    for (const int sec : {1, 2}) {
        records += message(1, raw(1) + head(sec, "odom") + text("/base") + pose(sec));
        records += message(0, head(sec, "laser") + raw(-1.0f, 1.0f, 0.5f, 0.0f, 0.1f, 0.1f, 10.0f) +
                                  raw(3, 1.5f, 2.5f, 20.0f) + raw(0));
        records += message(2, head(sec, "odom") + text("base") + pose(10 * sec) + std::string(8 * 36, '\0'));
    }
    out.add("ros1_bag", "bare.bag", begin + records);
    out.add("ros1_bag", "lz4.bag", begin + chunk(records, "lz4"));
}

/// A log of CARMEN, whole and cut off.
void add_packed(SeedList& out) {
    const std::string text = "FLASER 3 1.5 2.5 3.5 9 9 9 1.5 2 0.5 10.2 h 0.2\nODOM 1 2 0.5 0 0 0 0.3 h 0.3\n";
    const std::string packed = gzip(text);
    out.add("gzip", "carmen.log.gz", packed);
    out.add("gzip", "cut.log.gz", packed.substr(0, packed.size() - 12));
}

}  // namespace

void add_sensor_logs(SeedList& out) {
    out.add(
        "carmen", "carmen.log",
        "# made up\nPARAM robot_front_laser_max 20\nODOM 1 2 0.5 0 0 0 0.1 h 0.1\nFLASER 3 1.5 2.5 3.5 9 9 9 1.5 2 0.5 "
        "10.2 h 0.2\nRLASER 2 1 2 0 0 0 0 0 0 1 h 1\nROBOTLASER1 0 -1.57 3.14 1.57 81 0.01 0 3 1 2 3 0 1 2 0 1 2 0 0.5 "
        "0.5 0.1 0.1 0.1 1.5 h 1.5\nRAWLASER1 0 -1.57 3.14 1.57 81 0.01 0 2 1 2 0 2 h 2\n");
    Briefing briefing;
    briefing.members = std::make_shared<const std::vector<TeamMember>>(1);
    briefing.sensors = {{{}, -1, 1, 3, 0.001, 20}};
    CarmenLog carmen(briefing, {1, 2});
    Percept percept;
    percept.motion.delta = {0.1, 0, 0.2};
    Scan& scan = percept.scans.emplace_back();
    scan.ranges = {1000, 2000, Scan::nothing};
    for (percept.step = 0; percept.step < 3; ++percept.step) carmen.add(percept, {}, {});
    out.add("carmen", "exported.log", carmen.text());
    out.add("sensor_csv", "log.csv",
            "# mine\nodom,0,0,0,3\nscan,0.5,-1,0.5,8,1,2,nan,9\nodom,1,2,0,-3\nscan,5,-1,0.5,8,-1,2\n");
    out.add("sensor_csv_ins", "log.csv",
            "gps,0.5,3,4,0.5\nodom,1,0,0,0\nins,1,0,0,0.5\ngps,1,10,20,0.3\nscan,1,-1,0.5,8,1,2,3,4\nodom,2,1,0,0\n"
            "ins,2,10,0,0.7\ngps,2,30,20,0.4\nscan,2,-1,0.5,8,1,2,3,4\n");
    out.add("usarsim", "robot.txt",
            "# made up\r\nNFO {Level a}\r\nINIT {ClassName USARBot.P3AT} {Name R1}\r\nGEO {Type RangeScanner} {Name S "
            "Location 0.1,0,-0.2 Orientation 0,0,0.1 Mount HARD}\r\nSTA {Time 1.5} {Battery 9}\r\nSEN {Type Odometry} "
            "{Name O} {Pose 0.1,0.2,0.3}\r\nSEN {Type RangeScanner} {Name S} {Resolution 0.0174} {FOV 0.0349} {Range "
            "1.5,2,2.5}\r\nSEN {Time 2} {Type INS} {Name I} {Location 1,2,3} {Orientation 0,0,1}\r\nSEN {Time 2} {Type "
            "Sonar} {Name F1 Range 4.4}\r\nMISSTA {Time 2}\r\n");
    out.add("usarsim", "robots.txt",
            "SEN {Time 1} {Robot R1} {Type RangeScanner} {Name S} {FOV 1} {Range 1,2}\nSEN {Time 2} {Robot R2} {Type "
            "RangeScanner} {Name S} {FOV 1} {Range 1,2}\n");
    out.add(
        "usarsim_lines", "robot.txt",
        "GEO {Type RangeScanner} {Name S Location 0.1,0,-0.2 Orientation 0,0,0.1 Mount HARD}\r\nCONF {Type "
        "RangeScanner} {Name S} {MaxRange 8}\r\nSEN {Time 2} {Type RangeScanner} {Name S} {Resolution 0.25} {FOV 2} "
        "{Range 1,2,3,4,5,6,7,8,9}\r\nSEN {Type Odometry} {Pose 1,2,3}\r\n");
    out.add(
        "usarsim_lines", "controller.txt",
        "DRIVE {Left 1} {Right -1.5}\r\nDRIVE {LinearVelocity 50} {RotationalVelocity -20} {Normalized True}\r\nDRIVE "
        "{Light true}\r\n");
    const auto rows = [](const std::vector<std::string>& begins, int readings) {
        std::string text;
        for (const std::string& begin : begins) {
            text += begin;
            for (int i = 0; i < readings; ++i) text += i % 9 ? " 2" : " 9";
            text += '\n';
        }
        return text;
    };
    out.add("sensor_rows", "posed", rows({"1 0 0", "1 0 0.2", "0.5 1 0.4", "0.5 1 0.6"}, 180));
    out.add("sensor_rows", "times", rows({"% head\n1", "2", "3"}, 180));
    out.add("laser_folder", "all",
            join_parts({rows({"1", "2", "3"}, 180), "1 0 0 0\n1.5 0 0 0.2\n2.5 1 0 0.4\n", rows({"1", "2"}, 16)}));
    out.add("laser_folder", "hokuyo",
            join_parts({rows({"1000", "1100"}, 769), "#t\n1000 0 0 0 1 0\n1100 0 0 0 1 0\n", ""}));
    out.add("sensor_log_kind", "rows", rows({"1"}, 101));
    out.add("sensor_log_kind", "usarsim", "# head\nSTA {Time 1}\n");
    out.add("sensor_log_kind", "csv", "# head\nodom,0,0,0,3\n");
    out.add("relations", "relations.txt", "1 2 1 0 0 0 0 0.1\n2 3 1 0.5 0 0 0 -0.1\n");
    out.add("trajectory", "trajectory.txt", "1 0 0 0\n2 1 0 0.1\n3 2 0.5 0\n");

    using namespace mcap;
    const std::string magic = "\x89MCAP0\r\n", first = record(1, text("ros2") + text("a seed")),
                      channels = channel(1, "sensor_msgs/msg/LaserScan") + channel(2, "nav_msgs/msg/Odometry"),
                      messages = message(2, 3, odometry_message(2, 3.0, 0.7)) + message(1, 2, scan_message(1, {1, 2})) +
                                 message(2, 1, odometry_message(1, 1.0, 0.5)),
                      last = record(15, number(0, 4)) + record(2, number(0, 20));
    out.add("mcap", "bare.mcap", magic + first + channels + messages + last + magic);
    out.add("mcap", "chunk.mcap", magic + first + chunk(channels + messages, "") + last + magic);
    out.add("mcap", "zstd.mcap", magic + first + chunk(channels + messages, "zstd") + last + magic);
    out.add("mcap", "lz4.mcap", magic + first + chunk(channels + messages, "lz4") + last + magic);

    out.add("bag_folder", "two.mcap",
            join_parts(
                {"rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n    - a_0.mcap\n    - a_1.mcap\n",
                 magic + first + channels + messages + last + magic,
                 magic + first + chunk(channels + messages, "lz4") + last + magic}));

    add_foxglove(out);
    add_ros1(out);
    add_packed(out);
    CdrText transforms;
    transforms.add(std::uint32_t{1}).add(std::int32_t{0}).add(std::uint32_t{0}).text("base").text("laser");
    for (const double v : {0.1, 0.0, 0.3, 0.0, 0.0, 0.0, 1.0}) transforms.add(v);
    out.add("ros_messages", "all",
            join_parts({odometry_message(1, 1, 0.5), scan_message(1, {1, 2, 3}), transforms.bytes(),
                        odometry_message(2, 2, 0.5)}));
    const std::string path = ScratchFile::folder() + "/seed.db3";
    {
        std::filesystem::remove(path);
        Database db(path, Database::Mode::create);
        db.run(
            "PRAGMA page_size = 512;"
            "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);"
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);"
            "INSERT INTO topics VALUES(1, '/scan', 'sensor_msgs/msg/LaserScan', 'cdr');"
            "INSERT INTO topics VALUES(2, '/odom', 'nav_msgs/msg/Odometry', 'cdr');");
        Statement insert = db.prepare("INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)");
        insert.bind(1, std::int64_t{2}).bind(2, std::int64_t{1}).bind_blob(3, odometry_message(1, 1, 0.5)).run();
        insert.bind(1, std::int64_t{1}).bind(2, std::int64_t{2}).bind_blob(3, scan_message(1, {1, 2, 3})).run();
    }
    out.add("rosbag2", "bag.db3", read_file(path, "a seed"));
}

}  // namespace outrider::fuzz
