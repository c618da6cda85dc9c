#include "radio/medium.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "messages/map_payload.hpp"
#include "messages/team_size.hpp"
#include "outrider/rng.hpp"
#include "radio/missing_tiles.hpp"

namespace outrider {

bool MessageLoss::lost(int step, std::size_t team, std::size_t from, std::size_t k, std::size_t to) const {
    if (rate_ <= 0) return false;
    const auto pair = static_cast<std::int64_t>((k * team + from) * team + to);
    return Rng(seed_, pair, Purpose::message_loss, step).uniform() < rate_;
}

std::vector<TileCoord> LinkBudget::fill(const Message& message, RobotId to, std::size_t limit, std::size_t fixed,
                                        std::vector<TileCoord> tiles) {
    std::size_t& saved = saved_[static_cast<std::size_t>(to)][message.from];
    std::size_t budget = saved + (limit > fixed ? limit - fixed : 0), sent = 0;
    for (; sent < tiles.size(); ++sent) {
        const std::size_t more = tile_bytes(*message.payload->map, tiles[sent]);
        if (more > budget) break;
        budget -= more;
    }
    saved = sent < tiles.size() ? budget : 0;
    tiles.resize(sent);
    return tiles;
}

/// Who receives from whom (symmetric): the component of a robot, including itself, or its neighbours.
class Medium::Audience {
  public:
    Audience(Delivery delivery, const Traffic& traffic)
        : group_(traffic.component.size()), lists_(group_.size()), hop_(delivery == Delivery::hop) {
        for (std::size_t i = 0; i < group_.size(); ++i) {
            group_[i] = hop_ ? i : static_cast<std::size_t>(traffic.component[i]);
            if (hop_)
                for (const LinkReport& link : traffic.neighbours[i]) lists_[i].push_back(link.robot);
            else
                lists_[group_[i]].push_back(static_cast<RobotId>(i));
        }
        if (hop_) return;
        place_.resize(group_.size());
        for (const auto& list : lists_)
            for (std::size_t k = 0; k < list.size(); ++k) place_[static_cast<std::size_t>(list[k])] = k;
    }
    /// Sorted by robot number.
    const std::vector<RobotId>& of(RobotId robot) const { return lists_[group_[static_cast<std::size_t>(robot)]]; }
    /// Index of `hearer` in of(from); it must be in that list.
    std::size_t place(RobotId from, RobotId hearer) const {
        if (!hop_) return place_[static_cast<std::size_t>(hearer)];
        const std::vector<RobotId>& list = of(from);
        return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), hearer) - list.begin());
    }

  private:
    std::vector<std::size_t> group_;           // by robot: index of its list
    std::vector<std::vector<RobotId>> lists_;  // by component, or by robot
    std::vector<std::size_t> place_;           // by robot, in the list of its component
    bool hop_;
};

/// How many bytes of tiles of a map that is shared as a whole are missing at a receiver: computed pair by pair or, in
/// a large team, for all pairs at once.
class Medium::MapBytes {
  public:
    /// `before`: what was sent a step earlier.
    MapBytes(const Audience& audience, const std::vector<Outbox>& now, const std::vector<Outbox>& before, bool pairwise)
        : audience_(audience) {
        const std::size_t n = now.size();
        if (n < large_team || pairwise) return;  // smaller teams are faster pair by pair
        const auto payloads = [n](const std::vector<Outbox>& outboxes) {
            std::vector<const MapPayload*> out(n, nullptr);
            for (std::size_t i = 0; i < outboxes.size(); ++i)
                if (outboxes[i].size() == 1 && outboxes[i][0]->payload && !outboxes[i][0]->payload->submaps)
                    out[i] = outboxes[i][0]->payload.get();
            return out;
        };
        from_ = payloads(now);
        const std::vector<const MapPayload*> earlier = payloads(before);
        const MissingTiles tiles(from_, earlier);
        missing_.resize(n);
        parallel_for(static_cast<int>(n),
                     [&](int i) { missing_[static_cast<std::size_t>(i)] = tiles.bytes(i, audience.of(i)); });
    }
    std::size_t operator()(RobotId from, const MapPayload& payload, RobotId to) const {
        const auto sender = static_cast<std::size_t>(from);
        if (missing_.empty() || from_[sender] != &payload) return missing_bytes(payload, to);
        return missing_[sender][audience_.place(from, to)];
    }

  private:
    const Audience& audience_;
    std::vector<const MapPayload*> from_;            // by sender: the map that missing_ is about
    std::vector<std::vector<std::size_t>> missing_;  // by sender, then in the order of its audience
};

Medium::Exchange& Medium::exchange(std::vector<Link> links, std::vector<Outbox> outboxes,
                                   std::span<const Link> disturbing, std::span<const int> order) {
    ++step_;
    const std::vector<Outbox> before = std::exchange(sent_, std::move(outboxes));
    const std::size_t n = sent_.size();
    budget_.set_team(n);
    fixed_.resize(n);
    air_.inboxes.resize(n);
    air_.traffic.bytes_received.resize(n);
    find_neighbours(std::move(links));
    const Audience audience(options_.delivery, air_.traffic);
    const MapBytes map_bytes(audience, sent_, before, loss_.any() || budget_.limited());
    for (std::size_t i = 0; i < n; ++i) {
        fixed_[i].clear();
        for (const auto& message : sent_[i]) fixed_[i].push_back(fixed_bytes(*message));
    }
    if (budget_.limited()) share_air(disturbing, audience, map_bytes);
    std::vector<Count> counts(n);
    parallel_for(static_cast<int>(n),
                 [&](int to) { counts[static_cast<std::size_t>(to)] = deliver(to, audience, map_bytes); });
    join_messages(order);
    Traffic& traffic = air_.traffic;
    traffic.messages = traffic.lost = traffic.bytes = 0;
    for (const Count& count : counts) {
        traffic.messages += count.messages;
        traffic.lost += count.lost;
        traffic.bytes += count.bytes;
    }
    return air_;
}

/// Merges once what many hear. Not where links carry parts of maps, or words arrive otherwise than they were sent.
void Medium::join_messages(std::span<const int> order) {
    const std::size_t n = sent_.size();
    air_.joined.resize(n);
    for (auto& joined : air_.joined) joined.clear();
    if (n < large_team || budget_.limited() || options_.damages_words()) return;
    std::vector<const Message*> messages(n, nullptr);
    for (std::size_t i = 0; i < n; ++i)
        if (sent_[i].size() == 1) messages[i] = sent_[i][0].get();
    std::vector<int> by_number;
    if (order.empty()) {
        by_number.resize(n);
        std::iota(by_number.begin(), by_number.end(), 0);
        order = by_number;
    }
    tree_.it.begin(messages, order);
    if (tree_.it.empty()) return;
    std::vector<std::vector<std::uint32_t>> covers(n);
    parallel_for(static_cast<int>(n), [&](int i) {
        const auto hearer = static_cast<std::size_t>(i);
        if (air_.inboxes[hearer].size() > 1) covers[hearer] = tree_.it.cover(i, air_.inboxes[hearer]);
    });
    tree_.it.join(covers);
    for (std::size_t i = 0; i < n; ++i)
        for (const std::uint32_t node : covers[i]) air_.joined[i].push_back(&tree_.it.node(node));
}

/// How many bytes of each sender a message holds: what its link carries, and its share of the air.
void Medium::share_air(std::span<const Link> disturbing, const Audience& audience, const MapBytes& map_bytes) {
    const std::size_t n = sent_.size(), none = std::numeric_limits<std::size_t>::max();
    limits_.assign(n, options_.link_bytes > 0 ? static_cast<std::size_t>(options_.link_bytes) : none);
    if (options_.medium_bytes == 0) return;
    if (!shared_air_) shared_air_.emplace(options_.medium_bytes, options_.access, n);
    std::vector<std::size_t> wanted(n);
    parallel_for(static_cast<int>(n), [&](int from) {
        const auto sender = static_cast<std::size_t>(from);
        for (std::size_t k = 0; k < sent_[sender].size(); ++k) {
            const Message& message = *sent_[sender][k];
            std::size_t most = 0;  // of its tiles, to the receiver that lacks most
            if (message.payload)
                for (const RobotId to : audience.of(from))
                    if (to != from) most = std::max(most, map_bytes(from, *message.payload, to));
            wanted[sender] += fixed_[sender][k] + most;
        }
    });
    const std::vector<std::size_t> shares = shared_air_->shares(step_, disturbing, wanted);
    for (std::size_t i = 0; i < n; ++i) limits_[i] = std::min(limits_[i], shares[i]);
}

void Medium::find_neighbours(std::vector<Link> links) {
    Traffic& traffic = air_.traffic;
    const std::size_t n = sent_.size();
    traffic.component = components(n, links);
    traffic.neighbours.resize(n);
    for (auto& neighbours : traffic.neighbours) neighbours.clear();
    for (const Link& link : links)  // by a, then b: first the lower numbers of each list, then the higher
        traffic.neighbours[static_cast<std::size_t>(link.b)].push_back({link.a, link.signal_dbm});
    for (const Link& link : links)
        traffic.neighbours[static_cast<std::size_t>(link.a)].push_back({link.b, link.signal_dbm});
    traffic.links = std::move(links);
}

/// Fills the inbox of a receiver, by sender.
Medium::Count Medium::deliver(RobotId to, const Audience& audience, const MapBytes& map_bytes) {
    const auto me = static_cast<std::size_t>(to);
    std::vector<Received>& inbox = air_.inboxes[me];
    std::vector<std::uint64_t>& bytes_received = air_.traffic.bytes_received[me];
    inbox.clear();
    bytes_received.clear();
    Count count;
    for (const RobotId from : audience.of(to)) {
        if (from == to) continue;
        const auto sender = static_cast<std::size_t>(from);
        for (std::size_t k = 0; k < sent_[sender].size(); ++k) {
            const Message& message = *sent_[sender][k];
            if (message.to != to_all && message.to != to) continue;
            if (loss_.lost(step_, sent_.size(), sender, k, me)) {
                ++count.lost;
                continue;
            }
            const bool submaps = message.payload && message.payload->submaps;  // these are sent whole
            Received received{&message, submaps || (!budget_.limited() && message.share == Share::all), {}};
            std::size_t bytes = fixed_[sender][k];
            if (received.all_tiles) {
                if (message.payload) bytes += map_bytes(from, *message.payload, to);
            } else {
                received.tiles = tiles_for(message, to);
                if (budget_.limited())
                    received.tiles =
                        budget_.fill(message, to, limits_[sender], fixed_[sender][k], std::move(received.tiles));
                for (const TileCoord t : received.tiles) bytes += tile_bytes(*message.payload->map, t);
                std::sort(received.tiles.begin(), received.tiles.end());
            }
            ++count.messages;
            count.bytes += bytes;
            bytes_received.push_back(bytes);
            inbox.push_back(std::move(received));
        }
    }
    return count;
}

}  // namespace outrider
