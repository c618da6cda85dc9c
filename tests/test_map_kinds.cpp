// Maps of other programs: HouseExpo, SVG, Stage; and files that are none.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "helpers.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "sensor_log/recording_formats.hpp"
#include "slam/pose_graph/g2o.hpp"
#include "world/map_kinds.hpp"
#include "world/plan_lines.hpp"
#include "world/stage_world.hpp"

using namespace outrider;

namespace test_map_kinds {

/// A map of a file with this content, whatever its name.
MapFile map_of(const std::string& name, const std::string& bytes, MapOptions options = {}) {
    const TemporaryFolder folder;
    write_text(folder / name, bytes);
    return read_map(options, folder / name);
}

double free_m2(const MapFile& map) {
    const double cell_m = map.walls.lattice().cell_m;
    return static_cast<double>(std::ranges::count(map.walls.cells(), 0)) * cell_m * cell_m;
}

std::string svg(const std::string& shapes, const std::string& attributes = "viewBox='0 0 40 30'") {
    return "<?xml version='1.0'?>\n<!-- a plan -->\n<svg xmlns='http://www.w3.org/2000/svg' " + attributes + ">\n" +
           shapes + "\n</svg>\n";
}

/// Not where it was built without expat.
bool reads_svg() {
    try {
        map_of("p.svg", svg("<line x2='9'/>"));
    } catch (const Error& error) {
        return std::string(error.what()).find("without expat") == std::string::npos;
    }
    return true;
}

TEST_CASE("a line marks the cells that it touches, and no others") {
    Rng rng(1, 0, Purpose::placement, 0);
    const auto random = [&] { return -4 + 0.001 * static_cast<double>(rng.below(28'000)); };
    for (int round = 0; round < 300; ++round) {
        Point a{random(), random()}, b{random(), random()};
        if (round % 5 == 0) b.x = a.x;
        if (round % 7 == 0) b.y = a.y;
        Grid<std::uint8_t> walls(20, 17);
        draw_line(walls, a, b);
        Grid<std::uint8_t> near = walls;  // by places along it
        for (auto& cell : near.cells()) cell = 0;
        for (int i = 0; i <= 20'000; ++i) {
            const Point p = a + (b - a) * (i / 20'000.0);
            const Cell c{static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y))};
            if (p.x >= 0 && p.y >= 0 && p.x < 20 && p.y < 17) near[c] = 1;
        }
        int missing = 0, more = 0;
        for (int y = 0; y < 17; ++y)
            for (int x = 0; x < 20; ++x) {
                missing += near[{x, y}] && !walls[{x, y}];
                more += walls[{x, y}] && !near[{x, y}];
            }
        CAPTURE(round);
        CHECK(missing == 0);
        CHECK(more <= 2);  // touched at a corner alone
    }
    Grid<std::uint8_t> edge(4, 3);
    draw_line(edge, {4, 3}, {4, 0});  // the right edge is the last column
    CHECK(std::ranges::count(edge.cells(), 1) == 3);
    CHECK(draw_line(edge, {-5, -1}, {-1, 9}) == 0);
}

TEST_CASE("a house of HouseExpo is free inside its outline") {
    const std::string house =
        R"({"id": "a", "room_num": 1, "bbox": {"min": [1, 2], "max": [11, 10]},
            "verts": [[1, 2], [11, 2], [11, 10], [5, 10], [5, 7], [1, 7]]})";
    const MapFile map = map_of("house.dat", house);
    CHECK(free_m2(map) == doctest::Approx(10 * 8 - 4 * 3));
    CHECK(map.walls.width() == 102);
    CHECK(map.walls.height() == 82);
    CHECK(map.origin.x == doctest::Approx(0.9));
    CHECK(map.origin.y == doctest::Approx(1.9));
    MapOptions coarse;
    coarse.cell_m = 0.5;
    CHECK(free_m2(map_of("house.json", house, coarse)) == doctest::Approx(68));
    const auto refused = [](const std::string& text, const char* why) {
        CHECK_THROWS_WITH_AS(map_of("h.json", text), doctest::Contains(why), Error);
    };
    refused(house.substr(0, house.size() - 9), "h.json");
    refused(R"({"verts": []})", "expected three places");
    refused(R"({"verts": [[0, 0], [1, 0], [1]]})", "verts[2]: expected two numbers");
    refused(R"({"verts": [[0, 0], [1, 0], [1, "1"]]})", "verts[2]: expected two numbers");
    refused(R"({"verts": [[0, 0], [1e9, 0], [1, 1]]})", "verts[1]");
    refused(R"({"verts": [[0, 0], [99999, 0], [1, 99999]]})", "expected 1 to 65535 on a side");
    refused(R"({"verts": [[0, 0], [9, 0], [9, 9]], "bbox": {"min": [0, 0], "max": [900, 900]}})",
            "bbox.max is [900, 900], but verts reach [9, 9]");
    refused(R"({"verts": [[0, 0], [9, 0], [9, 9]], "bbox": 4})", "bbox.min: expected");
    refused(R"({"verts": [[0, 0], [0, 0], [0, 0]]})", "no free cell");
}

TEST_CASE("outlines of an SVG are walls") {
    if (!reads_svg()) return;
    const MapFile room = map_of("p.svg", svg("<rect x='0' y='0' width='40' height='30'/>"));
    CHECK(room.walls.width() == 40);
    CHECK(room.walls.height() == 30);
    CHECK(std::ranges::count(room.walls.cells(), 0) == 38 * 28);
    REQUIRE(!room.notes.empty());
    CHECK(room.notes[0].find("a unit is a cell") != std::string::npos);

    // The same square by every shape, turned and moved, is in the same cells.
    const auto cells = [](const std::string& shapes) { return map_of("p.svg", svg(shapes)).walls.cells(); };
    const auto square = cells("<rect x='5.5' y='4.5' width='10' height='20'/>");
    for (const char* same :
         {"<path d='M5.5 4.5h10v20h-10z'/>", "<path d='m5.5,4.5 10,0,0,20-10,0Z'/>",
          "<path d='M5.5 4.5H15.5V24.5H5.5Z'/>", "<polygon points='5.5,4.5 15.5,4.5 15.5,24.5 5.5,24.5'/>",
          "<polyline points='5.5 4.5 15.5 4.5 15.5 24.5 5.5 24.5 5.5 4.5'/>",
          "<g transform='translate(5.5,4.5) scale(2)'><rect width='5' height='10'/></g>",
          "<g transform='translate(15.5 4.5)'><rect width='20' height='10' transform='rotate(90)'/></g>",
          "<line x1='5.5' y1='4.5' x2='15.5' y2='4.5'/><line x1='15.5' y1='4.5' x2='15.5' y2='24.5'/>"
          "<line x1='15.5' y1='24.5' x2='5.5' y2='24.5'/><line x1='5.5' y1='24.5' x2='5.5' y2='4.5'/>"}) {
        CAPTURE(same);
        CHECK(cells(same) == square);
    }
    CHECK(cells("<rect x='5.5' y='4.5' width='10' height='20'/><defs><rect width='40' height='9'/></defs>"
                "<g style='display:none'><circle cx='9' cy='9' r='3'/></g>") == square);
    // y is down in the file and up on the map.
    const MapFile low = map_of("p.svg", svg("<line x1='0' y1='29.5' x2='40' y2='29.5'/>"));
    CHECK(std::all_of(low.walls.cells().begin(), low.walls.cells().begin() + 40, [](auto c) { return c == 1; }));
    CHECK(std::ranges::count(low.walls.cells(), 1) == 40);

    // A circle by each kind of curve.
    for (const char* circle :
         {"<circle cx='20' cy='15' r='10'/>", "<ellipse cx='20' cy='15' rx='10' ry='10'/>",
          "<path d='M10 15a10 10 0 0 1 20 0A10 10 0 1 1 10 15'/>",
          "<path d='M30 15A10 10 0 10 20 25 10 10 0 00 30 15'/>",
          "<path d='M10 15C10 9.477 14.477 5 20 5S30 9.477 30 15 25.523 25 20 25 10 20.523 10 15'/>"}) {
        CAPTURE(circle);
        const MapFile map = map_of("p.svg", svg(circle));
        int walls = 0;
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x) {
                if (!map.walls[{x, y}]) continue;
                ++walls;
                CHECK(std::abs(distance({x + 0.5, y + 0.5}, {20, 15}) - 10) < 0.85);
            }
        CHECK(walls >= 60);
    }

    // A drawing as large as the building has units of its own.
    const MapFile metres = map_of("p.svg", svg("<rect width='12000' height='8000'/>",
                                               "width='12000mm' height='8000mm' viewBox='0 0 12000 8000'"));
    CHECK(metres.walls.width() == 120);
    CHECK(metres.walls.height() == 80);
    CHECK(metres.notes[0].find("a unit is 0.001 m") != std::string::npos);
    CHECK(map_of("p.svg", svg("<path d='M3 4h6v6'/><use/><text>x</text>", "")).walls.width() == 6);
}

TEST_CASE("an SVG that cannot be is refused with its line") {
    if (!reads_svg()) return;
    const auto refused = [](const std::string& text, const char* why) {
        CAPTURE(text.substr(0, 200));
        CHECK_THROWS_WITH_AS(map_of("p.svg", text), doctest::Contains(why), Error);
    };
    const std::string whole = svg("<path d='M0 0L9 9'/>");
    refused(whole.substr(0, whole.size() - 9), "p.svg:4: damaged SVG");
    refused(svg("<path d='M0 0L9'/>"), "p.svg:4: expected a number");
    refused(svg("<path d='L9 9'/>"), "p.svg:4: d: expected M first");
    refused(svg("<path d='M1 1 X'/>"), "is no command of a path");
    refused(svg("<path d='M1 1 z 4'/>"), "expected a command");
    refused(svg("<path d='M1 1A1 1 0 2 0 3 3'/>"), "expected a flag");
    refused(svg("\n<path d='M0 0L1e300 9'/>"), "p.svg:5: expected a number of at most");
    refused(svg("<line x1='nan' x2='3'/>"), "p.svg:4: expected a number");
    refused(svg("<line x1='3cm' x2='3'/>"), "x1 = 3cm: expected a number without unit");
    refused(svg("<g transform='turn(3)'><line x2='3'/></g>"), "transform: 'turn' with 1 numbers");
    refused(svg("<g transform='scale(3'><line x2='3'/></g>"), "transform: expected numbers and ')'");
    refused(svg("<g transform='scale(1e7)'><g transform='scale(1e7)'><line x2='3'/></g></g>"), "too far away");
    refused(svg("<path d='M0 0h9'/>", "viewBox='0 0 0 9'"), "expected a width and a height above 0");
    refused(svg("<path d='M0 0h9'/>", "viewBox='0 0 1000000 9'"), "expected 1 to 65535 on a side");
    refused(svg("<image width='9' height='9'/>"), "an SVG without lines, but with 1 <image>");
    std::string deep;
    for (int i = 0; i < 300; ++i) deep += "<g>";
    refused(svg(deep), "more than 256 levels");
    refused("<html><body><svg/></body></html>", "expected <svg>, not <html>");
}
const char* stage_text =
    "# a world\ninclude \"robots.inc\"\ndefine map model ( color \"gray\" boundary 1 )\nresolution 0.02 interval_sim "
    "100\n"
    "window ( size [ 600 400 ] scale 20 )\n"
    "map ( name \"cave\" bitmap \"cave.pgm\" size [10.0 5.0 1.0] pose [1 2 0 0] )\n"
    "pioneer ( name \"r0\" pose [-2.75 2.25 0 90] color \"red\" laser ( range [0 8] ) )\n"
    "pioneer ( pose [-1.75 2.25 0 0] )\nmodel ( name \"box\" pose [0 0 0 0] size [1 1 1] )\n";

/// 20 x 10 pixels with a wall around.
std::string stage_image() {
    std::string text = "P2\n20 10\n1\n";
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 20; ++x) text += x == 0 || y == 0 || x == 19 || y == 9 ? "0 " : "1 ";
    return text;
}

TEST_CASE("a world of Stage is its image, as large and where it says, with its robots") {
    const TemporaryFolder folder;
    write_text(folder / "cave.world", stage_text);
    write_text(folder / "cave.pgm", stage_image());
    write_text(folder / "robots.inc", "define pioneer position ( size [0.4 0.4 0.2] )\n");
    MapOptions options;
    const MapFile map = read_map(options, folder / "cave.world");
    CHECK(options.cell_m == 0.5);
    CHECK(free_m2(map) == doctest::Approx(9 * 4));
    CHECK(map.origin == Pose{-4, -0.5, 0});
    CHECK(map.notes.empty());
    ScenarioFlags flags;
    flags.scenario = folder / "cave.world";
    Notes notes;
    const Scenario scenario = scenario_from(flags, notes);
    CHECK(scenario.team.robots == 2);
    const auto robot = std::ranges::find(scenario.robots, "r0", &RobotEntry::name);
    REQUIRE(robot != scenario.robots.end());
    CHECK(robot->x_m == doctest::Approx(1.25));
    CHECK(robot->y_m == doctest::Approx(2.75));
    CHECK(robot->yaw_deg == doctest::Approx(90));
    CHECK(scenario.map_origin == Pose{-4, -0.5, 0});

    // Robots of types that nothing defines, since Stage's own files are not there.
    std::filesystem::remove(folder / "robots.inc");
    const StageWorld without = read_stage_world(folder / "cave.world");
    CHECK(without.robots.size() == 2);
    REQUIRE(without.notes.size() == 1);
    CHECK(without.notes[0].find("cave.world:2: robots.inc is not there") != std::string::npos);

    MapOptions set;
    set.cell_m = 0.25;
    set.given = {"cell_m"};
    const MapFile finer = read_map(set, folder / "cave.world");
    CHECK(finer.walls.lattice().cell_m == 0.25);
    CHECK(std::ranges::any_of(finer.notes, [](const auto& n) { return n.find("wins over the size") != n.npos; }));
}

TEST_CASE("a world of Stage that cannot be is refused with file and line") {
    const TemporaryFolder folder;
    write_text(folder / "cave.pgm", stage_image());
    const auto refused = [&](const std::string& text, const char* why) {
        CAPTURE(text);
        write_text(folder / "s.world", text);
        MapOptions options;
        CHECK_THROWS_WITH_AS(read_map(options, folder / "s.world"), doctest::Contains(why), Error);
    };
    refused("floorplan ( bitmap \"cave.pgm\"\n size [10 5 1]",
            "s.world:2: expected ')' at the end of floorplan, but the file ends");
    refused("floorplan ( bitmap \"cave.pgm\"\n size [10 5", "but the file ends");
    refused("floorplan ( bitmap \"cave.pgm )", "a text without its closing quote");
    refused("floorplan ( bitmap \"cave.pgm\" )", "s.world:1: a model with a bitmap: expected size");
    refused("floorplan ( bitmap \"cave.pgm\"\nsize [0 5 1] )", "s.world:2: a model with a bitmap: expected size");
    refused("floorplan ( bitmap \"cave.pgm\" size [1e9 1e9 1] )", "at most 100000");
    refused("floorplan ( bitmap \"cave.pgm\" size [1e999 5 1] )", "expected a number");
    refused("floorplan ( bitmap \"cave.pgm\" size [10 10 1] )", "cells of 0.5 x 1 m; expected squares");
    refused("floorplan ( bitmap \"gone.pgm\" size [10 5 1] )", "s.world:1: bitmap: ");
    refused("floorplan ( bitmap \"cave.pgm\" size [10 5 1] pose [1 2] )", "pose: expected [x y z yaw]");
    refused("define a b ( )\ndefine b a ( )\na ( )", "is defined by itself");
    refused("define a position ( size [1 1 1] )\n", "a world of Stage without a map");
    refused("include \"s.world\"\nfloorplan ( bitmap \"cave.pgm\" size [10 5 1] )",
            "more than 8 files within each other");
    std::string deep = "model";
    for (int i = 0; i < 100; ++i) deep += " ( model";
    refused(deep + " bitmap", "more than 32 models within each other");
}

TEST_CASE("files that are no maps are refused by what they are, whatever they are called") {
    using namespace std::string_literals;
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& bytes, const char* what) {
        for (const char* name : {"f.png", "f.map", "f.txt", "f"}) {
            CAPTURE(name);
            CAPTURE(what);
            write_text(folder / name, bytes);
            MapOptions options;
            CHECK_THROWS_WITH_AS(read_map(options, folder / name), doctest::Contains(what), Error);
            if (std::string(name) != "f") continue;
            ScenarioFlags flags;
            flags.scenario = folder / name;
            Notes notes;
            CHECK_THROWS_WITH_AS(scenario_from(flags, notes), doctest::Contains(what), Error);
        }
    };
    refused("II*\0\x08\0\0\0"s, "it is a TIFF or GeoTIFF; gdal_translate");
    refused("%PDF-1.4\n", "it is a PDF; pdftoppm");
    refused("AC1027\0\0"s, "DWG");
    refused("  0\nSECTION\n  2\nHEADER\n  9\n", "DXF");
    refused("ISO-10303-21;\nHEADER;\n", "IFC");
    refused("<?xml version=\"1.0\"?>\n<sdf version=\"1.6\"><world name=\"w\">", "a world of Gazebo");
    refused("<osm version=\"0.6\">", "OpenStreetMap");
    refused("<!DOCTYPE html><html></html>", "a web page");
    refused("<?xml version=\"1.0\"?><CityModel/>", "CityGML");
    refused("{\"type\": \"FeatureCollection\", \"features\": []}", "GeoJSON");
    refused("{\"rooms\": 3}", "JSON without the verts");
    refused("\x93NUMPY\1\0"s, "numpy");
    refused("# .PCD v0.7\n", "a cloud of points");
    refused("PK\x03\x04zip", "compressed");
    refused("SQLite format 3\0"s, "a database");
    refused("FLASER 3 1 1 1 0 0 0 0 0 0 1 h 1\n", "the recording of a robot");
    refused("#ROSBAG V2.0\n", "the recording of a robot");
    CHECK(foreign_file("nothing that anybody knows").empty());
    CHECK(foreign_file("[map]\nfile = \"x.png\"\n").empty());
}

TEST_CASE("the lists of formats in the documentation are those of the readers") {
    // OUTRIDER_REGENERATE=1 writes it anew.
    const auto table = [](std::span<const FileFormat> formats) {
        std::string out = "| file | told by | what is read | what is not |\n|---|---|---|---|\n";
        for (const FileFormat& f : formats)
            out += fmt::format("| {} | {} | {} | {} |\n", f.name, f.told_by, f.taken, f.left_out);
        return out;
    };
    std::string others = "| what it is | what to do |\n|---|---|\n";
    for (const ForeignFormat& f : foreign_map_formats()) others += fmt::format("| {} | {} |\n", f.what, f.advice);
    const std::string path = OUTRIDER_SOURCE_DIR "/docs/formats.md";
    std::string wanted = read_text(path);
    for (const auto& [mark, text] : {std::pair<std::string, std::string>{"<!-- maps -->\n", table(map_formats())},
                                     {"<!-- others -->\n", others},
                                     {"<!-- recordings -->\n", table(recording_formats())},
                                     {"<!-- graphs -->\n", table(graph_formats())}}) {
        REQUIRE(wanted.find(mark) != std::string::npos);
        const std::size_t begin = wanted.find(mark) + mark.size(), end = wanted.find("<!-- end -->", begin);
        REQUIRE(end != std::string::npos);
        wanted.replace(begin, end - begin, text);
    }
    if (std::getenv("OUTRIDER_REGENERATE")) write_text(path, wanted);
    CHECK(read_text(path) == wanted);
}

}  // namespace test_map_kinds
