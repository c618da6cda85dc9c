#include "scenario/suite.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/input.hpp"
#include "metrics/metric_list.hpp"
#include "metrics/metrics.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

std::vector<std::filesystem::path>& added_folders() {
    static std::vector<std::filesystem::path> folders;
    return folders;
}

/// Folders of the scenarios that the project brings: here, beside the folder of the program (build/), or installed.
std::vector<std::filesystem::path> shipped_folders() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    std::vector<fs::path> folders{"environments", program / "../environments",
                                  program / "../share/outrider/environments"};
    folders.insert(folders.end(), added_folders().begin(), added_folders().end());
    return folders;
}

/// A name in these folders that may be meant; empty: none is like it, or it is a path.
std::string near_name(const std::string& name) {
    namespace fs = std::filesystem;
    if (name.find_first_of("/.") != std::string::npos) return {};
    std::set<std::string> names;
    std::error_code error;
    for (const fs::path& folder : shipped_folders())
        for (const fs::path& from : {folder, folder / "suites"})
            for (const auto& entry : fs::directory_iterator(from, error))
                if (entry.path().extension() == ".toml") names.insert(entry.path().stem().string());
    return nearest_name(name, std::vector<std::string>(names.begin(), names.end()));
}

/// A map that other people have: in the folders of OUTRIDER_MAP_FOLDERS.
std::string find_map(const Suite& suite, const std::string& file) {
    namespace fs = std::filesystem;
    const char* const set = std::getenv("OUTRIDER_MAP_FOLDERS");
    const std::string folders = set ? set : "";
    std::istringstream list(folders);
    std::error_code error;
    for (std::string folder; std::getline(list, folder, ':');)
        if (const fs::path map = fs::path(folder) / file; !folder.empty() && fs::is_regular_file(map, error))
            return fs::absolute(map).lexically_normal().string();
    fail(
        "{}: {}: the maps of this suite do not come with Outrider. Get them from {}, and set "
        "OUTRIDER_MAP_FOLDERS=FOLDER[:FOLDER...] to the folder in which {} is{}",
        suite.name, file, suite.maps_from, file, folders.empty() ? "" : fmt::format(" (it is none of {})", folders));
}

}  // namespace

void add_shipped_folder(const std::string& folder) { added_folders().emplace_back(folder); }

std::string file_of(const std::string& name, const std::string& folder) {
    namespace fs = std::filesystem;
    const fs::path here(folder), above = here / "..";
    std::vector<fs::path> guesses{here / name, fs::path(name), here / (name + ".toml")};
    if (!folder.empty()) guesses.insert(guesses.end(), {above / (name + ".toml"), above / "suites" / (name + ".toml")});
    for (const fs::path& shipped : shipped_folders())
        guesses.insert(guesses.end(), {shipped / (name + ".toml"), shipped / "suites" / (name + ".toml")});
    std::error_code error;
    for (const fs::path& guess : guesses)
        if (fs::is_regular_file(guess, error)) return guess.lexically_normal().string();
    const std::string path = (here / name).string();
    if (fs::exists(path, error)) return path;  // a pipe; of a folder the reader says what it is
    const std::string near = near_name(name);
    fail("{}{}", cannot_be_read(path, "a scenario or suite: a file, or a name in environments/"),
         near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

bool is_suite(const ConfigTable& config) {
    return std::any_of(config.arrays.begin(), config.arrays.end(), [](const auto& a) { return a.first == "maps"; });
}

Suite make_suite(ConfigTable config, const std::string& path) {
    namespace fs = std::filesystem;
    Suite suite;
    suite.folder = fs::path(path).parent_path().string();
    suite.name = fs::path(path).stem().string();
    for (ConfigTable& table : *config.array("maps")) {
        SettingReader reader(table.settings, "maps.");
        SuiteMap& map = suite.maps.emplace_back();
        map.fields(reader);
        reader.expect_all_used();
        if (map.file.empty() || map.hash.empty()) fail("{}: a map of a suite needs file and hash", table.where);
    }
    if (const ConfigTable* metrics = config.table("metrics"))
        for (const Setting& s : metrics->settings) {
            const MetricInfo& known = expect_metric(s.key, s.where);
            const auto* version = std::get_if<std::int64_t>(&s.value);
            if (!version || *version != known.version)
                fail(
                    "{}: the suite wants another version of the metric '{}' than this program has ({}); results would "
                    "not compare",
                    s.where, s.key, known.version);
            suite.metrics.emplace_back(s.key, known.version);
        }
    for (const Setting& s : config.settings)
        if (s.key == "maps_from") {
            const auto* text = std::get_if<std::string>(&s.value);
            if (!text || text->empty()) fail("{}: maps_from: expected a text that says who has the maps", s.where);
            suite.maps_from = *text;
        }
    std::erase_if(config.settings, [](const Setting& s) { return s.key == "maps_from"; });
    std::erase_if(config.tables, [](const auto& t) { return t.first == "metrics"; });
    std::erase_if(config.arrays, [](const auto& a) { return a.first == "maps"; });
    suite.common = std::move(config);
    return suite;
}

ConfigTable Suite::config(std::size_t i) const {
    const SuiteMap& map = maps.at(i);
    ConfigTable out = common;
    out.set({"map.file", maps_from.empty() ? map.file : find_map(*this, map.file), name});
    ConfigTable base{name, {{"x_m", map.x_m, name}, {"y_m", map.y_m, name}}, {}, {}};
    out.arrays.emplace_back("base", std::vector<ConfigTable>{std::move(base)});
    return out;
}

Scenario Suite::scenario(std::size_t i, Notes& notes) const {
    const SuiteMap& map = maps.at(i);
    Scenario s = make_scenario(config(i), fmt::format("{}/{:02}", name, i + 1), folder, notes);
    s.name = fmt::format("{}/{:02}", name, i + 1);
    if (const std::string hash = map_hash(s.walls).hex(); hash != map.hash)
        fail("{}: its content has the hash {}, but the suite {} says {}: results on it would not compare", s.map_path,
             hash, name, map.hash);
    return s;
}

}  // namespace outrider
