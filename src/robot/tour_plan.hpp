// A plan that robots drive step by step: what `outrider bound` writes and the strategy `tour` follows.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

struct TourPlan {
    /// Where a robot drives to in a straight line, in the team's frame.
    struct Stop {
        Cell cell;
        bool ends_step = true;      ///< otherwise a corner that it passes
        std::optional<double> yaw;  ///< where it looks at the end of the step, in radians; none: where it goes
        bool operator==(const Stop&) const = default;
    };
    /// Steps to T90 and T99, in a run of the plan (not a number: never reached) and of the lower bounds.
    struct Times {
        std::array<double, 2> plan, bound;
        /// What the plan's run spent its steps to T99 on, in the order of Spent (metrics/time_spent.hpp).
        std::array<double, 6> spent{};
        bool operator==(const Times&) const = default;
    };
    double cell_m = 0.1;                    ///< side of a cell
    std::vector<std::vector<Stop>> robots;  ///< by number of the robot; empty: it stays

    std::optional<Times> times;  ///< as its maker measured them
    bool operator==(const TourPlan&) const = default;

    /// {"outrider_plan": 1, "cell_m": 0.1, "robots": [[], [[12, 3], [14, 5, 90], [20, 5, null]]]}: for each robot its
    /// stops, a column and a row, and where a step ends a heading in degrees or null; with times also "plan_steps":
    /// [150, null], "bound_steps": [37, 48] and "plan_spent": [120, 0, 0, 0, 12, 40]. `name`: for messages. Throws
    /// Error, which says what is wrong where.
    static TourPlan parse(std::string_view json, const std::string& name);
    /// The same from a file.
    static TourPlan read(const std::string& path);
    std::string json() const;
};

}  // namespace outrider
