#include "messages/inbox_merger.hpp"

#include <algorithm>

namespace outrider {

void merge_records(const Percept& percept, TeamTable& team) {
    thread_local std::vector<const TeamTable*> tables;
    thread_local std::vector<std::uint8_t> joined;
    tables.clear();
    joined.assign(team.size(), 0);
    for (const JoinedMessages* messages : percept.joined) {
        tables.push_back(&messages->records);
        for (const JoinedMessages::Part& part : messages->messages) joined[static_cast<std::size_t>(part.from)] = 1;
    }
    for (const Received& received : percept.inbox)
        if (!joined[static_cast<std::size_t>(received.message->from)]) tables.push_back(&received.message->records);
    team.take_newer(tables);
}

void InboxMerger::merge_maps(const Percept& percept, KnownMap& map, ReceivedMaps& merged) {
    if (generation_ != map.generation()) merged_.clear();
    generation_ = map.generation();
    const std::size_t robots = percept.inbox.empty() ? 0 : percept.inbox[0].message->records.size();
    merged_.resize(std::max(merged_.size(), robots));
    const auto merge_whole = [&] {
        percept.joined.empty() ? map.merge(whole_) : map.merge_at_once(whole_);
        whole_.clear();
    };
    for (const JoinedMessages* joined : percept.joined)
        if (joined->news.frame == map.frame()) add(*joined);
    for (const Received& received : percept.inbox) {
        const Message& message = *received.message;
        // A map in another frame, not joined with this one yet, cannot be used.
        if (!message.payload || message.frame != map.frame()) continue;
        merged.set(message.from, message.payload->map);
        if (received.all_tiles) {
            const auto from = static_cast<std::size_t>(message.from);
            const std::uint32_t seq = message.records.seq(from);
            if (merged_[from] == seq) continue;  // with others
            whole_.push_back({message.payload->map.get(), has_one_before(message.from, seq)});
            merged_[from] = seq;
        } else {
            merge_whole();
            map.merge(*message.payload->map, &received.tiles);
        }
    }
    merge_whole();
}

bool InboxMerger::has_one_before(const JoinedMessages& joined) const {
    return std::all_of(joined.messages.begin(), joined.messages.end(), [&](const JoinedMessages::Part& part) {
        return part.from == self_ || has_one_before(part.from, part.seq);
    });
}

/// Merges messages as one, or in parts where the map before is missing of some; single messages are left to others.
void InboxMerger::add(const JoinedMessages& joined) {
    if (has_one_before(joined)) {
        whole_.push_back({&joined.news, false});
        for (const JoinedMessages::Part& part : joined.messages)
            if (part.from != self_) merged_[static_cast<std::size_t>(part.from)] = part.seq;
        return;
    }
    for (const JoinedMessages* half : joined.halves)
        if (half) add(*half);
}

}  // namespace outrider
