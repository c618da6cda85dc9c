// outrider view from the command line, without a display.
#include <filesystem>

#include "base/image.hpp"
#include "base/sqlite.hpp"
#include "helpers.hpp"
#include "program.hpp"

using namespace outrider;
namespace fs = std::filesystem;

namespace test_view_cli {
namespace {

struct Result {
    int code;
    std::string err;
};

Result view(const TemporaryFolder& folder, const std::string& program, const std::string& arguments) {
    const std::string command = fmt::format(
        "cd '{}' && env -u DISPLAY -u WAYLAND_DISPLAY ASAN_OPTIONS=detect_leaks=0 "  // drivers leak
        "timeout 60 '{}' view {} >out.txt 2>err.txt",
        folder.path(), program, arguments);
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder / "err.txt")};
}

bool window_is_built() { return fs::exists(fs::path(OUTRIDER_PROGRAM).parent_path() / "outrider-view"); }

const std::string office = OUTRIDER_SOURCE_DIR "/environments/small_office.toml";

}  // namespace

TEST_CASE("without the window's program beside it, outrider view says what is missing") {
    const TemporaryFolder folder;
    fs::copy_file(OUTRIDER_PROGRAM, folder / "outrider");
    const Result r = view(folder, folder / "outrider", office);
    CHECK(r.code == 2);
    CHECK(r.err.find("the window is not built") != std::string::npos);
    CHECK(r.err.find("libimgui-dev") != std::string::npos);
}

TEST_CASE("without a display the window says so, and pictures can be made all the same" *
          doctest::skip(!window_is_built())) {
    const TemporaryFolder folder;
    Result r = view(folder, OUTRIDER_PROGRAM, office);
    CHECK(r.code == 2);
    CHECK(r.err.find("no display") != std::string::npos);
    r = view(folder, OUTRIDER_PROGRAM, office + " --step 20 --screenshot a.png --size 800x600 --map-only");
    CHECK(r.code == 0);
    CHECK(png_size(folder / "a.png") == std::pair(800, 600));
    CHECK(view(folder, OUTRIDER_PROGRAM, office + " --screenshot a.png").code == 2);  // it exists
    CHECK(view(folder, OUTRIDER_PROGRAM, office + " --frames frames --to 20 --every 10").code == 0);
    CHECK(fs::exists(folder / "frames/000020.png"));
}

TEST_CASE(
    "pictures of a log that was cut off end with its last step, and those of a damaged one leave out what is lost" *
    doctest::skip(!window_is_built())) {
    const TemporaryFolder folder;
    for (const std::string name : {"cut", "torn"})
        REQUIRE(outrider_in(folder, "run " + office + " --steps 130 --log full --log-file " + name + ".sqlite").code ==
                0);
    Database(folder / "cut.sqlite", Database::Mode::create).run("DELETE FROM meta WHERE key = 'end_reason'");
    Database(folder / "torn.sqlite", Database::Mode::create)
        .run("UPDATE waist SET blob = zeroblob(length(blob)) WHERE first = 1");
    const std::string small = " --size 320x240 --map-only ";
    Result r = view(folder, OUTRIDER_PROGRAM, "cut.sqlite --screenshot a.png --step 500" + small);
    CHECK(r.code == 0);
    CHECK(r.err.find("note: the log has no end") != std::string::npos);
    REQUIRE(view(folder, OUTRIDER_PROGRAM, "cut.sqlite --screenshot b.png --step 129" + small).code == 0);
    CHECK(read_text(folder / "a.png") == read_text(folder / "b.png"));
    CHECK(view(folder, OUTRIDER_PROGRAM, "cut.sqlite --frames cut --every 50" + small).code == 0);
    CHECK(fs::exists(folder / "cut/000100.png"));
    // At 30 steps a second it takes as long as the log says, so that of a short one.
    REQUIRE(outrider_in(folder, "run " + office + " --steps 20 --log full --log-file short.sqlite").code == 0);
    Database(folder / "short.sqlite", Database::Mode::create).run("DELETE FROM meta WHERE key = 'end_reason'");
    CHECK(view(folder, OUTRIDER_PROGRAM, "short.sqlite --bench 1000 --size 320x240").code == 0);
    r = view(folder, OUTRIDER_PROGRAM, "torn.sqlite --frames torn --every 50" + small);
    CHECK(r.code == 0);
    CHECK(r.err.find("steps 1-64: its checksum is wrong") != std::string::npos);
    CHECK(fs::exists(folder / "torn/000000.png"));
    CHECK_FALSE(fs::exists(folder / "torn/000065.png"));
    CHECK(fs::exists(folder / "torn/000100.png"));
}

TEST_CASE("what is wrong with a scenario, a log or an option is one message" * doctest::skip(!window_is_built())) {
    const TemporaryFolder folder;
    write_text(folder / "bad.toml", "[map]\nfile = \"nope.png\"\n");
    write_text(folder / "bad.sqlite", "no log");
    for (const auto& [arguments, part] : {std::pair("bad.toml --screenshot x.png", "bad.toml:2"),
                                          {"bad.sqlite --screenshot x.png", "not a log"},
                                          {"none.sqlite", "none.sqlite"},
                                          {"--size 3x3", "WIDTHxHEIGHT"},
                                          {"--connect ws://127.0.0.1:1", "expected the scenario that the team's"},
                                          {"bad.toml --connect http://127.0.0.1:1", "expected ws://HOST:PORT, a relay"},
                                          {"bad.toml --connect ws://127.0.0.1:1 --robots 3", "expected --set"},
                                          {"bad.toml --connect ws://127.0.0.1:1 --frames x", "by --screenshot alone"},
                                          {"bad.toml --key team.key", "--key: expected --connect URL, too"},
                                          {"--nonsense", "nonsense"}}) {
        CAPTURE(arguments);
        const Result r = view(folder, OUTRIDER_PROGRAM, arguments);
        CHECK(r.code == 2);
        CHECK(r.err.find(part) != std::string::npos);
        CHECK_FALSE(fs::exists(folder / "x.png"));
    }
}

}  // namespace test_view_cli
