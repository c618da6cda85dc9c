// Tiled planes with copy-on-write sharing: thousands of maps that know the same things share their memory.
//
// A plane is a tree of two levels: blocks of 4 x 4 tiles, tiles of 64 x 64 cells. snapshot() gives every node that
// changed a name (a hash of its content) and looks it up in an intern pool, which returns an existing node of the same
// name. Two planes are compared by names from the root down, so the cost of a comparison grows with the difference. A
// node is writable iff this plane created it since its last snapshot: a bit of its own says so, never a reference
// count, and a node is cloned only when a bit of it really changes. Copies of a plane share such nodes, too, until one
// of them writes: then a reference count says that it has to be cloned first. Nothing depends on an address.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "outrider/detail/block_list.hpp"
#include "outrider/detail/hash.hpp"
#include "outrider/detail/pointer_set.hpp"
#include "outrider/detail/tiles.hpp"

namespace outrider {

/// A node and the hash of its content (zero until a snapshot named it).
template <class T>
struct Named {
    Hash128 name;
    T data;
};
template <class T>
using Shared = std::shared_ptr<const Named<T>>;

/// The existing node of the same name, or this one, which is remembered as long as somebody holds it. Thread-safe.
/// `kind` tells the pools of different node types apart.
std::shared_ptr<const void> intern_node(const void* kind, const Hash128& name, std::shared_ptr<const void> node);

/// The node of that name, nullptr when nobody holds one. Thread-safe.
std::shared_ptr<const void> find_node(const void* kind, const Hash128& name);

template <class T>
Shared<T> intern(Shared<T> node) {
    static constexpr char kind = 0;  // its address serves as the kind
    const Hash128 name = node->name;
    return std::static_pointer_cast<const Named<T>>(intern_node(&kind, name, std::move(node)));
}

inline constexpr int block_tiles = 4;  ///< tiles along an edge of a block

template <class T>
struct TileBlock {
    std::array<Shared<T>, block_tiles * block_tiles> tiles;
};

/// An immutable state of a plane. Blocks by row, then column; tiles within a block likewise.
template <class T>
struct PlaneSnapshot {
    Hash128 name;  ///< zero for an empty plane
    BlockList<Shared<TileBlock<T>>> blocks;
    /// A block that was written since the plane's previous snapshot.
    struct Written {
        TileCoord at;
        std::uint16_t tiles;  ///< which of its tiles were written: bit i is tile i
        const Named<TileBlock<T>>* block;
    };
    std::vector<Written> written;  ///< by row, then column

    const Named<T>* find(TileCoord t) const;
};

/// A whole plane, or only those of its tiles that were written since the previous snapshot.
template <class T>
struct PlaneNews {
    const PlaneSnapshot<T>* plane = nullptr;
    bool only_changed = false;
};

template <class T>
class CowPlane {
  public:
    CowPlane() = default;
    /// nullptr where nothing was ever written.
    const T* find(TileCoord t) const {
        const Slot* slot = slots_.find({t.x >> 2, t.y >> 2});
        if (!slot || !slot->block) return nullptr;
        const Named<T>* tile = slot->block->data.tiles[tile_index(t)].get();
        return tile ? &tile->data : nullptr;
    }
    /// The name of a tile: zero where nothing was ever written, none where something was since the last share().
    std::optional<Hash128> name(TileCoord t) const {
        const Slot* slot = slots_.find({t.x >> 2, t.y >> 2});
        if (!slot || !slot->block) return Hash128{};
        const std::size_t i = tile_index(t);
        if (slot->own_tiles >> i & 1) return {};
        const Named<T>* tile = slot->block->data.tiles[i].get();
        return tile ? tile->name : Hash128{};
    }
    /// A tile of this plane's own, cloned or made empty when needed. Call it only if a bit will change.
    T& edit(TileCoord t) {
        Slot& slot = own_block(t);
        const std::size_t i = tile_index(t);
        Shared<T>& tile = slot.block->data.tiles[i];
        if (!(slot.own_tiles >> i & 1)) {
            // Not make_shared: a weak pointer of the pool would then keep the tile's own memory.
            tile = Shared<T>(new Named<T>{{}, tile ? tile->data : T{}});
            slot.own_tiles = static_cast<std::uint16_t>(slot.own_tiles | 1u << i);
            slot.written = static_cast<std::uint16_t>(slot.written | 1u << i);
        }
        return alone(tile).data;
    }
    /// The same as edit(t) = data, but does not copy what it replaces.
    void put(TileCoord t, const T& data) {
        Slot& slot = own_block(t);
        const std::size_t i = tile_index(t);
        if (slot.own_tiles >> i & 1) {
            alone(slot.block->data.tiles[i]).data = data;
        } else {
            slot.block->data.tiles[i] = Shared<T>(new Named<T>{{}, data});
            slot.own_tiles = static_cast<std::uint16_t>(slot.own_tiles | 1u << i);
            slot.written = static_cast<std::uint16_t>(slot.written | 1u << i);
        }
    }
    /// Shares a tile of another plane in place of what was there.
    void adopt(TileCoord t, const Shared<T>& tile) {
        Slot& slot = own_block(t);
        const std::size_t i = tile_index(t);
        slot.block->data.tiles[i] = tile;
        slot.own_tiles = static_cast<std::uint16_t>(slot.own_tiles & ~(1u << i));
        slot.written = static_cast<std::uint16_t>(slot.written | 1u << i);
    }
    /// Interns what this plane wrote since the last time: equal tiles of all planes are then held once.
    void share();
    /// Names and shares all that changed since the last call. O(what changed) + O(blocks).
    std::shared_ptr<const PlaneSnapshot<T>> snapshot();

    /// Calls visit(coordinate, tile of `theirs`) for each tile of `theirs` that this plane does not hold under the same
    /// name, by block row and column, then by tile row and column. visit may edit or adopt that very tile.
    template <class Visit>
    void for_each_difference(const PlaneSnapshot<T>& theirs, Visit&& visit) const;
    /// The same for many planes at once: visit(coordinate, tiles) is called once for each tile of which this plane does
    /// not hold all of theirs under the same name, with the distinct ones that it does not hold, in the order of
    /// `theirs`.
    template <class Visit>
    void for_each_difference(std::span<const PlaneNews<T>> theirs, Visit&& visit) const;
    /// Calls visit(coordinate, tile) for each tile that exists, by block row and column, then tile row and column.
    template <class Visit>
    void for_each(Visit&& visit) const;
    bool empty() const { return slots_.width() == 0; }

  private:
    struct Slot {
        std::shared_ptr<Named<TileBlock<T>>> block;
        bool own = false;
        std::uint16_t own_tiles = 0;
        std::uint16_t written = 0;  // tiles that are not those of the last snapshot
    };
    static std::size_t tile_index(TileCoord t) {
        return static_cast<std::size_t>((t.y & (block_tiles - 1)) * block_tiles + (t.x & (block_tiles - 1)));
    }
    static TileCoord tile_at(TileCoord block, std::size_t i) {
        return {block.x * block_tiles + static_cast<int>(i % block_tiles),
                block.y * block_tiles + static_cast<int>(i / block_tiles)};
    }
    Slot& own_block(TileCoord t) {
        const TileCoord at{t.x >> 2, t.y >> 2};
        Slot& slot = slots_.at(at);
        if (!slot.own) {
            slot.block.reset(slot.block ? new Named<TileBlock<T>>(*slot.block) : new Named<TileBlock<T>>());
            slot.own = true;
            dirty_.push_back(at);
        } else {
            alone(slot.block);
        }
        return slot;
    }
    /// An own node to be written: a clone of it, if a copy of this plane holds it, too.
    template <class Node>
    static auto& alone(std::shared_ptr<Node>& node) {
        using Writable = std::remove_const_t<Node>;
        if (node.use_count() > 1)
            node.reset(new Writable(*node));
        else
            std::atomic_thread_fence(std::memory_order_acquire);  // after the last look of a copy in another thread
        return const_cast<Writable&>(*node);
    }

    TileTable<Slot> slots_;
    std::vector<TileCoord> dirty_;    // blocks that are own
    std::vector<TileCoord> written_;  // shared since the last snapshot; sorted
    std::shared_ptr<const PlaneSnapshot<T>> last_ = std::make_shared<PlaneSnapshot<T>>();
};

template <class T>
const Named<T>* PlaneSnapshot<T>::find(TileCoord t) const {
    const Shared<TileBlock<T>>* block = blocks.find({t.x >> 2, t.y >> 2});
    if (!block) return nullptr;
    return (*block)
        ->data.tiles[static_cast<std::size_t>((t.y & (block_tiles - 1)) * block_tiles + (t.x & (block_tiles - 1)))]
        .get();
}

template <class T>
void CowPlane<T>::share() {
    for (const TileCoord at : dirty_) {
        Slot& slot = *slots_.find(at);
        auto& tiles = alone(slot.block).data.tiles;
        std::array<Hash128, block_tiles * block_tiles> names{};
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            if (!tiles[i]) continue;
            if (slot.own_tiles >> i & 1) {
                Named<T>& tile = alone(tiles[i]);
                tile.name = hash_bytes(&tile.data, sizeof(T));
                tiles[i] = intern(std::move(tiles[i]));
            }
            names[i] = tiles[i]->name;
        }
        slot.block->name = hash_bytes(names.data(), sizeof names);
        // The pool only hands out nodes that nobody writes any more; `own` is what makes a block writable.
        slot.block = std::const_pointer_cast<Named<TileBlock<T>>>(intern(Shared<TileBlock<T>>(std::move(slot.block))));
        slot.own = false;
        slot.own_tiles = 0;
    }
    written_.insert(written_.end(), dirty_.begin(), dirty_.end());
    dirty_.clear();
    std::sort(written_.begin(), written_.end());
    written_.erase(std::unique(written_.begin(), written_.end()), written_.end());
}

template <class T>
std::shared_ptr<const PlaneSnapshot<T>> CowPlane<T>::snapshot() {
    if (dirty_.empty() && written_.empty()) return last_;
    share();
    auto now = std::make_shared<PlaneSnapshot<T>>();
    std::vector<std::pair<TileCoord, const std::shared_ptr<Named<TileBlock<T>>>*>> blocks;
    std::vector<std::pair<TileCoord, Hash128>> names;
    const std::size_t most = last_->blocks.size() + written_.size();
    blocks.reserve(most);
    names.reserve(most);
    slots_.for_each([&](TileCoord at, const Slot& slot) {
        if (!slot.block) return;
        blocks.emplace_back(at, &slot.block);
        names.emplace_back(at, slot.block->name);
    });
    now->blocks = BlockList<Shared<TileBlock<T>>>(last_->blocks, blocks);
    now->written.reserve(written_.size());
    for (const TileCoord at : written_) {
        Slot& slot = *slots_.find(at);
        now->written.push_back({at, std::exchange(slot.written, std::uint16_t{0}), slot.block.get()});
    }
    written_.clear();
    now->name = hash_bytes(names.data(), names.size() * sizeof names[0]);
    return last_ = std::move(now);
}

template <class T>
template <class Visit>
void CowPlane<T>::for_each_difference(const PlaneSnapshot<T>& theirs, Visit&& visit) const {
    for (const auto& [at, block] : theirs.blocks) {
        const Slot* slot = slots_.find(at);
        const bool mine = slot && slot->block;
        if (mine && !slot->own && (slot->block == block || slot->block->name == block->name)) continue;
        for (std::size_t i = 0; i < block->data.tiles.size(); ++i) {
            const Shared<T>& tile = block->data.tiles[i];
            if (!tile) continue;
            slot = slots_.find(at);  // visit may have made the table grow, or the block an own one
            if (slot && slot->block) {
                const Shared<T>& here = slot->block->data.tiles[i];
                if (here == tile || (here && !(slot->own_tiles >> i & 1) && here->name == tile->name)) continue;
            }
            visit(tile_at(at, i), tile);
        }
    }
}

template <class T>
template <class Visit>
void CowPlane<T>::for_each_difference(std::span<const PlaneNews<T>> theirs, Visit&& visit) const {
    struct News {
        TileCoord at;
        std::uint32_t place;  // in their order
        unsigned tiles;       // that may be new to this plane
        const Named<TileBlock<T>>* block;
    };
    std::vector<News> found;
    const auto find = [&](TileCoord at, const Named<TileBlock<T>>* block, unsigned tiles) {
        const Slot* slot = slots_.find(at);
        if (slot && slot->block.get() == block && !slot->own) return;
        found.push_back({at, static_cast<std::uint32_t>(found.size()), tiles, block});
    };
    for (const PlaneNews<T>& news : theirs)
        if (news.only_changed)
            for (const auto& [at, tiles, block] : news.plane->written) find(at, block, tiles);
        else
            for (const auto& [at, block] : news.plane->blocks) find(at, block.get(), 0xffff);
    std::sort(found.begin(), found.end(),
              [](const News& a, const News& b) { return a.at != b.at ? a.at < b.at : a.place < b.place; });
    PointerSet seen;
    std::vector<const News*> distinct;
    std::vector<const Shared<T>*> tiles;
    for (auto next = found.begin(); next != found.end();) {
        const TileCoord at = next->at;
        distinct.clear();
        seen.clear();
        unsigned wanted = 0;
        for (; next != found.end() && next->at == at; ++next)
            if (seen.insert(next->block)) {  // what is not new in one of equal blocks is not new in the others
                distinct.push_back(&*next);
                wanted |= next->tiles;
            }
        for (; wanted; wanted &= wanted - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(wanted));
            const Slot* slot = slots_.find(at);  // visit may have made the table grow, or the block an own one
            const bool named = slot && slot->block && !(slot->own_tiles >> i & 1);
            const void* have = named ? slot->block->data.tiles[i].get() : nullptr;
            tiles.clear();
            seen.clear();
            for (const News* news : distinct) {
                if (!(news->tiles >> i & 1)) continue;
                const Shared<T>& tile = news->block->data.tiles[i];
                if (tile && tile.get() != have && seen.insert(tile.get())) tiles.push_back(&tile);
            }
            if (!tiles.empty()) visit(tile_at(at, i), std::span<const Shared<T>* const>(tiles));
        }
    }
}

template <class T>
template <class Visit>
void CowPlane<T>::for_each(Visit&& visit) const {
    slots_.for_each([&](TileCoord at, const Slot& slot) {
        if (!slot.block) return;
        for (std::size_t i = 0; i < slot.block->data.tiles.size(); ++i)
            if (const Shared<T>& tile = slot.block->data.tiles[i]) visit(tile_at(at, i), tile->data);
    });
}

/// How many tiles of `a` `b` does not hold under the same name. The pool makes one node of equal ones: two nodes held
/// at the same time have one name only if they are the same node.
template <class T>
std::size_t count_differences(const PlaneSnapshot<T>& a, const PlaneSnapshot<T>& b) {
    std::size_t count = 0;
    auto other = b.blocks.begin();
    for (const auto& [at, block] : a.blocks) {
        while (other != b.blocks.end() && other->first < at) ++other;
        const bool both = other != b.blocks.end() && other->first == at;
        if (both && other->second == block) continue;
        const auto& mine = block->data.tiles;
        if (both)
            for (std::size_t i = 0; i < mine.size(); ++i) count += mine[i] && mine[i] != other->second->data.tiles[i];
        else
            for (const Shared<T>& tile : mine) count += tile != nullptr;
    }
    return count;
}

/// Calls visit(coordinate, tile of a) for each tile of `a` that `b` does not hold under the same name.
template <class T, class Visit>
void for_each_difference(const PlaneSnapshot<T>& a, const PlaneSnapshot<T>& b, Visit&& visit) {
    auto other = b.blocks.begin();
    for (const auto& [at, block] : a.blocks) {
        while (other != b.blocks.end() && other->first < at) ++other;
        const TileBlock<T>* theirs = other != b.blocks.end() && other->first == at ? &other->second->data : nullptr;
        if (theirs && other->second->name == block->name) continue;
        for (std::size_t i = 0; i < block->data.tiles.size(); ++i) {
            const Shared<T>& tile = block->data.tiles[i];
            if (!tile || (theirs && theirs->tiles[i] && theirs->tiles[i]->name == tile->name)) continue;
            visit(TileCoord{at.x * block_tiles + static_cast<int>(i % block_tiles),
                            at.y * block_tiles + static_cast<int>(i / block_tiles)},
                  tile);
        }
    }
}

}  // namespace outrider
