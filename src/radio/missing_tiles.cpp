#include "radio/missing_tiles.hpp"

#include <algorithm>
#include <array>

#include "base/wide.hpp"

namespace outrider {
namespace {

using Block = const Named<TileBlock<CellTile>>*;

/// Whether a map holds only cell tiles: then all of its tiles have the same size.
bool only_cells(const MapSnapshot& map) {
    return map.stamps->blocks.empty() &&
           std::all_of(map.marks.begin(), map.marks.end(), [](const auto& plane) { return plane->blocks.empty(); });
}

/// Finds the indices at which two rows differ; returns their number.
OUTRIDER_WIDE std::size_t find_differences(const Block* mine, const Block* theirs, std::size_t size,
                                           std::uint32_t* places) {
    constexpr std::size_t stride = 16;
    std::size_t count = 0, i = 0;
    for (; i + stride <= size; i += stride) {
        std::uint64_t any = 0;
        for (std::size_t k = 0; k < stride; ++k)
            any |= reinterpret_cast<std::uintptr_t>(mine[i + k]) ^ reinterpret_cast<std::uintptr_t>(theirs[i + k]);
        if (!any) continue;
        for (std::size_t k = 0; k < stride; ++k)
            if (mine[i + k] != theirs[i + k]) places[count++] = static_cast<std::uint32_t>(i + k);
    }
    for (; i < size; ++i)
        if (mine[i] != theirs[i]) places[count++] = static_cast<std::uint32_t>(i);
    return count;
}

/// Tiles of `mine` that `theirs` (nullptr: none at all) does not hold: see count_differences().
std::size_t count_tiles(Block mine, Block theirs) {
    std::size_t n = 0;
    const auto& tiles = mine->data.tiles;
    for (std::size_t i = 0; i < tiles.size(); ++i) n += tiles[i] && !(theirs && theirs->data.tiles[i] == tiles[i]);
    return n;
}

}  // namespace

MissingTiles::MissingTiles(std::span<const MapPayload* const> now, std::span<const MapPayload* const> before)
    : now_(now), before_(before) {
    TileCoord low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    for (const auto& payloads : {now, before})
        for (const MapPayload* payload : payloads) {
            if (!payload) continue;
            for (const auto& [at, block] : payload->map->cells->blocks) {
                low = {std::min(low.x, at.x), std::min(low.y, at.y)};
                high = {std::max(high.x, at.x), std::max(high.y, at.y)};
            }
        }
    if (high.x < low.x) return;
    low_ = low;
    width_ = static_cast<std::size_t>(high.x - low.x + 1);
    size_ = width_ * static_cast<std::size_t>(high.y - low.y + 1);
    for (const MapPayload* payload : before) add(payload, rows_before_);
    for (const MapPayload* payload : now) add(payload, rows_now_);
}

/// Robots that share a plane share its row.
void MissingTiles::add(const MapPayload* payload, std::vector<Row>& rows) {
    Row& row = rows.emplace_back();
    if (!payload || !only_cells(*payload->map)) return;
    row = {payload->map->cells.get(), blocks_.size()};
    blocks_.resize(blocks_.size() + size_);
    for (const auto& [at, block] : row.plane->blocks) blocks_[row.begin + index(at)] = block.get();
}

std::vector<std::size_t> MissingTiles::bytes(RobotId from, std::span<const RobotId> hearers) const {
    const auto sender = static_cast<std::size_t>(from);
    std::vector<std::size_t> out(hearers.size(), 0);
    const MapPayload* payload = now_[sender];
    if (!payload) return out;
    if (rows_now_.empty() || !rows_now_[sender].plane) {
        for (std::size_t k = 0; k < hearers.size(); ++k) out[k] = missing_bytes(*payload, hearers[k]);
        return out;
    }
    const Block* mine = blocks_.data() + rows_now_[sender].begin;
    // Tiles of a block of the sender that are missing in a block of a receiver: receivers near each other share blocks.
    struct Counted {
        Block theirs = nullptr;
        std::size_t tiles = 0;
    };
    constexpr std::size_t slots = 8;
    std::vector<std::array<Counted, slots>> counted(size_);
    std::vector<std::uint32_t> places(size_);
    for (std::size_t k = 0; k < hearers.size(); ++k) {
        const auto hearer = static_cast<std::size_t>(hearers[k]);
        const MapSnapshot* received = payload->received ? payload->received->find(hearers[k]) : nullptr;
        const bool usual =
            received && before_[hearer] && before_[hearer]->map.get() == received && rows_before_[hearer].plane;
        if (!usual) {
            out[k] = missing_bytes(*payload, hearers[k]);
            continue;
        }
        const Block* theirs = blocks_.data() + rows_before_[hearer].begin;
        const std::size_t differ = find_differences(mine, theirs, size_, places.data());
        std::size_t tiles = 0;
        for (std::size_t d = 0; d < differ; ++d) {
            const std::size_t i = places[d];
            if (!mine[i]) continue;
            Counted& slot = counted[i][(reinterpret_cast<std::uintptr_t>(theirs[i]) >> 5) % slots];
            if (slot.theirs != theirs[i] || !theirs[i]) slot = {theirs[i], count_tiles(mine[i], theirs[i])};
            tiles += slot.tiles;
        }
        out[k] = tiles * plain_tile_bytes;
    }
    return out;
}

}  // namespace outrider
