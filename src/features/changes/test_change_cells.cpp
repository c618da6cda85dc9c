// Shapes of a change: rectangles, polygons, masks, runs of cells.
#include <algorithm>

#include "base/image.hpp"
#include "features/changes/change_cells.hpp"
#include "features/changes/scenario.hpp"
#include "helpers.hpp"
#include "outrider/error.hpp"

using namespace outrider;

namespace test_change_cells {
namespace {

const std::vector<std::string> room{"##########", "#........#", "#.B......#", "#........#", "#........#", "##########"};

std::vector<Cell> sorted(std::vector<Cell> cells) {
    std::sort(cells.begin(), cells.end());
    return cells;
}

ChangeEntry polygon(const std::string& corners) {
    ChangeEntry change;
    change.polygon = corners;
    change.where = "here";
    return change;
}

TEST_CASE("a polygon holds the cells whose middles lie in it, a rectangle written as one those of the rectangle") {
    const Grid<std::uint8_t> walls(40, 30, 0, Lattice{0.1});
    ChangeEntry rectangle;
    rectangle.x_m = 0.5;
    rectangle.y_m = 1;
    rectangle.width_m = 1.2;
    rectangle.height_m = 0.7;
    CHECK(sorted(cells_of(rectangle, walls)) == sorted(cells_of(polygon("0.5 1, 1.7 1, 1.7 1.7, 0.5 1.7"), walls)));

    // A triangle, against the sides on which the middles lie; in both directions.
    const auto side = [](Point a, Point b, Point p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); };
    const Point a{0.31, 0.2}, b{3.7, 0.93}, c{1.1, 2.8};
    std::vector<Cell> expected;
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Point p = walls.lattice().centre(walls.cell(i));
        if (side(a, b, p) > 0 && side(b, c, p) > 0 && side(c, a, p) > 0) expected.push_back(walls.cell(i));
    }
    CHECK(expected.size() > 300);
    CHECK(sorted(cells_of(polygon("0.31 0.2, 3.7 0.93, 1.1 2.8"), walls)) == sorted(expected));
    CHECK(sorted(cells_of(polygon("1.1 2.8, 3.7 0.93, 0.31 0.2"), walls)) == sorted(expected));
    // A corner that turns inwards, and one outside of the map.
    CHECK(cells_of(polygon("0 0, 0.4 0, 0.4 0.4, 0.2 0.2, 0 0.4"), walls).size() == 12);
    CHECK(cells_of(polygon("3.8 2.8, 9 2.8, 9 9, 3.8 9"), walls).size() == 4);
}

TEST_CASE("a mask is read once and kept as runs of cells, which say the same again") {
    const TemporaryFolder folder;
    const Grid<std::uint8_t> walls = text_map(room);
    std::vector<std::uint8_t> pixels(60, 255);
    for (const int at : {22, 23, 24, 33, 47}) pixels[static_cast<std::size_t>(at)] = 0;  // from above
    const auto write = [&](const std::string& name, int width, int height, std::vector<std::uint8_t> values) {
        write_text(folder / name, encode_png(Raster{width, height, 1, std::move(values)}));
    };
    write("mask.png", 10, 6, pixels);
    std::vector<std::uint8_t> map(60);
    for (std::size_t i = 0; i < 60; ++i) map[i] = room[i / 10][i % 10] == '#' ? 0 : 255;
    write("map.png", 10, 6, map);
    const std::string toml =
        "[map]\nfile = \"map.png\"\ncell_m = 0.1\n[team]\nrobots = 1\n[[base]]\nx_m = 0.25\ny_m = 0.35\n"
        "[[change]]\nmask = \"mask.png\"\nat = 5\n";
    Notes notes;
    const Scenario s = parse_scenario(toml, "test", folder.path(), {}, notes);
    CHECK(s.lists.get<ChangeEntry>().at(0).cells == "7 1 1, 3 2 1, 2 3 3");
    CHECK(s.lists.get<ChangeEntry>().at(0).mask.empty());
    const std::vector<Cell> cells{{7, 1}, {3, 2}, {2, 3}, {3, 3}, {4, 3}};
    CHECK(changes_of(s).at(0).cells == cells);
    const Scenario again = make_scenario(parse_config(s.resolved(), "log"), "test", s.walls, notes);
    CHECK(changes_of(again).at(0).cells == cells);
    CHECK(again.hash() == s.hash());

    write("small.png", 6, 10, pixels);
    write("white.png", 10, 6, std::vector<std::uint8_t>(60, 255));
    const auto refused = [&](const std::string& mask, const char* message) {
        const std::string other = toml.substr(0, toml.find("mask.png")) + mask + "\"\nat = 5\n";
        CHECK_THROWS_WITH_AS(parse_scenario(other, "test", folder.path(), {}, notes), doctest::Contains(message),
                             Error);
    };
    refused("small.png", "6 x 10 pixels, but the map has 10 x 6 cells");
    refused("white.png", "no dark pixel");
    refused("none.png", "none.png");
    CHECK_THROWS_WITH_AS(text_scenario(room, "[[change]]\nmask = \"mask.png\"\nat = 5\n"),
                         doctest::Contains("an image belongs to the map of one scenario file"), Error);
}

TEST_CASE("bad shapes of a change") {
    const std::pair<const char*, const char*> refused[] = {
        {"", "none of a rectangle (x_m, y_m, width_m, height_m), polygon, mask and cells; expected one"},
        {"x_m = 0.1\ny_m = 0.1\nwidth_m = 0.2\n", "no height_m"},
        {"polygon = \"0 0, 1 0, 1 1\"\ncells = \"1 1 2\"\n", "several of a rectangle"},
        {"polygon = \"0 0, 1 0\"\n", "expected at least three corners"},
        {"polygon = \"0 0, 1, 1 1\"\n", "polygon: ' 1': expected 2 numbers"},
        {"polygon = \"0 0, 1 x, 1 1\"\n", "polygon: ' 1 x': expected 2 numbers"},
        {"polygon = \"8 8, 9 8, 9 9\"\n", "no middle of a cell of the map lies in it"},
        {"cells = \"1 1\"\n", "cells: '1 1': expected 3 numbers"},
        {"cells = \"1 1 0\"\n", "a run of 0 cells from (1, 1)"},
        {"cells = \"1 99 2\"\n", "no middle of a cell of the map lies in it"}};
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(text_scenario(room, std::string("[[change]]\nat = 3\n") + entry.first),
                             doctest::Contains(entry.second), Error);
    }
}

}  // namespace
}  // namespace test_change_cells
