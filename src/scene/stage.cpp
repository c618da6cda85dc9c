#include "scene/stage.hpp"

#include <algorithm>

namespace outrider::scene {

std::span<const LayerKind> layer_kinds() {
    static const std::vector<LayerKind> kinds = [] {
        const auto features = layer_features();
        std::vector<LayerKind> all(features.begin(), features.end());
        // What lies on the floor below what belongs to robots.
        std::stable_sort(all.begin(), all.end(),
                         [](const LayerKind& a, const LayerKind& b) { return a.info.group < b.info.group; });
        return all;
    }();
    return kinds;
}

Stage::Stage(const Scenario& s) {
    for (const LayerKind& kind : layer_kinds())
        if (auto source = kind.make(s)) entries_.push_back({&kind.info, std::move(source)});
}

std::vector<const LayerInfo*> Stage::layers() const {
    std::vector<const LayerInfo*> out;
    for (const Entry& e : entries_) out.push_back(e.info);
    return out;
}

Scene Stage::world(int step) {
    Scene out;
    for (const Entry& e : entries_)
        if (Items items = e.source->world(step)) out.push_back({e.info, std::move(items)});
    return out;
}

Scene Stage::team(const TeamMoment& moment) {
    Scene out;
    for (const Entry& e : entries_)
        if (Items items = e.source->team(moment)) out.push_back({e.info, std::move(items)});
    return out;
}

Scene Stage::all(const TeamMoment& moment) {
    Scene out;
    for (const Entry& e : entries_) {
        Items items = e.source->world(moment.view.step);
        if (const Items more = e.source->team(moment)) {
            std::vector<Item> all = items ? *items : std::vector<Item>();
            all.insert(all.end(), more->begin(), more->end());
            items = items_of(std::move(all));
        }
        if (items) out.push_back({e.info, std::move(items)});
    }
    return out;
}

}  // namespace outrider::scene
