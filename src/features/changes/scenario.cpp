#include "features/changes/scenario.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "features/changes/change_cells.hpp"
#include "features/changes/options.hpp"
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
#include "scenario/feature.hpp"

namespace outrider {
namespace {

const ChangesOptions& chances(const Scenario& s) { return s.features.get<ChangesOptions>(); }
const std::vector<ChangeEntry>& listed_changes(const Scenario& s) { return s.lists.get<ChangeEntry>(); }

void check_change(const ChangeEntry& c, const Scenario& s) {
    const double width_m = s.walls.width() * s.walls.lattice().cell_m,
                 height_m = s.walls.height() * s.walls.lattice().cell_m;
    if (c.x_m < 0 || c.y_m < 0 || c.x_m + c.width_m > width_m + 1e-9 || c.y_m + c.height_m > height_m + 1e-9)
        fail("{}: the rectangle leaves the map, which is {} by {} m", c.where, width_m, height_m);
    if (cells_of(c, s.walls).empty())
        fail("{}: no middle of a cell of the map lies in it; a cell is {} m", c.where, s.walls.lattice().cell_m);
}

/// Heaps beside walls, all over the map. What they draw follows the steps of all that the run has time for.
void add_debris(const Scenario& s, std::vector<Change>& out) {
    const RandomSteps when(chances(s).debris_per_hour, s.run.step_s, Rng(s.run.seed, -1, Purpose::changes, 0));
    FallingDebris debris(s.walls, when, when.rng_after(s.run.steps));
    if (debris.none_before(s.run.steps)) return;
    out.push_back({.to = ChangeTo::wall, .debris = std::move(debris)});
}

void add_doors(const Scenario& s, std::vector<Change>& out) {
    std::uint32_t stream = 0;
    for (std::vector<Cell>& door : find_doors(s.walls, s.team_origin(), chances(s).door_m)) {
        const Rng rng(s.run.seed, -1, Purpose::changes, 1, stream++);
        out.push_back({.cells = std::move(door),
                       .to = ChangeTo::toggle,
                       .random = RandomSteps(chances(s).doors_per_hour, s.run.step_s, rng)});
    }
}

void read_changes(ConfigTable&, Scenario& s) {
    for (const ChangeEntry& change : listed_changes(s)) {
        check_shape(change);
        if ((change.at >= 0) == (change.within_m > 0))
            fail("{}: at = {}, within_m = {}: expected either a step from 0 on, or a distance above 0", change.where,
                 change.at, change.within_m);
        if (change.every > 0 && change.within_m > 0)
            fail("{}: every = {}: a change that waits for a robot happens once; expected 0", change.where,
                 change.every);
    }
}

void load_masks(Scenario& s, const ScenarioFiles& files) {
    for (ChangeEntry& change : s.lists.edit<ChangeEntry>()) {
        if (change.mask.empty()) continue;
        try {
            change.cells = runs_of_mask(files.path(change.mask), s.map.channels, s.walls);
        } catch (const Error& error) {
            fail("{}: mask: {}", change.where, error.what());
        }
        change.mask.clear();
    }
}

void check_changes(const Scenario& s) {
    for (const ChangeEntry& change : listed_changes(s)) {
        if (!change.mask.empty())
            fail(
                "{}: mask = {}: an image belongs to the map of one scenario file; in sweeps and on generated maps "
                "expected another shape",
                change.where, toml_quoted(change.mask));
        check_change(change, s);
    }
}

std::string given_changes(const Scenario& s) {
    if (s.features.any("changes")) return "changes";
    if (!listed_changes(s).empty()) return listed_changes(s).front().where;
    return fire_leaves_walls(s) ? "hazard.debris_share" : "";
}

constexpr Exclusion change_excludes[] = {{"changing_walls", "recorded_positions", put_there}};

std::unique_ptr<WorldPart> make_wall_changes(const Scenario& s, const World& world) {
    std::vector<Change> changes = changes_of(s);
    if (changes.empty()) return nullptr;
    for (Change& change : changes) {
        for (Cell& c : change.cells) c = c - s.team_origin();
        if (change.debris) change.debris->move(Cell{} - s.team_origin());
    }
    return std::make_unique<WallChanges>(world.walls(), std::move(changes));
}

}  // namespace

std::vector<Change> changes_of(const Scenario& s) {
    std::vector<Change> out;
    for (const ChangeEntry& entry : listed_changes(s)) {
        Change change{cells_of(entry, s.walls), entry.to, {}, entry.every, entry.within_m};
        if (entry.at >= 0) change.steps.push_back(entry.at);
        // What a toggle opens again is what it closed: its walls stay.
        const auto open = [&](Cell c) { return s.walls[c] == 0; };
        if (change.to == ChangeTo::toggle && std::any_of(change.cells.begin(), change.cells.end(), open))
            std::erase_if(change.cells, [&](Cell c) { return !open(c); });
        out.push_back(std::move(change));
    }
    if (chances(s).doors_per_hour > 0) add_doors(s, out);
    if (chances(s).debris_per_hour > 0) add_debris(s, out);
    if (fire_leaves_walls(s)) {
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
    return {.section = "changes",
            .after = "battery",
            .options = make_options<ChangesOptions>,
            .list = {"change", "each rectangle of the map that becomes wall or free", make_list<ChangeEntry>},
            .parts = {{"changing_walls", "changes.doors_per_hour = 30", given_changes}},
            .excludes = change_excludes,
            .read = read_changes,
            .load = load_masks,
            .check = check_changes,
            .world = {{Turn::walls, make_wall_changes}}};
}

}  // namespace outrider
