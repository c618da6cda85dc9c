#include "waist/cargo.hpp"

#include <algorithm>

namespace outrider {
namespace {

// Sizes on the air, in bytes.
constexpr std::size_t header_bytes = 64;  // from, to, frame, seq, step, pose, role, goal, done
constexpr std::size_t record_bytes = 48;
constexpr std::size_t coordinate_bytes = 4;
constexpr std::size_t name_bytes = 16;

std::size_t words_bytes(const std::vector<Word>& words) {
    std::size_t n = 0;
    for (const Word& w : words) n += 4 + 8 * w.values.size();
    return n;
}

}  // namespace

std::vector<TileCoord> tiles_for(const Message& message, RobotId receiver) {
    if (!message.cargo || message.share == Share::none) return {};
    const Cargo& cargo = *message.cargo;
    const MapSnapshot* theirs = nullptr;
    if (cargo.heard) {
        const auto known = std::lower_bound(cargo.heard->begin(), cargo.heard->end(), receiver,
                                            [](const auto& entry, RobotId id) { return entry.first < id; });
        if (known != cargo.heard->end() && known->first == receiver) theirs = known->second.get();
    }
    std::vector<TileCoord> lacking = tiles_lacking(*cargo.map, theirs);
    if (cargo.order.empty()) return lacking;
    std::sort(lacking.begin(), lacking.end());
    std::vector<TileCoord> tiles;
    for (const TileCoord t : cargo.order)
        if (std::binary_search(lacking.begin(), lacking.end(), t)) tiles.push_back(t);
    if (message.share == Share::summary && tiles.size() > static_cast<std::size_t>(message.summary_tiles))
        tiles.resize(static_cast<std::size_t>(message.summary_tiles));
    return tiles;
}

std::size_t fixed_bytes(const Message& message) {
    std::size_t n = header_bytes;
    for (const auto& record : message.records)
        if (record->seq > 0) n += (record->robot == message.from ? 0 : record_bytes) + words_bytes(record->words);
    return n + (message.cargo ? message.cargo->digest_bytes : 0);
}

std::size_t digest_bytes(const MapSnapshot& map, std::size_t changed_tiles) {
    return (map.cells->blocks.size() + changed_tiles) * (coordinate_bytes + name_bytes);
}

std::size_t tile_bytes(const MapSnapshot& map, TileCoord tile) {
    std::size_t n = coordinate_bytes + (map.cells->find(tile) ? sizeof(CellTile) : 0);
    for (const auto& plane : map.marks) n += plane->find(tile) ? sizeof(BitTile) : 0;
    return n + (map.stamps->find(tile) ? sizeof(StampTile) : 0);
}

}  // namespace outrider
