#include <mutex>
#include <vector>

#include "outrider/detail/cow_plane.hpp"

namespace outrider {
namespace {

/// Nodes still in use, and some that expired, in an open-addressed table: a node lies in the slot that its name gives
/// or right behind. Expired nodes are dropped when the table is full and rebuilt.
struct alignas(64) Shard {
    struct Slot {
        Hash128 key;  // zero: none
        std::weak_ptr<const void> node;
    };
    std::mutex mutex;
    std::vector<Slot> slots = std::vector<Slot>(64);  // a power of two
    std::size_t used = 0;

    /// The slot of that key, or an empty one for it.
    Slot& find(const Hash128& key) {
        std::size_t at = key.low & (slots.size() - 1);
        while (slots[at].key != key && slots[at].key != Hash128{}) at = (at + 1) & (slots.size() - 1);
        return slots[at];
    }
    void build_anew() {
        std::vector<Slot> before = std::move(slots);
        std::erase_if(before, [](const Slot& slot) { return slot.node.expired(); });
        used = before.size();
        slots = std::vector<Slot>(std::max(std::size_t{64}, std::bit_ceil(4 * used)));
        for (Slot& slot : before) find(slot.key) = std::move(slot);
    }
};

Shard& shard_of(const Hash128& name) {
    static std::array<Shard, 64> shards;
    return shards[name.high >> 58];  // 64 of them; the lower bits choose the slot
}

/// Nodes of different kinds never share a key: the pool of a kind begins elsewhere in the space of names.
Hash128 key_of(const void* kind, const Hash128& name) {
    return {name.low ^ reinterpret_cast<std::uintptr_t>(kind) * 0x9E3779B97F4A7C15, name.high};
}

}  // namespace

std::shared_ptr<const void> find_node(const void* kind, const Hash128& name) {
    const Hash128 key = key_of(kind, name);
    Shard& shard = shard_of(name);
    const std::lock_guard lock(shard.mutex);
    return shard.find(key).node.lock();
}

std::shared_ptr<const void> intern_node(const void* kind, const Hash128& name, std::shared_ptr<const void> node) {
    const Hash128 key = key_of(kind, name);
    Shard& shard = shard_of(name);
    const std::lock_guard lock(shard.mutex);
    Shard::Slot& slot = shard.find(key);
    if (slot.key == key) {
        if (auto existing = slot.node.lock()) return existing;
        slot.node = node;
        return node;
    }
    slot = {key, node};
    if (2 * ++shard.used > shard.slots.size()) shard.build_anew();
    return node;
}

}  // namespace outrider
