#include "messages/frame_news.hpp"
#include "messages/map_payload.hpp"

#include <algorithm>

#include "outrider/error.hpp"

namespace outrider {
namespace {

// Sizes on the air, in bytes.
constexpr std::size_t header_bytes = 64;  // from, to, frame, seq, step, pose, role, goal, done
constexpr std::size_t record_bytes = 48;
constexpr std::size_t coordinate_bytes = plain_tile_bytes - sizeof(CellTile);
constexpr std::size_t name_bytes = 16;

const MapSnapshot* last_received(const MapPayload& payload, RobotId receiver) {
    return payload.received ? payload.received->find(receiver) : nullptr;
}

/// Bytes of the tiles of `mine` that `theirs` lacks.
std::size_t missing_bytes(const MapSnapshot& mine, const MapSnapshot* theirs) {
    const bool only_cells =
        mine.stamps->blocks.empty() &&
        std::all_of(mine.marks.begin(), mine.marks.end(), [](const auto& plane) { return plane->blocks.empty(); });
    if (only_cells) {
        static const PlaneSnapshot<CellTile> nothing;
        return count_differences(*mine.cells, theirs ? *theirs->cells : nothing) * plain_tile_bytes;
    }
    std::size_t n = 0;
    for (const TileCoord t : missing_tiles(mine, theirs)) n += tile_bytes(mine, t);
    return n;
}

}  // namespace

std::size_t words_bytes(const std::vector<Word>& words) {
    std::size_t n = 0;
    for (const Word& w : words) n += 4 + 8 * w.values.size();
    return n;
}

std::vector<TileCoord> tiles_for(const Message& message, RobotId receiver) {
    if (!message.payload || message.share == Share::none) return {};
    const MapPayload& payload = *message.payload;
    std::vector<TileCoord> missing = missing_tiles(*payload.map, last_received(payload, receiver));
    if (payload.order.empty()) return missing;
    std::sort(missing.begin(), missing.end());
    std::vector<TileCoord> tiles;
    for (const TileCoord t : payload.order)
        if (std::binary_search(missing.begin(), missing.end(), t)) tiles.push_back(t);
    if (message.share == Share::summary && tiles.size() > static_cast<std::size_t>(message.summary_tiles))
        tiles.resize(static_cast<std::size_t>(message.summary_tiles));
    return tiles;
}

std::size_t missing_bytes(const MapPayload& payload, RobotId receiver) {
    if (!payload.submaps) return missing_bytes(*payload.map, last_received(payload, receiver));
    const Submaps* received = payload.received_submaps[static_cast<std::size_t>(receiver)].get();
    std::size_t n = 0;
    for (std::size_t k = 0; k < payload.received_submaps.size(); ++k) {
        const auto robot = static_cast<RobotId>(k);
        const MapSnapshot* mine = payload.submaps->find(robot);
        const MapSnapshot* theirs = received ? received->find(robot) : nullptr;
        if (!mine || (theirs && theirs->frame.epoch > mine->frame.epoch)) continue;
        const DrawnFrom here = payload.submaps->drawn_from(robot);
        if (here.scans == 0) {
            n += missing_bytes(*mine, theirs);
            continue;
        }
        const DrawnFrom there = theirs ? received->drawn_from(robot) : DrawnFrom{};
        if (theirs && theirs->frame.epoch < mine->frame.epoch) n += there.scans * drawn_pose_bytes;
        n += here.bytes - std::min(here.bytes, there.bytes);
    }
    return n;
}

bool holds_all(const MapSnapshot& theirs, const MapSnapshot& mine) {
    const std::vector<TileCoord> differ = missing_tiles(mine, &theirs);
    return std::none_of(differ.begin(), differ.end(), [&](TileCoord t) {
        static constexpr CellTile nothing{};
        const auto* here = mine.cells->find(t);
        const auto* there = theirs.cells->find(t);
        CellTile merged;
        return here && merge_cells(there ? there->data : nothing, here->data, merged).rows != 0;
    });
}

bool holds_all(const Submaps& theirs, const Submaps& mine, std::size_t robots) {
    for (std::size_t k = 0; k < robots; ++k) {
        const auto robot = static_cast<RobotId>(k);
        const MapSnapshot* here = mine.find(robot);
        const MapSnapshot* there = theirs.find(robot);
        if (!here || here->tile_count() == 0 || (there && there->frame.epoch > here->frame.epoch)) continue;
        if (!there || there->frame.epoch < here->frame.epoch || !holds_all(*there, *here)) return false;
    }
    return true;
}

std::size_t fixed_bytes(const Message& message) {
    const TeamTable::Load load = message.records.load();
    const std::size_t others = load.received - (message.self().seq > 0);
    return header_bytes + others * record_bytes + load.words_bytes +
           (message.payload ? message.payload->digest_bytes : 0) + (message.frames ? message.frames->bytes : 0);
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
