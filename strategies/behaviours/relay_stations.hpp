// The mode deployment: as large a network of relays as possible, in which each robot stays in reach of the others.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "shared/frontier_goals.hpp"

namespace outrider {

/// Robots explore what lies in good reach of the network: the base stations, and team-mates that have taken a station.
/// When nothing is left there, they take stations one by one, by number, each as far towards the next frontier as it is
/// in good reach. One that does not hear the base station there backs up until it does.
class RelayStations {
  public:
    struct Task {
        std::optional<Frontier> frontier;  ///< to be explored
        std::optional<Point> place;        ///< where to go instead; neither: it waits
        bool stationed = false;            ///< it stands there
        std::string_view why;
    };
    Task next(const Belief& belief, const GoalOptions& along, const std::function<bool(const Frontier&)>& barred);
    /// That it has taken a station, for all.
    void add_words(std::vector<Word>& words) const;

  private:
    std::optional<Cell> station_;
    bool stands_ = false, backs_up_ = false;
};

}  // namespace outrider
