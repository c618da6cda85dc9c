#include <zlib.h>

#include <filesystem>
#include "base/canvas.hpp"
#include "base/image.hpp"
#include "base/output.hpp"

#include "helpers.hpp"
#include "world/map_file.hpp"

using namespace outrider;

namespace test_image {
namespace {

std::string chunk(const std::string& type, const std::string& data) {
    std::string body = type + data, out;
    const auto put = [&](unsigned long v) {
        for (int s = 24; s >= 0; s -= 8) out += static_cast<char>(v >> s);
    };
    put(static_cast<unsigned long>(data.size()));
    out += body;
    put(crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
    return out;
}

/// A PNG with this header and these rows (filter bytes included), written by hand.
std::string png(std::uint32_t width, std::uint32_t height, int bits, int kind, const std::string& rows,
                const std::string& extra = "") {
    std::string header;
    for (const std::uint32_t side : {width, height})
        for (int s = 24; s >= 0; s -= 8) header += static_cast<char>(side >> s);
    header += {static_cast<char>(bits), static_cast<char>(kind), '\0', '\0', '\0'};
    uLongf size = compressBound(static_cast<uLong>(rows.size()));
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
             static_cast<uLong>(rows.size()));
    packed.resize(size);
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + extra + chunk("IDAT", packed) + chunk("IEND", "");
}

std::string error_of(const std::string& bytes) {
    const TemporaryFolder folder;
    write_text(folder / "map.png", bytes);
    try {
        read_png(folder / "map.png", Channels::mean);
    } catch (const Error& error) {
        return std::string(error.what()).substr((folder / "map.png").size());
    }
    return "";
}

std::vector<std::uint16_t> values_of(const std::string& bytes, Channels channels = Channels::mean) {
    const TemporaryFolder folder;
    write_text(folder / "map.png", bytes);
    return read_png(folder / "map.png", channels).values;
}

using namespace std::string_literals;

}  // namespace

TEST_CASE("all kinds of PNG become grey values") {
    CHECK(values_of(png(2, 1, 8, 0, "\0\x00\xff"s)) == std::vector<std::uint16_t>{0, 65535});
    CHECK(values_of(png(2, 1, 16, 0, "\0\x00\x01\x80\x00"s)) == std::vector<std::uint16_t>{1, 0x8000});
    CHECK(values_of(png(3, 1, 1, 0, "\0\xa0"s)) == std::vector<std::uint16_t>{65535, 0, 65535});
    CHECK(values_of(png(2, 1, 8, 4, "\0\x80\x00\x00\xff"s)) ==
          std::vector<std::uint16_t>{0x8080, 0});  // grey and alpha
    CHECK(values_of(png(1, 1, 8, 2, "\0\x30\x60\x90"s)) == std::vector<std::uint16_t>{0x6060});
    CHECK(values_of(png(1, 1, 8, 2, "\0\x30\x60\x90"s), Channels::first) == std::vector<std::uint16_t>{0x3030});
    CHECK(values_of(png(1, 1, 8, 6, "\0\x30\x60\x90\x01"s)) == std::vector<std::uint16_t>{0x6060});
    const std::string palette = chunk("PLTE", "\x00\x00\x00\xff\xff\xff"s);
    CHECK(values_of(png(2, 1, 8, 3, "\0\x01\x00"s, palette)) == std::vector<std::uint16_t>{65535, 0});
}

TEST_CASE("what cannot be a map is refused with its reason") {
    const std::string good = png(30, 20, 8, 0, std::string(20 * 31, '\0'));
    CHECK(error_of(good) == "");
    CHECK(error_of("") == ": the file is empty; expected a PNG image");
    CHECK(error_of("GIF89a ...") == ": not a PNG image");
    CHECK(error_of(good.substr(0, 20)) == ": truncated PNG: it ends after 20 bytes, in its part IHDR");
    CHECK(error_of(good.substr(0, 45)) == ": truncated PNG: it ends after 45 bytes, in its part IDAT");
    CHECK(error_of(good.substr(0, good.size() - 12)).starts_with(": truncated PNG"));
    std::string damaged = good;
    damaged[44] = static_cast<char>(damaged[44] ^ 1);
    CHECK(error_of(damaged).starts_with(": damaged PNG: the checksum of its part IDAT"));
    CHECK(error_of(png(30, 20, 8, 0, std::string(19 * 31, '\0'))) ==
          ": truncated PNG: it holds 589 of 620 bytes of pixels");
    CHECK(error_of(png(0, 20, 8, 0, "")) == ": the image is empty (0 x 20)");
    CHECK(error_of(png(70000, 20, 8, 0, "")).starts_with(": 70000 x 20 pixels; at most 65535 a side"));
    CHECK(error_of(png(60000, 60000, 8, 0, "")).starts_with(": 60000 x 60000 pixels"));
    // Ten megabytes of zeros behind a header of 30 x 20 pixels.
    CHECK(error_of(png(30, 20, 8, 0, std::string(10'000'000, '\0')))
              .starts_with(": refused: the PNG unpacks to more than the 620 bytes"));
    CHECK_THROWS_WITH_AS(read_png("/nowhere/map.png", Channels::mean), doctest::Contains("cannot be read"), Error);
    CHECK_THROWS_AS(read_png("/tmp", Channels::mean), Error);
}

TEST_CASE("rows are flipped once: cell (0, 0) is the lower left pixel; the threshold says what is a wall") {
    const TemporaryFolder folder;
    write_text(folder / "m.png", png(2, 2, 8, 0, "\0\x00\xff\0\x60\x20"s));
    MapOptions options;
    Grid<std::uint8_t> walls = load_map(options, folder / "m.png");
    CHECK(walls.cells() == std::vector<std::uint8_t>{0, 1, 1, 0});
    options.negate = true;
    CHECK(load_map(options, folder / "m.png").cells() == std::vector<std::uint8_t>{0, 0, 0, 1});
    options.negate = false;
    options.occupied_thresh = 0.5;
    CHECK(load_map(options, folder / "m.png").cells() == std::vector<std::uint8_t>{1, 1, 1, 0});
    write_text(folder / "black.png", png(2, 1, 8, 0, "\0\x00\x00"s));
    CHECK_THROWS_WITH_AS(load_map(options, folder / "black.png"), doctest::Contains("no free cell"), Error);
}

TEST_CASE("written pictures read back, with one bit per pixel where that is enough") {
    const TemporaryFolder folder;
    Raster raster{19, 7, 1, {}};
    Rng rng(1, 0, Purpose::placement, 0);
    for (int i = 0; i < 19 * 7; ++i) raster.values.push_back(rng.below(2) ? 255 : 0);
    const std::string bits = encode_png(raster, {{"Title", "a map"}});
    CHECK(bits[24] == 1);
    CHECK(bits.find("tEXtTitle\0a map"s) != std::string::npos);
    write_text(folder / "a.png", bits);
    const GreyImage back = read_png(folder / "a.png", Channels::mean);
    for (std::size_t i = 0; i < raster.values.size(); ++i) CHECK(back.values[i] == raster.values[i] * 257);
    raster.values[5] = 77;
    CHECK(values_of(encode_png(raster))[5] == 77 * 257);
    Raster colour{1, 1, 3, {10, 20, 60}};
    CHECK(values_of(encode_png(colour)) == std::vector<std::uint16_t>{30 * 257});
}

TEST_CASE("a line is the same wherever the edge of the canvas is, and none is drawn beside it") {
    const std::vector<Point> path{{-8, 3.2}, {5.5, 9}, {5.5, 9}, {31, -4}, {12, 26.5}};
    Canvas large(60, 60, {255, 255, 255}), small(20, 20, {255, 255, 255});
    std::vector<Point> moved;
    for (const Point& p : path) moved.push_back(p + Point{20, 20});
    large.line(moved, 2.5, {0, 100, 200}, 0.7);
    small.line(path, 2.5, {0, 100, 200}, 0.7);
    const auto pixel = [](const Raster& r, int x, int y) {
        const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(r.width) + static_cast<std::size_t>(x));
        return std::array{r.values[3 * at], r.values[3 * at + 1], r.values[3 * at + 2]};
    };
    int drawn = 0;
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 20; ++x) {
            CHECK(pixel(small.raster(), x, y) == pixel(large.raster(), x + 20, y + 20));
            drawn += pixel(small.raster(), x, y)[0] < 255;
        }
    CHECK(drawn > 60);
    const std::vector<std::uint8_t> before = small.raster().values;
    small.line(std::vector<Point>{{30, 5}, {40, 8}}, 3, {0, 0, 0});
    small.line(std::vector<Point>{{5, -30}, {8, -4}}, 3, {0, 0, 0});
    small.line({}, 3, {0, 0, 0});
    CHECK(small.raster().values == before);
}

TEST_CASE("an output file appears whole or not at all") {
    const TemporaryFolder folder;
    {
        OutputFile file(folder / "a/b/c.txt", false);
        file.write("never finished");
    }
    CHECK(partial_bytes(folder / "a/b", "c.txt") == 0);
    {
        OutputFile file(folder / "c.txt", false);
        file.write("done");
        file.commit();
    }
    CHECK(read_text(folder / "c.txt") == "done");
    CHECK_THROWS_WITH_AS(OutputFile(folder / "c.txt", false), doctest::Contains("exists already"), Error);
    {
        OutputFile file(folder / "c.txt", true);
        file.write("again");
    }
    CHECK(read_text(folder / "c.txt") == "done");
    CHECK_THROWS_WITH_AS(OutputFile(folder / "c.txt/below", false), doctest::Contains("cannot be made"), Error);
    CHECK_THROWS_WITH_AS(OutputFile(folder.path(), true), doctest::Contains("is a folder"), Error);
    OutputFile full("/dev/full", false);
    CHECK_THROWS_WITH_AS((full.write("x"), full.flush()), doctest::Contains("No space left"), Error);
}

TEST_CASE("MRESim's maps have as many free cells as with 16 bits" * doctest::skip(!std::getenv("OUTRIDER_DATA"))) {
    const std::string data = std::getenv("OUTRIDER_DATA") ? std::getenv("OUTRIDER_DATA") : "";
    MapOptions options;
    options.channels = Channels::first;
    options.occupied_thresh = 0.99999;
    for (const auto& [name, free] : {std::pair{"rooms", 315'751}, {"intel-map", 280'922}}) {
        const Grid<std::uint8_t> walls = load_map(options, data + "/mresim/environments/" + name + ".png");
        CHECK(std::count(walls.cells().begin(), walls.cells().end(), 0) == free);
    }
}

TEST_CASE("maps of ROS, MovingAI and text are read, and written ones come back cell by cell") {
    const TemporaryFolder folder;
    const Grid<std::uint8_t> walls = random_map(61, 43, 5, 0.3);
    Grid<std::uint8_t> fine(61, 43, 0, Lattice{0.05});
    fine.cells() = walls.cells();
    // Out and in again, by both formats and from one to the other.
    write_map(folder / "a.png", {fine, {}}, false);
    MapOptions options;
    options.cell_m = 0.05;
    MapFile map = read_map(options, folder / "a.png");
    CHECK(map.walls == fine);
    map.origin = {-3.5, 1.25, 0.5};
    write_map(folder / "b.yaml", map, false);
    options = {};
    const MapFile back = read_map(options, folder / "b.yaml");
    CHECK(back.walls == fine);
    CHECK(back.origin == map.origin);
    CHECK(options.cell_m == 0.05);
    write_map(folder / "c.png", back, false);
    CHECK(read_text(folder / "c.png") == read_text(folder / "a.png"));
    CHECK_THROWS_WITH_AS(write_map(folder / "a.png", map, false), doctest::Contains("exists already"), Error);
    CHECK_THROWS_WITH_AS(write_map(folder / "a.bmp", map, false), doctest::Contains(".png or .yaml"), Error);
    CHECK(!std::filesystem::exists(folder / "a.bmp"));

    const auto cells_of = [&](const std::string& name, MapOptions o = {}) {
        return read_map(o, folder / name).walls.cells();
    };
    write_text(folder / "m.map", "type octile\nheight 2\nwidth 5\nmap\n.GS@T\nOW...\n");
    CHECK(cells_of("m.map") == std::vector<std::uint8_t>{1, 1, 0, 0, 0, 0, 0, 0, 1, 1});
    write_text(folder / "t.txt", "0 1 1\r\n1 0 0\r\n");
    CHECK(cells_of("t.txt") == std::vector<std::uint8_t>{1, 0, 0, 0, 1, 1});

    // map_server: dark is occupied above one threshold, free below the other, unknown between.
    write_text(folder / "g.pgm", std::string("P5\n# by hand\n4 1\n255\n") + '\xfe' + '\xcd' + '\x50' + '\x00');
    const auto yaml = [&](const std::string& more) {
        write_text(folder / "g.yaml", "image: g.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n" + more);
    };
    using Cells = std::vector<std::uint8_t>;
    yaml("occupied_thresh: 0.65\nfree_thresh: 0.196\nnegate: 0\n");
    CHECK(cells_of("g.yaml") == Cells{0, 1, 1, 1});  // 205 is what map_saver writes for unknown
    yaml("occupied_thresh: 0.8\nfree_thresh: 0.1\nnegate: 0\n");
    CHECK(cells_of("g.yaml") == Cells{0, 1, 1, 1});
    MapOptions open;
    open.unknown = Unknown::free;
    CHECK(cells_of("g.yaml", open) == Cells{0, 0, 0, 1});
    for (const char* yes : {"1", "true", "True", "yes"}) {
        yaml(fmt::format("negate: {}\n", yes));
        CHECK(cells_of("g.yaml") == Cells{1, 1, 1, 0});
    }
    yaml("negate: False\n");
    CHECK(cells_of("g.yaml") == Cells{0, 1, 1, 1});
    yaml("mode: raw\noccupied_thresh: 0.7\nfree_thresh: 0.2\n");
    CHECK(cells_of("g.yaml") == Cells{1, 1, 1, 0});
    write_text(folder / "g.pgm", "P2\n4 1\n15\n15 12 5 0\n");
    yaml("");
    CHECK(cells_of("g.yaml") == Cells{0, 1, 1, 1});
    std::filesystem::copy(folder / "g.pgm", folder / "alone.pgm");
    CHECK(cells_of("alone.pgm") == Cells{0, 0, 1, 1});
}

TEST_CASE("what somebody sets wins over the .yaml of a map; an image is read by the .yaml beside it; both is said") {
    const TemporaryFolder folder;
    using Cells = std::vector<std::uint8_t>;
    write_text(folder / "g.pgm", std::string("P5\n4 1\n255\n") + '\xfe' + '\xa0' + '\x50' + '\x00');
    write_text(folder / "g.yaml",
               "image: g.pgm\nresolution: 0.05\norigin: [1, 2, 0]\nnegate: 0\n"
               "occupied_thresh: 0.65\nfree_thresh: 0.196\n");
    const auto read = [&](const std::string& name, std::vector<Setting> settings) {
        MapOptions options;
        SettingReader reader(settings);
        options.fields(reader);
        options.take_given(settings);
        return read_map(options, folder / name);
    };
    const auto set = [](std::string key, auto value) { return std::vector{Setting{std::move(key), value, "--set"}}; };
    const auto wins = [](const MapFile& map) {
        return map.notes.at(0).find("is set and wins over") != std::string::npos;
    };
    CHECK(read("g.yaml", {}).walls.cells() == Cells{0, 1, 1, 1});
    CHECK(!wins(read("g.yaml", {})));
    CHECK(read("g.yaml", set("negate", true)).walls.cells() == Cells{1, 1, 1, 0});
    CHECK(read("g.yaml", set("negate", true)).notes.at(0) ==
          fmt::format("map.negate = true is set and wins over negate: false of {}", folder / "g.yaml"));
    CHECK(read("g.yaml", set("free_thresh", 0.5)).walls.cells() == Cells{0, 0, 1, 1});
    std::vector<Setting> both = set("free_thresh", 0.5);
    both.push_back({"occupied_thresh", 0.3, "--set"});
    CHECK(read("g.yaml", both).walls.cells() == Cells{0, 1, 1, 1});
    const MapFile coarse = read("g.yaml", set("cell_m", 0.2));
    CHECK(coarse.walls.lattice().cell_m == 0.2);
    CHECK(coarse.origin == Pose{1, 2, 0});
    CHECK(wins(coarse));
    CHECK(!wins(read("g.yaml", set("cell_m", 0.05))));

    const MapFile image = read("g.pgm", {});
    CHECK(image.walls == read("g.yaml", {}).walls);
    CHECK(image.notes.at(0) == fmt::format("{}: read by {} beside it", folder / "g.pgm", folder / "g.yaml"));
    CHECK(read("g.pgm", set("cell_m", 0.2)).walls.lattice().cell_m == 0.2);
    // One that is of another image, or of nothing, is not used.
    std::filesystem::copy(folder / "g.pgm", folder / "h.pgm");
    std::filesystem::copy(folder / "g.yaml", folder / "h.yaml");
    const MapFile other = read("h.pgm", {});
    CHECK(other.walls.lattice().cell_m == 0.1);
    CHECK(other.notes.at(0).find("h.yaml beside it is of another image, g.pgm, and is not used") != std::string::npos);
    write_text(folder / "h.yaml", "robots: 3\n");
    CHECK(read("h.pgm", {}).notes.at(0).find("is not used") != std::string::npos);
}

TEST_CASE("unknown cells of a .yaml map are counted and named; the mode of the file and its transparency hold") {
    const TemporaryFolder folder;
    using Cells = std::vector<std::uint8_t>;
    const auto read = [&](const std::string& more, std::vector<Setting> settings = {}) {
        write_text(folder / "u.yaml", "image: u.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n" + more);
        MapOptions options;
        SettingReader reader(settings);
        options.fields(reader);
        options.take_given(settings);
        return read_map(options, folder / "u.yaml");
    };
    const auto said = [](const MapFile& map, const std::string& part) {
        return std::count_if(map.notes.begin(), map.notes.end(),
                             [&](const std::string& note) { return note.find(part) != std::string::npos; });
    };
    const std::vector<Setting> wall{{"unknown", std::string("wall"), "--set"}},
        free{{"unknown", std::string("free"), "--set"}};
    // The grey of map savers, and a threshold that makes it free.
    write_text(folder / "u.pgm", std::string("P5\n4 1\n255\n") + "\xfe\xcd\xcd" + '\x00');
    CHECK(read("").walls.cells() == Cells{0, 1, 1, 1});
    CHECK(said(read(""), "1 cells are free, 1 wall, 2 (50 %) unknown, which count as walls") == 1);
    CHECK(read("").notes.size() == 1);
    const MapFile open = read("free_thresh: 0.25\n");
    CHECK(open.walls.cells() == Cells{0, 0, 0, 1});
    CHECK(said(open,
               "2 cells (50 %) have the grey that map savers write for unknown (205), but free_thresh = 0.25 "
               "makes them free; --set map.unknown=wall") == 1);
    CHECK(read("free_thresh: 0.25\n", wall).walls.cells() == Cells{0, 1, 1, 1});
    CHECK(read("free_thresh: 0.25\n", free).walls.cells() == Cells{0, 0, 0, 1});
    CHECK(said(read("free_thresh: 0.25\n", free), "map savers") == 0);
    const std::vector<Setting> outside{{"unknown", std::string("outside"), "--set"}};
    for (const char* yaml : {"", "free_thresh: 0.25\n"}) {
        CHECK(read(yaml, outside).walls.cells() == Cells{0, 0, 0, 1});
        CHECK(read(yaml, outside).outside == Cells{0, 1, 1, 0});
        CHECK(said(read(yaml, outside), "2 (50 %) unknown, which count as free, but not in the region") == 1);
    }
    CHECK(read("", free).outside.empty());
    // Probabilities: by trinary unknown, by scale free where a wall is less likely than not.
    write_text(folder / "u.pgm", std::string("P5\n5 1\n255\n") + "\xfe\xc0\xb0\x60" + '\x00');
    CHECK(read("").walls.cells() == Cells{0, 1, 1, 1, 1});
    CHECK(said(read(""), "3 of the unknown cells (60 %) are of the greys 96 to 192") == 1);
    CHECK(read("", {{"free_thresh", 0.5, "--set"}, wall[0]}).walls.cells() == Cells{0, 0, 0, 1, 1});
    CHECK(read("mode: scale\n").walls.cells() == Cells{0, 0, 0, 1, 1});
    // No unknown cells: nothing to say.
    write_text(folder / "u.pgm", std::string("P5\n2 1\n255\n") + '\xfe' + '\x00');
    for (const char* mode : {"", "mode: scale\n"}) CHECK(read(mode).notes.empty());
    CHECK(said(read("", outside), "no cell is unknown: map.unknown = outside leaves none out") == 1);

    // The same grey in an image without a .yaml: free, unless somebody says what it is.
    write_text(folder / "alone.pgm", std::string("P5\n4 1\n255\n") + "\xfe\xcd\xcd" + '\x00');
    MapOptions alone;
    CHECK(said(read_map(alone, folder / "alone.pgm"), "but an image without a .yaml has them free") == 1);
    alone.given = {"unknown"};
    CHECK(read_map(alone, folder / "alone.pgm").walls.cells() == Cells{0, 1, 1, 1});
    alone.unknown = Unknown::free;
    CHECK(read_map(alone, folder / "alone.pgm").walls.cells() == Cells{0, 0, 0, 1});
    CHECK(read_map(alone, folder / "alone.pgm").notes.empty());
    alone.unknown = Unknown::outside;
    CHECK(read_map(alone, folder / "alone.pgm").walls.cells() == Cells{0, 0, 0, 1});
    CHECK(read_map(alone, folder / "alone.pgm").outside == Cells{0, 1, 1, 0});

    // White, white but transparent, black, black but transparent.
    write_text(folder / "a.png", png(4, 1, 8, 4, "\0\xff\xff\xff\0\0\xff\0\0"s));
    const auto transparent = [&](const std::string& more) {
        write_text(folder / "a.yaml", "image: a.png\nresolution: 0.1\n" + more);
        MapOptions options;
        options.unknown = Unknown::free;
        return read_map(options, folder / "a.yaml");
    };
    // Trinary: 255, (3 * 255 + 0) / 4 = 191: unknown, (0 + 255) / 4 = 64: wall, 0: wall.
    CHECK(transparent("").walls.cells() == Cells{0, 0, 1, 1});
    CHECK(said(transparent(""), "2 cells are transparent: as in map_server, alpha counts as a fourth colour") == 1);
    CHECK(said(transparent(""), "1 cells are free, 2 wall, 1 (25 %) unknown") == 1);
    CHECK(transparent("mode: scale\n").walls.cells() == Cells{0, 0, 1, 0});
    CHECK(said(transparent("mode: scale\n"), "1 cells are free, 1 wall, 2 (50 %) unknown") == 1);
}

TEST_CASE("images are read by what they are, whatever they are called; others are refused by what they are") {
    const TemporaryFolder folder;
    using Cells = std::vector<std::uint8_t>;
    const auto cells_of = [&](const std::string& name, const std::string& bytes) {
        write_text(folder / name, bytes);
        MapOptions options;
        return read_map(options, folder / name).walls.cells();
    };
    CHECK(cells_of("png.pgm", png(2, 1, 8, 0, "\0\xff\0"s)) == Cells{0, 1});
    CHECK(cells_of("pgm.png", "P5\n2 1\n255\n\xff\0"s) == Cells{0, 1});
    CHECK(cells_of("bits.pbm", "P4\n10 2\n\x80\x40\x00\x00"s) ==
          Cells{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    CHECK(cells_of("text.pbm", "P1\n# by hand\n3 1\n01\n0\n") == Cells{0, 1, 0});
    CHECK(cells_of("c.ppm", "P6\n2 1\n255\n\xff\xff\xff\0\0\0"s) == Cells{0, 1});
    CHECK(cells_of("c3.ppm", "P3\n2 1\n9\n9 9 9 0 0 0\n") == Cells{0, 1});
    // One white pixel and a black one, rows padded to four bytes.
    const std::string bmp = "BM\x3e\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\2\0\0\0\1\0\0\0\1\0\x18\0\0\0\0\0\x08"s +
                            std::string(19, '\0') + "\xff\xff\xff\0\0\0\0\0"s;
    CHECK(cells_of("m.bmp", bmp) == Cells{0, 1});
    CHECK(cells_of("bmp.png", bmp) == Cells{0, 1});
    CHECK(cells_of("m.tga", "\0\0\3\0\0\0\0\0\0\0\0\0\2\0\1\0\x08\0\xff\0"s) == Cells{0, 1});
    const auto refused = [&](const std::string& name, const std::string& bytes, const std::string& part) {
        CHECK_THROWS_WITH_AS(cells_of(name, bytes), doctest::Contains(part.c_str()), Error);
    };
    refused("t.tif", "II*\0\0\0\0\0"s, "it is a TIFF or GeoTIFF; gdal_translate");
    refused("cut.bmp", bmp.substr(0, 30), "cut.bmp: cannot be decoded");
    refused("m.dat", "nothing known", "not a PNG image");
}

TEST_CASE("damaged maps of other formats are refused with what was expected") {
    const TemporaryFolder folder;
    const auto error = [&](const std::string& name, const std::string& text) -> std::string {
        write_text(folder / name, text);
        try {
            MapOptions options;
            read_map(options, folder / name);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(has(error("a.txt", "010\n01\n"), "a.txt:2: a row of 2 cells; expected 3"));
    CHECK(has(error("a.txt", "010\n0x0\n"), "a.txt:2: 'x' is cell 2 of the row; expected 0 (free) or 1 (wall)"));
    CHECK(has(error("a.txt", ""), "expected rows of 0"));
    CHECK(has(error("a.txt", "11\n11\n"), "no free cell"));
    CHECK(
        has(error("a.map", "type octile\nheight 3\nwidth 2\nmap\n..\n..\n"), "2 rows of 2 cells; its head says 2 x 3"));
    CHECK(has(error("a.map", "hello\n"), "a.map:1: 'hello': expected type, height, width or map"));
    CHECK(has(error("a.map", "type octile\nheight 99999\nwidth 2\nmap\n"), "expected 1 to 65535 on a side"));
    CHECK(has(error("a.pgm", "P7\n1 1\n255\nabc"), "neither P5 nor P2"));
    CHECK(has(error("a.pgm", "P6\n2 1\n255\nabc"), "truncated PPM"));
    CHECK(has(error("a.pgm", "P1\n2 1\n12\n"), "damaged PBM: expected 0 or 1 at byte 8"));
    CHECK(has(error("a.pgm", "P5\n10 10\n255\nabc"), "truncated PGM"));
    CHECK(has(error("a.pgm", "P5\n70000 70000\n255\n"), "expected 1 to 65535 on a side"));
    CHECK(has(error("a.pgm", "P2\n2 1\n255\n3"), "PGM"));
    CHECK(has(error("a.pgm", "P2\n1 1\n10\n11\n"), "a value of 11 above the largest, 10"));
    CHECK(has(error("a.yaml", "image: [\n"), "a.yaml:"));
    CHECK(has(error("a.yaml", "resolution: 0.1\n"), "no 'image'"));
    CHECK(has(error("a.yaml", "image: none.pgm\nresolution: 0.1\n"), "none.pgm: cannot be read"));
    CHECK(has(error("a.yaml", "image: none.pgm\nresolution: wide\n"),
              "a.yaml:2:13: resolution: expected metres per cell"));
    CHECK(has(error("a.yaml", "image: none.pgm\nresolution: -1\n"), "expected 0.001 to 100"));
    CHECK(has(error("a.yaml", "image: none.pgm\nresolution: 0.1\norigin: 3\n"), "origin: expected [x, y, yaw]"));
    CHECK(has(error("a.yaml", "image: none.pgm\nresolution: 0.1\norigin: [.nan, 0, 0]\n"), "expected [x, y, yaw]"));
    CHECK(has(error("a.yaml", "image: none.pgm\nresolution: 0.1\nnegate: 2\n"), "a.yaml:3:9: negate: expected 0 or 1"));
}

}  // namespace test_image
