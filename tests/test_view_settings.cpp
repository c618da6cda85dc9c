// What the window keeps, and what a gamepad means.
#include <filesystem>

#include "helpers.hpp"
#include "view/gamepad.hpp"
#include "view/settings.hpp"

using namespace outrider;
using namespace outrider::view;
namespace fs = std::filesystem;

namespace test_view_settings {

TEST_CASE("settings that were written are read again, and a new user has none") {
    const TemporaryFolder folder;
    const std::string path = folder / "config/view.toml";
    CHECK(read_settings(path).settings == Settings{});
    CHECK(read_settings(path).problem == "");
    CHECK(read_settings("").settings == Settings{});
    Settings settings;
    settings.dark = true;
    settings.left = 351.5;
    settings.width = 1920;
    settings.presets[4] = "walls free:mobile \"quoted\"";
    write_settings(path, settings, false);
    CHECK(read_settings(path).settings == settings);
    write_settings(path, Settings{}, false);
    CHECK(read_settings(path).settings == Settings{});
    CHECK(fs::exists(path));
}

TEST_CASE("settings of another version stay in the file, tables too") {
    const TemporaryFolder folder;
    const std::string path = folder / "view.toml";
    write_text(path, "preset_1 = \"free:all\"\ncomet = 3\n[sky]\ncolour = \"blue\"\n");
    ReadSettings read = read_settings(path);
    CHECK(read.problem == "");
    CHECK(read.settings.presets[0] == "free:all");
    read.settings.dark = true;
    write_settings(path, read.settings, false);
    const std::string text = read_text(path);
    CHECK(text.find("comet = 3\n") != std::string::npos);
    CHECK(text.find("[sky]\ncolour = \"blue\"") != std::string::npos);
    CHECK(read_settings(path).settings == read.settings);
}

TEST_CASE("a damaged file of settings is told of, and is put aside before another is written") {
    const TemporaryFolder folder;
    const std::string path = folder / "view.toml";
    for (const char* damaged : {"dark = tru", "left = 9000.0\n", "dark = \"yes\"\n", "\x01\x02\x03"}) {
        CAPTURE(damaged);
        write_text(path, damaged);
        const ReadSettings read = read_settings(path);
        CHECK(read.settings == Settings{});
        CHECK(read.problem.find("view.toml") != std::string::npos);
        CHECK(read_text(path) == damaged);
    }
    write_settings(path, {}, true);
    CHECK(read_text(path + ".damaged") == "\x01\x02\x03");
    write_text(path, "again = ");
    write_settings(path, {}, true);
    CHECK(read_text(path + ".damaged2") == "again = ");
    CHECK(read_settings(path).problem == "");
}

TEST_CASE("a stick drives as far as it is pushed, backwards more slowly, and its middle says nothing") {
    CHECK_FALSE(drive_command(Sticks{}, 1, false));
    CHECK_FALSE(drive_command(Sticks{0.1, -0.12, 0, 0}, 1, false));
    const auto full = drive_command(Sticks{0, -1, 0, 0}, 0.8, false);
    REQUIRE(full);
    CHECK(full->behaviour == "drive");
    CHECK(full->forward == doctest::Approx(0.8));
    CHECK(full->turn == 0);
    CHECK(drive_command(Sticks{0, 1, 0, 0}, 0.8, false)->forward == doctest::Approx(-0.4));
    const double some = drive_command(Sticks{0, -0.5, 0, 0}, 0.8, false)->forward;
    CHECK(some > 0.2);
    CHECK(some < 0.5);
    CHECK(drive_command(Sticks{1, 0, 0, 0}, 0.8, false)->turn == doctest::Approx(-most_turn));  // to the right
    CHECK(drive_command(Sticks{0, 0, -1, 0}, 0.8, false)->turn == doctest::Approx(most_turn));
    CHECK(drive_command(Sticks{-1, 0, -1, 0}, 0.8, false)->turn == doctest::Approx(most_turn));
    CHECK(drive_command(Sticks{0, -1, 0, 0}, 0.8, true)->behaviour == "drive_carefully");
    CHECK(drive_command(1, 0, 0.8, false).forward == doctest::Approx(0.8));
    CHECK(drive_command(0, 1, 0.8, true).turn > 0);
}

}  // namespace test_view_settings
