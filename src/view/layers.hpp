// What is drawn of whom: layers x robots, with presets. Layers that strategies publish are offered by their names.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider::view {

enum class Group : std::uint8_t { map, robots, radio, reasons };
inline constexpr std::array<std::string_view, 4> group_names{"Map", "Robots", "Radio and team", "Reasons"};

struct Layer {
    std::string key;    ///< in presets; "overlay:NAME" for what strategies publish
    std::string label;  ///< for people
    std::string hint;
    Group group = Group::map;
    bool per_robot = true;
    std::vector<std::uint8_t> on;  ///< by robot; a single one when not per robot
};

enum class Tri : std::uint8_t { off, some, on };

class Layers {
  public:
    /// `bases`: which robots are base stations.
    explicit Layers(std::vector<std::uint8_t> bases = {});

    const std::vector<Layer>& all() const { return layers_; }
    std::size_t robots() const { return bases_.size(); }
    /// -1: there is no such layer.
    int find(std::string_view key) const;
    /// A strategy published this layer.
    void offer(const std::string& overlay);

    /// Whether it is drawn, solo considered.
    bool shown(std::string_view key, std::size_t robot = 0) const;
    bool shown(std::size_t layer, std::size_t robot) const;
    bool on(std::size_t layer, std::size_t robot) const {
        return layers_[layer].on[layers_[layer].per_robot ? robot : 0];
    }
    Tri state(std::size_t layer) const;
    /// Of all layers of a robot.
    Tri robot_state(std::size_t robot) const;
    void set(std::size_t layer, bool on);
    void set(std::size_t layer, std::size_t robot, bool on);
    void set_robot(std::size_t robot, bool on);
    /// All on, or all off when they are on.
    void toggle(std::size_t layer) { set(layer, state(layer) != Tri::on); }

    /// Only this layer besides the map, or only this robot; the same again: all.
    void solo_layer(std::size_t layer);
    void solo_robot(std::size_t robot);
    std::optional<std::size_t> solo_layer() const { return solo_layer_; }
    std::optional<std::size_t> solo_robot() const { return solo_robot_; }

    /// Grows with every change.
    int version() const { return version_; }

    /// "walls free:all path:mobile overlay:candidates:all": what is on; "overlay:*" are all that are published.
    std::string text() const;
    void apply(std::string_view text);

  private:
    std::vector<std::uint8_t> bases_;
    std::vector<Layer> layers_;
    std::optional<std::size_t> solo_layer_, solo_robot_;
    std::string applied_;  // the last text, for layers that are offered later
    int version_ = 0;
};

struct Preset {
    std::string name, text;
};
/// Nine sets of layers, on the keys 1 to 9.
std::array<Preset, 9> default_presets();

/// A button on a robot's panel: layers that it switches together. Those that are published are found by parts of their
/// names.
struct PanelButton {
    std::string_view label, hint;
    std::vector<std::string_view> keys;     ///< exact
    std::vector<std::string_view> with;     ///< a published layer whose name has one of these
    std::vector<std::string_view> without;  ///< and none of these
};
const std::vector<PanelButton>& panel_buttons();
/// The layers that a button switches now; none: nobody published one.
std::vector<std::size_t> layers_of(const PanelButton& button, const Layers& layers);

}  // namespace outrider::view
