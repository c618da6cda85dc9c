// The pages for people: links and paths lead to something, lines fit a screen, the map of the rooms is complete.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_docs {
namespace {

const fs::path root = OUTRIDER_SOURCE_DIR;

std::vector<fs::path> pages() {
    std::vector<fs::path> out{root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md",
                              root / "environments/README.md"};
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") out.push_back(entry.path());
    return out;
}

/// What a pattern's first group matches in a text, in order.
std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> out;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) out.push_back((*it)[1]);
    return out;
}

/// The anchors of a page as GitHub makes them of headings: lower case, hyphens for spaces, most other signs left out.
std::set<std::string> anchors_of(const fs::path& page) {
    std::set<std::string> out;
    std::istringstream text(read_text(page.string()));
    for (std::string line; std::getline(text, line);) {
        const std::size_t level = line.find_first_not_of('#');
        if (level == 0 || level == line.npos || line[level] != ' ') continue;
        std::string anchor;
        for (const char c : line.substr(level + 1))
            if (c == ' ')
                anchor += '-';
            else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
                anchor += static_cast<char>(std::tolower(c));
        out.insert(anchor);
    }
    return out;
}

}  // namespace

TEST_CASE("anchors of links in the docs are headings of the page that they lead to") {
    static const std::regex link(R"(\]\(([^):]*#[^)]+)\))");
    std::size_t seen = 0;
    for (const fs::path& page : pages())
        for (const std::string& target : all_matches(read_text(page.string()), link)) {
            const std::size_t hash = target.find('#');
            const fs::path other = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
            if (other.extension() != ".md") continue;
            CAPTURE(page.string());
            CAPTURE(target);
            CHECK(anchors_of(other).contains(target.substr(hash + 1)));
            ++seen;
        }
    CHECK(seen > 50);
}

TEST_CASE("links of the docs lead to files that are there") {
    static const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
    std::size_t seen = 0;
    for (const fs::path& page : pages())
        for (const std::string& target : all_matches(read_text(page.string()), link)) {
            if (target.find("://") != target.npos) continue;
            CAPTURE(page.string());
            CAPTURE(target);
            CHECK(fs::exists(page.parent_path() / target));
            ++seen;
        }
    CHECK(seen > 30);
}

TEST_CASE("paths that the docs name are there") {
    // Names in capitals, my_idea and patterns stand for something else.
    static const std::regex path(R"(`((?:src|strategies|include|tests|tools|docs|environments)/[A-Za-z0-9_./]*)`)");
    static const std::regex example("(NAME|my_idea)");
    std::size_t seen = 0;
    for (const fs::path& page : pages())
        for (const std::string& target : all_matches(read_text(page.string()), path)) {
            if (std::regex_search(target, example)) continue;
            CAPTURE(page.string());
            CAPTURE(target);
            CHECK(fs::exists(root / target));
            ++seen;
        }
    CHECK(seen > 50);
}

TEST_CASE("lines of the docs have at most 120 characters, rows of tables excepted") {
    for (const fs::path& page : pages()) {
        std::istringstream text(read_text(page.string()));
        int number = 0;
        for (std::string line; std::getline(text, line);) {
            ++number;
            const auto continues = [](char c) { return (c & 0xc0) == 0x80; };  // bytes of a character after its first
            const auto length =
                line.size() - static_cast<std::size_t>(std::count_if(line.begin(), line.end(), continues));
            if (line.starts_with("|") || length <= 120) continue;
            FAIL_CHECK(page.string() << ":" << number << " has " << length << " characters");
        }
    }
}

TEST_CASE("the map of the rooms in CONTRIBUTING.md has every folder of src") {
    const std::string page = read_text((root / "CONTRIBUTING.md").string());
    for (const auto& entry : fs::directory_iterator(root / "src")) {
        const std::string room = "| `src/" + entry.path().filename().string() + "/` |";
        CAPTURE(room);
        CHECK(page.find(room) != page.npos);
    }
}

}  // namespace test_docs
