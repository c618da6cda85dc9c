// The folder of a rosbag2: its metadata.yaml, and the files in which the recording was split.
#include <algorithm>
#include <filesystem>

#include "base/input.hpp"
#include "base/sqlite.hpp"
#include "outrider/error.hpp"
#include "sensor_log/ros_messages.hpp"
#include "sensor_log/text_lines.hpp"

namespace outrider {
namespace {

namespace files = std::filesystem;

constexpr std::size_t most_splits = 10'000;

bool is_bag_name(std::string_view name) { return name.ends_with(".db3") || name.ends_with(".mcap"); }

/// bag_2.db3 before bag_10.db3.
bool is_before(const std::string& a, const std::string& b) {
    const auto number_of = [](std::string_view name) {
        const auto digits = [](char c) { return c >= '0' && c <= '9'; };
        const std::size_t end = name.find_last_of("0123456789", name.rfind('.'));
        if (end == std::string_view::npos) return std::pair(name, std::string_view());
        std::size_t begin = end;
        while (begin > 0 && digits(name[begin - 1])) --begin;
        std::string_view number = name.substr(begin, end + 1 - begin);
        while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
        return std::pair(name.substr(0, begin), number);
    };
    const auto [text_a, n_a] = number_of(a);
    const auto [text_b, n_b] = number_of(b);
    if (text_a != text_b) return text_a < text_b;
    return n_a.size() != n_b.size() ? n_a.size() < n_b.size() : n_a != n_b ? n_a < n_b : a < b;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view around = " \t\r\"'";
    const auto begin = text.find_first_not_of(around);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(around) + 1 - begin);
}

/// Older ones begin with the name of the folder; all lie in it.
void add_listed(std::string_view entry, std::vector<std::string>& names) {
    const std::string_view name = trimmed(entry);
    const std::string_view own = name.substr(name.rfind('/') + 1);  // all, where there is none: npos + 1 is 0
    if (!own.empty() && own != "." && own != ".." && names.size() < most_splits) names.emplace_back(own);
}

/// The names that metadata.yaml lists; none: it is not that of a rosbag2.
std::vector<std::string> listed_files(std::string_view text, const std::string& path) {
    constexpr std::string_view key = "relative_file_paths:";
    std::vector<std::string> names;
    bool is_bag = false, in_list = false;
    for_each_line(text, [&](std::string_view line, std::size_t) {
        is_bag = is_bag || line.starts_with("rosbag2_bagfile_information:");
        const std::string_view content = trimmed(line);
        if (content == "compression_mode: MESSAGE" || content == "compression_mode: message")
            fail("{}: its messages are compressed one by one; ros2 bag convert unpacks them", path);
        if (content.starts_with(key)) {
            std::string_view rest = trimmed(content.substr(key.size()));
            in_list = rest.empty();
            if (!rest.starts_with('[')) return;
            for (rest.remove_prefix(1); !rest.empty();) {
                const std::size_t end = std::min(rest.find_first_of(",]"), rest.size());
                add_listed(rest.substr(0, end), names);
                rest.remove_prefix(std::min(end + 1, rest.size()));
            }
        } else if (in_list && content.starts_with('-')) {
            add_listed(content.substr(1), names);
        } else if (!content.empty()) {
            in_list = false;
        }
    });
    if (!is_bag) names.clear();
    return names;
}

/// What of a list of files cannot be read is named, unless it is all of it.
template <class Read>
void read_each(const std::vector<std::string>& names, RosBag& bag, Read&& read) {
    std::size_t failed = 0;
    for (const std::string& name : names) {
        try {
            read(name);
        } catch (const TooMuchMemory&) {
            throw;
        } catch (const Error& e) {
            if (++failed == names.size()) throw;
            bag.note(fmt::format("{} is left out: {}", name, e.what()));
        }
    }
}

}  // namespace

std::vector<std::string> bag_files(const std::string& folder) {
    std::error_code error;
    const std::string metadata = folder + "/metadata.yaml";
    if (files::is_regular_file(metadata, error)) {
        std::vector<std::string> names = listed_files(read_text_file(metadata, "metadata of a rosbag2"), metadata);
        if (!names.empty()) return names;
    }
    std::vector<std::string> names;
    for (files::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code unknown;
        const std::string name = at->path().filename().string();
        if (is_bag_name(name) && at->is_regular_file(unknown) && names.size() < most_splits) names.push_back(name);
    }
    std::sort(names.begin(), names.end(), is_before);
    return names;
}

SensorLog read_bag_folder(const std::string& folder, std::string_view robot) {
    const std::vector<std::string> names = bag_files(folder);
    RosBag bag(folder, robot);
    read_each(names, bag, [&](const std::string& name) {
        const std::string path = folder + "/" + name;
        expect_file(path, "a part of a rosbag2");
        if (name.ends_with(".zstd")) fail("{}: it is compressed by zstd; unpack it first (unzstd)", path);
        if (is_mcap_file(path))
            read_mcap_into(path, bag);
        else
            read_rosbag2_into(path, bag);
    });
    return bag.finish();
}

}  // namespace outrider
