// The parts of the section [mresim], each against its rule.
#include "helpers.hpp"
#include "outrider/behaviours.hpp"
#include "plan/frontiers/regions.hpp"
#include "sensing/ray_caster.hpp"
#include "sensing/sampled_rays.hpp"
#include "slam/mapping.hpp"

using namespace outrider;

namespace test_mresim_parts {
namespace {

const std::vector<std::string> room{"################################",  //
                                    "#..............................#",  //
                                    "#..............................#",  //
                                    "#.B...1........................#",  //
                                    "#..............................#",  //
                                    "#..............................#",  //
                                    "################################"};

/// Drives to a place, and notes in which steps it would have chosen anew.
class Watching final : public Strategy {
  public:
    Watching(Point goal, std::vector<int>& chosen) : goal_(goal), chosen_(chosen) {}
    Intent choose(const Belief& belief, Rng&) override {
        if (guard_.due(belief, false)) chosen_.push_back(belief.step());
        return {.action = Goto{goal_, 0, {}}};
    }

  private:
    Point goal_;
    std::vector<int>& chosen_;
    ReplanGuard guard_{{}};
};

/// The steps in which a robot that drives there and back chooses anew.
std::vector<int> choices(const std::string& toml) {
    std::vector<int> chosen;
    SimulationOptions options;
    options.threads = 1;
    options.strategies = [&](const Briefing& me, const std::string&) -> std::unique_ptr<Strategy> {
        if (me.is_base()) return nullptr;
        return std::make_unique<Watching>(me.start.position(), chosen);
    };
    Simulation sim(text_scenario(room, toml + "[run]\nsteps = 40\n"), options);
    for (int k = 0; k < 40 && !sim.done(); ++k) sim.step();
    return chosen;
}

/// Known free cells ('.' sure, ',' not sure), walls ('#') and unknown cells (' '); the last row is row 0.
KnownMap drawn(const std::vector<std::string>& rows) {
    KnownMap map(Lattice{0.1});
    TileTable<CellTile> claims;
    for (std::size_t k = 0; k < rows.size(); ++k)
        for (std::size_t x = 0; x < rows[k].size(); ++x) {
            const char c = rows[k][x];
            if (c == ' ') continue;
            const Cell cell{static_cast<int>(x), static_cast<int>(rows.size() - 1 - k)};
            claims.at(tile_of(cell))
                .set(cell, c == '#'   ? CellState::safe_occupied
                           : c == '.' ? CellState::safe_free
                                      : CellState::free);
        }
    claims.for_each([&](TileCoord t, const CellTile& tile) { map.observe(t, tile, 0); });
    return map;
}

bool seen_free(const KnownMap& map, Cell c) { return map.is_free(c); }

struct Seen {
    KnownMap map;
    NavMap nav{FrontierKind::regions, 0};
    Seen(const std::vector<std::string>& rows, Cell at) : map(drawn(rows)) { nav.update(map, at); }
};

}  // namespace

TEST_CASE("mresim: a preset switches on all parts, other keys change it, and nothing of it is left when it is off") {
    const Scenario plain = text_scenario(room), off = text_scenario(room, "[mresim]\npreset='none'\n"),
                   undone =
                       text_scenario(room,
                                     "[mresim]\npreset='all'\ngoal_area=false\nregions=false\nwhole_polygon=false\n"
                                     "scans_along_way=false\nsampled_rays=false\nreplan_on_message=false\n"
                                     "links_before_move=false\ntopological_paths=false\n");
    CHECK(plain.resolved().find("mresim]") == std::string::npos);
    CHECK(off.resolved() == plain.resolved());
    CHECK(undone.resolved() == plain.resolved());

    const Scenario all = text_scenario(room, "[frontier]\nmin_cells=3\n[mresim]\nsampled_rays=false\npreset='all'\n");
    CHECK(all.mresim.goal_area);
    CHECK(all.mresim.links_before_move);
    CHECK_FALSE(all.mresim.sampled_rays);
    CHECK(all.stop.of == StopOf::base);
    CHECK(all.stop.fraction == 0.95);
    CHECK(all.frontier.kind == FrontierKind::regions);
    CHECK(all.frontier.min_cells == 3);
    CHECK(all.mapping.update == MapUpdate::whole_polygon);
    CHECK(all.plan.planner == Planner::topological);
    CHECK(all.plan.wall_cost == 0);
    CHECK(all.hash() != plain.hash());
    // What the other sections say comes last.
    const Scenario other =
        text_scenario(room, "[frontier]\nkind='unsafe'\n[plan]\nwall_cost=2\n[mresim]\npreset='all'\n");
    CHECK(other.frontier.kind == FrontierKind::unsafe);
    CHECK(other.plan.planner == Planner::topological);
    CHECK(other.plan.wall_cost == 2);
    // The text of a scenario gives the same one.
    Notes notes;
    CHECK(make_scenario(parse_config(all.resolved(), "again"), "again", all.walls, notes).resolved() == all.resolved());
}

TEST_CASE("mresim.goal_area: robots that know 95 % of all free cells are done, from step 101 on") {
    const auto run = [&](const std::string& toml) {
        // A cell a step along a hall that is seen for eight cells ahead.
        const std::string wall(120, '#'), free = "#" + std::string(118, '.') + "#";
        std::vector<std::string> rows{wall, free, free, free, free, free, free, wall};
        rows[3].replace(3, 1, "B");
        rows[3].replace(6, 1, "1");
        return run_scenario(text_scenario(rows,
                                          "[body]\nspeed_mps=0.1\n[sensor]\nrange_m=0.8\n[frontier]\nmin_cells=1\n"
                                          "[team]\nstrategy='nearest'\n" +
                                              toml));
    };
    const Outcome all = run(""), enough = run("[mresim]\ngoal_area=true\n[stop]\nof='none'\n");
    CHECK(all.team_share == 1);
    CHECK(enough.team_share >= 0.95);
    CHECK(enough.team_share < 1);
    CHECK(enough.reason == EndReason::all_home);
    CHECK(enough.steps > 101);
    CHECK(enough.steps < all.steps);
}

TEST_CASE("mresim.scans_along_way: a scan for each cell driven, the last one at the end") {
    for (const bool on : {false, true}) {
        const Scenario s = text_scenario(
            room, fmt::format("[team]\nstrategy='nearest'\n[sensor]\nrange_m=1\n[mresim]\nscans_along_way={}\n", on));
        Simulation sim(s, {});
        int most = 0, moved = 0;
        for (int k = 0; k < 12 && !sim.done(); ++k) {
            sim.perceive();
            const Percept& p = sim.team()[1].belief().percept();
            const double path_cells = norm(sim.driver().last_move(1).delta.position()) / 0.1;
            CHECK(p.scans.back().now_from_then == Pose{});
            if (!on) CHECK(p.scans.size() == 1);
            if (on && path_cells > 0) {
                ++moved;
                CHECK(static_cast<double>(p.scans.size()) >= path_cells - 1e-6);
                CHECK(p.scans.size() <= 17);  // ten cells of path, at most in as many corners
                for (std::size_t i = 1; i < p.scans.size(); ++i)
                    CHECK(distance(p.scans[i].now_from_then.position(), p.scans[i - 1].now_from_then.position()) <=
                          0.1 + 1e-9);
            }
            most = std::max(most, static_cast<int>(p.scans.size()));
            sim.act();
        }
        CHECK(most == (on ? 10 : 1));
        if (on) CHECK(moved > 2);
    }
}

TEST_CASE("mresim.sampled_rays: a wall between two points is missed, one at a point is found where the ray enters it") {
    int missed = 0, found = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Grid<std::uint8_t> walls = random_map(90, 80, seed, 0.03);
        walls.set_origin({-40, -30});
        const WallField field(walls);
        Rng rng(seed, 1, Purpose::placement, 0);
        for (int k = 0; k < 20; ++k) {
            const Cell c{static_cast<int>(rng.below(90)) - 40, static_cast<int>(rng.below(80)) - 30};
            if (walls[c]) continue;
            const Point origin = k % 2 ? Point{c.x + 0.5, c.y + 0.5} : Point{c.x + rng.uniform(), c.y + rng.uniform()};
            const double range = rng.uniform(3, 60);
            std::vector<Point> directions;
            for (int i = 0; i < 200; ++i) {
                const auto [y, x] = sin_cos(rng.uniform(-pi, pi));
                directions.push_back({x, y});
            }
            std::vector<double> exact(directions.size()), sampled;
            cast_rays(field, origin, directions, range, exact);
            sampled = exact;
            sample_rays(field, origin, directions, range, sampled);
            for (std::size_t i = 0; i < directions.size(); ++i) {
                double point = std::numeric_limits<double>::infinity();  // the first one in a wall
                for (int m = 1; m <= static_cast<int>(range) && !std::isfinite(point); ++m)
                    if (walls.get({static_cast<int>(std::floor(origin.x + m * directions[i].x)),
                                   static_cast<int>(std::floor(origin.y + m * directions[i].y))},
                                  1))
                        point = m;
                CHECK(sampled[i] >= exact[i]);
                CHECK(std::isfinite(sampled[i]) == std::isfinite(point));
                missed += sampled[i] > exact[i];
                if (!std::isfinite(point)) continue;
                ++found;
                CHECK(sampled[i] <= point + 1e-9);
                CHECK(sampled[i] > point - 1.5);  // at most the diagonal of a cell before it
                const double just_inside = sampled[i] + 1e-6;
                if (point - sampled[i] > 1e-3)
                    CHECK(walls.get({static_cast<int>(std::floor(origin.x + just_inside * directions[i].x)),
                                     static_cast<int>(std::floor(origin.y + just_inside * directions[i].y))},
                                    1) != 0);
            }
        }
    }
    CHECK(missed > 100);
    CHECK(found > 1000);
}

TEST_CASE(
    "mresim.replan_on_message: a message is a reason to choose anew, and the period counts from the last choice") {
    std::vector<int> every;
    for (int k = 0; k < 40; ++k) every.push_back(k);
    CHECK(choices("[mresim]\nreplan_on_message=true\n") == every);  // step 0 is the first choice
    CHECK(choices("[mresim]\nreplan_on_message=true\n[comm]\nrange_m=0\nbase_range_m=0\n") ==
          std::vector<int>{0, 15, 30});
    const std::vector<int> beats = choices("");
    REQUIRE(beats.size() >= 3);
    CHECK(beats[0] == 0);
    CHECK(beats.size() <= 4);  // staggered over the team, whoever says something
    CHECK(choices("[comm]\nrange_m=0\nbase_range_m=0\n") == beats);
}

TEST_CASE("mresim.links_before_move: messages go over the links of the step in which they were sent") {
    // Robot 1 drives away from the base, out of its range and back.
    for (const bool before : {false, true}) {
        Scenario s = text_scenario(
            room,
            fmt::format("[radio]\nmodel='circle'\n[comm]\nrange_m=1\nbase_range_m=1\n[mresim]\nlinks_before_move={}\n",
                        before));
        Script script;
        std::vector<bool> near;
        for (const int x : {4, 9, 14, 9, 9, 10, 11, 4}) {
            std::vector<ScriptEntry> entries{{s.start_cell(0), Role::base, {}, ""}, {s.start_cell(0), {}, {}, ""}};
            entries[1].cell.x += x;
            entries[1].role = Role::explorer;
            script.steps.push_back(entries);
            near.push_back(x < 10);
        }
        s.script = std::make_shared<const Script>(script);
        Simulation sim(s, {});
        for (std::size_t k = 0; k < near.size(); ++k) {
            CAPTURE(k);
            sim.perceive();
            REQUIRE_FALSE(sim.done());
            const bool linked = near[before && k > 0 ? k - 1 : k];
            CHECK(sim.driver().traffic().links.size() == (linked ? 1 : 0));
            CHECK(sim.team()[0].belief().in_contact(1) == (linked && k > 0));
            sim.act();
        }
    }
}

TEST_CASE("regions: the outline of all that is not sure to be free, and its area") {
    // Six by four cells that are not sure; to their right the unknown. Cells on its edge belong to them, sure or not.
    const Seen seen({"###########",  //
                     "#....,,,,,,",  //
                     "#....,,,,,,",  //
                     "#....,,,,,,",  //
                     "#....,,,,,,",  //
                     "###########"},
                    {2, 2});
    const auto outlines = region_outlines(seen.map, seen.nav);
    REQUIRE(outlines.size() == 1);
    std::vector<Cell> expected;  // clockwise from the upper left
    for (int x = 5; x <= 10; ++x) expected.push_back({x, 4});
    for (int y = 3; y >= 1; --y) expected.push_back({10, y});
    for (int x = 9; x >= 5; --x) expected.push_back({x, 1});
    for (int y = 2; y <= 3; ++y) expected.push_back({5, y});
    CHECK(outlines[0] == expected);

    // In the image the corners are (5, 1), (10, 1), (10, 4), (5, 4): area 15, and 16 for the outline's length.
    FrontierOptions options;
    options.kind = FrontierKind::regions;
    options.image_corner = {0, 5};
    options.pick = 16 * 7 + 3;
    const auto found = find_regions(seen.map, seen.nav, options);
    REQUIRE(found.size() == 1);
    CHECK(found[0].area == 31);
    CHECK(found[0].size == 16);
    CHECK(found[0].region);
    CHECK_FALSE(found[0].leftover);
    // The centroid (7.5, 2.5) times 15 / 31, rounded down, lies outside: a cell of the outline.
    CHECK(found[0].goal == outlines[0][3]);
    // Far from the corner a tenth more is a long way; with the corner in the middle it is inside.
    options.image_corner = {7, 3};
    CHECK(find_regions(seen.map, seen.nav, options)[0].goal == Cell{7, 3});
}

TEST_CASE(
    "regions: those without the unknown beside them, of less than three, or out of reach are none; holes have "
    "outlines") {
    FrontierOptions options;
    options.kind = FrontierKind::regions;
    const Seen closed({"########",  //
                       "#..,,,.#",  //
                       "#..,,,.#",  //
                       "########"},
                      {1, 1});
    CHECK(region_outlines(closed.map, closed.nav).empty());
    const Seen single({"#####",  //
                       "#.., ",  //
                       "#####"},
                      {1, 1});
    CHECK(region_outlines(single.map, single.nav).size() == 1);
    CHECK(find_regions(single.map, single.nav, options).empty());  // area 0
    const Seen apart({"#########",                                 //
                      "#..#,,,, ",                                 //
                      "#..#,,,, ",                                 //
                      "#########"},
                     {1, 1});
    CHECK(region_outlines(apart.map, apart.nav).size() == 1);
    CHECK(find_regions(apart.map, apart.nav, options).empty());
    const Seen hole({",,,,,,,",  //
                     ",,,,,,,",  //
                     ",,,.,,,",  //
                     ",,,,,,,",  //
                     ",,,,,,,"},
                    {3, 2});
    // The outer outline touches the unknown; that of the sure cell in the middle does not.
    CHECK(region_outlines(hole.map, hole.nav).size() == 1);
    const Seen pocket({",,,,,,,",  //
                       ",,,,,,,",  //
                       ",,, ,,,",  //
                       ",,,,,,,",  //
                       ",,,,,,,"},
                      {1, 2});
    CHECK(region_outlines(pocket.map, pocket.nav).size() == 2);
    // No diagonal step between two walls.
    const Seen diagonal({"#####",  //
                         "#,,# ",  //
                         "#,#,,",  //
                         "####,"},
                        {1, 1});
    for (const auto& outline : region_outlines(diagonal.map, diagonal.nav))
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const Cell a = outline[i], b = outline[(i + 1) % outline.size()];
            if (a.x != b.x && a.y != b.y)
                CHECK((seen_free(diagonal.map, {a.x, b.y}) && seen_free(diagonal.map, {b.x, a.y})));
        }
}

TEST_CASE("a region's goal is there to be reached: nothing is looked at, and it counts as explored within two cells") {
    Simulation sim(text_scenario(room, "[team]\nstrategy='stay'\n[sensor]\nrange_m=0.5\n[mresim]\nregions=true\n"), {});
    sim.step();
    sim.perceive();
    const Belief& belief = sim.team()[1].belief();
    REQUIRE_FALSE(belief.frontiers().empty());
    Frontier f = belief.frontiers()[0];
    CHECK(f.region);
    CHECK_FALSE(go_to_frontier(belief, f).face);
    for (int away = 0; away < 4; ++away) {
        f.goal = belief.cell() + Cell{away, 0};
        CHECK(explored(belief, f) == (away < 2));
    }
}

TEST_CASE("mapping.update = whole_polygon: free is what lies within the polygon through the ends of all beams") {
    SensorOptions sensor;
    sensor.beams = 31;
    sensor.fov_deg = 150;
    sensor.range_m = 3;
    const SensorSpec spec = sensor.spec();
    const Lattice lattice{0.1};
    const ScanGeometry geometry(spec);
    MappingOptions options;
    options.update = MapUpdate::whole_polygon;
    int free = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Rng rng(seed, 2, Purpose::placement, 0);
        const Pose pose{0.05, 0.05, rng.uniform(-pi, pi)};
        Scan scan;
        std::vector<Point> directions, corners{{0.5, 0.5}};
        geometry.directions(pose.yaw, directions);
        for (const Point& d : directions) {
            const bool hit = rng.below(4) > 0;
            const double range_m = hit ? 0.3 + 0.001 * rng.below(2600) : 3;
            scan.ranges.push_back(hit ? static_cast<std::uint16_t>(std::lround(range_m * 1000)) : Scan::nothing);
            const double cells = (hit ? static_cast<double>(scan.ranges.back()) / 1000 : 3) / 0.1;
            corners.push_back({0.5 + cells * d.x, 0.5 + cells * d.y});
        }
        KnownMap map(lattice);
        ScanMapper(spec, lattice, options).insert(map, pose, scan, 0);
        for (int y = -32; y <= 32; ++y)
            for (int x = -32; x <= 32; ++x) {
                const Point p{x + 0.5, y + 0.5};
                bool inside = false;
                double nearest = 1e9;
                for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
                    const Point a = corners[i], b = corners[j];
                    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
                        inside = !inside;
                    const double t = std::clamp(((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) /
                                                    std::max(1e-9, norm(b - a) * norm(b - a)),
                                                0.0, 1.0);
                    nearest = std::min(nearest, distance(p, a + (b - a) * t));
                }
                if (nearest < 1e-6 || map.is_occupied({x, y}) || Cell{x, y} == Cell{0, 0}) continue;
                CHECK(map.is_free({x, y}) == inside);
                free += inside;
            }
    }
    CHECK(free > 3000);
}

}  // namespace test_mresim_parts
