#include "scene/scene.hpp"

#include <algorithm>

namespace outrider::scene {

std::vector<const Meaning*> meanings_in(const Scene& scene) {
    std::vector<const Meaning*> out;
    for (const Layer& layer : scene)
        for (const Item& item : *layer.items) {
            const Meaning* meaning = &layer.info->meanings[item.meaning];
            if (std::find(out.begin(), out.end(), meaning) == out.end()) out.push_back(meaning);
        }
    return out;
}

Scene SceneFollower::changes(const Scene& now) {
    Scene out;
    const auto find = [](auto& in, const Layer& layer) {
        return std::find_if(in.begin(), in.end(), [&](const Layer& l) { return l.info == layer.info; });
    };
    for (const Layer& layer : now)
        if (find(last_, layer) == last_.end()) last_.push_back({layer.info, nullptr});
    for (Layer& layer : last_) {
        const auto at = find(now, layer);
        Items items = at == now.end() ? nullptr : at->items;
        if (layer.items == items || (layer.items && items && *layer.items == *items)) continue;
        layer.items = std::move(items);
        out.push_back(layer);
    }
    return out;
}

}  // namespace outrider::scene
