#include "messages/joined_messages.hpp"

#include <algorithm>
#include <bit>

#include "base/parallel.hpp"

namespace outrider {
namespace {

/// Whether merging what changed in its map, in any order and more than once, is all that there is to it.
bool can_join(const Message& m) {
    if (m.to != to_all || m.share != Share::all || !m.payload || m.payload->submaps) return false;
    const MapSnapshot& map = *m.payload->map;
    return map.frame == m.frame && map.stamps->blocks.empty() &&
           std::all_of(map.marks.begin(), map.marks.end(), [](const auto& plane) { return plane->blocks.empty(); });
}

/// Where two neighbours are both set: bit i for bits i and i + distance, at multiples of twice the distance.
std::uint64_t both(std::uint64_t bits, unsigned distance) {
    std::uint64_t wanted = 1;
    for (unsigned d = 2 * distance; d < 64; d *= 2) wanted |= wanted << d;
    return bits & bits >> distance & wanted;
}

}  // namespace

void MessageTree::begin(std::span<const Message* const> messages, std::span<const int> order) {
    parts_.clear();
    nodes_.clear();
    place_.assign(messages.size(), -1);
    for (const int robot : order) {
        const Message* m = messages[static_cast<std::size_t>(robot)];
        if (!m || !can_join(*m) || (!parts_.empty() && parts_[0].message->frame != m->frame)) continue;
        place_[static_cast<std::size_t>(robot)] = static_cast<int>(parts_.size());
        parts_.push_back({m, m->from, m->records.seq(static_cast<std::size_t>(m->from))});
    }
    for (unsigned level = 0; level < levels; ++level)
        first_[level + 1] = first_[level] + ((parts_.size() + (std::size_t{1} << level) - 1) >> level);
}

std::vector<std::uint32_t> MessageTree::cover(RobotId hearer, std::span<const Received> inbox) const {
    thread_local std::vector<std::uint64_t> covered;
    covered.assign((parts_.size() + 63) / 64, 0);
    const auto note = [&](RobotId from) {
        if (const int at = place_[static_cast<std::size_t>(from)]; at >= 0)
            covered[static_cast<std::size_t>(at) / 64] |= std::uint64_t{1} << at % 64;
    };
    note(hearer);
    for (const Received& received : inbox)
        if (received.all_tiles) note(received.message->from);
    // Behind the last message there is nothing that could be missing.
    if (const std::size_t rest = parts_.size() % 64; rest != 0) covered.back() |= ~std::uint64_t{0} << rest;
    std::vector<std::uint32_t> nodes;
    for (std::size_t word = 0; word < covered.size(); ++word) {
        std::uint64_t whole = covered[word];  // bit i: all messages of the node that begins at i were heard
        for (unsigned level = 0; level < levels; ++level) {
            const unsigned length = 1u << level;
            const std::uint64_t above = level + 1 < levels ? both(whole, length) : 0;
            const std::uint64_t most = above ? whole & ~(above | above << length) : whole;  // not part of a larger one
            for (std::uint64_t found = level > 0 ? most : 0; found; found &= found - 1) {
                const std::size_t begin = 64 * word + static_cast<std::size_t>(std::countr_zero(found));
                if (begin + 1 < parts_.size()) nodes.push_back(index_of(level, begin >> level));
            }
            whole = above;
        }
    }
    return nodes;
}

void MessageTree::join(std::span<const std::vector<std::uint32_t>> covers) {
    nodes_.resize(first_[levels]);
    std::vector<std::uint8_t> wanted(nodes_.size(), 0);
    for (const std::vector<std::uint32_t>& nodes : covers)
        for (const std::uint32_t node : nodes) wanted[node] = 1;
    for (unsigned level = levels - 1; level >= 2; --level)
        for (std::size_t k = first_[level]; k < first_[level + 1]; ++k)
            for (const std::size_t half : {0u, 1u})
                if (const std::size_t at = first_[level - 1] + 2 * (k - first_[level]) + half;
                    wanted[k] && at < first_[level])
                    wanted[at] = 1;
    std::vector<std::size_t> of_level;
    for (unsigned level = 1; level < levels; ++level) {
        of_level.clear();
        for (std::size_t k = first_[level]; k < first_[level + 1]; ++k)
            if (wanted[k]) of_level.push_back(k - first_[level]);
        parallel_for(static_cast<int>(of_level.size()),
                     [&](int i) { make(level, of_level[static_cast<std::size_t>(i)]); });
    }
}

void MessageTree::make(unsigned level, std::size_t k) {
    const std::size_t begin = k << level, end = std::min(parts_.size(), (k + 1) << level);
    JoinedMessages& node = nodes_[index_of(level, k)];
    node.messages = std::span(parts_).subspan(begin, end - begin);
    std::vector<MapNews> maps;
    std::vector<const TeamTable*> tables;
    if (level == 1) {
        for (const JoinedMessages::Part& part : node.messages) {
            maps.push_back({part.message->payload->map.get(), true});
            tables.push_back(&part.message->records);
        }
    } else {
        for (std::size_t half = 0; half < 2; ++half) {
            const std::size_t at = first_[level - 1] + 2 * k + half;
            if (at >= first_[level]) continue;
            node.halves[half] = &nodes_[at];
            maps.push_back({&nodes_[at].news, false});
            tables.push_back(&nodes_[at].records);
        }
    }
    KnownMap map(Lattice{}, node.messages[0].message->frame);
    map.merge_at_once(maps);
    node.news = map.snapshot();
    node.records = *tables[0];
    node.records.take_newer(std::span(tables).subspan(1));
    node.records.share_equal();
}

}  // namespace outrider
