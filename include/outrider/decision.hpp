// All that a robot does in a step.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/message.hpp"

namespace outrider {

/// Where to drive: a poly-line in the body frame at the time of the percept, beginning at the body. The simulator walks
/// it up to speed * step_s and stops before walls; a live robot turns it into velocities.
struct Command {
    std::vector<Point> path_body;         ///< way points after the body's own position; empty: stay
    std::optional<double> final_heading;  ///< relative to the present heading; none: keep that of the last leg
    double speed_mps = 0;
    double valid_s = 1;  ///< a live robot stops when nothing newer came for so long
    bool operator==(const Command&) const = default;
};

/// What a strategy shows of its reasons, for people: recorded and drawn, never hashed, never read back. Made by the
/// functions below: they say what it means, which decides how the window draws it and which button shows it.
struct Overlay {
    enum class Kind : std::uint8_t { points, line, cells, text } kind = Kind::points;
    enum class Meaning : std::uint8_t {
        other,                           ///< none of these: has a colour of its layer's own
        goal,                            ///< where robots go, or are sent
        candidate,                       ///< what could become a goal
        meeting,                         ///< where two robots meet
        meeting_through_wall,            ///< the same, one on each side of a wall
        meeting_candidate,               ///< where two robots could meet
        meeting_candidate_through_wall,  ///< the same, one on each side of a wall
        path,                            ///< a way, or the order of several goals
        region,                          ///< parts of the space, or what divides them
        tree,                            ///< of a search
        network,                         ///< who is, or could be, linked by radio
        rule,                            ///< why it does what it does, as text
        state,                           ///< what it is about to do, as text: stands beside its name
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
    bool operator==(const Overlay&) const = default;
};
inline constexpr std::array<std::string_view, 13> overlay_meaning_names{"other",
                                                                        "goal",
                                                                        "candidate",
                                                                        "meeting",
                                                                        "meeting_through_wall",
                                                                        "meeting_candidate",
                                                                        "meeting_candidate_through_wall",
                                                                        "path",
                                                                        "region",
                                                                        "tree",
                                                                        "network",
                                                                        "rule",
                                                                        "state"};

/// What befell a strategy that people count: meetings, swaps of roles. For events and metrics: recorded, never hashed,
/// never read back.
struct StrategyEvent {
    enum class Kind : std::uint8_t {
        met,      ///< a meeting was kept
        missed,   ///< the partner did not come
        waited,   ///< at a meeting point, for so many steps
        swapped,  ///< took over another role
        doubted,  ///< was not sure for so many steps who holds a role
    } kind = Kind::met;
    int steps = 0;
    bool operator==(const StrategyEvent&) const = default;
};
inline constexpr std::array<std::string_view, 5> strategy_event_names{"met", "missed", "waited", "swapped", "doubted"};

/// Where a robot that matches scans found itself to be: for whoever retraces its steps without matching anew. Recorded,
/// never hashed.
struct PoseEstimate {
    Pose pose;                               ///< at the end of the percept, in the robot's map frame
    std::array<double, 9> covariance{};      ///< of x, y, yaw
    std::vector<std::optional<Pose>> scans;  ///< of the body at each scan of the percept; none: not drawn
    bool operator==(const PoseEstimate&) const = default;
};

struct Decision {
    Command command;
    std::vector<std::shared_ptr<const Message>> outbox;
    bool done = false;  ///< nothing is left to do, as far as this robot knows
    std::vector<Overlay> overlays;
    std::vector<StrategyEvent> strategy_events;
    std::optional<PoseEstimate> pose_estimate;  ///< none: odometry is believed
};

}  // namespace outrider
