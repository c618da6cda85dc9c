// Sets the scenes of a run: asks each part of the scenario what there is to see.
#pragma once

#include <memory>
#include <span>

#include "metrics/true_view.hpp"
#include "run/run.hpp"
#include "run/run_event.hpp"
#include "scene/scene.hpp"

namespace outrider {
struct Scenario;
}

namespace outrider::scene {

/// A team after a step.
struct TeamMoment {
    const StepView& view;
    const TrueView& truth;               ///< of the team
    std::span<const Pose> poses{};       ///< where its robots are drawn; empty: where they believe to be
    std::span<const RunEvent> events{};  ///< of the run, by step, as far as they are known
    Point place(std::size_t robot) const {
        const Robot& r = view.team[robot];
        return (robot < poses.size() ? poses[robot] : truth.pose(r, r.belief().pose())).position();
    }
};

/// What a part of a scenario shows.
class LayerSource {
  public:
    virtual ~LayerSource() = default;
    /// What is true in a step, whatever the robots do.
    virtual Items world(int) { return nullptr; }
    /// What there is to see of the robots.
    virtual Items team(const TeamMoment&) { return nullptr; }
};

/// A kind of layer.
struct LayerKind {
    LayerInfo info;
    /// nullptr: the scenario has nothing of the kind.
    std::unique_ptr<LayerSource> (*make)(const Scenario& s);
};

class Stage {
  public:
    explicit Stage(const Scenario& s);

    /// The layers of this scenario, in the order in which they are drawn.
    std::vector<const LayerInfo*> layers() const;
    /// In that order; layers without items are left out.
    Scene world(int step);
    Scene team(const TeamMoment& moment);
    /// Both: of each layer all items together.
    Scene all(const TeamMoment& moment);

  private:
    struct Entry {
        const LayerInfo* info;
        std::unique_ptr<LayerSource> source;
    };
    std::vector<Entry> entries_;
};

/// Those of the features (src/features/list.cpp).
std::span<const LayerKind> layer_features();
/// All kinds, in the order in which they are drawn.
std::span<const LayerKind> layer_kinds();

}  // namespace outrider::scene
