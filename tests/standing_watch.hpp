// How long the robots of a run stand still.
#pragma once

#include "helpers.hpp"

namespace outrider {

/// Measures how long robots stand. What state they are in they show as an overlay. Those of role_based that wait do so
/// until a time that they agreed on: as long as that takes.
struct StandingWatch final : Observer {
    struct Standing {
        std::string state;
        Cell cell;
        int steps = 0;
    };
    std::vector<Standing> robots;
    int longest = 0, longest_wait = 0;  // in steps; in other states, and in those

    void on_step(const StepView& view) override {
        robots.resize(view.team.size());
        for (std::size_t i = 0; i < view.team.size(); ++i) {
            const Belief& belief = view.team[i].belief();
            if (belief.briefing().is_base() || !view.percepts[i].alive || view.decisions[i].done) {
                robots[i] = {};
                continue;
            }
            Standing now{"", belief.cell(), 0};
            for (const Overlay& overlay : view.decisions[i].overlays)
                if (overlay.layer == "state") now.state = overlay.text;
            if (now.state == robots[i].state && now.cell == robots[i].cell) now.steps = robots[i].steps + 1;
            int& most = now.state.find(": wait_for_") == std::string::npos ? longest : longest_wait;
            most = std::max(most, now.steps);
            robots[i] = now;
        }
    }
};

}  // namespace outrider
