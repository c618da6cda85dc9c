#include "maps/generate.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include <fmt/ranges.h>

#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "world/wall_field.hpp"
#include "world/world.hpp"

namespace outrider {
namespace {

constexpr int border = 1;  // cells of wall around every map

void close_border(Drawing& d) { d.outline(d.frame(), border, Fill::wall); }

/// Debris of up to 0.4 m, thrown anywhere but at the start, until `share` of the free cells is covered.
void scatter_rubble(Drawing& d, double share, Rng& rng) {
    const auto& cells = d.walls().cells();
    const auto free = static_cast<double>(std::count(cells.begin(), cells.end(), 0));
    const double goal = free * share;
    double covered = 0;
    for (int tries = 0; covered < goal && tries < d.width() * d.height(); ++tries) {
        const Cell c{between(rng, 1, d.width() - 2), between(rng, 1, d.height() - 2)};
        const double radius = rng.uniform(0.5, std::max(1.0, 0.2 / d.cell_m()));
        if (d.wall(c)) continue;
        const int r = static_cast<int>(radius);
        for (int y = -r; y <= r; ++y)
            for (int x = -r; x <= r; ++x)
                if (std::hypot(x, y) <= radius + 0.25 && !d.wall(c + Cell{x, y})) {
                    d.set(c + Cell{x, y}, Fill::wall);
                    ++covered;
                }
    }
}

/// Where the disc of this radius, in cells, cannot stand.
Grid<std::uint8_t> no_standing(const Drawing& d, double radius) {
    return radius > 0 ? grow_walls(d.walls(), radius) : d.walls();
}

/// Cells of each component; component 0 is unused.
std::vector<std::size_t> sizes_of(const std::vector<CellRun>& runs) {
    std::vector<std::size_t> size(1);
    for (const CellRun& run : runs) {
        size.resize(std::max(size.size(), static_cast<std::size_t>(run.label) + 1));
        size[static_cast<std::size_t>(run.label)] += static_cast<std::size_t>(run.end - run.x);
    }
    return size;
}

/// The component of a cell; 0: it is blocked.
std::int32_t label_at(const std::vector<CellRun>& runs, Cell c) {
    const auto at = std::find_if(runs.begin(), runs.end(),
                                 [&](const CellRun& r) { return r.y == c.y && r.x <= c.x && c.x < r.end; });
    return at == runs.end() ? 0 : at->label;
}

/// The shortest 4-connected path from a component to any other in `worth`, through walls if need be.
std::vector<Cell> path_between(const Grid<std::int32_t>& part, const std::vector<bool>& worth, std::int32_t from) {
    Grid<std::int32_t> parent(part.width(), part.height(), -1);
    std::deque<std::size_t> queue;
    for (std::size_t i = 0; i < part.cells().size(); ++i)
        if (part.cells()[i] == from) {
            parent.cells()[i] = static_cast<std::int32_t>(i);
            queue.push_back(i);
        }
    while (!queue.empty()) {
        const std::size_t i = queue.front();
        queue.pop_front();
        const std::int32_t label = part.cells()[i];
        if (label > 0 && label != from && worth[static_cast<std::size_t>(label)]) {
            std::vector<Cell> path;
            for (std::size_t at = i;; at = static_cast<std::size_t>(parent.cells()[at])) {
                path.push_back(part.cell(at));
                if (part.cells()[at] == from) return path;
            }
        }
        const Cell c = part.cell(i);
        for (const Cell n : {Cell{c.x + 1, c.y}, Cell{c.x - 1, c.y}, Cell{c.x, c.y + 1}, Cell{c.x, c.y - 1}})
            if (part.contains(n) && parent[n] < 0) {
                parent[n] = static_cast<std::int32_t>(i);
                queue.push_back(part.index(n));
            }
    }
    return {};
}

/// Fills every free cell that is farther than a good corner from where the disc can stand (nonzero): slits, crannies,
/// small parts. start: one of these.
void keep_near(Drawing& d, const Grid<std::uint8_t>& main, Cell start, double radius) {
    const double reach = 1.5 * radius + 1;  // the corner of a room is 1.42 radii away
    const int r = static_cast<int>(reach);
    std::vector<Cell> disc;
    for (int y = -r; y <= r; ++y)
        for (int x = -r; x <= r; ++x)
            if (std::hypot(x, y) <= reach) disc.push_back({x, y});
    Grid<std::uint8_t> keep(d.width(), d.height());
    const std::vector<std::uint8_t>& stands = main.cells();
    std::vector<std::uint8_t>& kept = keep.cells();
    const auto width = static_cast<std::size_t>(main.width());
    for (std::size_t i = 0; i < stands.size(); ++i) {
        if (!stands[i]) continue;
        kept[i] = 1;
        // The outermost cells are walls: each of these has all its neighbours.
        if (stands[i + 1] && stands[i - 1] && stands[i + width] && stands[i - width]) continue;
        const Cell c = main.cell(i);
        for (const Cell offset : disc)
            if (const Cell n = c + offset; keep.contains(n) && !d.wall(n)) kept[keep.index(n)] = 1;
    }
    const CellBits connected = connected_bits(nonzero_bits(keep), {&start, 1});
    for (Cell c; c.y < keep.height(); ++c.y)
        for (c.x = 0; c.x < keep.width(); ++c.x)
            if (!connected.test(c)) d.set(c, Fill::wall);
}

/// Cuts paths between the start's part and other large parts until one part remains; smaller parts are filled.
void join_parts(Drawing& d, Cell start, double radius) {
    const auto area = [&](double m2) { return static_cast<std::size_t>(m2 / (d.cell_m() * d.cell_m())) + 1; };
    for (;;) {
        close_border(d);
        Grid<std::uint8_t> blocked = no_standing(d, radius);
        const std::vector<CellRun> runs = label_runs(blocked);
        const std::vector<std::size_t> size = sizes_of(runs);
        const std::int32_t home = label_at(runs, start);
        OUTRIDER_CHECK(home, >, 0);  // the start was cleared for the disc
        // The part of the start is kept, however small it is.
        const std::size_t least = std::min(area(2.0), *std::max_element(size.begin(), size.end()));
        std::vector<bool> worth(size.size());
        for (std::size_t k = 1; k < size.size(); ++k)
            worth[k] = size[k] >= least || k == static_cast<std::size_t>(home);
        if (std::count(worth.begin(), worth.end(), true) > 1) {
            // From the smallest part: paths stay short, and each joins neighbouring parts.
            std::int32_t from = 0;
            for (std::size_t k = 1; k < size.size(); ++k)
                if (worth[k] && (from == 0 || size[k] < size[static_cast<std::size_t>(from)]))
                    from = static_cast<std::int32_t>(k);
            for (const Cell c : path_between(label_components(blocked), worth, from))
                d.disc({c.x + 0.5, c.y + 0.5}, radius + 1.5, Fill::free);
            continue;
        }
        const Grid<std::uint8_t> main = connected_cells(std::exchange(blocked, {}), {start});
        return keep_near(d, main, start, radius);
    }
}

/// The place with most room near the start that the family wants, or near the middle; cleared if it is too small.
Cell clear_start(Drawing& d, double radius) {
    const WallField field(d.walls());
    const Cell wanted = d.start.x >= 0 ? d.start : d.frame().centre();
    const int enough = static_cast<int>(std::ceil(radius)) + 1;
    const int margin = enough + border;
    if (2 * margin >= std::min(d.width(), d.height()))
        fail("a start area of {} m (start_m, or half of passage_m) does not fit on a map of {} x {} cells",
             radius * d.cell_m(), d.width(), d.height());
    Cell best{-1, -1};
    double best_cost = 0;
    for (int y = margin; y < d.height() - margin; ++y)
        for (int x = margin; x < d.width() - margin; ++x) {
            if (d.wall({x, y})) continue;
            const int lack = enough - std::min(enough, field.distance({x, y}));
            const double cost = 60.0 * lack + std::sqrt(static_cast<double>(squared_distance({x, y}, wanted)));
            if (best.x < 0 || cost < best_cost) {
                best = {x, y};
                best_cost = cost;
            }
        }
    if (best.x < 0)
        best = {std::clamp(wanted.x, margin, d.width() - margin), std::clamp(wanted.y, margin, d.height() - margin)};
    d.disc({best.x + 0.5, best.y + 0.5}, radius + 1, Fill::free);
    return best;
}

/// Whether the free cells are a rectangle, with nothing in it.
bool empty_box(const Drawing& d) {
    Cell low{d.width(), d.height()}, high{-1, -1};
    int free = 0;
    for (int y = 0; y < d.height(); ++y)
        for (int x = 0; x < d.width(); ++x) {
            if (d.wall({x, y})) continue;
            ++free;
            low = {std::min(low.x, x), std::min(low.y, y)};
            high = {std::max(high.x, x), std::max(high.y, y)};
        }
    return free == (high.x - low.x + 1) * (high.y - low.y + 1);
}

/// The command line, with the options that the user could have left out.
std::string command_of(const FamilyInfo& family, Family& place, const GenerateOptions& o) {
    std::string text = fmt::format("outrider generate {} --seed {} --size {}x{} --cell {}", family.name, o.seed,
                                   o.width, o.height, o.cell_m);
    const auto add = [&](const FieldInfo& f) { text += fmt::format(" --{} {}", f.name, f.value); };
    for (const FieldInfo& f : list_fields(o))
        if (f.name != "seed" && f.name != "width" && f.name != "height" && f.name != "cell_m") add(f);
    FieldLister lister;
    place.fields(lister);
    for (const FieldInfo& f : lister.fields) add(f);
    return text;
}

}  // namespace

GeneratedMap generate(const FamilyInfo& family, Family& place, const GenerateOptions& options) {
    Drawing d(options.width, options.height, options.cell_m, Fill::wall);
    Rng rng(options.seed, -1, Purpose::map, 0);
    place.draw(d, rng);
    Rng debris(options.seed, -1, Purpose::map, 1);
    if (options.rubble > 0) scatter_rubble(d, options.rubble, debris);
    close_border(d);
    GeneratedMap map;
    const double radius = options.passage_m / options.cell_m / 2;
    if (const auto blocked = no_standing(d, radius); std::count(blocked.cells().begin(), blocked.cells().end(), 0) == 0)
        fail("this place leaves no room for a passage_m of {:.2f} m", options.passage_m);
    map.start = clear_start(d, std::max(options.start_m / options.cell_m, radius));
    join_parts(d, map.start, radius);
    if (empty_box(d))
        fail("nothing of a map of the family {} fits on {} x {} cells of {} m; give a larger --size", family.name,
             options.width, options.height, options.cell_m);
    map.walls = d.walls();
    map.doors = d.doors;
    map.rooms = d.rooms;
    map.command = command_of(family, place, options);
    return map;
}

GeneratedMap generate(const std::string& name, std::vector<Setting> settings, std::uint64_t seed) {
    const FamilyInfo& family = find_family(name);
    const std::unique_ptr<Family> place = family.make();
    GenerateOptions common;
    common.width = family.width;
    common.height = family.height;
    common.cell_m = family.cell_m;
    SettingReader reader(settings, name + ".");
    common.fields(reader);
    place->fields(reader);
    reader.expect_all_used();
    common.seed = seed;
    return generate(family, *place, common);
}

const std::vector<FamilyInfo>& families() {
    static const std::vector<FamilyInfo> all{
        campus_family(), cave_family(),     city_family(),   fingers_family(),   forest_family(), grid_family(),
        home_family(),   hospital_family(), loop_family(),   maze_family(),      office_family(), open_family(),
        rooms_family(),  ruin_family(),     school_family(), warehouse_family(), wrap_family(),
    };
    return all;
}

const FamilyInfo& find_family(std::string_view name) {
    std::vector<std::string> names;
    for (const FamilyInfo& f : families()) {
        if (f.name == name) return f;
        names.push_back(f.name);
    }
    const std::string near = nearest_name(name, names);
    fail("unknown family of maps '{}'{}; known: {}", name,
         near.empty() ? "" : fmt::format("; did you mean '{}'?", near), fmt::join(names, ", "));
}

std::string scenario_text(const FamilyInfo& family, const GeneratedMap& map, std::uint64_t seed,
                          const std::string& file) {
    const Lattice& lattice = map.walls.lattice();
    const Point start = lattice.centre(map.start);
    return fmt::format(
        "# {} (seed {}): {}.\n# Map made by: {}\n\n[map]\nfile = {}\ncell_m = {}\n\n[team]\nrobots = 4\n"
        "strategy = \"mresim_greedy\"\n\n[[base]]\nx_m = {:.3f}\ny_m = {:.3f}\n",
        family.name, seed, family.summary, map.command, toml_quoted(file), lattice.cell_m, start.x, start.y);
}

}  // namespace outrider
