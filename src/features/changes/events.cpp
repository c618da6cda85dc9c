// What happens, for logs and for people.
#include "features/changes/world.hpp"
#include "log/event_feature.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

/// The cells of a change in the team's frame, as runs [x, y, how many] along rows.
std::string changed_json(const std::vector<Cell>& cells, bool wall) {
    std::string runs;
    for (std::size_t i = 0; i < cells.size();) {
        std::size_t n = 1;
        while (i + n < cells.size() && cells[i + n] == cells[i] + Cell{static_cast<int>(n), 0}) ++n;
        runs += fmt::format("{}[{}, {}, {}]", runs.empty() ? "" : ", ", cells[i].x, cells[i].y, n);
        i += n;
    }
    return fmt::format(R"({{"to": "{}", "cells": [{}]}})", wall ? "wall" : "free", runs);
}

class ChangeEvents final : public EventSource {
  public:
    explicit ChangeEvents(const WallChanges& part) : walls_(part.walls()) {}
    void find(const StepView& view, std::vector<LogEvent>& events) override {
        for (const ChangingWalls::Done& d : walls_.done())
            events.push_back({view.step, "changed", -1, changed_json(d.cells, d.wall)});
    }

  private:
    const ChangingWalls& walls_;
};

std::string change_in_words(std::string_view kind, const std::string&, const std::string& json) {
    if (kind != "changed") return {};
    return json.starts_with(R"({"to": "wall")") ? "a part of the map became wall" : "a part of the map became free";
}

}  // namespace

EventFeature changes_events() { return {source_of_part<ChangeEvents, WallChanges>, change_in_words}; }

}  // namespace outrider
