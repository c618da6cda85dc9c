#include "view/edit_model.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/output.hpp"
#include "outrider/error.hpp"
#include "outrider/ray.hpp"

namespace outrider::view {

namespace fs = std::filesystem;

EditModel::EditModel(const Scenario& scenario) : scenario_(scenario), settled_(team()) {}

void EditModel::settle() {
    Team now = team();
    if (now.same(settled_)) return;
    undone_to_.push_back(std::exchange(settled_, std::move(now)));
    redone_to_.clear();
}

bool EditModel::back(std::vector<Team>& from, std::vector<Team>& to) {
    if (from.empty()) return false;
    to.push_back(std::exchange(settled_, std::move(from.back())));
    from.pop_back();
    scenario_.robots = settled_.robots;
    scenario_.lists = settled_.lists;
    drawn_ = settled_.drawn;
    changed_ = true;
    return true;
}

bool EditModel::undo() {
    settle();
    return back(undone_to_, redone_to_);
}

bool EditModel::redo() {
    settle();
    return back(redone_to_, undone_to_);
}

std::size_t EditModel::add(Role role, Point at) {
    auto& list = scenario_.robots;
    RobotEntry entry = scenario_.plain_entry(role == Role::base);
    for (const RobotEntry& r : list)
        if ((r.role == Role::base) == (role == Role::base)) entry = r;
    entry.role = role;
    entry.parent.clear();
    entry.child.clear();
    entry.dies_at_step = -1;
    entry.where = "the editor";
    for (int n = 1;; ++n) {
        entry.name = fmt::format("{}{}", role == Role::base ? "base" : "r", n);
        if (std::none_of(list.begin(), list.end(), [&](const RobotEntry& r) { return r.name == entry.name; })) break;
    }
    entry.x_m = at.x;
    entry.y_m = at.y;
    // Bases come first: their numbers are the lowest.
    auto place = list.end();
    if (role == Role::base)
        place = std::find_if(list.begin(), list.end(), [](const RobotEntry& r) { return r.role != Role::base; });
    changed_ = true;
    const auto number = place - list.begin();  // before the list moves
    list.insert(place, entry);
    return static_cast<std::size_t>(number);
}

void EditModel::move(std::size_t i, Point at) {
    // As in a scenario: in the middle of a cell.
    const Lattice& lattice = scenario_.walls.lattice();
    const Point p = lattice.centre(lattice.cell_of(at));
    scenario_.robots[i].x_m = p.x;
    scenario_.robots[i].y_m = p.y;
    changed_ = true;
}

void EditModel::remove(std::size_t i) {
    const std::string name = scenario_.robots[i].name;
    scenario_.robots.erase(scenario_.robots.begin() + static_cast<std::ptrdiff_t>(i));
    scenario_.lists.remove_robot(name);
    for (RobotEntry& r : scenario_.robots) {
        if (r.parent == name) r.parent.clear();
        if (r.child == name) r.child.clear();
    }
    changed_ = true;
}

void EditModel::draw(Point from, Point to, double width_m, bool wall) {
    const Grid<std::uint8_t>& before = scenario_.walls;
    const Lattice& lattice = before.lattice();
    const int width = std::max(1, static_cast<int>(std::lround(width_m / lattice.cell_m))), low = -(width / 2);
    walk_segment(lattice.to_cells(from), lattice.to_cells(to), [&](Cell middle, double) {
        for (int y = low; y < low + width; ++y)
            for (int x = low; x < low + width; ++x) {
                const Cell c = middle + Cell{x, y};
                if (!before.contains(c)) continue;
                if ((before[c] != 0) == wall)
                    drawn_.erase(c);
                else
                    drawn_[c] = wall ? 1 : 0;
            }
        return true;
    });
    changed_ = true;
}

Grid<std::uint8_t> EditModel::walls() const {
    Grid<std::uint8_t> out = scenario_.walls;
    for (const auto& [cell, wall] : drawn_) out[cell] = wall;
    return out;
}

Scenario EditModel::scenario() const {
    Scenario copy = scenario_;
    copy.team.robots = copy.team.bases = 0;
    for (const RobotEntry& r : copy.robots) ++(r.role == Role::base ? copy.team.bases : copy.team.robots);
    Notes notes;
    Scenario out = make_scenario(parse_config(copy.resolved(), "the edited team"), scenario_.name, walls(), notes,
                                 scenario_.layers);
    if (drawn_.empty()) out.map_path = scenario_.map_path;
    out.map_origin = scenario_.map_origin;
    out.layer_files = scenario_.layer_files;
    return out;
}

std::string EditModel::problem() {
    Team now = team();
    if (judged_ && judged_->same(now)) return problem_;
    judged_ = std::move(now);
    problem_.clear();
    try {
        scenario();
    } catch (const std::exception& error) {
        problem_ = error.what();
    }
    return problem_;
}

/// The file for the map that is saved with the scenario; empty: the map is as in its file.
std::string EditModel::map_beside(const std::string& path) const {
    if (drawn_.empty() && fs::exists(scenario_.map_path)) return "";
    return fs::path(path).replace_extension(scenario_.map_origin == Pose{} ? ".png" : ".yaml").string();
}

void EditModel::save(const std::string& path, bool overwrite) const {
    Scenario out = scenario();
    const fs::path folder = fs::absolute(path).parent_path();
    const auto from_folder = [&](const std::string& named) {
        if (!fs::exists(named)) fail("a layer of this run is in its log, not in a file; expected a scenario to edit");
        const fs::path file = fs::weakly_canonical(fs::absolute(named));
        const fs::path relative = file.lexically_relative(fs::weakly_canonical(folder));
        return relative.empty() ? file.string() : relative.string();
    };
    const std::string map = map_beside(path);
    if (map.empty()) {
        out.map.file = from_folder(scenario_.map_path);
        out.map.leave_unknown_out = scenario_.map.unknown_by_format;
    } else {
        out.map = {};
        out.map.file = fs::path(map).filename().string();
        out.map.cell_m = scenario_.map.cell_m;
    }
    for (const LayerFile& layer : out.layer_files) out.features.set(layer.section, layer.key, from_folder(layer.path));
    OutputFile file(path, overwrite);
    file.write("# Written by the editor of outrider view.\n" + out.resolved());
    if (!map.empty()) write_map(map, {out.walls, scenario_.map_origin}, overwrite);
    file.commit();
}

}  // namespace outrider::view
