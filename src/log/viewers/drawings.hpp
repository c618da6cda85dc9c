// What is drawn of a run in other programs: bodies, goals, paths, links, and what strategies show of their reasons.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/canvas.hpp"
#include "mcap/messages.hpp"
#include "outrider/belief.hpp"
#include "outrider/intent.hpp"
#include "scene/scene.hpp"

namespace outrider {

/// The colour of the robot with this number; base stations are dark.
Colour drawn_colour(const Briefing& briefing);

/// A robot around the origin of its frame, looking along x. `label`: its name and state.
SceneMessage body_drawing(const Briefing& briefing, const std::string& frame, const std::string& label, bool alive);
/// Dots, lines and cells that have one layer; points in the frame `map`. Values become opacities: those of the best are
/// strong. Whether more is better, the goal shows if it is among them. At most 500 dots, the best, are drawn.
SceneMessage overlay_drawing(const std::string& layer, std::span<const Overlay* const> overlays, double cell_m,
                             const std::optional<Point>& goal, Colour colour);
SceneMessage goal_drawing(const std::optional<Point>& goal, double cell_m, Colour colour);
SceneMessage path_drawing(std::vector<Point> corners, double cell_m, Colour colour);
/// `ends`: of each link, one after the other.
SceneMessage links_drawing(std::vector<Point> ends, double cell_m);

/// A layer of a scene. `offset`: of the team's frame, in the frame `map`.
SceneMessage layer_drawing(const scene::Layer& layer, double cell_m, Point offset);

}  // namespace outrider
