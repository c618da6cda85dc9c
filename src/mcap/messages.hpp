// Messages for the programs with which people look at robots, as values. coding.hpp writes them as JSON for Foxglove or
// as messages of ROS 2. Metres and radians; names of frames as in a tree of transforms.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// One sweep of a range finder. Beam i looks along first_angle + i * step_angle in the sensor's frame.
struct ScanMessage {
    std::string body_frame, sensor_frame;
    Pose mount;  ///< body_from_sensor
    double first_angle = 0, step_angle = 0, max_range_m = 0, scan_time_s = 0;
    std::vector<float> ranges;  ///< metres; infinity: nothing up to max_range_m; not a number: no information
};

/// Where something is, and its velocity per second in its own frame.
struct PoseMessage {
    std::string frame, child_frame;
    Pose pose;  ///< frame_from_child
    Pose velocity;
};

/// Cells of a map, the lowest row first.
struct GridMessage {
    static constexpr std::int8_t unknown = -1, free = 0, wall = 100;
    std::string frame;
    Point corner;  ///< of the lower left cell
    double cell_m = 0;
    int width = 0, height = 0;
    std::vector<std::int8_t> cells;
};

struct TransformsMessage {
    struct Link {
        std::string parent, child;
        Pose parent_from_child;
    };
    std::vector<Link> links;
};

struct Tint {
    float red = 0, green = 0, blue = 0, alpha = 1;
    bool operator==(const Tint&) const = default;
};

/// A part of a drawing.
struct SceneItem {
    enum class Kind : std::uint8_t {
        disc,       ///< disc_height_m high, around `pose`
        arrow,      ///< from `pose` along its x axis
        dots,       ///< at `points`
        line,       ///< through `points`
        segments,   ///< between the first two of `points`, the next two, ...
        triangles,  ///< with corners at the first three of `points`, the next three, ...
        text,       ///< at `pose`, facing the viewer
    } kind = Kind::dots;
    Tint colour;
    double size_m = 0.1;  ///< diameter, length of an arrow, height of a text; width of a line
    double z_m = 0;       ///< height above the map
    Pose pose = {};
    std::vector<Point> points = {};
    std::vector<Tint> tints = {};  ///< of each dot; empty: all have the same
    std::string text = {};
    bool operator==(const SceneItem&) const = default;
};

inline constexpr double disc_height_m = 0.1;

/// All that a topic shows from now on; nothing of what it showed before stays.
struct SceneMessage {
    std::string frame, name;
    std::vector<SceneItem> items;
    bool operator==(const SceneMessage&) const = default;
};

/// A line of text.
struct TextMessage {
    std::string from, text;
    bool warning = false;
};

using ToolMessage = std::variant<ScanMessage, PoseMessage, GridMessage, TransformsMessage, SceneMessage, TextMessage>;
/// Which of them, in the same order.
enum class MessageKind : std::uint8_t { scan, pose, grid, transforms, scene, text };

/// A turn around the vertical axis as a quaternion whose x and y are 0.
struct Turn {
    double z = 0, w = 1;
};
inline Turn turn_of(double yaw) {
    const SinCos half = sin_cos(yaw / 2);
    return {half.sin, half.cos};
}

}  // namespace outrider
