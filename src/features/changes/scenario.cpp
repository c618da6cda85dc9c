#include "features/changes/scenario.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "features/changes/change_cells.hpp"
#include "features/changes/world.hpp"
#include "features/hazards/scenario.hpp"
#include "grid/known_grid.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "outrider/ray.hpp"
#include "outrider/rng.hpp"
#include "outrider/skeleton.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/wall_distance.hpp"
#include "scenario/cost.hpp"
#include "scenario/feature.hpp"
#include "scenario/read_team.hpp"
#include "simulator/noise.hpp"

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

void load_masks(Scenario& s, const std::string& folder) {
    for (ChangeEntry& change : s.changed) {
        if (change.mask.empty()) continue;
        try {
            change.cells =
                runs_of_mask((std::filesystem::path(folder) / change.mask).string(), s.map.channels, s.walls);
        } catch (const Error& error) {
            fail("{}: mask: {}", change.where, error.what());
        }
        change.mask.clear();
    }
}

void check_changes(const Scenario& s) {
    for (const ChangeEntry& change : s.changed) {
        if (!change.mask.empty())
            fail(
                "{}: mask = {}: an image belongs to the map of one scenario file; in sweeps and on generated maps "
                "expected another shape",
                change.where, toml_quoted(change.mask));
        check_change(change, s);
    }
}

std::string given_changes(const Scenario& s) {
    if (s.changes.any()) return "changes";
    if (!s.changed.empty()) return s.changed.front().where;
    return s.fire_leaves_walls() ? "hazard.debris_share" : "";
}

constexpr Exclusion change_excludes[] = {
    {"changing_walls", "recorded_positions", "robots are put where they were, whatever is there"}};

std::unique_ptr<WorldPart> make_wall_changes(const Scenario& s, const World& world) {
    std::vector<Change> changes = changes_of(s);
    if (changes.empty()) return nullptr;
    for (Change& change : changes)
        for (Cell& c : change.cells) c = c - s.team_origin();
    return std::make_unique<WallChanges>(world.walls(), std::move(changes));
}

}  // namespace

std::vector<Change> changes_of(const Scenario& s) {
    std::vector<Change> out;
    for (const ChangeEntry& entry : s.changed) {
        Change change{cells_of(entry, s.walls), entry.to, {}, entry.every, entry.within_m};
        if (entry.at >= 0) change.steps.push_back(entry.at);
        // What a toggle opens again is what it closed: its walls stay.
        const auto open = [&](Cell c) { return s.walls[c] == 0; };
        if (change.to == ChangeTo::toggle && std::any_of(change.cells.begin(), change.cells.end(), open))
            std::erase_if(change.cells, [&](Cell c) { return !open(c); });
        out.push_back(std::move(change));
    }
    if (s.changes.doors_per_hour > 0) draw_doors(s, out);
    if (s.changes.debris_per_hour > 0) draw_debris(s, out);
    if (s.fire_leaves_walls()) {
        const auto field = hazard_field(s);
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

ScenarioFeature changes_scenario() {
    return {.parts = {{"changing_walls", "changes.doors_per_hour = 30", given_changes}},
            .excludes = change_excludes,
            .read = read_changes,
            .load = load_masks,
            .check = check_changes,
            .world = {{Turn::walls, make_wall_changes}}};
}

}  // namespace outrider
