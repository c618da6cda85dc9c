#include "features/second_radio/channel.hpp"

#include <algorithm>
#include <utility>

#include "messages/map_payload.hpp"

namespace outrider {

RadioOptions SecondRadioOptions::formula() const {
    RadioOptions radio;
    radio.exponent = exponent;
    radio.wall_db = wall_db;
    radio.max_walls = max_walls;
    return radio;
}

void SecondChannel::exchange(const WallField& walls, const Lattice& lattice, std::span<const Transceiver> radios,
                             std::span<const std::shared_ptr<const Message>> messages) {
    std::vector<Transceiver> here(radios.begin(), radios.end());
    for (Transceiver& radio : here) radio.range_m = options_.range_m;
    std::vector<TeamRecord> sent(messages.size());
    bytes_ = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (!messages[i] || !here[i].alive) continue;
        sent[i] = packed(*messages[i], queues_[i]);
        bytes_ += fixed_bytes + words_bytes(sent[i].words);
    }
    Inboxes inboxes(messages.size());
    const auto deliver = [&](RobotId from, RobotId to) {
        if (const TeamRecord& record = sent[static_cast<std::size_t>(from)]; record.seq > 0)
            inboxes[static_cast<std::size_t>(to)].push_back(record);
    };
    for (const Link& link : find_links(walls, lattice, options_.formula(), here)) {
        deliver(link.a, link.b);
        deliver(link.b, link.a);
    }
    for (auto& inbox : inboxes)
        std::sort(inbox.begin(), inbox.end(), [](const auto& a, const auto& b) { return a.robot < b.robot; });
    under_way_.push_back(std::move(inboxes));
    received_.assign(messages.size(), {});
    if (under_way_.size() < static_cast<std::size_t>(options_.latency_steps)) return;
    received_ = std::move(under_way_.front());
    under_way_.pop_front();
    for (std::size_t i = 0; i < received_.size(); ++i)
        if (!here[i].alive) received_[i].clear();
}

TeamRecord SecondChannel::packed(const Message& message, Queue& queue) {
    TeamRecord record = message.self();
    for (Word& word : record.words) {
        const auto same = std::find_if(queue.words.begin(), queue.words.end(),
                                       [&](const Word& w) { return w.topic == word.topic && w.to == word.to; });
        if (same != queue.words.end())
            *same = std::move(word);  // in its place: it has waited for its turn
        else
            queue.words.push_back(std::move(word));
    }
    record.words.clear();
    std::size_t budget = queue.saved + static_cast<std::size_t>(options_.bytes_per_step) - fixed_bytes;
    while (!queue.words.empty()) {
        const std::size_t size = words_bytes({queue.words.front()});
        if (size > budget) break;
        budget -= size;
        record.words.push_back(std::move(queue.words.front()));
        queue.words.pop_front();
    }
    queue.saved = queue.words.empty() ? 0 : budget;
    return record;
}

}  // namespace outrider
