#include "features/changes/changing_walls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace outrider {
namespace {

/// Between a point and the square of a cell, in metres.
double distance_m(const Lattice& lattice, Cell c, Point p) {
    const Point middle = lattice.centre(c);
    const double half = lattice.cell_m / 2;
    return norm({std::max(0.0, std::abs(p.x - middle.x) - half), std::max(0.0, std::abs(p.y - middle.y) - half)});
}

}  // namespace

bool Change::due(int step) {
    if (random) return random->at(step);
    if (within_m > 0 || steps.empty()) return false;
    if (every > 0 && step > steps.back()) return (step - steps.back()) % every == 0;
    return std::binary_search(steps.begin(), steps.end(), step);
}

ChangingWalls::ChangingWalls(const Grid<std::uint8_t>& walls, std::vector<Change> changes)
    : walls_(changes.empty() ? Grid<std::uint8_t>() : walls) {
    for (Change& change : changes) changes_.push_back({std::move(change)});
}

bool ChangingWalls::stands_in(std::span<const Cell> cells, std::span<const Robot> robots) const {
    const Lattice& lattice = walls_.lattice();
    return std::any_of(robots.begin(), robots.end(), [&](const Robot& r) {
        return std::any_of(cells.begin(), cells.end(), [&](Cell c) {
            // A cell more than its radius: obstacles are grown from cell to cell.
            return lattice.cell_of(r.position) == c ||
                   (r.radius_m > 0 && distance_m(lattice, c, r.position) < r.radius_m + lattice.cell_m);
        });
    });
}

bool ChangingWalls::comes_near(const Change& change, std::span<const Robot> robots) const {
    return std::any_of(robots.begin(), robots.end(), [&](const Robot& r) {
        return r.mobile && std::any_of(change.cells.begin(), change.cells.end(), [&](Cell c) {
                   return distance_m(walls_.lattice(), c, r.position) <= change.within_m;
               });
    });
}

bool ChangingWalls::take_place(const std::vector<Cell>& cells, ChangeTo to, std::span<const Robot> robots) {
    const bool wall =
        to == ChangeTo::wall ||
        (to == ChangeTo::toggle && std::any_of(cells.begin(), cells.end(), [&](Cell c) { return walls_[c] == 0; }));
    if (wall && stands_in(cells, robots)) return false;
    bool news = false;
    for (const Cell c : cells) {
        news |= (walls_[c] != 0) != wall;
        walls_[c] = wall;
    }
    if (news) done_.push_back({cells, wall});
    return true;
}

bool ChangingWalls::update(int step, std::span<const Robot> robots) {
    done_.clear();
    for (Course& course : changes_) {
        Change& change = course.change;
        if (change.debris) {
            if (std::vector<Cell> heap = change.debris->fall(step); !heap.empty())
                course.heaps.push_back(std::move(heap));
            std::erase_if(course.heaps, [&](const auto& heap) { return take_place(heap, change.to, robots); });
            continue;
        }
        if (course.over) continue;
        course.waits = course.waits || change.due(step) || (change.within_m > 0 && comes_near(change, robots));
        if (!course.waits || !take_place(change.cells, change.to, robots)) continue;
        course.waits = false;
        course.over = change.within_m > 0;
    }
    return !done_.empty();
}

Grid<std::uint8_t> ChangingWalls::at_most_open() const {
    Grid<std::uint8_t> open = walls_;
    for (const Course& course : changes_)
        if (course.change.to != ChangeTo::wall)
            for (const Cell c : course.change.cells) open[c] = 0;
    return open;
}

}  // namespace outrider
