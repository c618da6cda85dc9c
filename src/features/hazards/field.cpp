#include "features/hazards/field.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include "outrider/rng.hpp"

namespace outrider {
namespace {

constexpr std::array<Cell, 8> around{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};

}  // namespace

HazardField::HazardField(const Grid<std::uint8_t>& walls, std::span<const Hazard> hazards, int steps,
                         int tolerance_steps, std::uint64_t seed, const Relief* relief)
    : burns_from_(walls.width(), walls.height(), never, walls.lattice(), walls.origin()),
      burns_until_(walls.width(), walls.height(), never, walls.lattice(), walls.origin()),
      wet_from_(burns_from_),
      tolerance_steps_(tolerance_steps) {
    std::uint32_t stream = 0;
    for (const Hazard& hazard : hazards) {
        if (!hazard.given.empty())
            take(walls, hazard, stream, seed);
        else if (hazard.kind == HazardKind::fire)
            burn(walls, hazard, stream, steps, seed);
        else
            rise(walls, hazard, relief);
        ++stream;
    }
    std::stable_sort(debris_.begin(), debris_.end(), [](const Debris& a, const Debris& b) { return a.step < b.step; });
}

void HazardField::take(const Grid<std::uint8_t>& walls, const Hazard& hazard, std::uint32_t stream,
                       std::uint64_t seed) {
    Rng rng(seed, -2, Purpose::changes, 0, stream);
    std::map<int, std::vector<Cell>> fallen;
    for (const GivenHazard& given : hazard.given) {
        if (!walls.contains(given.cell) || walls[given.cell]) continue;
        if (hazard.kind == HazardKind::flood) {
            wet_from_[given.cell] = std::min(wet_from_[given.cell], given.from);
        } else if (burns_from_[given.cell] == never) {
            burns_from_[given.cell] = given.from;
            burns_until_[given.cell] = given.until;
            if (given.until != never && rng.uniform() < hazard.debris_share) fallen[given.until].push_back(given.cell);
        }
    }
    for (auto& [step, cells] : fallen) debris_.push_back({step, std::move(cells)});
}

/// A free cell catches fire with 1 - (1 - spread)^n, of which n neighbours burn. Each burns once.
void HazardField::burn(const Grid<std::uint8_t>& walls, const Hazard& fire, std::uint32_t stream, int steps,
                       std::uint64_t seed) {
    std::map<Cell, int> next;  // free cells that do not burn yet: how many neighbours do
    std::map<int, std::vector<Cell>> ends;
    std::map<int, std::vector<Cell>> fallen;
    const auto can_burn = [&](Cell c) { return walls.contains(c) && !walls[c] && burns_from_[c] == never; };
    const auto light = [&](Cell c, int step, Rng& rng) {
        burns_from_[c] = step;
        burns_until_[c] = step + fire.burn_steps;
        ends[step + fire.burn_steps].push_back(c);
        if (rng.uniform() < fire.debris_share) fallen[step + fire.burn_steps].push_back(c);
        next.erase(c);
        for (const Cell d : around)
            if (can_burn(c + d)) ++next[c + d];
    };
    for (int step = fire.at; step < steps; ++step) {
        Rng rng(seed, -2, Purpose::changes, step, stream);  // -1: doors and rubble
        if (step == fire.at && can_burn(fire.source)) light(fire.source, step, rng);
        if (const auto over = ends.find(step); over != ends.end()) {
            for (const Cell c : over->second)
                for (const Cell d : around)
                    if (const auto at = next.find(c + d); at != next.end() && --at->second == 0) next.erase(at);
            ends.erase(over);
        }
        if (next.empty() && ends.empty()) break;
        std::vector<Cell> lit;
        for (const auto& [c, burning] : next)
            if (rng.uniform() < 1 - pow(1 - fire.spread, burning)) lit.push_back(c);
        for (const Cell c : lit) light(c, step + 1, rng);
    }
    for (auto& [step, cells] : fallen) debris_.push_back({step, std::move(cells)});
}

/// Water takes the shortest path over the floor, and waits before what is higher than its level.
void HazardField::rise(const Grid<std::uint8_t>& walls, const Hazard& flood, const Relief* relief) {
    using Entry = std::pair<double, Cell>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    Grid<double> reached(walls.width(), walls.height(), std::numeric_limits<double>::infinity(), walls.lattice(),
                         walls.origin());
    const auto open = [&](Cell c) { return walls.contains(c) && !walls[c]; };
    if (!open(flood.source)) return;
    // When the level has risen to that of a cell, as the way that water makes up to then.
    const auto covered = [&](Cell c) {
        if (!relief || relief->at(c) <= relief->at(flood.source)) return 0.0;
        return (relief->at(c) - relief->at(flood.source)) / flood.rise_m / flood.steps_per_cell;
    };
    reached[flood.source] = 0;
    queue.emplace(0, flood.source);
    while (!queue.empty()) {
        const auto [length, c] = queue.top();
        queue.pop();
        if (length > reached[c]) continue;
        const double from = flood.at + std::ceil(length * flood.steps_per_cell);
        if (from >= never) continue;
        wet_from_[c] = std::min(wet_from_[c], static_cast<std::int32_t>(from));
        for (const Cell d : around) {
            const bool diagonal = d.x != 0 && d.y != 0;
            if (!open(c + d) || (diagonal && (!open(c + Cell{d.x, 0}) || !open(c + Cell{0, d.y})))) continue;
            const double there = std::max(length + (diagonal ? std::sqrt(2.0) : 1.0), covered(c + d));
            if (there >= reached[c + d]) continue;
            reached[c + d] = there;
            queue.emplace(there, c + d);
        }
    }
}

HazardField HazardField::placed(Cell origin) const {
    HazardField out = *this;
    const Cell by = origin - burns_from_.origin();
    for (Grid<std::int32_t>* grid : {&out.burns_from_, &out.burns_until_, &out.wet_from_}) grid->set_origin(origin);
    for (Debris& d : out.debris_)
        for (Cell& c : d.cells) c = c + by;
    return out;
}

}  // namespace outrider
