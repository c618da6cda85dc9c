#include "helpers.hpp"
#include "radio/links.hpp"
#include "world/sensable.hpp"

using namespace outrider;

namespace test_world {
namespace {

World world_with(const std::vector<std::string>& rows, Body body) { return World(text_map(rows), {body}, 1); }

Command drive(std::vector<Point> path, double speed = 1) {
    Command c;
    c.path_body = std::move(path);
    c.speed_mps = speed;
    return c;
}

const std::vector<std::string> hall{std::string(60, '.'), std::string(60, '.'), std::string(60, '.'),
                                    std::string(60, '.'), std::string(60, '.')};

}  // namespace

TEST_CASE("a body drives along its way as far as a step goes") {
    World w = world_with(hall, {.pose = {0.25, 0.25, 0}});
    Move m = w.move(0, drive({{3, 0}}));
    CHECK(m.delta.x == doctest::Approx(1));
    CHECK(w.body(0).pose.x == doctest::Approx(1.25));
    CHECK(w.body(0).travelled_m == doctest::Approx(1));
    CHECK_FALSE(m.bumped);
    m = w.move(0, drive({{0.3, 0}, {0.3, 0.1}}));  // two legs, shorter than a step; heading of the last
    CHECK(w.body(0).pose.x == doctest::Approx(1.55));
    CHECK(w.body(0).pose.y == doctest::Approx(0.35));
    CHECK(w.body(0).pose.yaw == doctest::Approx(pi / 2));
    m = w.move(0, {.path_body = {}, .final_heading = -pi / 2, .speed_mps = 1});
    CHECK(w.body(0).pose.yaw == doctest::Approx(0));
    CHECK(m.delta.x == 0);
    m = w.move(0, drive({{1, 0}}, 0.5));  // a speed below the body's own
    CHECK(m.delta.x == doctest::Approx(0.5));
    m = w.move(0, drive({{1, 0}}, 50));
    CHECK(m.delta.x == doctest::Approx(1));
}

TEST_CASE("a command that is no speed moves nothing, and one that is no place is refused") {
    World w = world_with(hall, {.pose = {0.25, 0.25, 0}});
    for (const double speed : {-2.0, 0.0, std::nan("")}) {
        CHECK(w.move(0, drive({{1, 0}}, speed)).delta.x == 0);
        CHECK(w.body(0).travelled_m == 0);
    }
    CHECK_THROWS_AS(w.move(0, drive({{std::nan(""), 0}})), CheckFailure);
}

TEST_CASE("the reported motion gives the new pose to the last bit") {
    World w = world_with(hall, {.pose = {0.25, 0.25, 0}});
    Rng rng(1, 0, Purpose::placement, 0);
    Pose belief = w.body(0).pose;
    for (int i = 0; i < 300; ++i) {
        Command c = drive({{rng.uniform(-2, 2), rng.uniform(-2, 2)}});
        if (i % 3 == 0) c.final_heading = rng.uniform(-3, 3);
        belief = compose(belief, w.move(0, c).delta);
        CHECK(belief == w.body(0).pose);
        CHECK_FALSE(w.field().wall(w.lattice().cell_of(belief.position())));
    }
}

TEST_CASE("a body stops before a wall, also at a corner and with a radius") {
    const std::vector<std::string> rows{"..........",  //
                                        "......#...",  //
                                        "..........",  //
                                        ".........."};
    World w = world_with(rows, {.pose = {0.05, 0.25, 0}});
    const Move m = w.move(0, drive({{0.95, 0}}));
    CHECK(m.bumped);
    CHECK(w.body(0).pose.x < 0.6);
    CHECK(w.body(0).pose.x > 0.59);
    World corner = world_with({"#.", ".#"}, {.pose = {0.05, 0.05, 0}});
    CHECK(corner.move(0, drive({{0.1, 0.1}})).bumped);  // never between two diagonal walls
    CHECK(corner.lattice().cell_of(corner.body(0).pose.position()) == Cell{0, 0});
    const std::vector<std::string> gate{"....#....", "....#....", ".........", "....#....", "....#...."};
    World slim = world_with(gate, {.pose = {0.25, 0.25, 0}});
    CHECK_FALSE(slim.move(0, drive({{0.5, 0}})).bumped);
    World stout = world_with(gate, {.pose = {0.25, 0.25, 0}, .radius_m = 0.1});
    CHECK(stout.move(0, drive({{0.5, 0}})).bumped);
    World border = world_with(gate, {.pose = {0.25, 0.25, 0}});
    CHECK(border.move(0, drive({{-0.9, 0}})).bumped);  // the edge of the map is a wall
    CHECK(border.body(0).pose.x > 0);
}

TEST_CASE("a differential drive pays for its turns") {
    World w = world_with(hall, {.pose = {2.05, 0.25, 0}, .kinematics = Kinematics::diff_drive, .turn_radps = pi});
    const Move m = w.move(0, drive({{0, 0.2}}));  // half a second to turn, 0.2 s to drive
    CHECK(m.delta.y == doctest::Approx(0.2));
    CHECK(w.body(0).pose.yaw == doctest::Approx(pi / 2));
    w.move(0, drive({{0, 2}}));  // a quarter turn again: half a second is left
    CHECK(w.body(0).travelled_m == doctest::Approx(0.2 + 0.5).epsilon(0.01));
    World slow = world_with(hall, {.pose = {2.05, 0.25, 0}, .kinematics = Kinematics::diff_drive, .turn_radps = 0.1});
    slow.move(0, drive({{-1, 0}}));
    CHECK(slow.body(0).travelled_m == 0);
    CHECK(std::abs(slow.body(0).pose.yaw) == doctest::Approx(0.1));
}

TEST_CASE("what can be sensed is what is connected; a disc also sees through gaps that it cannot pass") {
    const std::vector<std::string> rows{"###########",  //
                                        "#....#....#",  //
                                        "#....#....#",  //
                                        "#.........#",  //
                                        "#....#....#",  //
                                        "#....#....#",  //
                                        "#####.#####",  //
                                        "#...#######",  //
                                        "###########"};
    const Grid<std::uint8_t> walls = text_map(rows);
    const auto count = [&](const Grid<std::uint8_t>& g) { return std::count(g.cells().begin(), g.cells().end(), 1); };
    CHECK(count(sensable_cells(walls, {{{2, 4}, 0, 5}})) == 41);
    CHECK(count(connected_cells(walls, {{2, 4}})) == 41);
    const Grid<std::uint8_t> disc = sensable_cells(walls, {{{2, 5}, 0.1, 5}});
    CHECK(disc[{1, 7}] == 1);  // beside the wall: seen, though the body cannot stand there
    CHECK(disc[{9, 5}] == 1);  // straight through the gap
    CHECK(disc[{7, 7}] == 0);  // around the corner of the gap
    CHECK(disc[{2, 1}] == 0);  // another room
    CHECK(disc[{5, 2}] == 0);  // a pocket open to corners only
    const Grid<std::int32_t> labels = label_components(walls);
    CHECK(labels[{2, 4}] == labels[{9, 7}]);
    CHECK(labels[{2, 4}] != labels[{2, 1}]);
    CHECK(labels[{0, 0}] == 0);
}

TEST_CASE("a terrain gives back the walls that it was made of, and those that changed") {
    const Grid<std::uint8_t> walls = text_map({"#######", "#.....#", "#.#...#", "..#...."});
    const auto origin = Cell{-3, 2};
    Terrain terrain(walls, origin);
    Grid<std::uint8_t> expected = walls;
    expected.set_origin(origin);
    CHECK(terrain.walls() == expected);
    const std::vector<Cell> cells{{-2, 3}, {0, 2}};
    terrain.set(cells, true);
    for (const Cell c : cells) expected[c] = 1;
    CHECK(terrain.walls() == expected);
    CHECK(Terrain(terrain).walls() == expected);
    CHECK(terrain.reach({{3, 2}, 0, 5}).cells == connected_cells(expected, {{3, 2}}));
}

TEST_CASE("links follow their model, are symmetric, and join into components") {
    const Grid<std::uint8_t> walls = text_map({"....................",  //
                                               "..........#.........",  //
                                               "..........#.........",  //
                                               "..........#.........",  //
                                               "...................."});
    const WallField field(walls);
    const auto at = [](double x, double y, double range) { return Transceiver{{x, y}, range}; };
    RadioOptions radio;
    const auto linked = [&](std::vector<Transceiver> radios) {
        return !find_links(field, walls.lattice(), radio, radios).empty();
    };
    radio.model = RadioModel::circle;
    CHECK(linked({at(0.25, 0.25, 1.01), at(1.25, 0.25, 1.01)}));
    CHECK_FALSE(linked({at(0.25, 0.25, 1.0), at(1.25, 0.25, 1.0)}));
    radio.range_rule = RangeRule::sum;
    CHECK(linked({at(0.25, 0.25, 0.6), at(1.25, 0.25, 0.6)}));
    radio.range_rule = RangeRule::first;
    CHECK(linked({at(0.25, 0.25, 1.1), at(1.25, 0.25, 0.1)}));
    CHECK_FALSE(linked({at(0.25, 0.25, 0.1), at(1.25, 0.25, 1.1)}));
    radio.range_rule = RangeRule::min;
    radio.model = RadioModel::line_of_sight;
    CHECK_FALSE(linked({at(0.55, 0.25, 2), at(1.55, 0.25, 2)}));
    CHECK(linked({at(0.55, 0.05, 2), at(1.55, 0.05, 2)}));
    radio.model = RadioModel::path_loss;
    CHECK(linked({at(0.55, 0.25, 1.5), at(1.55, 0.25, 1.5)}));  // one wall: 0.7145 of the range
    CHECK_FALSE(linked({at(0.55, 0.25, 1.39), at(1.55, 0.25, 1.39)}));
    const std::vector<Transceiver> radios{at(0.55, 0.25, 1.5), at(1.55, 0.25, 1.5)};
    CHECK(find_links(field, walls.lattice(), radio, radios)[0].signal_dbm ==
          doctest::Approx(path_loss_dbm(radio, 1.5, 1.0, 1)));
    CHECK(linked({at(0.55, 0.25, 0.1), at(0.55, 0.25, 0.1)}));  // one place: an infinite signal
    std::vector<Transceiver> dead{at(0.25, 0.25, 5), at(0.35, 0.25, 5)};
    dead[1].alive = false;
    CHECK_FALSE(linked(dead));

    // Against all pairs, in any order.
    Rng rng(8, 0, Purpose::placement, 0);
    const Grid<std::uint8_t> big = random_map(200, 200, 7, 0.02);
    const WallField big_field(big);
    for (int k = 0; k < 10; ++k) {
        std::vector<Transceiver> team;
        for (int i = 0; i < 20; ++i) team.push_back(at(rng.uniform(0, 20), rng.uniform(0, 20), rng.uniform(1, 8)));
        const std::vector<Link> links = find_links(big_field, big.lattice(), radio, team);
        std::size_t n = 0;
        for (RobotId a = 0; a < 20; ++a)
            for (RobotId b = a + 1; b < 20; ++b) {
                const Transceiver &ra = team[static_cast<std::size_t>(a)], &rb = team[static_cast<std::size_t>(b)];
                const double d = distance(ra.position, rb.position);
                const int between = big_field.walls_between(big.lattice().cell_of(ra.position),
                                                            big.lattice().cell_of(rb.position), 1000);
                if (!(path_loss_dbm(radio, std::min(ra.range_m, rb.range_m), d, between) > radio.cutoff_dbm)) continue;
                REQUIRE(n < links.size());
                CHECK((links[n].a == a && links[n].b == b));
                ++n;
            }
        CHECK(n == links.size());
        const std::vector<int> component = components(20, links);
        for (const Link& link : links)
            CHECK(component[static_cast<std::size_t>(link.a)] == component[static_cast<std::size_t>(link.b)]);
    }
    const std::vector<Link> chain{{0, 2, 0}, {2, 4, 0}, {1, 3, 0}};
    CHECK(components(6, chain) == std::vector<int>{0, 1, 0, 1, 0, 2});
}

TEST_CASE("a body speeds up by its acceleration, and begins anew after it stood or bumped") {
    const Grid<std::uint8_t> walls(100, 5, 0, Lattice{0.1});
    World world(walls, {{{0.55, 0.25, 0}, 0, 1, Kinematics::holonomic, 0, true, 0, 0.25}}, 1);
    const auto drive = [&](double length) {
        const double before = world.body(0).travelled_m;
        world.move(0, {.path_body = {{length, 0}}, .final_heading = {}, .speed_mps = 1});
        return world.body(0).travelled_m - before;
    };
    for (const double expected : {0.25, 0.5, 0.75, 1.0, 1.0}) CHECK(drive(3) == doctest::Approx(expected));
    world.move(0, {});
    CHECK(drive(3) == doctest::Approx(0.25));
    CHECK(drive(0.2) == doctest::Approx(0.2));
    drive(30);
    drive(30);
    for (int k = 0; k < 12; ++k) drive(30);  // into the wall at the right end
    CHECK(world.body(0).speed_now == 0);
    CHECK(world.body(0).pose.x > 9.9);
}

TEST_CASE("links kept from step to step are those found anew, whoever moves, dies, changes its radio, and walls too") {
    Rng rng(9, 0, Purpose::placement, 0);
    const Grid<std::uint8_t> walls = random_map(120, 120, 7, 0.02);
    for (const RadioModel model :
         {RadioModel::circle, RadioModel::line_of_sight, RadioModel::path_loss, RadioModel::ir2}) {
        WallField field(walls);
        const RadioOptions radio{.model = model};
        LinkFinder finder;
        std::vector<Transceiver> team(40);
        std::size_t kept = 0;
        for (int step = 0; step < 60; ++step) {
            CAPTURE(step);
            const std::vector<Transceiver> before = team;
            for (Transceiver& t : team)
                if (step == 0 || rng.below(8) == 0)
                    t = {{rng.uniform(0, 12), rng.uniform(0, 12)}, rng.uniform(1, 8), rng.below(10) > 0};
            if (step % 20 == 10) {
                const Cell c{static_cast<int>(rng.below(100)), static_cast<int>(rng.below(100))};
                field.set(std::vector{c, c + Cell{1, 0}, c + Cell{1, 1}, c + Cell{0, 1}}, true);
            }
            if (step == 40) team.resize(30);
            const std::vector<Link> found = finder.find(field, walls.lattice(), radio, team);
            REQUIRE(found == find_links(field, walls.lattice(), radio, team));
            for (const Link& link : found)
                kept += step > 0 && team[static_cast<std::size_t>(link.a)] == before[static_cast<std::size_t>(link.a)];
        }
        CHECK(kept > 100);
    }
}

}  // namespace test_world
