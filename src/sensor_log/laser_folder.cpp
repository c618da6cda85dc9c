// A folder with a file for each sensor, whose rows begin with a time.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/ranges.h>

#include "base/input.hpp"
#include "sensor_log/laser_rows.hpp"
#include "wire/usarsim_line.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

struct SensorFile {
    std::string path, name;
    RowFormat format;
    std::uintmax_t bytes = 0;
};

bool is_picture(const fs::path& path) {
    constexpr std::array<std::string_view, 9> endings{".jpg", ".jpeg", ".png", ".ppm", ".pgm",
                                                      ".bmp", ".gif",  ".tif", ".avi"};
    const std::string ending = path.extension().string();
    return std::any_of(endings.begin(), endings.end(), [&](auto e) { return same_word(e, ending); });
}

RowFormat format_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(std::size_t{1} << 16, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto got = static_cast<std::size_t>(file.gcount());
    return row_format(std::string_view(bytes).substr(0, got), got < bytes.size());
}

/// By name, so that the order in which the system lists them does not matter.
std::vector<SensorFile> files_in(const std::string& folder) {
    constexpr std::size_t most = 1000;
    std::vector<SensorFile> files;
    std::error_code error;
    bool empty = true;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        empty = false;
        std::error_code unknown;
        if (!at->is_regular_file(unknown) || is_picture(at->path())) continue;
        if (files.size() == most)
            fail("{}: it is a folder of more than {} files; expected one for each sensor of a robot", folder, most);
        files.push_back({at->path().string(), at->path().filename().string(), {}, at->file_size(unknown)});
    }
    if (error) fail("{}", cannot_be_read(folder, "a folder with a file for each sensor"));
    if (empty) fail("{}: it is a folder with nothing in it; expected a file for each sensor of a robot", folder);
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (SensorFile& file : files) file.format = format_of(file.path);
    return files;
}

const SensorFile& choose_laser(const std::vector<SensorFile>& files, const std::string& folder, std::string_view asked,
                               std::vector<std::string>& others) {
    std::vector<const SensorFile*> lasers;
    for (const SensorFile& f : files)
        if (f.format.kind == RowKind::laser) lasers.push_back(&f);
    if (lasers.empty())
        fail("{}: it is a folder without the file of a laser, whose rows are a time and 100 readings or more", folder);
    const auto chosen =
        asked.empty()
            ? std::max_element(lasers.begin(), lasers.end(), [](auto a, auto b) { return a->bytes < b->bytes; })
            : std::find_if(lasers.begin(), lasers.end(), [&](auto f) { return f->name == asked; });
    for (const SensorFile* f : lasers)
        if (chosen == lasers.end() || f != *chosen) others.push_back(f->name);
    if (chosen == lasers.end())
        fail("{}: --scanner {}: no such file of a laser; there is {}", folder, asked, fmt::join(others, ", "));
    return **chosen;
}

/// odometry.txt comes first, then other names; last what a SLAM program wrote. nullptr: there is none.
const SensorFile* choose_odometry(const std::vector<SensorFile>& files, std::vector<std::string>& others) {
    const auto rank = [](const SensorFile& f) {
        std::string name = f.name;
        for (char& c : name)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return name == "odometry.txt" ? 0 : name.find("slam") == std::string::npos ? 1 : 2;
    };
    const SensorFile* best = nullptr;
    for (const SensorFile& f : files) {
        if (f.format.kind != RowKind::odometry && f.format.kind != RowKind::odometry_and_sonar) continue;
        if (best) others.push_back((rank(f) < rank(*best) ? *best : f).name);
        if (!best || rank(f) < rank(*best)) best = &f;
    }
    return best;
}

/// Reads a file; lines that make no sense are counted as odd ones of this file.
template <class Read>
void read_file_lines(const SensorFile& file, std::string_view text, SensorLogBuilder& log, Read&& read) {
    for_each_line(text, [&](std::string_view line, std::size_t number) {
        if (is_comment(line)) return;
        try {
            read(line);
        } catch (const TooMuchMemory&) {
            throw;
        } catch (const Error& e) {
            log.odd(0, fmt::format("{}:{}: {}", file.path, number, e.what()));
        }
    });
}

std::vector<LogEntry> read_odometry(const SensorFile& file, SensorLogBuilder& log) {
    const std::string text = read_file(file.path, "odometry", 8);
    const RowUnits units = odometry_units(text);
    const std::string in_units = units_text(units);
    log.note(fmt::format("{}: odometry, in {}, and its yaw in radians", file.name,
                         in_units.empty() ? "seconds and metres" : in_units));
    std::vector<LogEntry> entries;
    std::vector<double> row;
    read_file_lines(file, text, log, [&](std::string_view line) {
        read_row(line, 4, true, row);
        const double yaw = std::remainder(row[3], 2 * pi);
        if (!std::isfinite(row[1]) || !std::isfinite(row[2]) || !is_angle(yaw))
            fail("a pose that is not a number: {} {} {}", row[1], row[2], row[3]);
        entries.push_back({row[0] * units.time_s, {row[1] * units.metres, row[2] * units.metres, wrap_angle(yaw)}, -1});
    });
    return entries;
}

/// Lines of sensors that are not read: counted.
void pass_over(const SensorFile& file, SensorLogBuilder& log) {
    std::ifstream in(file.path, std::ios::binary);
    std::string bytes(std::size_t{1} << 16, '\0');
    while (in) {
        in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        const auto lines = std::count(bytes.begin(), bytes.begin() + in.gcount(), '\n');
        for (std::ptrdiff_t i = 0; i < lines; ++i) log.ignored();
    }
}

/// Merges scans with the odometry, each in the order of its own file.
void read_scans(const SensorFile& file, const std::vector<LogEntry>& odometry, SensorLogBuilder& log) {
    const std::string text = read_file(file.path, "scans of a laser", 2);
    const LaserRows rows = laser_rows(text, file.format, file.name, log);
    auto next = odometry.begin();
    const auto odometry_until = [&](double time_s) {
        for (; next != odometry.end() && next->time_s <= time_s; ++next) {
            log.odometry(next->time_s, next->odometry);
            log.kind("odometry");
        }
    };
    std::vector<double> row;
    read_file_lines(file, text, log, [&](std::string_view line) {
        read_row(line, rows.columns, false, row);
        const double time_s = row[0] * rows.units.time_s;
        odometry_until(time_s);
        if (log.scan(time_s, rows.scan(row))) log.kind("scan");
    });
    odometry_until(HUGE_VAL);
}

}  // namespace

bool holds_laser_rows(const std::string& folder) {
    const std::vector<SensorFile> files = files_in(folder);
    return std::any_of(files.begin(), files.end(), [](const auto& f) { return f.format.kind == RowKind::laser; });
}

SensorLog read_laser_folder(const std::string& path, SlamSeed seed, std::string_view scanner) {
    const std::vector<SensorFile> files = files_in(path);
    std::vector<std::string> others;
    const SensorFile& laser = choose_laser(files, path, scanner, others);
    const SensorFile* const motion = choose_odometry(files, others);
    if (!motion && seed != SlamSeed::none)
        fail(
            "{}: it is a folder with scans ({}), but without a file of odometry, whose rows are time, x, y and yaw; "
            "expected that, or slam.seed = none",
            path, laser.name);
    SensorLogBuilder log(path);
    const std::vector<LogEntry> odometry = motion ? read_odometry(*motion, log) : std::vector<LogEntry>{};
    read_scans(laser, odometry, log);
    if (!others.empty()) log.note(fmt::format("left out are {}", fmt::join(others, ", ")));
    for (const SensorFile& f : files)
        if (f.format.kind == RowKind::sonar || f.format.kind == RowKind::times) pass_over(f, log);
    SensorLog out = log.finish();
    order_beams(out, false);
    return out;
}

}  // namespace outrider
