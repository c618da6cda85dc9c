// The rooms: what a file may include is what its library lets it see. The compiler checks that; these cases check that
// it does, by including what it must refuse, and check by text what it cannot see.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_rooms {
namespace {

std::vector<std::string> includes_of(const std::string& source) {
    static const std::regex include(R"rx(^\s*#\s*include\s+"([^"]+)")rx");
    std::vector<std::string> out;
    std::istringstream text(source);
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

/// By room, "strategies" among them: the folders in which the compiler looks for what its sources include. CMake wrote
/// it.
std::map<std::string, std::string> include_folders() {
    std::map<std::string, std::string> out;
    std::istringstream text(read_text(OUTRIDER_ROOMS));
    for (std::string line; std::getline(text, line);) {
        const std::size_t bar = line.find('|');
        if (bar != std::string::npos) out[line.substr(0, bar)] = line.substr(bar + 1);
    }
    return out;
}

/// Whether a source of that room may include this.
bool compiles(const std::string& room, const std::string& include) {
    static const auto folders = include_folders();
    REQUIRE(folders.contains(room));
    const fs::path source = fs::temp_directory_path() / ("outrider_planted_" + std::to_string(::getpid()) + ".cpp");
    write_text(source.string(), "#include \"" + include + "\"\n");
    std::string command = OUTRIDER_COMPILER " -std=c++20 -E";
    std::istringstream text(folders.at(room));
    for (std::string folder; std::getline(text, folder, ';');) command += " -I'" + folder + "'";
    const int status = std::system((command + " '" + source.string() + "' >/dev/null 2>&1").c_str());
    fs::remove(source);
    return status == 0;
}

/// What a strategy may not include, use or keep; empty: nothing of that is there.
std::string dishonest(const std::string& source) {
    static const std::regex forbidden(
        R"(\b(fstream|ifstream|ofstream|fopen|chrono|random_device|rand|thread_local|time\s*\(|getenv|std::rand|mt19937)\b)");
    static const std::regex state(R"(^\s*(static|inline)\s+(?!constexpr|const\b|bool operator)[^()]*(=|;))");
    static const std::regex inner(
        R"(\b(KnownMap|NavMap|CellTile|NavTile|BitTile|TileCoord|TileTable|CowPlane)\b|detail::)");
    for (const std::string& include : includes_of(source))
        if (include.starts_with("outrider/detail/") || include.find("..") != std::string::npos) return include;
    std::istringstream text(source);
    for (std::string line; std::getline(text, line);)
        if (std::regex_search(line, forbidden) || std::regex_search(line, state) || std::regex_search(line, inner))
            return line;
    return {};
}

}  // namespace

TEST_CASE("a room sees what lies below it and nothing else") {
    // What is below compiles: the test can tell one from the other.
    for (const auto& [room, include] :
         std::vector<std::pair<std::string, std::string>>{{"grid", "outrider/cells.hpp"},
                                                          {"grid", "base/wide.hpp"},
                                                          {"simulator", "world/world.hpp"},
                                                          {"robot", "robot/robot.hpp"},
                                                          {"simulation", "robot/robot.hpp"},
                                                          {"strategies", "outrider/strategy.hpp"},
                                                          {"strategies", "shared/teamwork.hpp"}}) {
        CAPTURE(room);
        CAPTURE(include);
        CHECK(compiles(room, include));
    }
    for (const auto& [room, include] :
         std::vector<std::pair<std::string, std::string>>{{"simulator", "robot/robot.hpp"},  // truth looks into a robot
                                                          {"simulator", "outrider/belief.hpp"},
                                                          {"world", "slam/slam_options.hpp"},
                                                          {"world", "role_based/rendezvous.hpp"},
                                                          {"world", "shared/team_plan.hpp"},
                                                          {"world", "outrider/path.hpp"},
                                                          {"grid", "robot/robot.hpp"},  // a floor looks up
                                                          {"grid", "outrider/strategy.hpp"},
                                                          {"plan", "outrider/belief.hpp"},
                                                          {"robot", "world/world.hpp"},  // a robot looks at the truth
                                                          {"slam", "world/world.hpp"},
                                                          {"robot", "simulator/sim_driver.hpp"},
                                                          {"run", "simulator/sim_driver.hpp"},
                                                          {"strategies", "world/world.hpp"},
                                                          {"strategies", "robot/robot.hpp"},
                                                          {"strategies", "base/wide.hpp"}}) {
        CAPTURE(room);
        CAPTURE(include);
        CHECK_FALSE(compiles(room, include));
    }
}

TEST_CASE("no include climbs out of its room by its path") {
    int seen = 0;
    for (const char* folder : {"src", "include", "strategies"})
        for (const fs::path& file : sources(folder))
            for (const std::string& include : includes_of(read_text(file.string()))) {
                ++seen;
                CAPTURE(file.string());
                CHECK(include.find("..") == std::string::npos);
            }
    CHECK(seen > 100);
}

TEST_CASE("strategies include the API only and use no files, clocks, statics or random devices") {
    CHECK(dishonest("#include \"outrider/detail/tiles.hpp\"\n") == "outrider/detail/tiles.hpp");
    CHECK(dishonest("#include \"../src/world/world.hpp\"\n") == "../src/world/world.hpp");
    CHECK_FALSE(dishonest("static int calls = 0;\n").empty());
    CHECK_FALSE(dishonest("const KnownMap& map = belief.map();\n").empty());
    CHECK_FALSE(dishonest("const auto now = std::chrono::system_clock::now();\n").empty());
    CHECK(dishonest("#include \"outrider/strategy.hpp\"\nstatic constexpr int most = 3;\n").empty());
    int files = 0;
    for (const fs::path& file : sources("strategies")) {
        ++files;
        CAPTURE(file.string());
        const std::string text = read_text(file.string());
        CHECK(dishonest(text).empty());
        if (file.extension() == ".cpp" && file.parent_path().filename() == "strategies")
            CHECK(text.starts_with("// "));  // a citation
    }
    CHECK(files >= 29);
}

TEST_CASE("the API of a strategy stays small, and no folder is crowded") {
    std::size_t headers = 0, lines = 0;
    for (const fs::path& file : sources("include/outrider")) {
        if (file.parent_path().filename() == "detail") continue;
        ++headers;
        const std::string text = read_text(file.string());
        CAPTURE(file.string());
        static const std::regex inner(R"(\b\w*(Tile|Plane)\w*\b)");
        CHECK_FALSE(std::regex_search(text, inner));
        lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    CHECK(headers <= 20);
    CHECK(lines <= 1600);
    // What a strategy pulls in.
    std::set<std::string> pulled;
    std::vector<std::string> open{"outrider/strategy.hpp"};
    lines = 0;
    while (!open.empty()) {
        const std::string text = read_text(OUTRIDER_SOURCE_DIR "/include/" + open.back());
        const bool api = !open.back().starts_with("outrider/detail/") && open.back() != "outrider/strategy.hpp";
        if (api) lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
        open.pop_back();
        for (const std::string& include : includes_of(text))
            if (pulled.insert(include).second) open.push_back(include);
    }
    std::erase_if(
        pulled, [](const std::string& h) { return h.starts_with("outrider/detail/") || h == "outrider/strategy.hpp"; });
    CHECK(pulled.size() <= 14);
    CHECK(lines <= 1200);
    std::map<fs::path, std::map<std::string, int>> modules;  // by folder: a header and its source are one
    for (const char* folder : {"src", "include", "strategies"})
        for (const fs::path& file : sources(folder)) ++modules[file.parent_path()][file.stem().string()];
    for (const auto& [folder, names] : modules) {
        if (folder.filename() == "strategies") continue;  // one file a strategy
        CAPTURE(folder.string());
        CHECK(names.size() <= 25);
    }
}

}  // namespace test_rooms
