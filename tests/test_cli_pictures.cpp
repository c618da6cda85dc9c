// Pictures of maps, and of what planning works out on them, as the commands draw them.
#include <map>

#include "base/image.hpp"
#include "helpers.hpp"
#include "program.hpp"
#include "world/map_file.hpp"

using namespace outrider;

namespace test_cli_pictures {
namespace {

/// Share of a picture's pixels by shade of red.
std::map<std::uint16_t, double> shades_of(const std::string& path) {
    const GreyImage image = read_png(path, Channels::first);
    std::map<std::uint16_t, double> shares;
    for (const std::uint16_t v : image.values) shares[v] += 1.0 / static_cast<double>(image.values.size());
    return shares;
}

std::size_t large_areas(const std::string& path) {
    std::size_t count = 0;
    for (const auto& [shade, share] : shades_of(path)) count += share > 0.03;
    return count;
}

/// Two rooms of the same size with a door between them: 6 m by 3 m.
void write_rooms(const TemporaryFolder& folder) {
    Grid<std::uint8_t> walls(60, 30, 0, Lattice{0.1});
    for (int x = 0; x < 60; ++x) walls[{x, 0}] = walls[{x, 29}] = 1;
    for (int y = 0; y < 30; ++y) walls[{0, y}] = walls[{59, y}] = walls[{29, y}] = walls[{30, y}] = y < 12 || y > 17;
    for (int y = 0; y < 30; ++y) walls[{0, y}] = walls[{59, y}] = 1;
    write_map(folder / "rooms.png", {walls, {}}, true);
}

}  // namespace

TEST_CASE("plan draws the path, and each layer as what it is") {
    const TemporaryFolder folder;
    write_rooms(folder);
    const auto draw = [&](const std::string& more) {
        const ProgramResult r =
            outrider_in(folder, "plan --map rooms.png --png out.png --force --from 1,1.5 --to 5,1.5 " + more);
        INFO(r.err);
        REQUIRE(r.code == 0);
        CHECK(r.out.find("picture out.png\n") != std::string::npos);
        return folder / "out.png";
    };
    const std::map<std::uint16_t, double> plain = shades_of(draw(""));
    for (const char* show : {"none", "segments"})
        REQUIRE(outrider_in(
                    folder,
                    fmt::format("plan --map '{}/environments/office.png' --from 3,4 --to 50,20 --png {}.png --show {}",
                                OUTRIDER_SOURCE_DIR, show, show))
                    .code == 0);
    // Parts of the office that doors divide have shades of their own.
    CHECK(large_areas(folder / "none.png") <= 2);
    CHECK(large_areas(folder / "segments.png") >= 4);
    for (const char* layer : {"skeleton", "graph", "transform"}) {
        CAPTURE(layer);
        const std::map<std::uint16_t, double> drawn = shades_of(draw(std::string("--show ") + layer));
        CHECK(drawn.size() > plain.size());  // further shades, for what is drawn and its legend
    }
    // A path through the door is longer than one in a room: more of the picture has its shade.
    const ProgramResult near = outrider_in(folder, "plan --map rooms.png --png near.png --from 1,1.5 --to 1.5,1.5");
    REQUIRE(near.code == 0);
    const std::map<std::uint16_t, double> shorter = shades_of(folder / "near.png");
    double more = 0;
    for (const auto& [shade, share] : plain)
        if (const auto at = shorter.find(shade); at != shorter.end() && share > 2 * at->second)
            more = std::max(more, share);
    CHECK(more > 0.001);
}

TEST_CASE("a sheet shows each map in its place, with its name") {
    const TemporaryFolder folder;
    write_rooms(folder);
    for (const char* name : {"a", "b"})
        write_text(folder / (std::string(name) + ".toml"),
                   "[map]\nfile = 'rooms.png'\n[[base]]\nx_m = 1\ny_m = 1\n[team]\nrobots = 2\n");
    const ProgramResult one = outrider_in(folder, "check --sheet one.png a.toml"),
                        two = outrider_in(folder, "check --sheet two.png a.toml b.toml");
    INFO(one.err);
    INFO(two.err);
    REQUIRE(one.code == 0);
    REQUIRE(two.code == 0);
    CHECK(two.out.find("sheet two.png: 2 maps\n") != std::string::npos);
    const GreyImage single = read_png(folder / "one.png", Channels::mean),
                    twice = read_png(folder / "two.png", Channels::mean);
    CHECK(twice.height == single.height);
    CHECK(twice.width > 1.8 * single.width);
    // The second map is drawn as the first one, beside it.
    const auto walls = [](const GreyImage& image, int from, int to) {
        int count = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = from; x < to; ++x)
                count += image.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                      static_cast<std::size_t>(x)] < 16'000;
        return count;
    };
    const int left = walls(twice, 0, twice.width / 2), right = walls(twice, twice.width / 2, twice.width);
    CHECK(left > 300);
    CHECK(std::abs(left - right) < left / 5);
}

}  // namespace test_cli_pictures
