// The plan of the house: who may include whom, and what no strategy may use.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> includes_of(const fs::path& file) {
    static const std::regex include(R"rx(^\s*#include\s+"([^"]+)")rx");
    std::vector<std::string> out;
    std::istringstream text(read_text(file.string()));
    std::smatch match;
    for (std::string line; std::getline(text, line);)
        if (std::regex_search(line, match, include)) out.push_back(match[1]);
    return out;
}

std::vector<fs::path> sources(const std::string& folder) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(OUTRIDER_SOURCE_DIR) / folder))
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") out.push_back(entry.path());
    return out;
}

/// What each folder of src may include besides the public headers: itself and what lies below it on its own side.
const std::map<std::string, std::vector<std::string>> allowed{
    {"base", {"base"}},
    {"grid", {"base", "grid"}},
    {"plan", {"base", "grid", "plan"}},
    {"slam", {"base", "grid", "plan", "slam"}},
    {"waist", {"base", "grid", "waist"}},
    {"robot", {"base", "grid", "plan", "slam", "waist", "robot"}},
    {"world", {"base", "grid", "world"}},
    {"maps", {"base", "grid", "world", "maps"}},
    {"sensing", {"base", "grid", "world", "sensing"}},
    {"links", {"base", "grid", "world", "links"}},
    {"drivers", {"base", "grid", "waist", "world", "sensing", "links", "drivers"}},
    {"run", {"base", "grid", "plan", "slam", "waist", "robot", "world", "sensing", "links", "drivers", "run"}},
    {"batch", {"base", "world", "maps", "run", "batch"}},
    {"view", {"base", "slam", "run", "view", "cli"}},
    {"cli", {"batch", "base", "grid", "world", "maps", "run", "cli"}},
};

/// Public headers by floor; a header includes only its own floor and those below.
const std::map<std::string, int> floors{
    {"error", 0},
    {"math", 0},
    {"options", 0},
    {"hash", 0},
    {"change_log", 0},
    {"rng", 0},
    {"geometry", 0},
    {"grid", 1},
    {"ray", 1},
    {"tiles", 1},
    {"block_list", 1},
    {"cow_blocks", 1},
    {"cow_plane", 1},
    {"distinct_pointers", 1},
    {"known_map", 1},
    {"radio", 1},
    {"sectors", 1},
    {"briefing", 2},
    {"message", 2},
    {"percept", 2},
    {"decision", 2},
    {"driver", 2},
    {"beam_fan", 2},
    {"topics", 2},
    {"meeting", 2},
    {"transitions", 2},
    {"hierarchy", 2},
    {"role_machine", 2},
    {"role_news", 2},
    {"election", 2},
    {"mapping", 3},
    {"nav_map", 3},
    {"frontier", 3},
    {"wall_distance", 3},
    {"skeleton", 3},
    {"topological_map", 3},
    {"path_transform", 3},
    {"topology", 3},
    {"path", 3},
    {"distance_field", 3},
    {"believed_radio", 3},
    {"signal_table", 3},
    {"connected_set", 3},
    {"assignment", 3},
    {"tours", 3},
    {"gain", 3},
    {"slam", 3},
    {"belief", 4},
    {"strategy", 4},
    {"behaviours", 4},
    {"robot", 4},
    {"frontier_bidding", 4},
    {"chain", 4},
    {"sites", 4},
    {"teamwork", 4},
    {"utility_sharing", 4},
    {"groups", 4},
    {"rendezvous", 4},
    {"departure", 4},
    {"meeting_overlays", 4},
    {"sector_border", 4},
    {"responsibility", 4},
    {"role_tree", 4},
    {"team_plan", 4},
    {"recurrent_plan", 4},
};

}  // namespace

TEST_CASE("arrows go downward only, and never across the waist") {
    int seen = 0;
    for (const auto& [folder, below] : allowed)
        for (const fs::path& file : sources("src/" + folder))
            for (const std::string& include : includes_of(file)) {
                CAPTURE(file.string());
                CAPTURE(include);
                ++seen;
                const std::string first = include.substr(0, include.find('/'));
                if (first == "outrider") continue;
                CHECK(std::find(below.begin(), below.end(), first) != below.end());
            }
    CHECK(seen > 100);
    for (const auto& entry : fs::directory_iterator(fs::path(OUTRIDER_SOURCE_DIR) / "src"))
        CHECK(allowed.contains(entry.path().filename().string()));
}

TEST_CASE("public headers include only public headers of their own floor or below") {
    for (const fs::path& file : sources("include")) {
        CAPTURE(file.string());
        REQUIRE(floors.contains(file.stem().string()));
        for (const std::string& include : includes_of(file)) {
            CAPTURE(include);
            REQUIRE(include.starts_with("outrider/"));
            CHECK(floors.at(fs::path(include).stem().string()) <= floors.at(file.stem().string()));
        }
    }
}

TEST_CASE("truth-side folders do not touch the robot's core, and public headers stay few") {
    for (const char* folder : {"world", "sensing", "links"})
        for (const fs::path& file : sources(std::string("src/") + folder))
            for (const std::string& include : includes_of(file))
                for (const char* robot_side : {"belief", "strategy", "robot", "behaviours", "nav_map", "frontier",
                                               "path", "skeleton", "topology", "mapping"})
                    CHECK(include != std::string("outrider/") + robot_side + ".hpp");
    CHECK(sources("include").size() <= 64);
}

TEST_CASE("strategies include public headers only and use no files, clocks, statics or random devices") {
    static const std::regex forbidden(
        R"(\b(fstream|ifstream|ofstream|fopen|chrono|random_device|rand|thread_local|time\s*\(|getenv|std::rand|mt19937)\b)");
    static const std::regex state(R"(^\s*(static|inline)\s+(?!constexpr|const\b|bool operator)[^()]*(=|;))");
    int files = 0;
    for (const fs::path& file : sources("strategies")) {
        ++files;
        CAPTURE(file.string());
        for (const std::string& include : includes_of(file)) CHECK(include.starts_with("outrider/"));
        std::istringstream text(read_text(file.string()));
        bool first = true;
        for (std::string line; std::getline(text, line); first = false) {
            if (first) CHECK(line.starts_with("// "));  // a citation
            CHECK_FALSE(std::regex_search(line, forbidden));
            CHECK_FALSE(std::regex_search(line, state));
        }
    }
    CHECK(files >= 4);
}
