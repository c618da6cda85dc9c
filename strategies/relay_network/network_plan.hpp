// Where the relays of a network stand so that a frontier comes in reach of it.
#pragma once

#include <optional>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/team.hpp"
#include "shared/transitions.hpp"

namespace outrider {

/// Where a robot stands for the network.
struct Station {
    RobotId robot = -1;
    Cell cell;
    bool operator==(const Station&) const = default;
};

/// What the leader of a deployment says. Newer ones have higher ids.
struct NetworkPlan {
    std::int64_t id = 0;
    bool finished = false;  ///< nothing is left that the network could reach
    std::vector<Station> stations;

    static std::int64_t id_of(int step, RobotId leader) { return std::int64_t{step} << 16 | leader; }
    /// In which it was made, by its id: one of the future arrived damaged.
    std::int64_t step() const { return id >> 16; }
    std::optional<Cell> station_of(RobotId robot) const;
    bool operator==(const NetworkPlan&) const = default;
};
/// Values {id, finished, robot, x, y, robot, x, y, ...} of topic_network.
Word word_of(const NetworkPlan& plan);
std::optional<NetworkPlan> network_plan_in(const TeamRecord& record);
/// What a robot said of itself last.
std::optional<Deployment> sent_state(const Belief& belief, RobotId robot);

/// Cells from the base outwards from which each hears the one before well, the first one the base, and the last one the
/// end of the path, a way from the base; at most so many. Where a robot stands already (`standing`) from which nearly
/// as much of the path is heard as from the best cell of the path, that place is taken. Empty optional: it takes more.
std::optional<std::vector<Cell>> stations_along(const Belief& belief, RobotId base, const std::vector<Cell>& path,
                                                const std::vector<Cell>& standing, std::size_t most, double margin_db);

/// The robots for these places: those that drive least in all, as the crow flies. There are enough robots.
std::vector<Station> staffed(const Belief& belief, const std::vector<RobotId>& team, const std::vector<Cell>& places);

}  // namespace outrider
