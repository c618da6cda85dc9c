#include "robot/messenger.hpp"

#include <algorithm>

#include "messages/map_payload.hpp"
#include "outrider/belief.hpp"
#include "outrider/error.hpp"
#include "robot/knowledge.hpp"

namespace outrider {
namespace {

/// How many tiles there are of which a cell changed, not only a mark or a stamp; 0 where the map was drawn anew.
std::size_t tiles_with_other_cells(const MapChanges& changes) {
    std::vector<TileCoord> tiles;
    for (const TileChange& change : changes.list)
        if (change.rows) tiles.push_back(change.tile);
    std::sort(tiles.begin(), tiles.end());
    return static_cast<std::size_t>(std::unique(tiles.begin(), tiles.end()) - tiles.begin());
}

void merge_submaps(const Percept& percept, Knowledge& known) {
    for (const Received& received : percept.inbox) {
        const Message& message = *received.message;
        if (!message.payload || !message.payload->submaps) continue;
        known.submaps->merge(*message.payload->submaps);
        known.received_submaps[static_cast<std::size_t>(message.from)] = message.payload->submaps;
    }
    const Pose& own = known.estimate.pose;
    known.submaps->put_together(known, known.tracker && known.tracker->take_in(percept, *known.submaps, own));
    if (!known.tracker) return;
    known.pose = known.in_map(own);
    known.tracker->show_team(percept, known);
}

}  // namespace

void Messenger::receive(const Percept& percept, Knowledge& known) {
    if (percept.inbox.empty() && !known.tracker) return;
    known.map.changes_since(seen_by_receive_);  // what it drew itself
    merge_records(percept, known.team);
    if (!known.tracker)
        for (const Received& received : percept.inbox)
            known.contact[static_cast<std::size_t>(received.message->from)] = percept.step;
    if (known.submaps) {
        merge_submaps(percept, known);
    } else {
        auto received =
            known.received ? std::make_shared<ReceivedMaps>(*known.received) : std::make_shared<ReceivedMaps>();
        merger_.merge_maps(percept, known.map, *received);
        known.received = std::move(received);
    }
    tiles_learnt_ += tiles_with_other_cells(known.map.changes_since(seen_by_receive_));
}

std::shared_ptr<const Message> Messenger::compose(Knowledge& known, Intent& intent, const std::optional<Point>& goal) {
    TeamRecord me;
    me.robot = known.briefing.self;
    me.seq = next_seq(known);
    me.step = known.step;
    me.frame = known.map.frame();
    me.pose = known.pose;
    me.goal = goal;
    me.done = intent.done;
    me.role = intent.role.value_or(Belief(known).latest(me.robot).role);
    me.words = std::move(intent.words);
    const auto self = static_cast<std::size_t>(me.robot);
    known.team.say(self, std::move(me), records_.it);
    if (known.with_far) known.with_far->set(self, *known.team[self]);

    known.team.share_equal();
    auto message = std::make_shared<Message>();
    message->from = known.briefing.self;
    message->frame = known.map.frame();
    message->records = known.team;
    message->share = intent.share;
    message->summary_tiles = intent.summary_tiles;
    const std::size_t changed = note_changes(known);
    known.sent = std::make_shared<const MapSnapshot>(known.map.snapshot());
    if (known.submaps) known.sent_submaps = known.submaps->snapshot();
    if (known.tracker) message->frames = known.tracker->news(known.estimate.pose);
    if (intent.share == Share::none) return message;
    auto payload = std::make_shared<MapPayload>();
    payload->map = known.sent;
    payload->digest_bytes = digest_bytes(*payload->map, changed);
    payload->received = known.received;
    payload->submaps = known.sent_submaps;
    payload->received_submaps = known.received_submaps;
    if (intent.share == Share::summary || known.briefing.link_bytes > 0) payload->order = tiles_by_worth();
    message->payload = std::move(payload);
    return message;
}

void Messenger::continue_from(const Knowledge& known) {
    OUTRIDER_CHECK(seq_, ==, 0u);
    seq_ = known.team.seq(static_cast<std::size_t>(known.briefing.self));
    known.map.changes_since(seen_by_compose_);  // all of it was sent
}

/// When others heard of a later record of this robot, its program began again in mid-mission (outrider robot). One
/// number is left out then, so that nobody takes the next map for what changed since one that they merged.
std::uint32_t Messenger::next_seq(const Knowledge& known) {
    const std::uint32_t known_seq = known.team.seq(static_cast<std::size_t>(known.briefing.self));
    if (known_seq > seq_) seq_ = known_seq + 1;
    return ++seq_;
}

/// Notes which tiles changed since the last message, and when; returns how many.
std::size_t Messenger::note_changes(const Knowledge& known) {
    const int now = known.step + 1;
    std::size_t count = 0;
    known.map.changes_since(seen_by_compose_).for_each([&](const TileChange& change) {
        int& at = changed_at_.at(change.tile);
        count += at != now;
        at = now;
    });
    return count;
}

/// Tiles by the step of their last change, newest first, then by row and column.
std::vector<TileCoord> Messenger::tiles_by_worth() const {
    std::vector<std::pair<int, TileCoord>> order;
    changed_at_.for_each([&](TileCoord t, int changed) {
        if (changed > 0) order.emplace_back(-changed, t);
    });
    std::sort(order.begin(), order.end());
    std::vector<TileCoord> tiles;
    for (const auto& [age, t] : order) tiles.push_back(t);
    return tiles;
}

}  // namespace outrider
