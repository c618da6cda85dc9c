// Coordination by utility: goals that a robot will see from its goal become worth less to the others (Burgard, Moors,
// Fox, Simmons & Thrun, ICRA 2000; Burgard, Moors, Stachniss & Schneider, IEEE T-RO 21(3), 2005).
#pragma once

#include <functional>

#include "shared/teamwork.hpp"

namespace outrider {

enum class Visibility { linear, learned };
inline constexpr std::array<std::string_view, 2> visibility_names{"linear", "learned"};

/// How likely something is seen at this distance: 1 - distance / range, or the share of this robot's own beams so far
/// that reached at least that distance.
class VisibilityModel {
  public:
    explicit VisibilityModel(Visibility kind) : kind_(kind) {}
    /// Once a step.
    void learn(const Belief& belief);
    double operator()(double distance_cells, double range_cells) const;

  private:
    Visibility kind_;
    std::vector<std::uint64_t> reached_;  // beams that reached the beginning of each class of distances
    double class_cells_ = 5;
};

struct UtilitySharing {
    double beta = 1;              ///< weight of the longest path's cost against a utility of 1
    double range_cells = 1;       ///< of the sensor
    std::vector<Cell> committed;  ///< goals of robots that are not planned for
};

/// What goals were worth to the robot of a row when it chose.
struct OwnWorth {
    std::size_t row = 0;
    std::vector<double> goals;  ///< utility - beta cost / (largest cost); -infinity: no way
};

/// Row by row the goal of each robot, -1 when it can reach none. Utilities begin at 1; the pair with the largest
/// utility - beta cost / (largest cost) is taken (equal ones: the lower row, then goal), and all goals in sight of its
/// goal lose what visibility gives for their distance, until every row has a goal. `utilities`: in, as they begin
/// (empty: 1 each); out, what is left of them. `own`: filled in, if given.
std::vector<int> share_by_utility(const Belief& belief, const CostMatrix& costs, const std::vector<Cell>& goals,
                                  const UtilitySharing& options, const VisibilityModel& visibility,
                                  std::vector<double>& utilities, OwnWorth* own = nullptr);

}  // namespace outrider
