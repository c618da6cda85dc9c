// What is drawn for which robot: layers x robots, with presets. The window's own layers have an id; those of a scene
// and those published by strategies are found by their names.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/decision.hpp"
#include "outrider/briefing.hpp"
#include "scene/scene.hpp"

namespace outrider::view {

using scene::Group;
using scene::group_names;

/// The window's own layers, in the order of their boxes.
enum class LayerId : std::uint8_t {
    walls,
    prior,
    free,
    safe,
    frontier,
    cleared,
    undelivered,
    tint,
    difference,
    wrong,
    visits,
    age,
    location,
    name,
    state,
    trail,
    path,
    goal,
    sensor,
    believed,
    believed_path,
    guesses,
    patches,
    relations,
    closures,
    spread,
    links,
    range,
    expected_range,
    hierarchy,
    last_report,
    news_age,
    skeleton,
};

/// For which robots a layer is shown.
enum class Whose : std::uint8_t { nobody, all, mobile, bases };
inline constexpr std::array<std::string_view, 4> whose_names{"nobody", "all", "mobile", "bases"};

struct LayerInfo {
    LayerId id;
    Group group;
    bool per_robot;
    Whose first;           ///< in the first preset
    std::string_view key;  ///< in presets, settings and arguments
    std::string_view title, help;
};
/// By id; docs/window.md has the same table.
std::span<const LayerInfo> layer_infos();
inline const LayerInfo& info_of(LayerId id) { return layer_infos()[static_cast<std::size_t>(id)]; }

struct Layer {
    std::string key;    ///< in presets; "overlay:NAME" for what strategies publish
    std::string label;  ///< for people
    std::string hint;
    Group group = Group::map;
    bool per_robot = true;
    std::vector<std::uint8_t> on{};               ///< by robot; a single one when not per robot
    std::optional<Overlay::Meaning> published{};  ///< for layers of strategies: their meaning
    const scene::LayerInfo* of_scene = nullptr;   ///< for layers of the run's scene
    /// Its name, when it is published.
    std::string_view overlay() const { return std::string_view(key).substr(key.find(':') + 1); }
};

enum class Tri : std::uint8_t { off, some, on };

class Layers {
  public:
    /// `bases`: which robots are base stations; `scene`: the layers of the run's scene.
    explicit Layers(std::vector<std::uint8_t> bases = {}, std::span<const scene::LayerInfo* const> scene = {});

    const std::vector<Layer>& all() const { return layers_; }
    std::size_t robots() const { return bases_.size(); }
    /// The index of a layer among all: those with an id come first, by id.
    static std::size_t index(LayerId id) { return static_cast<std::size_t>(id); }
    /// -1: there is no such layer.
    int find(std::string_view key) const;
    /// Index of a layer of the scene. CHECK: it was given to the constructor.
    std::size_t index(const scene::LayerInfo& info) const;
    /// Index of the layer that a strategy publishes under this name.
    int find_published(const std::string& overlay) const;
    /// Adds a layer that a strategy published; its meaning is taken from the first time.
    void offer(const std::string& overlay, Overlay::Meaning meaning);

    /// Whether it is drawn, taking solo into account.
    bool shown(LayerId id, std::size_t robot = 0) const { return shown(index(id), robot); }
    bool shown(std::size_t layer, std::size_t robot) const;
    bool shown_published(const std::string& overlay, std::size_t robot) const;
    bool on(std::size_t layer, std::size_t robot) const {
        return layers_[layer].on[layers_[layer].per_robot ? robot : 0];
    }
    Tri state(std::size_t layer) const;
    Tri state(LayerId id) const { return state(index(id)); }
    /// Of all layers of a robot.
    Tri robot_state(std::size_t robot) const;
    void set(std::size_t layer, bool on);
    void set(std::size_t layer, std::size_t robot, bool on);
    void set_robot(std::size_t robot, bool on);
    /// All on, or all off when they are on.
    void toggle(std::size_t layer) { set(layer, state(layer) != Tri::on); }

    /// Shows only this layer besides the map, or only this robot; called again for the same: all.
    void solo_layer(std::size_t layer);
    void solo_robot(std::size_t robot);
    /// The same solo as there, where there is such a layer and such a robot; whether that changed anything.
    bool solo_as(const Layers& other);
    std::optional<std::size_t> solo_layer() const { return solo_layer_; }
    std::optional<std::size_t> solo_robot() const { return solo_robot_; }

    /// Incremented with every change.
    int version() const { return version_; }

    /// "walls free:all path:mobile overlay:candidates:all": what is on; "overlay:*" are all that are published,
    /// "scene:*" all of the scene.
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

/// A button on a robot's panel switches several layers together. Published layers are found by their meaning.
struct PanelButton {
    std::string_view label, hint;
    std::vector<LayerId> layers;
    std::vector<Overlay::Meaning> published;
};
const std::vector<PanelButton>& panel_buttons();
/// The layers that a button switches now; none: no strategy published one.
std::vector<std::size_t> layers_of(const PanelButton& button, const Layers& layers);

}  // namespace outrider::view
