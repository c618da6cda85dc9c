// What a strategy wants its robot to do in a step, and what it shows of its reasons and counts for metrics.
//
//     Intent intent{.action = Goto{{2.5, 1}}, .done = false};
//     intent.words.push_back({topic, to_all, {price}});
//     if (belief.overlays_wanted()) intent.overlays.push_back(Overlay::rule("the nearest frontier"));
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "outrider/team.hpp"

namespace outrider {

/// What a strategy shows of its reasons, for people: recorded and drawn, never hashed, never read back. Made by the
/// functions below: they say what it means, which decides how the window draws it and which button shows it.
struct Overlay {
    enum class Kind : std::uint8_t { points, line, cells, text } kind = Kind::points;
    enum class Meaning : std::uint8_t {
        other,                           ///< none of these: each layer has a colour of its own
        goal,                            ///< where robots go, or are sent
        candidate,                       ///< what could become a goal
        meeting,                         ///< where two robots meet
        meeting_through_wall,            ///< the same, one on each side of a wall
        meeting_candidate,               ///< where two robots could meet
        meeting_candidate_through_wall,  ///< the same, one on each side of a wall
        path,                            ///< a path, or the order of several goals
        region,                          ///< parts of the space, or what divides them
        tree,                            ///< of a search
        network,                         ///< who is, or could be, linked by radio
        rule,                            ///< why it does what it does, as text
        state,                           ///< what it is about to do, as text: stands beside its name
        curve,                           ///< a number, as text, to be drawn over the steps
        reports_to,                      ///< the robot to which it reports: a line to it, its name as text
    };
    std::string layer;           ///< its name for people
    std::vector<Point> points;   ///< in the robot's map frame
    std::vector<double> values;  ///< a score per point, or empty
    std::string text;
    Meaning meaning = Meaning::other;

    /// Points, with a score each or without any; `text` says what they, or the scores, are.
    static Overlay marks(Meaning meaning, std::string layer, std::string text, std::vector<Point> points = {},
                         std::vector<double> values = {});
    /// A line through points.
    static Overlay polyline(Meaning meaning, std::string layer, std::vector<Point> points = {}, std::string text = {});
    static Overlay note(Meaning meaning, std::string layer, std::string text);
    /// Marks in the layer "candidates".
    static Overlay candidates(std::string text, std::vector<Point> points = {}, std::vector<double> values = {});
    /// Notes in layers of their own.
    static Overlay rule(std::string text);
    static Overlay state(std::string text);
    /// A number of this step, drawn over the steps under this name, which begins with "curve".
    static Overlay curve(const std::string& name, double value);
    bool operator==(const Overlay&) const = default;
};
inline constexpr auto overlay_meaning_names = std::to_array<std::string_view>(
    {"other", "goal", "candidate", "meeting", "meeting_through_wall", "meeting_candidate",
     "meeting_candidate_through_wall", "path", "region", "tree", "network", "rule", "state", "curve", "reports_to"});

/// What happened in a strategy and is worth counting: meetings, swaps of roles. For events and metrics: recorded, never
/// hashed, never read back.
struct StrategyEvent {
    enum class Kind : std::uint8_t {
        met,         ///< a meeting was kept
        missed,      ///< the partner did not come
        waited,      ///< at a meeting point, for `steps` steps
        swapped,     ///< took over another role
        doubted,     ///< was not sure for `steps` steps who holds a role
        positioned,  ///< took position number `steps`; 0: gave its own up
    } kind = Kind::met;
    int steps = 0;
    bool operator==(const StrategyEvent&) const = default;
};
inline constexpr std::array<std::string_view, 6> strategy_event_names{"met",     "missed",  "waited",
                                                                      "swapped", "doubted", "positioned"};

/// Drive to a point of the map; the robot plans the path and keeps to it as long as it stays valid.
struct Goto {
    Point goal;
    double tolerance_m = 0;     ///< if the goal cannot be reached, the nearest reachable cell this close to it will do
    std::optional<Point> face;  ///< where to look on arrival
};
/// Drive along these cells, from the nearest one; the goal is unreachable while a wall is known on the rest of them.
struct Follow {
    std::vector<Cell> path;
    std::optional<Point> face;
};
/// Velocities for one step: metres per second, radians per second.
struct Drive {
    double forward = 0, turn = 0;
};
struct Stay {
    std::optional<Point> face;
};
/// A short drive in a random direction, to get unstuck.
struct RandomStep {};

using Action = std::variant<Stay, Goto, Follow, Drive, RandomStep>;

struct Intent {
    Action action{};
    std::optional<Role> role{};  ///< none: as before
    std::vector<Word> words{};
    Share share = Share::all;
    int summary_tiles = 16;  ///< for Share::summary
    bool done = false;       ///< nothing is left to do
    std::vector<Overlay> overlays{};
    std::vector<StrategyEvent> strategy_events{};
};

}  // namespace outrider
