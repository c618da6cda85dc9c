// What a policy decides on: numbers of a fixed shape, made from a robot's belief alone. The environments for learning
// and the learned strategies of the program use the same ones (docs/learning.md).
//
//     for (const FrontierChoice& choice : frontier_choices(belief, 16)) score(choice.features);
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/belief.hpp"

namespace outrider {

/// Of a frontier. Lengths are in ranges of the robot's farthest sensor, so that maps and sensors of other sizes give
/// similar numbers; none is above max_feature, which also stands for "there is none".
enum class FrontierFeature {
    dx,        ///< from the robot to where it would stand, along the x of its frame
    dy,        ///< the same along y
    way,       ///< length of the shortest path
    size,      ///< its cells, as a length
    sight,     ///< unknown area in sight from where it would stand: share of a full disc of the sensor's range
    mate,      ///< straight distance to the nearest team-mate, as last heard
    claim,     ///< straight distance to the nearest goal of a team-mate, as last heard
    nearer,    ///< share of the team-mates heard of that are nearer to it, as the crow flies
    target,    ///< straight distance to the robot's own goal
    home,      ///< straight distance to its home
    turn,      ///< angle between its heading and the direction to the frontier, 0 to 1 for half a turn
    leftover,  ///< 1: small, seen already, or left over; else 0
};
inline constexpr std::array<std::string_view, 12> frontier_feature_names{
    "dx", "dy", "way", "size", "sight", "mate", "claim", "nearer", "target", "home", "turn", "leftover"};
inline constexpr float max_feature = 10;
using FrontierFeatures = std::array<float, frontier_feature_names.size()>;

struct FrontierChoice {
    Frontier frontier;
    FrontierFeatures features{};
};

/// The candidate frontiers (behaviours.hpp) that can be reached, the nearest by path first, at most so many.
std::vector<FrontierChoice> frontier_choices(const Belief& belief, int most);

/// Of the robot itself; lengths in ranges of its farthest sensor.
enum class OwnFeature {
    x,        ///< from its start, along the x of its frame
    y,        ///< the same along y
    cos_yaw,  ///< of its heading
    sin_yaw,
    home,     ///< straight distance to its home
    mates,    ///< share of its team-mates that are in contact
    base,     ///< 1: a base is in contact
    elapsed,  ///< share of the mission's steps that is over
};
inline constexpr std::array<std::string_view, 8> own_feature_names{"x",    "y",     "cos_yaw", "sin_yaw",
                                                                   "home", "mates", "base",    "elapsed"};
using OwnFeatures = std::array<float, own_feature_names.size()>;
OwnFeatures own_features(const Belief& belief);

/// A square piece of the map with the robot's cell in its middle, as pictures of 0 to 255: x right, y up as in its
/// frame (row 0 is the lowest).
struct WindowShape {
    int pixels = 64;  ///< of a side, a multiple of 8
    int scale = 1;    ///< cells of a pixel's side: 1, 2, 4 or 8; a pixel then shows the share of its cells
};
inline constexpr std::array<std::string_view, 7> window_channel_names{"free",  "occupied", "frontier", "mates",
                                                                      "goals", "home",     "track"};
/// Fills `out`, channel by channel, row by row: window_channel_names.size() * pixels^2 bytes. `track`: places where it
/// was, which the caller remembers.
void draw_window(const Belief& belief, const WindowShape& shape, std::span<const Cell> track,
                 std::span<std::uint8_t> out);

/// A small neural network that says how good a choice is: dense layers, tanh between them, one number at the end.
class Network {
  public:
    /// From JSON (docs/learning.md): {"outrider_network": 1, "inputs": ["way", ...], "layers": [{"weights": [[...],
    /// ...], "bias": [...]}, ...]}, and "most", what larger inputs count as; a row of weights for each output of a
    /// layer, the last layer has one. `name`: for messages. Throws Error, which says what is wrong where.
    static Network parse(std::string_view json, const std::string& name);
    /// The same from a file.
    static Network read(const std::string& path);

    /// The higher, the better. The same to the last bit on every machine.
    double score(const FrontierFeatures& features) const;

    struct Layer {
        std::vector<std::vector<double>> weights;  ///< by output, then input
        std::vector<double> bias;                  ///< by output
    };
    const std::vector<FrontierFeature>& inputs() const { return inputs_; }
    const std::vector<Layer>& layers() const { return layers_; }

  private:
    std::vector<FrontierFeature> inputs_;
    double most_ = max_feature;  // larger inputs count as this
    std::vector<Layer> layers_;
};

}  // namespace outrider
