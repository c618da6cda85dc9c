#include "view/true_walls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json.hpp"

namespace outrider::view {
namespace {

/// Calls visit(cell, wall) for the cells of an event "changed"; not for what cannot be.
template <class Visit>
void for_each_cell(const Grid<std::uint8_t>& walls, const RunEvent& event, Visit&& visit) {
    const Json json = parse_json(event.json);
    const Json *to = json.find("to"), *cells = json.find("cells");
    if (!to || !to->text() || !cells || !cells->array()) return;
    for (const Json& run : *cells->array()) {
        const Json::Array* numbers = run.array();
        if (!numbers || numbers->size() != 3) continue;
        int xyn[3] = {0, 0, 0};
        for (std::size_t k = 0; k < 3; ++k)
            if (const auto number = (*numbers)[k].number(); number && std::abs(*number) < 1e9)
                xyn[k] = static_cast<int>(*number);
        for (int i = 0; i < std::min(xyn[2], walls.width()); ++i)
            if (const Cell c{xyn[0] + i, xyn[1]}; walls.contains(c)) visit(c, *to->text() == "wall");
    }
}

}  // namespace

std::vector<TrueWalls::Change> TrueWalls::follow(const std::vector<RunEvent>& events, int step) {
    std::vector<Cell> touched;
    if (step < step_ || events.size() < applied_) {  // back: from the start again
        for (std::size_t i = 0; i < now_.cells().size(); ++i)
            if (now_.cells()[i] != start_.cells()[i]) touched.push_back(now_.cell(i));
        applied_ = 0;
    }
    std::vector<std::pair<Cell, std::uint8_t>> before;
    for (const Cell c : touched) {
        before.emplace_back(c, now_[c]);
        now_[c] = start_[c];
    }
    for (; applied_ < events.size() && events[applied_].step <= step; ++applied_)
        if (events[applied_].kind == "changed")
            for_each_cell(now_, events[applied_], [&](Cell c, bool wall) {
                before.emplace_back(c, now_[c]);
                now_[c] = wall;
            });
    step_ = step;
    std::vector<Change> out;
    Grid<std::uint8_t> seen;  // a cell may have changed several times: only the first state of each counts
    for (const auto& [c, was] : before) {
        if (seen.width() == 0) seen = Grid<std::uint8_t>(now_.width(), now_.height(), 0, now_.lattice(), now_.origin());
        if (seen[c]) continue;
        seen[c] = 1;
        if ((was != 0) != (now_[c] != 0)) out.push_back({c, now_[c] != 0});
    }
    return out;
}

}  // namespace outrider::view
