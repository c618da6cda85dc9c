// Positions of a team, in order of priority, each with a place of its own that follows what the team looks at.
// Source: CAMBADA (Lau, Lopes, Corrente & Filipe, "Roles, positionings and set plays to coordinate a RoboCup MSL team",
// EPIA 2009): a home, and an attraction to the ball. Here the frontiers stand for the ball.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "outrider/frontier.hpp"

namespace outrider {

struct Position {
    Point home;           ///< in metres, seen from the team's home
    double region_m = 0;  ///< frontiers so near to its target are looked at first; 0: it has no region
    double pull = 0;      ///< how far the target moves from home to the focus: 0 not at all, 1 all the way
    bool operator==(const Position&) const = default;
};

/// "x y region pull, ..." Throws Error that begins with `where`.
std::vector<Position> read_positions(const std::string& text, const std::string& where);
/// So many on a circle around home, counterclockwise from straight east.
std::vector<Position> circle_of_positions(std::size_t count, double radius_m, double pull);

/// The centroid of all frontier cells; `home` when there are none. In metres.
Point focus_of(std::span<const Frontier> frontiers, const Lattice& lattice, Point home);
/// Where a position is now.
Point target_of(const Position& position, Point home, Point focus);

}  // namespace outrider
