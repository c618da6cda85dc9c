// What decides in a run: fingerprints of sources, and what logs say of them.
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/version.hpp"
#include "batch/report/report.hpp"
#include "log/log_reader.hpp"
#include "outrider/error.hpp"
#include "program.hpp"
#include "robot/registry.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_provenance {
namespace {

/// A copy of the sources, of which the build's script makes fingerprints.
class SourceTree {
  public:
    SourceTree() {
        fs::create_directories(path(""));
        for (const char* part : {"include", "src", "strategies"})
            fs::copy(fs::path(OUTRIDER_SOURCE_DIR) / part, path(part), fs::copy_options::recursive);
    }
    std::string path(const std::string& file) const { return folder_ / ("tree/" + file); }
    void append(const std::string& file, const std::string& text) const {
        write_text(path(file), read_text(path(file)) + text);
    }
    /// The lines of the table by source, "library" among them; and with an "own" after the hash where it says so.
    std::map<std::string, std::string> fingerprints() const {
        const ProgramResult made = run(OUTRIDER_CMAKE " -DSOURCE_DIR='" + path("") + "' -DOUTPUT='" + output() +
                                       "' -P '" OUTRIDER_SOURCE_DIR "/tools/fingerprints.cmake'");
        REQUIRE(made.code == 0);
        std::map<std::string, std::string> out;
        std::istringstream lines(read_text(output()));
        for (std::string line; std::getline(lines, line);) {
            std::vector<std::string> quoted;
            for (std::size_t at = 0; (at = line.find('"', at)) != std::string::npos;) {
                const std::size_t end = line.find('"', at + 1);
                quoted.push_back(line.substr(at + 1, end - at - 1));
                at = end + 1;
            }
            if (quoted.size() == 2) out[quoted[0]] = quoted[1] + (line.find("true") != std::string::npos ? " own" : "");
            if (line.find("library_fingerprint") != std::string::npos) out["library"] = quoted.at(0);
        }
        return out;
    }
    std::string source_id() const {
        run(OUTRIDER_CMAKE " -DVERSION=1 -DSOURCE_DIR='" + path("") + "' -DOUTPUT='" + path("../version.cpp") +
            "' -P '" OUTRIDER_SOURCE_DIR "/tools/version.cmake'");
        const std::string text = read_text(path("../version.cpp"));
        const std::size_t at = text.find('"', text.find("source_id"));
        return text.substr(at + 1, text.find('"', at + 1) - at - 1);
    }
    ProgramResult run(const std::string& command) const { return shell_in(folder_, command); }
    bool git(const std::string& arguments) const {
        return run("git -C '" + path("") + "' -c user.name=n -c user.email=e@x " + arguments).code == 0;
    }
    std::string output() const { return folder_ / "fingerprints.cpp"; }

  private:
    TemporaryFolder folder_;
};

/// The sources whose fingerprints differ.
std::vector<std::string> changed(const std::map<std::string, std::string>& before,
                                 const std::map<std::string, std::string>& after) {
    std::vector<std::string> out;
    for (const auto& [source, fingerprint] : after)
        if (!before.contains(source) || before.at(source) != fingerprint) out.push_back(source);
    return out;
}

bool holds(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

TEST_CASE("an edit of a strategy that nobody committed changes its fingerprint, and no other's") {
    const SourceTree tree;
    const auto before = tree.fingerprints();
    REQUIRE(before.size() > 30);
    for (const auto& [source, fingerprint] : before) CHECK(is_fingerprint(fingerprint));
    write_text(tree.path("strategies/my_idea.cpp"), "#include \"shared/gain.hpp\"\n// The first idea.\n");
    const auto with = tree.fingerprints();
    CHECK(changed(before, with) == std::vector<std::string>{"strategies/my_idea.cpp"});
    tree.append("strategies/my_idea.cpp", "// The second one.\n");
    CHECK(changed(with, tree.fingerprints()) == std::vector<std::string>{"strategies/my_idea.cpp"});

    auto last = tree.fingerprints();
    const auto after_edit_of = [&](const char* source) {
        tree.append(source, "\n");
        auto now = tree.fingerprints();
        return changed(std::exchange(last, now), now);
    };
    // What a strategy includes from strategies/, and the source that belongs to it.
    const auto gain = after_edit_of("strategies/shared/gain.cpp");
    CHECK(holds(gain, "strategies/my_idea.cpp"));
    CHECK_FALSE(holds(gain, "strategies/stay.cpp"));
    CHECK_FALSE(holds(gain, "library"));
    // A folder is one.
    const auto timer = after_edit_of("strategies/role_based/meeting_timer.cpp");
    CHECK(holds(timer, "strategies/role_based/role_based.cpp"));
    CHECK_FALSE(holds(timer, "strategies/my_idea.cpp"));
    CHECK(after_edit_of("src/plan/astar.cpp").front() == "library");
    CHECK(after_edit_of("include/outrider/intent.hpp").front() == "library");
    // What only shows and records decides nothing; then nothing is compiled again either.
    const auto written = fs::last_write_time(tree.output());
    CHECK(after_edit_of("src/view/painter.cpp").empty());
    CHECK(after_edit_of("src/log/tile_codec.cpp").empty());
    CHECK(fs::last_write_time(tree.output()) == written);
}

TEST_CASE("a strategy that is not as committed is marked as own, and the commit is not named as clean") {
    if (std::system("git --version >/dev/null 2>&1") != 0) return;
    const SourceTree tree;
    REQUIRE(tree.git("init -q"));
    REQUIRE(tree.git("add -A"));
    REQUIRE(tree.git("commit -q -m one"));
    CHECK(tree.source_id().size() == 12);
    CHECK(tree.fingerprints().at("strategies/stay.cpp").size() == 12);
    write_text(tree.path("strategies/my_idea.cpp"), "// Known to nobody else.\n");
    write_text(tree.path(".gitignore"), "my_idea.cpp\n");  // that one is ignored changes nothing
    REQUIRE(tree.git("add .gitignore"));
    REQUIRE(tree.git("commit -q -m two"));
    CHECK(tree.source_id().size() == 13);
    CHECK(tree.source_id().ends_with("+"));
    CHECK(tree.fingerprints().at("strategies/my_idea.cpp").ends_with(" own"));
    CHECK_FALSE(tree.fingerprints().at("strategies/stay.cpp").ends_with(" own"));
    tree.append("strategies/shared/gain.cpp", "\n");
    CHECK(tree.fingerprints().at("strategies/mcdm.cpp").ends_with(" own"));
    REQUIRE(tree.git("add -f -A"));
    CHECK(tree.fingerprints().at("strategies/my_idea.cpp").ends_with(" own"));
    REQUIRE(tree.git("commit -q -m three"));
    CHECK(tree.fingerprints().at("strategies/my_idea.cpp").size() == 12);
    CHECK(tree.source_id().size() == 12);
}

TEST_CASE("sources that strategies share stand beside a header of their name: fingerprints follow includes") {
    int sources = 0;
    for (const char* folder : {"strategies", "strategies/shared"})
        for (const auto& entry : fs::directory_iterator(fs::path(OUTRIDER_SOURCE_DIR) / folder)) {
            if (entry.path().extension() == ".hpp") CHECK(std::string(folder) == "strategies/shared");
            if (entry.path().extension() != ".cpp" || std::string(folder) == "strategies") continue;
            CAPTURE(entry.path().string());
            CHECK(fs::exists(fs::path(entry.path()).replace_extension(".hpp")));
            ++sources;
        }
    CHECK(sources > 5);
}

TEST_CASE("every strategy of this program has the fingerprint of its sources") {
    std::vector<std::string> names;
    for (const StrategyInfo& info : strategies()) names.push_back(info.name);
    const Provenance all = provenance_of(names);
    CHECK(all.parts.size() == names.size() + 1);
    REQUIRE(all.find("library", ""));
    CHECK(all.find("library", "")->fingerprint == library_fingerprint());
    std::size_t found = 0;
    for (const SourceFingerprint& source : strategy_fingerprints()) {
        const std::string name = fs::path(source.file).stem();
        if (const ProvenancePart* part = all.find("strategy", name)) {
            CHECK(part->fingerprint == source.fingerprint);
            ++found;
        }
    }
    CHECK(found > 20);
    CHECK(strategy_fingerprint("/somewhere/strategies/stay.cpp").fingerprint ==
          strategy_fingerprint("strategies/stay.cpp").fingerprint);
    // A source that the build does not know is in this program, whatever it is.
    CHECK(strategy_fingerprint("/somewhere/mystrategies/stay.cpp").own);
    CHECK(strategy_fingerprint("/somewhere/mystrategies/stay.cpp").fingerprint !=
          strategy_fingerprint("strategies/stay.cpp").fingerprint);
    CHECK(provenance_of(std::vector<std::string>{"gone"}).find("strategy", "gone")->fingerprint == no_fingerprint);
}

TEST_CASE("a log says what decided, and a rerun that diverges what has changed since") {
    const TemporaryFolder folder;
    write_sweep(folder, "");
    const std::string run = "run a.toml --strategy nearest --steps 30 --log-file log.sqlite --force";
    REQUIRE(outrider_in(folder, run).code == 0);
    const std::string info = outrider_in(folder, "log info log.sqlite").out;
    CHECK(info.find("decided by      library ") != std::string::npos);
    CHECK(info.find("strategy nearest ") != std::string::npos);
    CHECK(outrider_in(folder, "rerun log.sqlite").code == 0);
    // Another strategy wrote it: its scenario with the steps of another one.
    REQUIRE(outrider_in(folder, "run a.toml --strategy random_walk --steps 30 --log-file other.sqlite").code == 0);
    Database log(folder / "log.sqlite", Database::Mode::create);
    log.run("ATTACH '" + (folder / "other.sqlite") +
            "' AS other; DELETE FROM chunk; INSERT INTO chunk SELECT * FROM "
            "other.chunk; DETACH other");
    CHECK(outrider_in(folder, "rerun log.sqlite").out.find("the library and the strategies are those") !=
          std::string::npos);
    log.run("UPDATE provenance SET fingerprint = '0123456789ab' WHERE name = 'nearest'");
    const ProgramResult edited = outrider_in(folder, "rerun log.sqlite");
    CHECK(edited.code == 1);
    CHECK(edited.out.find("DIVERGED at step ") != std::string::npos);
    CHECK(edited.out.find("strategy nearest was 0123456789ab and is ") != std::string::npos);
    log.run("UPDATE provenance SET fingerprint = '0123456789ab' WHERE kind = 'library'");
    CHECK(outrider_in(folder, "rerun log.sqlite").out.find("the library was 0123456789ab and is ") !=
          std::string::npos);
    log.run("UPDATE provenance SET fingerprint = 'x' WHERE kind = 'library'");
    CHECK(outrider_in(folder, "rerun log.sqlite").err.find("what it says of its program is damaged") !=
          std::string::npos);
    log.run("DROP TABLE provenance");  // as logs of 0.1.0
    CHECK(outrider_in(folder, "rerun log.sqlite").out.find("decides otherwise than the one that wrote the log") !=
          std::string::npos);
    CHECK(outrider_in(folder, "log info log.sqlite").code == 0);
}

}  // namespace test_provenance
