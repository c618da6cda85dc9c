// What a page shows of the scene of a run: each layer whenever it changes.
#pragma once

#include <string>
#include <vector>

#include "base/byte_stream.hpp"
#include "player/texts.hpp"
#include "scene/stage.hpp"

namespace outrider {

class SceneTrack {
  public:
    explicit SceneTrack(const Scenario& scenario) : stage_(scenario) {}

    /// Takes in a step, by its index on the page.
    void add(int index, const scene::TeamMoment& moment);
    /// A list for the page's header: what is known of each layer that showed something.
    std::string layers_json() const;
    /// In the same order the steps in which it changed, at least `apart` from each other, each with its items. Places
    /// are counted from `low`, the lower left cell of the page.
    void append(ByteWriter& out, Cell low, double cell_m, int apart, PlayerTexts& texts) const;

  private:
    struct Change {
        int index = 0;
        scene::Items items;
    };
    struct Track {
        const scene::LayerInfo* info = nullptr;
        std::vector<Change> changes{};
    };

    scene::Stage stage_;
    scene::SceneFollower follower_;
    std::vector<Track> tracks_;
};

}  // namespace outrider
