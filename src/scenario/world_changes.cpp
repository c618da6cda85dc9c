#include "scenario/world_changes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "grid/known_grid.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/error.hpp"
#include "outrider/ray.hpp"
#include "outrider/rng.hpp"
#include "outrider/skeleton.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/wall_distance.hpp"
#include "scenario/change_cells.hpp"
#include "scenario/cost.hpp"
#include "scenario/hazards.hpp"
#include "scenario/read_team.hpp"

namespace outrider {
namespace {

void check_change(const ChangeEntry& c, const Scenario& s) {
    const double width_m = s.walls.width() * s.walls.lattice().cell_m,
                 height_m = s.walls.height() * s.walls.lattice().cell_m;
    if (c.x_m < 0 || c.y_m < 0 || c.x_m + c.width_m > width_m + 1e-9 || c.y_m + c.height_m > height_m + 1e-9)
        fail("{}: the rectangle leaves the map, which is {} by {} m", c.where, width_m, height_m);
    if (cells_of(c, s.walls).empty())
        fail("{}: no middle of a cell of the map lies in it; a cell is {} m", c.where, s.walls.lattice().cell_m);
}

void check_robot(const RobotEntry& r, double step_s) {
    const NoiseOptions& n = r.noise;
    if (n.drop_rate + n.max_spike_rate + n.near_spike_rate > 1)
        fail("{}: robot '{}': noise.drop_rate, max_spike_rate and near_spike_rate add up to {}; expected at most 1",
             r.where, r.name, n.drop_rate + n.max_spike_rate + n.near_spike_rate);
    if (!r.battery.any()) return;
    const double waits_w =
        r.battery.idle_w + r.battery.per_scan_j * static_cast<double>(r.sensor_specs().size()) / step_s;
    if (r.battery.charge_w <= waits_w)
        fail(
            "{}: robot '{}': battery.charge_w = {}: it takes {} W while it waits and scans; expected more, or it is "
            "never "
            "full",
            r.where, r.name, r.battery.charge_w, waits_w);
}

/// Before they are drawn: `count` of them at once, each `bytes`, so often in an hour.
void expect_affordable_changes(const Scenario& s, std::string_view option, double per_hour, double count,
                               double bytes) {
    const double expected = std::min(per_hour * s.run.step_s / 3600, 1.0) * s.run.steps * count;  // one a step at most
    expect_affordable_count(s, fmt::format("{} = {} in run.steps = {}", option, per_hour, s.run.steps), expected,
                            bytes);
}

/// Steps at which something happens that happens so often, exponential times apart.
std::vector<int> draw_steps(double per_hour, const RunOptions& run, Rng& rng) {
    std::vector<int> steps;
    const double between = 3600 / (per_hour * run.step_s);
    for (double at = 0;;) {
        at += exponential_steps(between, rng);
        if (at >= run.steps) return steps;
        steps.push_back(static_cast<int>(at));
    }
}

/// The free cells of a disc around the middle of a cell.
std::vector<Cell> free_disc(const Grid<std::uint8_t>& walls, Cell middle, double radius_cells) {
    std::vector<Cell> cells;
    const int reach = static_cast<int>(std::floor(radius_cells));
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx)
            if (const Cell c = middle + Cell{dx, dy};
                std::hypot(dx, dy) <= radius_cells && walls.contains(c) && !walls[c])
                cells.push_back(c);
    return cells;
}

/// Heaps beside walls, all over the map.
void draw_debris(const Scenario& s, std::vector<Change>& out) {
    const Grid<std::uint8_t>& walls = s.walls;
    std::vector<Cell> beside;
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        const auto wall = [&](Cell d) { return walls.get(c + d, 1) != 0; };
        if (!walls[c] && (wall({1, 0}) || wall({-1, 0}) || wall({0, 1}) || wall({0, -1}))) beside.push_back(c);
    }
    if (beside.empty()) return;
    const double reach = walls.lattice().cells(0.3) + 1;  // of the largest heap
    expect_affordable_changes(s, "changes.debris_per_hour", s.changes.debris_per_hour, 1,
                              sizeof(Change) + sizeof(int) + sizeof(Cell) * std::min(pi * reach * reach, 1e6));
    Rng rng(s.run.seed, -1, Purpose::changes, 0);
    for (const int step : draw_steps(s.changes.debris_per_hour, s.run, rng)) {
        const Cell middle = beside[rng.below(static_cast<std::uint32_t>(beside.size()))];
        const double radius_m = rng.uniform(0.1, 0.3);
        out.push_back({free_disc(walls, middle, walls.lattice().cells(radius_m)), ChangeTo::wall, {step}});
    }
}

void draw_doors(const Scenario& s, std::vector<Change>& out) {
    std::uint32_t stream = 0;
    std::vector<std::vector<Cell>> doors = find_doors(s.walls, s.team_origin(), s.changes.door_m);
    expect_affordable_changes(s, "changes.doors_per_hour", s.changes.doors_per_hour, static_cast<double>(doors.size()),
                              2 * sizeof(int));
    for (std::vector<Cell>& door : doors) {
        Rng rng(s.run.seed, -1, Purpose::changes, 1, stream++);
        out.push_back({std::move(door), ChangeTo::toggle, draw_steps(s.changes.doors_per_hour, s.run, rng)});
    }
}

}  // namespace

void read_changes(ConfigTable& config, Scenario& s) {
    s.changed = read_entries<ChangeEntry>(config, "change");
    for (const ChangeEntry& change : s.changed) {
        check_shape(change);
        if ((change.at >= 0) == (change.within_m > 0))
            fail("{}: at = {}, within_m = {}: expected either a step from 0 on, or a distance above 0", change.where,
                 change.at, change.within_m);
        if (change.every > 0 && change.within_m > 0)
            fail("{}: every = {}: a change that waits for a robot happens once; expected 0", change.where,
                 change.every);
    }
}

void read_smoke(ConfigTable& config, Scenario& s) {
    s.smoke = read_entries<SmokeEntry>(config, "smoke");
    for (const SmokeEntry& disc : s.smoke) {
        if (std::isnan(disc.x_m) || std::isnan(disc.y_m)) fail("{}: smoke needs both x_m and y_m", disc.where);
    }
}

void check_world(const Scenario& s) {
    for (const SmokeEntry& disc : s.smoke)
        if (!s.walls.contains(s.walls.lattice().cell_of({disc.x_m, disc.y_m})))
            fail("{}: its middle ({}, {}) m is not on the map", disc.where, disc.x_m, disc.y_m);

    if (s.radio.fading_db > 0 && s.radio.model != RadioModel::path_loss)
        fail("radio.fading_db = {}: only path loss fades; expected radio.model = path_loss, or 0", s.radio.fading_db);
    for (const ChangeEntry& change : s.changed) check_change(change, s);
    for (const RobotEntry& robot : s.robots) check_robot(robot, s.run.step_s);
}

std::vector<Change> Scenario::world_changes() const {
    std::vector<Change> out;
    for (const ChangeEntry& entry : changed) {
        Change change{cells_of(entry, walls), entry.to, {}, entry.every, entry.within_m};
        if (entry.at >= 0) change.steps.push_back(entry.at);
        // What a toggle opens again is what it closed: its walls stay.
        const auto open = [&](Cell c) { return walls[c] == 0; };
        if (change.to == ChangeTo::toggle && std::any_of(change.cells.begin(), change.cells.end(), open))
            std::erase_if(change.cells, [&](Cell c) { return !open(c); });
        out.push_back(std::move(change));
    }
    if (changes.doors_per_hour > 0) draw_doors(*this, out);
    if (changes.debris_per_hour > 0) draw_debris(*this, out);
    if (fire_leaves_walls()) {
        const auto field = hazard_field(*this);
        for (const HazardField::Debris& debris : field->debris())
            out.push_back({debris.cells, ChangeTo::wall, {debris.step}});
    }
    return out;
}

std::vector<std::vector<Cell>> find_doors(const Grid<std::uint8_t>& walls, Cell start, double door_m) {
    const KnownMap map = known_grid(walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, start);
    Skeleton skeleton;
    skeleton.update(nav);
    const double half = walls.lattice().cells(door_m) / 2;
    WallDistance distances(std::clamp(static_cast<int>(std::ceil(2 * half)) + 2, 2, WallDistance::max_horizon_cells));
    distances.update(map);
    std::vector<std::vector<Cell>> doors;
    std::set<Cell> taken;
    for (const CriticalPoint& p : find_critical_points(skeleton, distances, half)) {
        std::vector<Cell> door;
        bool another = false;
        const auto middle = [](Cell c) { return Point{c.x + 0.5, c.y + 0.5}; };
        walk_segment(middle(p.left), middle(p.right), [&](Cell c, double) {
            if (!walls.get(c, 1)) door.push_back(c);
            another |= taken.contains(c);
            return true;
        });
        if (another || door.empty() || distance(middle(p.left), middle(p.right)) > 2 * half + 1.5) continue;
        taken.insert(door.begin(), door.end());
        doors.push_back(std::move(door));
    }
    return doors;
}

}  // namespace outrider
