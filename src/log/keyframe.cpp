#include "log/keyframe.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/budget.hpp"
#include "base/foreign/index.hpp"
#include "log/log_format.hpp"
#include "log/tile_codec.hpp"
#include "messages/record_codec.hpp"

namespace outrider {
namespace {

/// Calls visit(coordinate, named tile) in the order of the snapshot.
template <class T, class Visit>
void for_each_tile(const PlaneSnapshot<T>& plane, Visit&& visit) {
    for (const auto& [at, block] : plane.blocks)
        for (std::size_t i = 0; i < block->data.tiles.size(); ++i)
            if (const Shared<T>& tile = block->data.tiles[i])
                visit(TileCoord{at.x * block_tiles + static_cast<int>(i % block_tiles),
                                at.y * block_tiles + static_cast<int>(i / block_tiles)},
                      *tile);
}

template <class T>
void read_plane(ByteReader& in, MemoryBudget& budget, const std::function<std::string_view(std::int64_t)>& tile,
                std::shared_ptr<const PlaneSnapshot<T>>& out) {
    CowPlane<T> plane;
    constexpr std::uint64_t share_of_block = 1024;  // bytes, for a tile that is alone in its block
    constexpr std::uint64_t share_of_table = 8;     // bytes, for a tile's place in a table of blocks that grows
    std::uint64_t id = 0;                           // of a damaged log it wraps around
    Cell at, low, high;
    std::uint64_t table = 0;
    const std::size_t count = in.size(3);
    budget.take(count * (sizeof(T) + share_of_block), "a keyframe's maps");
    for (std::size_t n = count; n > 0; --n) {
        const int x = in.whole();
        at = moved(at, {x, in.whole()});
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
        const std::uint64_t grown = share_of_table * static_cast<std::uint64_t>(high.x - low.x + 1) *
                                    static_cast<std::uint64_t>(high.y - low.y + 1);
        budget.take(grown - table, "a keyframe's maps");
        table = grown;
        const std::string_view bytes = tile(static_cast<std::int64_t>(id += static_cast<std::uint64_t>(in.integer())));
        if (bytes.size() != sizeof(T)) fail("tile {} of the log is none of its kind", id);
        std::memcpy(&plane.edit({at.x, at.y}), bytes.data(), sizeof(T));
    }
    out = plane.snapshot();
}

}  // namespace

std::string KeyframeWriter::write(std::span<const Robot> team, std::span<const Decision> decisions) {
    ByteWriter out;
    // By robot and seq: their indices. There are several where words were damaged on their way.
    std::map<std::pair<RobotId, std::uint32_t>, std::vector<std::size_t>> records;
    std::vector<const TeamRecord*> distinct;
    const auto index_of = [&](const TeamRecord& record) {
        std::vector<std::size_t>& indices = records[{record.robot, record.seq}];
        for (const std::size_t i : indices)
            if (distinct[i] == &record || *distinct[i] == record) return i;
        indices.push_back(distinct.size());
        distinct.push_back(&record);
        return distinct.size() - 1;
    };
    std::vector<RobotState> states;
    for (const Robot& robot : team) {
        states.push_back(robot.state());
        for (const TeamRecord* record : states.back().team) index_of(*record);
    }
    out.integer(static_cast<std::int64_t>(distinct.size()));
    for (const TeamRecord* record : distinct) write_record(out, *record);
    for (std::size_t i = 0; i < states.size(); ++i) {
        const RobotState& state = states[i];
        const auto& outbox = decisions[i].outbox;
        out.integer(outbox.empty() ? -1 : static_cast<std::int64_t>(outbox.back()->share));
        out.integer(outbox.empty() ? 0 : outbox.back()->summary_tiles);
        out.integer(state.step);
        out.integer(state.last_discovery);
        write_pose(out, state.pose);
        for (const auto& record : state.team) out.integer(static_cast<std::int64_t>(index_of(*record)));
        out.integer(state.map.frame.robot);
        out.integer(state.map.frame.epoch);
        out.integer(state.map.generation);
        const auto plane = [&](const auto& snapshot) {
            std::int64_t count = 0, last_id = 0;
            for_each_tile(snapshot, [&](TileCoord, const auto&) { ++count; });
            out.integer(count);
            TileCoord last;
            for_each_tile(snapshot, [&](TileCoord at, const auto& tile) {
                const auto [found, fresh] = ids_.emplace(tile.name, static_cast<std::int64_t>(ids_.size()) + 1);
                if (fresh)
                    fresh_.push_back({found->second, tile.name,
                                      pack_tile({reinterpret_cast<const char*>(&tile.data), sizeof tile.data})});
                out.integer(at.x - last.x);
                out.integer(at.y - last.y);
                out.integer(found->second - last_id);
                last = at;
                last_id = found->second;
            });
        };
        plane(*state.map.cells);
        for (const auto& marks : state.map.marks) plane(*marks);
        plane(*state.map.stamps);
    }
    return std::move(out.bytes);
}

std::vector<KeyframeEntry> read_keyframe(std::string_view bytes, std::size_t robots,
                                         const std::function<std::string_view(std::int64_t)>& tile) {
    ByteReader in(bytes);
    MemoryBudget budget("the log");
    std::vector<std::pair<std::shared_ptr<const RecordSeries>, std::uint32_t>> records(in.size(least_record_bytes));
    budget.take(records.size() * sizeof(RecordSeries), "a keyframe's records");
    for (auto& [series, seq] : records) {
        TeamRecord record = read_record(in);
        for (const RobotId named : {record.robot, record.frame.robot})
            Index<Robot>::read(named, robots, "a record in a keyframe of the log", "robot");
        seq = record.seq;
        series = std::make_shared<const RecordSeries>(std::move(record));
    }
    std::vector<KeyframeEntry> entries(robots);
    for (auto& [state, share, summary_tiles] : entries) {
        if (const std::int64_t s = in.within(-1, choices<Share> - 1); s >= 0) share = static_cast<Share>(s);
        summary_tiles = in.whole();
        state.step = in.whole();
        state.last_discovery = in.whole();
        state.pose = read_pose(in);
        for (std::size_t k = 0; k < robots; ++k) {
            const auto at = static_cast<std::size_t>(in.integer());
            if (at >= records.size()) fail("a keyframe of the log refers to a record that it does not hold");
            if (const RobotId of = records[at].first->at(records[at].second).robot; of != static_cast<RobotId>(k))
                fail("a keyframe of the log holds the record of robot {} in the place of {}", of, k);
            state.team.push_back(records[at].first, records[at].second);
        }
        state.map.frame.robot =
            Index<Robot>::read(in.integer(), robots, "a map in a keyframe of the log", "robot").number();
        state.map.frame.epoch = in.whole();
        state.map.generation = static_cast<std::uint32_t>(in.integer());
        read_plane(in, budget, tile, state.map.cells);
        for (auto& marks : state.map.marks) read_plane(in, budget, tile, marks);
        read_plane(in, budget, tile, state.map.stamps);
    }
    return entries;
}

}  // namespace outrider
