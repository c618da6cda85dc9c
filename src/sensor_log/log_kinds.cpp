// Which kind of log a file is, and the reader for it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/input.hpp"
#include "base/sqlite.hpp"
#include "outrider/error.hpp"
#include "sensor_log/gzip_text.hpp"
#include "sensor_log/laser_rows.hpp"
#include "sensor_log/ros_messages.hpp"
#include "sensor_log/row_file.hpp"
#include "wire/usarsim_line.hpp"

namespace outrider {
namespace {

std::string first_bytes(const std::string& path, std::size_t most) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(most, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(most));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

bool is_mcap(std::string_view bytes) { return bytes.starts_with("\x89MCAP0\r\n"); }

/// Says what to do with a file that begins like something else.
void refuse_foreign(const std::string& path, std::string_view bytes) {
    struct Foreign {
        std::string_view begin, what;
    };
    constexpr Foreign kinds[] = {
        {"\x28\xb5\x2f\xfd", "it is compressed by zstd; unpack it first (unzstd)"},
        {"BZh", "it is compressed by bzip2; unpack it first (bunzip2)"},
        {"\xfd"
         "7zXZ",
         "it is compressed by xz; unpack it first (unxz)"},
        {"PK\x03\x04", "it is a zip; unpack it first (unzip)"},
        {"#ROSBAG V", "it is a bag of ROS 1 before version 2.0; rosbag fix and rosbags-convert make newer ones"},
        {"\xff\xfe", "it is a text in UTF-16; expected UTF-8 or ASCII"},
        {"\xfe\xff", "it is a text in UTF-16; expected UTF-8 or ASCII"},
    };
    for (const Foreign& f : kinds)
        if (bytes.starts_with(f.begin)) fail("{}: {}", path, f.what);
}

/// Skips whatever a program wrote at the head.
SensorLogKind text_kind(std::string_view beginning, bool whole) {
    std::optional<SensorLogKind> kind;
    for_each_line(beginning, [&](std::string_view line, std::size_t) {
        if (kind) return;
        for (const std::string_view begin : {"odom,", "scan,", "ins,", "gps,"})
            if (line.starts_with(begin)) kind = SensorLogKind::csv;
        if (looks_like_usarsim(line)) kind = SensorLogKind::usarsim;
    });
    if (kind) return *kind;
    const RowKind rows = row_format(beginning, whole).kind;
    return rows == RowKind::other ? SensorLogKind::carmen : SensorLogKind::rows;
}

}  // namespace

bool is_mcap_file(const std::string& path) { return is_mcap(first_bytes(path, 8)); }

namespace {

/// Of a text, also of one compressed by gzip.
struct LogText {
    std::string bytes;
    bool whole = true;  // false: cut off, or damaged from there on
};

LogText read_log_text(const std::string& path, const char* what) {
    LogText out{read_file(path, what)};
    if (!is_gzip(out.bytes)) return out;
    const std::uint64_t most =
        std::min(most_unpacked(out.bytes.size()), memory_budget() / 2);  // the text grows by half
    Gunzipped text = gunzip(out.bytes, most);
    if (text.bytes.size() == most)
        throw TooMuchMemory(fmt::format("{}: refused: it unpacks to more than {} MiB", path, most / mebibyte));
    return {std::move(text.bytes), text.whole};
}

SensorLog parse_text(std::string_view text, SensorLogKind kind, const std::string& path, SlamSeed seed,
                     std::string_view robot, std::string_view scanner) {
    if (kind == SensorLogKind::csv) return parse_sensor_csv(text, path, seed);
    if (kind == SensorLogKind::usarsim) return parse_usarsim(text, path, seed, robot, scanner);
    if (kind == SensorLogKind::rows) return parse_rows(text, path, seed);
    return parse_carmen(text, path);
}

const char* expected_text(SensorLogKind kind) {
    return kind == SensorLogKind::csv       ? "a CSV of scans"
           : kind == SensorLogKind::usarsim ? "a log of USARSim"
           : kind == SensorLogKind::rows    ? "rows of scans"
                                            : "a log of CARMEN";
}

}  // namespace

SensorLogKind sensor_log_kind(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return bag_files(path).empty() || holds_laser_rows(path) ? SensorLogKind::folder : SensorLogKind::rosbag2;
    expect_file(path, "a log of a robot");
    constexpr std::size_t most = 1 << 16;
    std::string bytes = first_bytes(path, most);
    if (bytes.empty() && std::filesystem::file_size(path, error) == 0 && !error) fail("{}: the file is empty", path);
    if (bytes.empty()) fail("{}", cannot_be_read(path, "a log of a robot"));
    if (bytes.starts_with("SQLite format 3") || is_mcap(bytes) || is_ros1_bag(bytes)) return SensorLogKind::rosbag2;
    bool whole = bytes.size() < most;
    if (is_gzip(bytes)) {
        bytes = gunzip(bytes, most).bytes;
        whole = whole && bytes.size() < most;
        if (bytes.empty()) fail("{}: it is compressed by gzip, and damaged (gunzip -t says where)", path);
        if (bytes.starts_with("SQLite format 3") || is_mcap(bytes) || bytes.starts_with("#ROSBAG V"))
            fail("{}: it is a bag compressed by gzip; unpack it first (gunzip)", path);
    }
    refuse_foreign(path, bytes);
    return text_kind(bytes, whole);
}

bool is_sensor_log(const std::string& path) {
    std::error_code error;
    if (sensor_log_kind(path) != SensorLogKind::rosbag2 || std::filesystem::is_directory(path, error) ||
        is_mcap_file(path) || is_ros1_bag(first_bytes(path, 16)))
        return true;
    try {
        Database db(path, Database::Mode::read);
        Statement tables = db.prepare("SELECT count(*) FROM sqlite_master WHERE name IN ('messages', 'topics')");
        return tables.step() && tables.integer(0) == 2;
    } catch (const RunFailure&) {  // damaged: reported when it is opened
        return false;
    }
}

bool is_recording_file(const std::string& path) {
    std::error_code error;
    try {
        if (std::filesystem::is_directory(path, error)) return !bag_files(path).empty() || holds_laser_rows(path);
        const SensorLogKind kind = sensor_log_kind(path);
        if (kind == SensorLogKind::rosbag2) return is_sensor_log(path);
        if (kind != SensorLogKind::carmen && kind != SensorLogKind::rows) return true;
        constexpr std::size_t most = 1 << 16;
        std::string bytes = first_bytes(path, most);
        if (is_gzip(bytes)) bytes = gunzip(bytes, most).bytes;
        // Rows of nothing but 0 and 1 are a map.
        if (kind == SensorLogKind::rows) return bytes.find_first_not_of("01 ,\t\r\n") != std::string::npos;
        bool known = false;
        for_each_line(bytes, [&](std::string_view line, std::size_t) {
            for (const std::string_view begin :
                 {"ODOM ", "FLASER ", "RLASER ", "ROBOTLASER", "RAWLASER", "LASER_READING"})
                known = known || line.starts_with(begin);
        });
        return known;
    } catch (const Error&) {  // said when it is read
        return false;
    }
}

SensorLog read_sensor_log(const std::string& path, SlamSeed seed, std::string_view robot, std::string_view scanner) {
    using enum SensorLogKind;
    const SensorLogKind kind = sensor_log_kind(path);
    if (!robot.empty() && kind != rosbag2 && kind != usarsim)
        fail(
            "{}: --robot {}: such a log is that of one robot; only bags (.db3, .mcap) and logs of USARSim hold several",
            path, robot);
    if (!scanner.empty() && kind != usarsim && kind != folder)
        fail("{}: --scanner {}: only of logs of USARSim and of folders one of several scanners is chosen", path,
             scanner);
    if (seed == SlamSeed::compass) fail("{}: slam.seed = compass: only simulated robots have one", path);
    if ((seed == SlamSeed::ins && kind != csv && kind != usarsim) || (seed == SlamSeed::gps_ins && kind != csv))
        fail("{}: slam.seed = {}: of such logs only odometry is read; a CSV with ins and gps lines can say more", path,
             slam_seed_names[static_cast<std::size_t>(seed)]);
    switch (kind) {
        case rosbag2:
            if (std::error_code error; std::filesystem::is_directory(path, error)) return read_bag_folder(path, robot);
            if (!is_sensor_log(path))
                fail(
                    "{}: not a rosbag2, which has the tables messages and topics; of a full log of outrider, outrider "
                    "log export makes a CARMEN log of each robot",
                    path);
            if (is_ros1_bag(first_bytes(path, 16))) return read_ros1_bag(path, robot);
            return is_mcap_file(path) ? read_mcap(path, robot) : read_rosbag2(path, robot);
        case folder:
            return read_laser_folder(path, seed, scanner);
        default:
            break;
    }
    const LogText text = read_log_text(path, expected_text(kind));
    SensorLog log = parse_text(text.bytes, kind, path, seed, robot, scanner);
    if (!text.whole) log.notes.push_back("what is compressed is damaged or cut off; what comes before that is read");
    return log;
}

}  // namespace outrider
