#include "outrider/message.hpp"

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

std::vector<TileCoord> Message::tiles_for(RobotId receiver) const {
    if (!map || share == Share::none) return {};
    const auto known = std::lower_bound(heard.begin(), heard.end(), receiver,
                                        [](const auto& entry, RobotId id) { return entry.first < id; });
    const bool any = known != heard.end() && known->first == receiver;
    std::vector<TileCoord> lacking = tiles_lacking(*map, any ? known->second.get() : nullptr);
    if (share == Share::all && tile_order.empty()) return lacking;
    std::sort(lacking.begin(), lacking.end());
    std::vector<TileCoord> tiles;
    for (const TileCoord t : tile_order)
        if (std::binary_search(lacking.begin(), lacking.end(), t)) tiles.push_back(t);
    if (share == Share::summary && tiles.size() > static_cast<std::size_t>(summary_tiles))
        tiles.resize(static_cast<std::size_t>(summary_tiles));
    return tiles;
}

std::size_t fixed_bytes(const Message& message) {
    std::size_t n = header_bytes + words_bytes(message.self.words);
    for (const TeamRecord& r : message.others) n += record_bytes + words_bytes(r.words);
    if (message.map && message.share != Share::none) n += message.map->tile_count() * (coordinate_bytes + name_bytes);
    return n;
}

std::size_t tile_bytes(const MapSnapshot& map, TileCoord tile) {
    std::size_t n = coordinate_bytes + (map.cells->find(tile) ? sizeof(CellTile) : 0);
    for (const auto& plane : map.marks) n += plane->find(tile) ? sizeof(BitTile) : 0;
    return n + (map.stamps->find(tile) ? sizeof(StampTile) : 0);
}

}  // namespace outrider
