#include <mutex>
#include <unordered_map>

#include "outrider/cow_plane.hpp"

namespace outrider {
namespace {

struct Key {
    const void* kind;
    Hash128 name;
    bool operator==(const Key&) const = default;
};
struct KeyHash {
    std::size_t operator()(const Key& k) const {
        return k.name.low ^ (reinterpret_cast<std::uintptr_t>(k.kind) * 0x9E3779B97F4A7C15);
    }
};

/// Nodes that somebody still holds. What expired is swept when the shard has doubled since the last sweep.
struct alignas(64) Shard {
    std::mutex mutex;
    std::unordered_map<Key, std::weak_ptr<const void>, KeyHash> nodes;
    std::size_t sweep_at = 64;
};

Shard& shard_of(const Hash128& name) {
    static std::array<Shard, 64> shards;
    return shards[name.high % shards.size()];
}

}  // namespace

std::shared_ptr<const void> intern_node(const void* kind, const Hash128& name, std::shared_ptr<const void> node) {
    Shard& shard = shard_of(name);
    const std::lock_guard lock(shard.mutex);
    auto& slot = shard.nodes[{kind, name}];
    if (auto existing = slot.lock()) return existing;
    slot = node;
    if (shard.nodes.size() >= shard.sweep_at) {
        std::erase_if(shard.nodes, [](const auto& entry) { return entry.second.expired(); });
        shard.sweep_at = 64 + 2 * shard.nodes.size();
    }
    return node;
}

}  // namespace outrider
