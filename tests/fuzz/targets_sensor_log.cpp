// Logs of real robots: CARMEN, CSV, USARSim, rows of numbers, bags of ROS 2; and the files that a trajectory is
// compared with.
#include "fuzz/fuzz.hpp"
#include "outrider/error.hpp"
#include "sensor_log/gzip_text.hpp"
#include "sensor_log/ros_messages.hpp"
#include "sensor_log/saved_map.hpp"
#include "sensor_log/sensor_log_driver.hpp"
#include "sensor_log/slam_log.hpp"
#include "slam/pose_graph/g2o.hpp"

namespace outrider::fuzz {
namespace {

/// What a strategy on the log would see.
void play(const SensorLog& log) {
    std::vector<Point> ends;
    for (const RecordedScan& scan : log.scans) {
        ends.clear();
        beam_ends(scan, ends);
    }
    SensorLogDriver driver(log);
    driver.briefing(0.05);
    std::vector<Percept> percepts(1);
    while (driver.sense(percepts)) {
    }
    expect(driver.steps() == static_cast<int>(log.scans.size()), "a log has as many steps as scans");
}

void read_carmen(std::string_view bytes) { play(parse_carmen(bytes, "fuzz")); }

void read_csv(std::string_view bytes) { play(parse_sensor_csv(bytes, "fuzz")); }

void read_csv_of_instruments(std::string_view bytes) { play(parse_sensor_csv(bytes, "fuzz", SlamSeed::gps_ins)); }

void read_usarsim(std::string_view bytes) { play(parse_usarsim(bytes, "fuzz")); }

/// Rows with their odometry, or without.
void read_rows(std::string_view bytes) { play(parse_rows(bytes, "fuzz", SlamSeed::none)); }

/// Three files: of a laser, of odometry, of sonars.
void read_folder(std::string_view bytes) {
    static const ScratchFile laser("folder/laser"), odometry("folder/odometry.txt"), sonar("folder/sonar.txt");
    const auto parts = parts_of(bytes, 3);
    laser.write(parts[0]);
    odometry.write(parts[1]);
    sonar.write(parts[2]);
    play(read_laser_folder(ScratchFile::folder() + "/folder"));
}

void read_mcap_file(std::string_view bytes) {
    static const ScratchFile file("bag.mcap");
    file.write(bytes);
    play(read_mcap(file.path()));
}

void read_ros1_file(std::string_view bytes) {
    static const ScratchFile file("ros1.bag");
    file.write(bytes);
    play(read_ros1_bag(file.path()));
}

/// The metadata.yaml of a folder, and the two files in which the recording was split.
void read_split_bag(std::string_view bytes) {
    static const ScratchFile index("split/metadata.yaml"), first("split/a_0.mcap"), second("split/a_1.mcap");
    const auto parts = parts_of(bytes, 3);
    index.write(parts[0]);
    first.write(parts[1]);
    second.write(parts[2]);
    play(read_bag_folder(ScratchFile::folder() + "/split"));
}

/// A log that is packed, or any bytes behind gzip's head.
void read_gzip(std::string_view bytes) {
    static const ScratchFile file("log.gz");
    file.write(bytes);
    const Gunzipped text = gunzip(bytes, 1 << 20);
    expect(text.bytes.size() <= 1 << 20, "more was unpacked than was asked for");
    play(read_sensor_log(file.path()));
}

void read_rosbag2_file(std::string_view bytes) {
    static const ScratchFile file("bag.db3");
    file.write(bytes);
    if (is_sensor_log(file.path())) play(read_sensor_log(file.path()));
}

/// Messages of the three kinds: odometry, a scan, transforms.
void read_messages(std::string_view bytes) {
    const auto parts = parts_of(bytes, 4);
    RosBag bag("fuzz");
    bag.take("/odom", "nav_msgs/msg/Odometry", parts[0], 1);
    bag.take("/scan", "sensor_msgs/msg/LaserScan", parts[1], 2);
    bag.take("/tf", "tf2_msgs/msg/TFMessage", parts[2], 3);
    bag.take("/odom", "nav_msgs/msg/Odometry", parts[3], 4);
    play(bag.finish());
}

/// The same of Foxglove; the last byte says whether a robot is asked for.
void read_foxglove_messages(std::string_view bytes) {
    const auto parts = parts_of(bytes, 4);
    RosBag bag("fuzz", bytes.empty() || bytes.back() % 2 == 0 ? "" : "r1");
    bag.scans_reach("/r1/scan", 8);
    bag.take("/r1/odom", "foxglove.PoseInFrame", parts[0], 1);
    bag.take("/r1/scan", "foxglove.LaserScan", parts[1], 2);
    bag.take("/tf", "foxglove.FrameTransforms", parts[2], 3);
    bag.take("/r1/odom", "foxglove.PoseInFrame", parts[3], 4);
    play(bag.finish());
}

void read_any(std::string_view bytes) {
    static const ScratchFile file("any.log");
    file.write(bytes);
    sensor_log_kind(file.path());
}

/// What is written is read again; a few steps towards the best poses never fail.
void read_pose_graph(std::string_view bytes) {
    G2oFile file = parse_g2o(bytes, "graph.g2o");
    const std::string text = write_g2o(file);
    expect(write_g2o(parse_g2o(text, "again.g2o")) == text, "a pose graph that is written and read is another one");
    if (file.graph.nodes.size() + file.graph.landmarks.size() <= 30) optimise(file.graph, {.iterations = 3});
}

/// A map of another log to go on in: what is written is read again, and makes the same patches.
void read_kept_map(std::string_view bytes) {
    const SavedMap map = parse_saved_map(bytes, "map.g2o");
    const std::string text = write_saved_map(map);
    const SavedMap again = parse_saved_map(text, "again.g2o");
    expect(patches_of(again).count() == patches_of(map).count(), "a map that is kept and read has other patches");
}

void read_relation_file(std::string_view bytes) {
    static const ScratchFile file("relations.txt");
    file.write(bytes);
    const std::vector<Relation> relations = read_relations(file.path());
    std::vector<TimedPose> trajectory;
    for (int i = 0; i < 20; ++i) trajectory.push_back({static_cast<double>(i), {0.1 * i, 0, 0}});
    relation_errors(trajectory, relations);
}

void read_trajectory_file(std::string_view bytes) {
    static const ScratchFile file("trajectory.txt");
    file.write(bytes);
    const std::vector<Relation> relations{{1, 2, {1, 0, 0}}, {2, 3, {1, 0, 0.5}}};
    relation_errors(read_trajectory(file.path()), relations);
}

}  // namespace

std::vector<Target> sensor_log_targets() {
    return {{"carmen", "logs of CARMEN (parse_carmen)", read_carmen, 2048},
            {"sensor_csv", "CSV with odometry (parse_sensor_csv)", read_csv, 1024},
            {"sensor_csv_ins", "CSV with ins and gps (parse_sensor_csv)", read_csv_of_instruments, 1024},
            {"usarsim", "logs of USARSim (parse_usarsim)", read_usarsim, 2048},
            {"sensor_rows", "rows of scans (parse_rows)", read_rows, 2048},
            {"laser_folder", "a folder with a file for each sensor (read_laser_folder)", read_folder, 4096},
            {"mcap", "bags of ROS 2 in MCAP (read_mcap)", read_mcap_file, 4096},
            {"ros1_bag", "bags of ROS 1 (read_ros1_bag)", read_ros1_file, 4096},
            {"bag_folder", "a rosbag2 of several files (read_bag_folder)", read_split_bag, 4096},
            {"gzip", "logs packed by gzip (gunzip, read_sensor_log)", read_gzip, 2048},
            {"rosbag2", "bags of ROS 2 in SQLite (read_rosbag2)", read_rosbag2_file, 8192},
            {"ros_messages", "messages of ROS 2 (RosBag)", read_messages, 2048},
            {"foxglove_messages", "messages of Foxglove (RosBag)", read_foxglove_messages, 2048},
            {"sensor_log_kind", "which kind of log it is (sensor_log_kind)", read_any, 256},
            {"relations", "relations of poses (read_relations)", read_relation_file, 512},
            {"g2o", "pose graphs (parse_g2o)", read_pose_graph, 1024},
            {"saved_map", "maps that are kept (parse_saved_map)", read_kept_map, 2048},
            {"trajectory", "trajectories (read_trajectory)", read_trajectory_file, 512}};
}

}  // namespace outrider::fuzz
