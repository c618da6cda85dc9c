// Logs of real robots in bags of ROS and in MCAP.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/sqlite.hpp"
#include "helpers.hpp"
#include "outrider/error.hpp"
#include "ros_bag.hpp"
#include "sensor_log/ros_messages.hpp"
#include "sensor_log/slam_log.hpp"

using namespace outrider;

namespace test_sensor_log_bags {

TEST_CASE("a rosbag2 gives its scans and odometry") {
    const TemporaryFolder folder;
    {
        Database db(folder / "bag.db3", Database::Mode::create);
        db.run(
            "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);"
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);"
            "INSERT INTO topics VALUES(1, '/scan', 'sensor_msgs/msg/LaserScan', 'cdr');"
            "INSERT INTO topics VALUES(2, '/odom', 'nav_msgs/msg/Odometry', 'cdr');"
            "INSERT INTO topics VALUES(3, '/rosout', 'rcl_interfaces/msg/Log', 'cdr');");
        Statement insert = db.prepare("INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)");
        const auto add = [&](std::int64_t topic, std::int64_t t, const std::string& data) {
            insert.bind(1, topic).bind(2, t).bind_blob(3, data).run();
        };
        add(2, 1, odometry_message(1, 1.0, 0.5));
        add(1, 2, scan_message(1, {0.05f, 2.0f, std::numeric_limits<float>::infinity(), 9.5f}));
        add(2, 3, odometry_message(2, 3.0, 0.7));
        add(1, 4, scan_message(2, {1, 2}).substr(0, 30));
        add(3, 5, "\x00\x01\x00\x00");
    }
    const SensorLog log = read_sensor_log(folder / "bag.db3");
    REQUIRE(log.scans.size() == 1);
    CHECK(log.kinds.at("Odometry") == 2);
    CHECK(log.odd == 1);
    CHECK(log.ignored == 1);
    CHECK(log.scans[0].first_angle == doctest::Approx(-1));
    CHECK(log.scans[0].step_angle == doctest::Approx(0.5));
    std::vector<Point> ends;
    beam_ends(log.scans[0], ends);
    CHECK(ends.size() == 2);
    CHECK(log.entries[1].time_s == doctest::Approx(1.5));
    CHECK(log.entries[1].odometry.x == doctest::Approx(2));
    CHECK(log.entries[0].odometry.yaw == doctest::Approx(0.5));
    write_text(folder / "other.db3", "SQLite format 3 and no more");
    CHECK_THROWS_AS(read_sensor_log(folder / "other.db3"), Error);
}

TEST_CASE("where a scanner sits on the body follows from the transforms of a bag, also upside down") {
    const auto transforms = [](const std::vector<std::tuple<std::string, std::string, std::array<double, 7>>>& edges) {
        CdrText m;
        m.add(static_cast<std::uint32_t>(edges.size()));
        for (const auto& [parent, child, values] : edges) {
            m.add(std::int32_t{0}).add(std::uint32_t{0}).text(parent).text(child);
            for (const double v : values) m.add(v);
        }
        return m.bytes();
    };
    const double half = std::sqrt(0.5);
    // A mast 0.1 m ahead that looks left, and on it the scanner 0.2 m further, rolled by half a turn.
    const std::array<double, 7> mast{0.1, 0, 0.3, 0, 0, half, half}, rolled{0.2, 0, 0, 1, 0, 0, 0},
        level{0.2, 0.05, 0, 0, 0, 0, 1};
    const auto read = [&](const std::string& tf) {
        RosBag bag("bag");
        bag.take("odom", "nav_msgs/msg/Odometry", odometry_message(1, 1.0, 0.5), 1);
        bag.take("scan", "sensor_msgs/msg/LaserScan", scan_message(1, {1, 2, 3}), 2);
        bag.take("tf", "tf2_msgs/msg/TFMessage", tf, 3);
        return bag.finish();
    };
    const SensorLog plain = read(transforms({{"odom", "base", mast}}));
    CHECK(plain.scans[0].mount == Pose{});
    CHECK(plain.notes ==
          std::vector<std::string>{"no transform says where laser is on base: it is taken to sit at its centre"});
    const SensorLog upright = read(transforms({{"mast", "laser", level}, {"/base", "mast", mast}}));
    CHECK(upright.odd == 0);
    CHECK(upright.scans[0].mount.x == doctest::Approx(0.1 - 0.05));
    CHECK(upright.scans[0].mount.y == doctest::Approx(0.2));
    CHECK(upright.scans[0].mount.yaw == doctest::Approx(pi / 2));
    CHECK(upright.scans[0].ranges == plain.scans[0].ranges);
    const SensorLog rolled_over = read(transforms({{"mast", "laser", rolled}, {"base", "mast", mast}}));
    CHECK(rolled_over.scans[0].mount.y == doctest::Approx(0.2));
    std::vector<Point> ends, mirrored;
    beam_ends(read(transforms({{"base", "laser", {0, 0, 0, 0, 0, 0, 1}}})).scans[0], ends);
    beam_ends(read(transforms({{"base", "laser", {0, 0, 0, 1, 0, 0, 0}}})).scans[0], mirrored);
    REQUIRE(ends.size() == mirrored.size());
    for (std::size_t k = 0; k < ends.size(); ++k) {
        CHECK(mirrored[ends.size() - 1 - k].x == doctest::Approx(ends[k].x));
        CHECK(mirrored[ends.size() - 1 - k].y == doctest::Approx(-ends[k].y));
    }
    CHECK(read(transforms({{"a", "laser", level}, {"laser", "a", level}})).scans[0].mount == Pose{});  // a circle
    CHECK(read(transforms({{"base", "laser", {0, 0, 0, 0, 0, 0, std::nan("")}}})).odd == 1);
}

TEST_CASE("odometry that is only told by transforms is read like that of messages") {
    struct Link {
        int sec;
        std::string parent, child;
        double x;
    };
    const auto transforms = [](const std::vector<Link>& links) {
        CdrText m;
        m.add(static_cast<std::uint32_t>(links.size()));
        for (const Link& link : links) {
            m.add(std::int32_t{link.sec}).add(std::uint32_t{0}).text(link.parent).text(link.child);
            for (const double v : {link.x, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0}) m.add(v);
        }
        return m.bytes();
    };
    const std::string tf = "tf2_msgs/msg/TFMessage", scan = "sensor_msgs/msg/LaserScan";
    const auto read = [&](const std::vector<Link>& moving, const std::vector<Link>& fixed, bool told) {
        RosBag bag("bag");
        bag.take("/scan", scan, scan_message(1, {1, 2, 3}), 1);
        bag.take("/tf_static", tf, transforms(fixed), 2);
        for (const Link& link : moving) bag.take("/tf", tf, transforms({link}), 3);
        for (const int sec : {1, 2})
            if (told) bag.take("/odom", "nav_msgs/msg/Odometry", odometry_message(sec, 10.0 * sec, 0), 4);
        return bag.finish();
    };
    const std::vector<Link> scanner{{0, "foot", "base", 0}, {0, "base", "laser", 0.25}};
    // Stamped 1.5 s: halfway between. What is known of the map and of the wheels is no odometry.
    const std::vector<Link> path{{1, "map", "odom", 5},  {1, "odom", "foot", 4},  {1, "base", "wheel", 1},
                                 {2, "odom", "foot", 6}, {2, "base", "wheel", 2}, {2, "map", "odom", 7}};
    const SensorLog log = read(path, scanner, false);
    REQUIRE(log.entries.size() == 3);
    CHECK(log.entries[1].scan == 0);
    CHECK(log.entries[1].odometry.x == doctest::Approx(5));
    CHECK(log.entries[1].odometry.y == doctest::Approx(2));
    CHECK(log.scans[0].mount.x == doctest::Approx(0.25));
    CHECK(log.backward == 0);
    CHECK(log.notes ==
          std::vector<std::string>{"odometry is the transform from odom to foot, 2 times; no message tells it"});
    // Messages that tell it win.
    CHECK(read(path, scanner, true).entries[1].odometry.x == doctest::Approx(15));
    CHECK(read(path, scanner, true).entries.size() == 3);
    // Nobody says where the scanner sits; names of a robot before those of frames; only a map's frame.
    CHECK(read(path, {}, false).entries[1].odometry.x == doctest::Approx(5));
    CHECK(read({{1, "r1/odom", "r1/base", 1}, {2, "r1/odom", "r1/base", 2}}, {{0, "r1/base", "laser", 0}}, false)
              .entries[1]
              .odometry.x == doctest::Approx(1.5));
    CHECK(read({{1, "map", "base", 1}, {2, "map", "base", 2}}, scanner, false).entries[1].odometry.x ==
          doctest::Approx(1.5));
    // A frame that never moves says nothing, nor do two of which none carries the scanner.
    const SensorLog still = read({{1, "odom", "base", 1}, {2, "odom", "base", 1}}, scanner, false);
    CHECK(still.entries.size() == 1);
    CHECK(still.notes.front().starts_with("no odometry"));
    const std::vector<Link> two{{1, "odom", "a", 1}, {2, "odom", "a", 2}, {1, "odom", "b", 1}, {2, "odom", "b", 2}};
    CHECK(read(two, {}, false).notes.front() ==
          "several frames move (a, b), and no transform says which of them carries the scanner");
    // A transform of another robot's namespace is none of this one.
    RosBag team("bag", "r1");
    for (const int sec : {1, 2}) {
        team.take("/r1/tf", tf, transforms({{sec, "odom", "base", 1.0 * sec}}), 1);
        team.take("/r2/tf", tf, transforms({{sec, "odom", "base", 8.0 * sec}}), 2);
    }
    team.take("/r1/scan", scan, scan_message(1, {1, 2, 3}), 3);
    CHECK(team.finish().entries[1].odometry.x == doctest::Approx(1.5));
    RosBag several("bag");
    for (const int sec : {1, 2})
        several.take("/tf", tf, transforms({{sec, "odom", "a", 1.0 * sec}, {sec, "odom", "b", 8.0 * sec}}), 1);
    several.take("/tf_static", tf, transforms({{0, "a", "laser", 0}}), 2);
    several.take("/scan", scan, scan_message(1, {1, 2, 3}), 3);
    CHECK(several.finish().entries[1].odometry.x == doctest::Approx(1.5));
}

TEST_CASE("a bag with MCAP storage gives its scans and odometry, in chunks or bare, and what there is of one cut off") {
    using namespace mcap;
    const std::string magic = "\x89MCAP0\r\n", first = record(1, text("ros2") + text("a test")),
                      channels = channel(1, "sensor_msgs/msg/LaserScan") + channel(2, "nav_msgs/msg/Odometry") +
                                 channel(3, "rcl_interfaces/msg/Log"),
                      messages = message(2, 3, odometry_message(2, 3.0, 0.7)) + message(1, 2, scan_message(1, {1, 2})) +
                                 message(2, 1, odometry_message(1, 1.0, 0.5)) + message(3, 5, "x"),
                      last = record(15, number(0, 4)) + record(2, number(0, 20));
    const TemporaryFolder folder;
    const auto read = [&](const std::string& bytes) {
        write_text(folder / "bag.mcap", bytes);
        CHECK(is_sensor_log(folder / "bag.mcap"));
        return read_sensor_log(folder / "bag.mcap");
    };
    const std::string bare = magic + first + channels + messages + last + magic,
                      chunked = magic + first + chunk(channels + messages, "") + last + magic;
    const auto whole = [&](const std::string& inside) { return magic + first + inside + last + magic; };
    const std::string zstd = whole(chunk(channels, "zstd") + chunk(messages, "zstd")),
                      lz4 = whole(chunk(channels + messages, "lz4"));
    for (const std::string& bytes : {bare, chunked, zstd, lz4, bare.substr(0, bare.size() - magic.size() - 20)}) {
        const SensorLog log = read(bytes);
        REQUIRE(log.scans.size() == 1);
        CHECK(log.kinds.at("Odometry") == 2);
        CHECK(log.ignored == 1);
        CHECK(log.entries[1].odometry.x == doctest::Approx(2));  // between the two, which lie in another order
    }
    CHECK_THROWS_WITH_AS(read(whole(chunk(channels + messages, "brotli"))), doctest::Contains("compressed by 'brotli'"),
                         Error);
    for (const char* compression : {"zstd", "lz4"}) {
        CAPTURE(compression);
        CHECK_THROWS_WITH_AS(read(whole(chunk(channels + messages, compression, 1))), doctest::Contains("damaged"),
                             Error);
        CHECK_THROWS_WITH_AS(read(whole(chunk(channels + messages, compression, 2'000'000'000))),
                             doctest::Contains("says that it holds 2000"), Error);
        std::string broken = whole(chunk(channels + messages, compression));
        for (std::size_t i = broken.size() / 2; i < broken.size() / 2 + 40; ++i) broken[i] = '\x55';
        CHECK_THROWS_AS(read(broken), Error);
    }
    CHECK_THROWS_AS(read(magic), Error);
    // What is damaged or cut off is left out, and said.
    CHECK(read(bare).notes.size() == 1);  // nobody says where the scanner sits
    for (const std::string& bytes :
         {whole(chunk(channels + messages, "") + chunk(messages, "zstd", 1) + chunk(messages, "lz4")),
          whole(chunk(channels + messages, "") + chunk(messages, "", 0, 1) + chunk(messages, "lz4")),
          magic + first + channels + messages + messages + message(1, 9, scan_message(1, {1, 2})).substr(0, 40)}) {
        const SensorLog log = read(bytes);
        CHECK(log.scans.size() == 2);
        REQUIRE(log.notes.size() == 2);
        CHECK(log.notes[0].starts_with("the bag is damaged in 1 place"));
    }
    CHECK_THROWS_WITH_AS(read(magic + first + channel(1, "sensor_msgs/LaserScan", "ros1") + last + magic),
                         doctest::Contains("encoded as 'ros1'"), Error);
    // Another program's odometry is in another frame.
    const SensorLog two = read(magic + first + channels + channel(4, "nav_msgs/msg/Odometry") + messages +
                               message(4, 2, odometry_message(2, 90, 0)) + last + magic);
    CHECK(two.kinds.at("Odometry") == 2);
    CHECK(two.entries[1].odometry.x == doctest::Approx(2));
    REQUIRE(two.notes.size() == 2);
    CHECK(two.notes[0] == "odometry is that of /topic2; 1 messages of /topic4 are left out");
}

TEST_CASE("a folder of a rosbag2 is one recording, however it was split") {
    using namespace mcap;
    const std::string magic = "\x89MCAP0\r\n", end = record(15, number(0, 4)) + record(2, number(0, 20)) + magic,
                      begin = magic + record(1, text("ros2") + text("a test")) +
                              channel(1, "sensor_msgs/msg/LaserScan") + channel(2, "nav_msgs/msg/Odometry") +
                              channel(3, "tf2_msgs/msg/TFMessage");
    CdrText mast;
    mast.add(std::uint32_t{1}).add(std::int32_t{0}).add(std::uint32_t{0}).text("base").text("laser");
    for (const double v : {0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}) mast.add(v);
    const auto part = [&](int sec, const std::string& more = "") {
        return begin + more + message(2, 1, odometry_message(sec, sec, 0)) + message(1, 2, scan_message(sec, {1, 2})) +
               end;
    };
    const TemporaryFolder folder;
    write_text(folder / "bag_2.mcap", part(2));
    write_text(folder / "bag_10.mcap", part(3));
    write_text(folder / "bag_1.mcap", part(1, message(3, 0, mast.bytes())));
    const auto check = [&](std::size_t scans) {
        CHECK(sensor_log_kind(folder.path()) == SensorLogKind::rosbag2);
        CHECK(is_sensor_log(folder.path()));
        const SensorLog log = read_sensor_log(folder.path());
        REQUIRE(log.scans.size() == scans);
        for (const RecordedScan& scan : log.scans) CHECK(scan.mount.x == doctest::Approx(0.25));
        CHECK(log.backward == 0);  // 10 comes after 2
        return log;
    };
    CHECK(check(3).notes.empty());
    const std::string head = "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:";
    for (const char* list : {"\n    - bag_1.mcap\n    - \"bag_2.mcap\"\n  duration:\n    - x\n",
                             " [bag/bag_1.mcap, bag_2.mcap]\n", "\n  - bag_1.mcap\r\n  - ../../bag_2.mcap"}) {
        write_text(folder / "metadata.yaml", head + list);
        CHECK(check(2).notes.empty());
    }
    write_text(folder / "metadata.yaml", head + "\n  - bag_1.mcap\n  - bag_7.mcap\n  - bag_2.mcap\n");
    const SensorLog rest = check(2);
    REQUIRE(rest.notes.size() == 1);
    CHECK(rest.notes[0].starts_with("bag_7.mcap is left out: "));
    write_text(folder / "metadata.yaml", head + "\n  - none.mcap\n");
    CHECK_THROWS_WITH_AS(read_sensor_log(folder.path()), doctest::Contains("none.mcap"), Error);
    write_text(folder / "metadata.yaml", head + "\n  - a.mcap\n  compression_mode: MESSAGE\n");
    CHECK_THROWS_WITH_AS(read_sensor_log(folder.path()), doctest::Contains("ros2 bag convert"), Error);
    write_text(folder / "metadata.yaml", "of something else: 1\n");
    CHECK(check(3).notes.empty());
}

TEST_CASE("a bag of ROS 1 gives its scans and odometry, in chunks as they are or packed by lz4") {
    using namespace ros1;
    std::string records = connection(0, "/scan", "sensor_msgs/LaserScan") + connection(1, "/tf", "tf/tfMessage") +
                          connection(2, "/rosout", "rosgraph_msgs/Log"),
                told = connection(3, "/odom", "nav_msgs/Odometry");
    for (const int sec : {1, 2}) {
        records += message(1, raw(1) + head(sec, "odom") + text("/base") + pose(sec));
        records += message(1, raw(1) + head(sec, "base") + text("laser") + pose(0.25));
        records += message(0, head(sec, "laser") + raw(-1.0f, 1.0f, 0.5f, 0.0f, 0.1f, 0.1f, 10.0f) +
                                  raw(3, 1.5f, 2.5f, 20.0f) + raw(0));
        told += message(3, head(sec, "odom") + text("base") + pose(10 * sec) + std::string(8 * 36, '\0'));
    }
    records += message(2, "x");
    const TemporaryFolder folder;
    const auto read = [&](const std::string& bytes) {
        write_text(folder / "a.bag", bytes);
        CHECK(is_sensor_log(folder / "a.bag"));
        return read_sensor_log(folder / "a.bag");
    };
    for (const std::string& bytes : {begin + records, begin + chunk(records, "none"), begin + chunk(records, "lz4")}) {
        const SensorLog log = read(bytes);
        REQUIRE(log.scans.size() == 2);
        CHECK(log.odd == 0);
        CHECK(log.ignored == 1);
        CHECK(log.scans[0].ranges == std::vector<float>{1.5f, 2.5f, 20.0f});
        CHECK(log.scans[0].mount == Pose{0.25, 2, 0});
        CHECK(log.entries.back().odometry.x == doctest::Approx(2));
        CHECK(log.entries.back().time_s == 2.5);
    }
    CHECK(read(begin + records + chunk(told, "lz4")).entries.back().odometry.x == doctest::Approx(20));
    const SensorLog cut = read((begin + records + chunk(told, "none")).substr(0, begin.size() + records.size() + 20));
    CHECK(cut.scans.size() == 2);
    CHECK(cut.notes[0].starts_with("the bag is damaged in 1 place"));
    CHECK_THROWS_WITH_AS(read(begin + chunk(records, "bz2")), doctest::Contains("rosbag decompress"), Error);
    CHECK_THROWS_WITH_AS(read("#ROSBAG V2.0\nx"), doctest::Contains("ROS 1"), Error);
}

TEST_CASE("a bag without a laser says what it holds") {
    RosBag bag("bag");
    bag.take("/odom", "nav_msgs/msg/Odometry", odometry_message(1, 1.0, 0.5), 1);
    for (int i = 0; i < 3; ++i) bag.take("/points", "sensor_msgs/msg/PointCloud2", "", 2);
    bag.take("/rosout", "rcl_interfaces/msg/Log", "", 3);
    CHECK_THROWS_WITH_AS(bag.finish(),
                         "bag: no scans of a laser (sensor_msgs/msg/LaserScan) in it; it holds odometry on /odom, 1 "
                         "rcl_interfaces/msg/Log on /rosout, 3 sensor_msgs/msg/PointCloud2 on /points; of clouds of "
                         "points pointcloud_to_laserscan makes scans",
                         Error);
    CHECK_THROWS_WITH_AS(RosBag("bag").finish(), doctest::Contains("in it, nor anything else"), Error);
}

TEST_CASE("messages of Foxglove give scans and odometry: the body is what the odometry's frame carries") {
    using namespace mcap;
    const auto pose = [](double x, double yaw) {
        return fmt::format(R"({{"position":{{"x":{},"y":2,"z":0}},"orientation":{{"x":0,"y":0,"z":{},"w":{}}}}})", x,
                           std::sin(yaw / 2), std::cos(yaw / 2));
    };
    const auto odometry = [&](int sec, double x) {
        return fmt::format(R"({{"timestamp":{{"sec":{},"nsec":500000000}},"frame_id":"odom","pose":{}}})", sec,
                           pose(x, 0.5));
    };
    const std::string transforms =
        R"({"transforms":[{"parent_frame_id":"odom","child_frame_id":"base","translation":{"x":0,"y":0,"z":0},)"
        R"("rotation":{"x":0,"y":0,"z":0,"w":1}},{"parent_frame_id":"base","child_frame_id":"mast",)"
        R"("translation":{"x":0.5,"y":0,"z":1},"rotation":{"x":0,"y":0,"z":0,"w":1}}]})";
    const std::string scan = R"({"timestamp":{"sec":1,"nsec":500000000},"frame_id":"mast","pose":)" + pose(0.25, 0) +
                             R"(,"start_angle":-1,"end_angle":1,"ranges":[1.5,null,8],"intensities":[]})";
    RosBag bag("bag");
    bag.scans_reach("/scan", 8);
    bag.take("/odom", "foxglove.PoseInFrame", odometry(1, 1), 1);
    bag.take("/scan", "foxglove.LaserScan", scan, 2);
    bag.take("/tf", "foxglove.FrameTransforms", transforms, 3);
    bag.take("/odom", "foxglove.PoseInFrame", odometry(2, 3), 4);
    bag.take("/pose", "foxglove.PoseInFrame", odometry(2, 90), 5);
    bag.take("/map", "foxglove.Grid", "{}", 6);
    for (const char* wrong :
         {"", "{", "[]", "{}", R"({"timestamp":{"sec":1,"nsec":0}})", R"({"timestamp":{"sec":"1"},"frame_id":7})"})
        for (const char* type : {"LaserScan", "PoseInFrame", "FrameTransforms"})
            bag.take("/odom", std::string("foxglove.") + type, wrong, 7);
    const SensorLog log = bag.finish();
    CHECK(log.ignored == 2);
    CHECK(log.odd == 18);
    REQUIRE(log.scans.size() == 1);
    CHECK(log.scans[0].mount.x == doctest::Approx(0.75));
    CHECK(log.scans[0].mount.y == doctest::Approx(2));
    CHECK(log.scans[0].max_range_m == 8);
    CHECK(log.scans[0].step_angle == doctest::Approx(1));
    CHECK(log.scans[0].ranges == std::vector<float>{1.5f, 0, 8});
    CHECK(log.entries[0].odometry.x == 1);
    CHECK(log.entries[1].odometry.x == doctest::Approx(1));
    CHECK(log.entries[0].odometry.yaw == doctest::Approx(0.5));
    CHECK(log.notes == std::vector<std::string>{"odometry is that of /odom; 1 messages of /pose are left out"});
    // A message too large for its values to be worth the memory.
    RosBag large("bag");
    large.take("/scan", "foxglove.LaserScan", std::string(5 << 20, ' '), 1);
    large.take("/scan", "foxglove.LaserScan", scan, 2);
    const SensorLog rest = large.finish();
    CHECK(rest.first_odd.find("a message of 5242880 bytes") != std::string::npos);
    CHECK(rest.scans[0].mount.x == 0.25);
}

TEST_CASE("of a bag of several robots one is chosen, by the beginning of its topics") {
    using namespace mcap;
    const std::string magic = "\x89MCAP0\r\n";
    const auto named = [](int id, const std::string& type, const std::string& topic) {
        const auto n = number(static_cast<std::uint64_t>(id), 2);
        return record(3, n + text(type) + text("ros2msg") + text("...")) +
               record(4, n + n + text(topic) + text("cdr") + number(0, 4));
    };
    const std::string scan = "sensor_msgs/msg/LaserScan", odometry = "nav_msgs/msg/Odometry";
    const TemporaryFolder folder;
    const auto read = [&](const std::vector<std::string>& topics, std::string_view robot) {
        std::string bytes = magic + record(1, text("ros2") + text("a test"));
        for (std::size_t i = 0; i < topics.size(); ++i)
            bytes += named(static_cast<int>(i + 1), topics[i].find("odom") == std::string::npos ? scan : odometry,
                           topics[i]);
        for (std::size_t i = 0; i < topics.size(); ++i)
            bytes +=
                message(static_cast<int>(i + 1), i,
                        topics[i].find("odom") == std::string::npos ? scan_message(1, std::vector<float>(i + 1, 1.0f))
                                                                    : odometry_message(1, static_cast<double>(i), 0));
        write_text(folder / "bag.mcap", bytes + record(15, number(0, 4)) + record(2, number(0, 20)) + magic);
        return read_sensor_log(folder / "bag.mcap", SlamSeed::odometry, robot);
    };
    const std::vector<std::string> team{"/r1/odom", "/r1/scan", "/r10/odom", "/r10/front/scan"};
    CHECK_THROWS_WITH_AS(read(team, ""), doctest::Contains("scans of several robots: r1, r10; outrider slam --robot"),
                         Error);
    CHECK_THROWS_WITH_AS(read(team, "r2"), doctest::Contains("no scans of r2; there are those of r1, r10/front"),
                         Error);
    for (const std::string robot : {"r1", "/r1", "/r1/"}) {
        const SensorLog log = read(team, robot);
        REQUIRE(log.scans.size() == 1);
        CHECK(log.scans[0].ranges.size() == 2);
        CHECK(log.entries[0].odometry.x == 0);
        CHECK(log.ignored == 2);
    }
    const SensorLog other = read(team, "r10");
    REQUIRE(other.scans.size() == 1);
    CHECK(other.scans[0].ranges.size() == 4);
    CHECK(other.entries[0].odometry.x == 2);
    // Two scanners of one robot; one robot of which the others have no scanner.
    CHECK(read({"/odom", "/front/scan", "/rear/scan"}, "").scans.size() == 2);
    CHECK(read({"/odom", "/odom/filtered/odom", "/scan"}, "").scans.size() == 1);
    CHECK(read({"/r1/odom", "/r1/scan", "/r2/odom"}, "").scans.size() == 1);
    CHECK_THROWS_WITH_AS(read({"/scan", "/odom"}, "r1"), doctest::Contains("no scans of r1 or of any other robot"),
                         Error);
    write_text(folder / "a.csv", "odom,1,0,0,0\nscan,1,-1,0.5,8,1,2\n");
    CHECK_THROWS_WITH_AS(read_sensor_log(folder / "a.csv", SlamSeed::odometry, "r1"),
                         doctest::Contains("--robot r1: such a log is that of one robot"), Error);
}

}  // namespace test_sensor_log_bags
