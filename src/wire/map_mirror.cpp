#include "wire/map_mirror.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace outrider {
namespace {

static_assert(std::endian::native == std::endian::little, "tiles are sent as they lie in memory");

constexpr std::size_t most_mirrors = 64;
constexpr std::int32_t most_tiles_away = 2048;        ///< from the origin: 6.5 km where a cell has 5 cm
constexpr std::size_t most_new_bytes = 4 << 20;       ///< of tiles in a message; more follow with the next ones
constexpr std::size_t most_mirror_bytes = 256 << 20;  ///< of all tiles of a sender

bool in_reach(TileCoord t) { return std::max(std::abs(t.x), std::abs(t.y)) <= most_tiles_away; }

const MapSnapshot& nothing() {
    static const MapSnapshot empty = KnownMap().snapshot();
    return empty;
}

/// What the receiver has of a map that lies in that frame: an older epoch counts for nothing.
const MapSnapshot& layer_of(const Mirror& mirror, std::size_t i, const FrameId& frame) {
    const bool there = i < mirror.layers.size() && mirror.layers[i] && mirror.layers[i]->frame == frame;
    return there ? *mirror.layers[i] : nothing();
}

/// Calls visit(plane of a, plane of b) for each kind of plane.
template <class Visit>
void for_each_plane(MapSnapshot& a, const MapSnapshot& b, Visit&& visit) {
    visit(a.cells, b.cells);
    for (std::size_t m = 0; m < mark_count; ++m) visit(a.marks[m], b.marks[m]);
    visit(a.stamps, b.stamps);
}

template <class T>
using Plane = std::shared_ptr<const PlaneSnapshot<T>>;

/// Calls visit(coordinate, shared tile) for each tile of the plane.
template <class T, class Visit>
void for_each_tile(const PlaneSnapshot<T>& plane, Visit&& visit) {
    static const PlaneSnapshot<T> none;
    for_each_difference(plane, none, visit);
}

template <class T>
CowPlane<T> writable(const PlaneSnapshot<T>& plane) {
    CowPlane<T> out;
    for_each_tile(plane, [&](TileCoord t, const Shared<T>& tile) { out.adopt(t, tile); });
    return out;
}

std::size_t bytes_of(const MapLayers& layers) {
    std::size_t bytes = 0;
    for (const auto& layer : layers) {
        if (!layer) continue;
        MapSnapshot map = *layer;
        for_each_plane(map, map, [&]<class T>(const Plane<T>& plane, const Plane<T>&) {
            for_each_tile(*plane, [&](TileCoord, const auto&) { bytes += sizeof(T); });
        });
    }
    return bytes;
}

/// The bytes of a tile that are not those of an older one: with few changes, nearly all are zero.
template <class T>
void toggle(T& tile, const Named<T>* older) {
    if (!older) return;
    std::array<unsigned char, sizeof(T)> mine, theirs;
    std::memcpy(mine.data(), &tile, sizeof(T));
    std::memcpy(theirs.data(), &older->data, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i) mine[i] ^= theirs[i];
    std::memcpy(&tile, mine.data(), sizeof(T));
}

/// Writes those of the tiles (sorted) that differ; returns the plane as the receiver has it then.
template <class T>
Plane<T> write_plane(ByteWriter& out, const PlaneSnapshot<T>& now, const Plane<T>& before,
                     const std::vector<TileCoord>& tiles) {
    std::vector<std::pair<TileCoord, const Shared<T>*>> differ;
    for (const TileCoord t : tiles) {
        const Shared<TileBlock<T>>* block = now.blocks.find({t.x >> 2, t.y >> 2});
        if (!block) continue;
        const auto place =
            static_cast<std::size_t>((t.y & (block_tiles - 1)) * block_tiles + (t.x & (block_tiles - 1)));
        const Shared<T>& tile = (*block)->data.tiles[place];
        const Named<T>* older = before->find(t);
        if (tile && !(older && older->name == tile->name)) differ.emplace_back(t, &tile);
    }
    out.integer(static_cast<std::int64_t>(differ.size()));
    if (differ.empty()) return before;
    CowPlane<T> plane = writable(*before);
    TileCoord last;
    for (const auto& [t, tile] : differ) {
        out.integer(t.x - last.x);
        out.integer(t.y - last.y);
        T news = (*tile)->data;
        toggle(news, before->find(t));
        out.bytes.append(reinterpret_cast<const char*>(&news), sizeof news);
        plane.adopt(t, *tile);
        last = t;
    }
    return plane.snapshot();
}

void expect_sound(const CellTile& tile) {
    for (std::size_t i = 0; i < tile_size; ++i)
        if ((tile.occupied.rows[i] | tile.safe.rows[i]) & ~tile.known.rows[i])
            fail("a message holds cells that are occupied or safe, and not known");
}
void expect_sound(const BitTile&) {}
void expect_sound(const StampTile&) {}

template <class T>
Plane<T> read_plane(ByteReader& in, const Plane<T>& before, std::vector<TileCoord>& tiles) {
    const std::size_t count = in.size(sizeof(T) + 2);
    if (count == 0) return before;
    CowPlane<T> plane = writable(*before);
    TileCoord last;
    for (std::size_t n = 0; n < count; ++n) {
        constexpr std::int64_t most = 2 * most_tiles_away;
        const auto dx = static_cast<std::int32_t>(in.within(-most, most));
        const auto dy = static_cast<std::int32_t>(in.within(-most, most));
        const TileCoord t{last.x + dx, last.y + dy};
        if (!in_reach(t)) fail("a message holds tile ({}, {}), which is too far away", t.x, t.y);
        if (n > 0 && !(last < t)) fail("a message holds tiles that are not in their order");
        T tile;
        std::memcpy(&tile, in.raw(sizeof tile).data(), sizeof tile);
        toggle(tile, before->find(t));
        expect_sound(tile);
        plane.put(t, tile);
        tiles.push_back(t);
        last = t;
    }
    return plane.snapshot();
}

/// The tiles of a map to send, sorted; what they take of what may be sent is subtracted from it. `worth`: only the
/// first `most` of those.
std::vector<TileCoord> tiles_to_send(const MapSnapshot& map, const MapSnapshot& before,
                                     const std::vector<TileCoord>* worth, int most, std::size_t& may_send) {
    std::vector<TileCoord> tiles = missing_tiles(map, &before);
    if (worth) {
        std::sort(tiles.begin(), tiles.end());
        std::vector<TileCoord> first;
        for (const TileCoord t : *worth)
            if (std::ssize(first) < most && std::binary_search(tiles.begin(), tiles.end(), t)) first.push_back(t);
        tiles = std::move(first);
    }
    std::erase_if(tiles, [&](TileCoord t) {
        const std::size_t bytes = tile_bytes(map, t);
        if (!in_reach(t) || bytes > may_send) return true;
        may_send -= bytes;
        return false;
    });
    std::sort(tiles.begin(), tiles.end());
    return tiles;
}

}  // namespace

std::int64_t Mirror::name() const {
    Hasher hasher;
    for (const auto& layer : layers) hasher(layer ? layer->name() : Hash128{});
    return static_cast<std::int64_t>(hasher.result().low);
}

const Mirror* Mirrors::find(std::uint32_t seq) const {
    const auto found = std::find_if(kept_.rbegin(), kept_.rend(), [&](const Mirror& m) { return m.seq == seq; });
    return found == kept_.rend() ? nullptr : &*found;
}

void Mirrors::forget_before(std::uint32_t seq) {
    const Mirror* first = find(seq);
    while (first && &kept_.front() != first) kept_.pop_front();
}

void Mirrors::add(Mirror mirror) {
    if (kept_.size() == most_mirrors) kept_.erase(kept_.begin() + 1);
    kept_.push_back(std::move(mirror));
}

Mirror write_layers(ByteWriter& out, const Message& message, const Mirror& before) {
    const MapPayload& payload = *message.payload;
    std::size_t may_send = most_new_bytes;
    const std::size_t there = bytes_of(before.layers);
    may_send = std::min(may_send, most_mirror_bytes - std::min(there, most_mirror_bytes));
    const auto write = [&](const MapSnapshot& map, const FrameId& frame, std::size_t place,
                           const std::vector<TileCoord>* worth) {
        const MapSnapshot& older = layer_of(before, place, frame);
        const std::vector<TileCoord> tiles = tiles_to_send(map, older, worth, message.summary_tiles, may_send);
        auto next = std::make_shared<MapSnapshot>(map);
        next->frame = frame;
        for_each_plane(*next, older, [&]<class T>(Plane<T>& plane, const Plane<T>& older_plane) {
            plane = write_plane(out, *plane, older_plane, tiles);
        });
        return next;
    };
    Mirror after{message.self().seq, {}};
    out.integer(payload.submaps != nullptr);
    if (!payload.submaps) {
        const std::vector<TileCoord>* worth = message.share == Share::summary ? &payload.order : nullptr;
        after.layers.push_back(write(*payload.map, message.frame, 0, worth));
        return after;
    }
    for (std::size_t i = 0; i < message.records.size(); ++i) {
        const MapSnapshot* submap = payload.submaps->find(static_cast<RobotId>(i));
        out.integer(submap ? submap->frame.epoch : -1);
        after.layers.push_back(submap ? write(*submap, {static_cast<RobotId>(i), submap->frame.epoch}, i, nullptr)
                                      : nullptr);
    }
    return after;
}

ReadLayers read_layers(ByteReader& in, const Message& message, const Mirror& before, const Briefing& receiver) {
    ReadLayers out;
    const auto read = [&](const FrameId& frame, std::size_t place) {
        const MapSnapshot& older = layer_of(before, place, frame);
        auto next = std::make_shared<MapSnapshot>(older);
        next->frame = frame;
        for_each_plane(*next, older, [&]<class T>(Plane<T>& plane, const Plane<T>& older_plane) {
            plane = read_plane(in, older_plane, out.tiles);
        });
        if (!receiver.cells_change && !next->stamps->blocks.empty())
            fail("a message holds stamps, in a world that does not change");
        return next;
    };
    out.mirror.seq = message.self().seq;
    out.submaps = in.within(0, 1) != 0;
    if (!out.submaps) {
        out.mirror.layers.push_back(read(message.frame, 0));
        std::sort(out.tiles.begin(), out.tiles.end());
        out.tiles.erase(std::unique(out.tiles.begin(), out.tiles.end()), out.tiles.end());
    } else {
        for (std::size_t i = 0; i < message.records.size(); ++i) {
            const auto epoch = static_cast<std::int32_t>(in.within(-1, INT32_MAX));
            const FrameId frame{static_cast<RobotId>(i), epoch};
            out.mirror.layers.push_back(epoch < 0 ? nullptr : read(frame, i));
        }
        out.tiles.clear();
    }
    if (bytes_of(out.mirror.layers) > most_mirror_bytes)
        fail("a message completes a map of more than {} bytes", most_mirror_bytes);
    return out;
}

}  // namespace outrider
