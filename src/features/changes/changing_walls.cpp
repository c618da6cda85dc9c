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

bool Change::due(int step) const {
    if (within_m > 0 || steps.empty()) return false;
    if (every > 0 && step > steps.back()) return (step - steps.back()) % every == 0;
    return std::binary_search(steps.begin(), steps.end(), step);
}

ChangingWalls::ChangingWalls(const Grid<std::uint8_t>& walls, std::vector<Change> changes)
    : walls_(changes.empty() ? Grid<std::uint8_t>() : walls),
      changes_(std::move(changes)),
      waits_(changes_.size()),
      over_(changes_.size()) {}

bool ChangingWalls::stands_in(const Change& change, std::span<const Robot> robots) const {
    const Lattice& lattice = walls_.lattice();
    return std::any_of(robots.begin(), robots.end(), [&](const Robot& r) {
        return std::any_of(change.cells.begin(), change.cells.end(), [&](Cell c) {
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

bool ChangingWalls::update(int step, std::span<const Robot> robots) {
    done_.clear();
    bool changed = false;
    for (std::size_t k = 0; k < changes_.size(); ++k) {
        const Change& change = changes_[k];
        if (over_[k]) continue;
        waits_[k] = waits_[k] || change.due(step) || (change.within_m > 0 && comes_near(change, robots));
        if (!waits_[k]) continue;
        const bool wall = change.to == ChangeTo::wall ||
                          (change.to == ChangeTo::toggle && std::any_of(change.cells.begin(), change.cells.end(),
                                                                        [&](Cell c) { return walls_[c] == 0; }));
        if (wall && stands_in(change, robots)) continue;
        waits_[k] = 0;
        over_[k] = change.within_m > 0;
        bool news = false;
        for (const Cell c : change.cells) {
            news |= (walls_[c] != 0) != wall;
            walls_[c] = wall;
        }
        if (news) done_.push_back({k, wall});
        changed |= news;
    }
    return changed;
}

Grid<std::uint8_t> walls_at_most_open(const Grid<std::uint8_t>& walls, std::span<const Change> changes) {
    Grid<std::uint8_t> open = walls;
    for (const Change& change : changes)
        if (change.to != ChangeTo::wall)
            for (const Cell c : change.cells) open[c] = 0;
    return open;
}

}  // namespace outrider
