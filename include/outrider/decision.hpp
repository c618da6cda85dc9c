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

/// What a strategy shows of its reasons, for people: recorded and drawn, never hashed, never read back.
struct Overlay {
    enum class Kind : std::uint8_t { points, line, cells, text } kind = Kind::points;
    std::string layer;
    std::vector<Point> points;   ///< in the robot's map frame
    std::vector<double> values;  ///< a score per point, or empty
    std::string text;
    bool operator==(const Overlay&) const = default;
};

/// What befell a strategy that people count: meetings, swaps of roles. For events and metrics: recorded, never hashed,
/// never read back.
struct Happening {
    enum class Kind : std::uint8_t {
        met,      ///< a meeting was kept
        missed,   ///< the partner did not come
        waited,   ///< at a meeting point, for so many steps
        swapped,  ///< took over another role
        doubted,  ///< was not sure for so many steps who holds a role
    } kind = Kind::met;
    int steps = 0;
    bool operator==(const Happening&) const = default;
};
inline constexpr std::array<std::string_view, 5> happening_names{"met", "missed", "waited", "swapped", "doubted"};

/// Where a robot that matches scans found itself to be: for whoever retraces its steps without matching anew. Recorded,
/// never hashed.
struct Localised {
    Pose pose;                               ///< at the end of the percept, in the robot's map frame
    std::array<double, 9> covariance{};      ///< of x, y, yaw
    std::vector<std::optional<Pose>> scans;  ///< of the body at each scan of the percept; none: not drawn
    bool operator==(const Localised&) const = default;
};

struct Decision {
    Command command;
    std::vector<std::shared_ptr<const Message>> outbox;
    bool done = false;  ///< nothing is left to do, as far as this robot knows
    std::vector<Overlay> overlays;
    std::vector<Happening> happenings;
    std::optional<Localised> localised;  ///< none: odometry is believed
};

}  // namespace outrider
