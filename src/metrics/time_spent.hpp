// What robots spend their steps on until the team knows 99 % of the area: each step of each robot counts once, so that
// the causes add up to that time. Of a step in which the team learned something the part counts as sensing that a
// robot's share of it is of the floor which a step could sweep (twice the range times the way of a step); the rest has
// a cause.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// Sensing, and causes of the rest: the first that holds.
enum class Spent : std::uint8_t { sensing, still, homeward, together, back, onward };
/// In metrics "spent_NAME", and in words.
inline constexpr std::array<std::string_view, 6> spent_names{"sensing",  "still", "homeward",
                                                             "together", "back",  "onward"};

class TimeSpent {
  public:
    /// Whether the robot is on ground that it drove on before and left since: squares of a metre, in the world's frame.
    bool drove_here_before(std::size_t robot, Point at) {
        if (ground_.size() <= robot) ground_.resize(robot + 1);
        Ground& ground = ground_[robot];
        const auto square = [](double m) { return static_cast<std::int64_t>(std::floor(m)); };
        const std::int64_t key = square(at.x) * (std::int64_t{1} << 32) + square(at.y);
        if (key != ground.here) {
            ground.here = key;
            ground.again = !ground.been.insert(key).second;
        }
        return ground.again;
    }
    /// `sensed`: the part of the step that counts as sensing.
    void add(Spent cause, double sensed) {
        steps_[static_cast<std::size_t>(Spent::sensing)] += sensed;
        steps_[static_cast<std::size_t>(cause)] += 1 - sensed;
    }
    /// Robot-steps.
    double operator[](Spent on) const { return steps_[static_cast<std::size_t>(on)]; }

  private:
    struct Ground {
        std::unordered_set<std::int64_t> been;
        std::int64_t here = INT64_MIN;
        bool again = false;
    };
    std::vector<Ground> ground_;  // by robot
    std::array<double, spent_names.size()> steps_{};
};

}  // namespace outrider
