#include "outrider/robot.hpp"

#include <algorithm>

#include "robot/pilot.hpp"

namespace outrider {

Robot::Robot(Briefing briefing, const RobotOptions& options, std::unique_ptr<Strategy> strategy, std::uint64_t seed)
    : belief_(std::move(briefing), options.frontier, options.plan),
      strategy_(std::move(strategy)),
      seed_(seed),
      pilot_(std::make_unique<Pilot>()) {
    belief_.overlays_wanted_ = options.overlays;
    for (const SensorSpec& sensor : belief_.briefing_.sensors)
        mappers_.emplace_back(sensor, belief_.briefing_.lattice, options.mapping);
    if (belief_.briefing_.prior_map) belief_.map_.merge(*belief_.briefing_.prior_map);
}
Robot::~Robot() = default;
Robot::Robot(Robot&&) noexcept = default;

Decision Robot::step(const Percept& percept) {
    belief_.percept_ = &percept;
    localise(percept);
    merge_inbox(percept);
    insert_scans(percept);
    mark_deliveries();
    note_vain_look();

    Rng rng(seed_, belief_.self(), Purpose::strategy, percept.step);
    Intent intent = strategy_->choose(belief_, rng);
    Pilot::Result way = pilot_->follow(intent.motive, belief_, rng);
    belief_.goal_unreachable_ = way.unreachable;
    const auto* go = std::get_if<Goto>(&intent.motive);
    facing_ = go && go->face && !way.unreachable ? std::optional(std::pair(go->goal, *go->face)) : std::nullopt;

    Decision decision;
    decision.command = std::move(way.command);
    decision.outbox.push_back(compose_message(intent, way.goal, intent.done));
    decision.done = intent.done;
    if (belief_.overlays_wanted_) decision.overlays = std::move(intent.overlays);
    return decision;
}

void Robot::localise(const Percept& percept) {
    belief_.pose_ = compose(belief_.pose_, percept.motion.delta);
    belief_.team_[static_cast<std::size_t>(belief_.self())].pose = belief_.pose_;
}

/// Takes over the newer record of each robot and merges the maps. First the inbox, then the own scans: the members of a
/// component then hold the same tiles, and share them.
void Robot::merge_inbox(const Percept& percept) {
    const auto learn = [&](const TeamRecord& record) {
        if (record.robot == belief_.self()) return;
        TeamRecord& mine = belief_.team_[static_cast<std::size_t>(record.robot)];
        if (record.seq > mine.seq) mine = record;
    };
    for (const Received& received : percept.inbox) {
        const Message& message = *received.message;
        belief_.contact_[static_cast<std::size_t>(message.from)] = percept.step;
        if (message.frame != belief_.map_.frame()) continue;  // not joined yet: its poses and map mean nothing here
        learn(message.self);
        for (const TeamRecord& record : message.others) learn(record);
        if (!message.map) continue;
        belief_.map_.merge(*message.map, received.all_tiles ? nullptr : &received.tiles);
        const auto at = std::lower_bound(heard_.begin(), heard_.end(), message.from,
                                         [](const auto& entry, RobotId id) { return entry.first < id; });
        if (at != heard_.end() && at->first == message.from)
            at->second = message.map;
        else
            heard_.emplace(at, message.from, message.map);
    }
}

void Robot::insert_scans(const Percept& percept) {
    for (const Scan& scan : percept.scans)
        mappers_.at(static_cast<std::size_t>(scan.sensor))
            .insert(belief_.map_, belief_.pose_, scan, static_cast<std::uint32_t>(percept.step));
}

/// Standing where the last intent led, having looked where it asked to look, and that cell is still unknown.
void Robot::note_vain_look() {
    if (!facing_) return;
    const Lattice& lattice = belief_.map_.lattice();
    const Cell goal = lattice.cell_of(facing_->first), look = lattice.cell_of(facing_->second);
    if (belief_.cell() != goal || belief_.map_.state(look) != CellState::unknown) return;
    const double off = wrap_angle(bearing(belief_.pose_.position(), facing_->second) - belief_.pose_.yaw);
    if (off > -1e-6 && off < 1e-6) belief_.vain_looks_.emplace_back(goal, look);
}

/// A base station marks what it knows as delivered.
void Robot::mark_deliveries() {
    if (!belief_.briefing_.deliveries || !belief_.briefing_.is_base()) return;
    KnownMap& map = belief_.map_;
    const auto mark = [&](TileCoord t) { map.mark(Mark::at_base, t, map.tile(t)->known); };
    const Changes changes = map.changes_since(marked_version_);
    if (changes.everything)
        map.cells().for_each([&](TileCoord t, const CellTile&) { mark(t); });
    else
        for (const TileChange& change : changes.tiles) mark(change.tile);
    marked_version_ = map.version();
}

std::shared_ptr<const Message> Robot::compose_message(Intent& intent, const std::optional<Point>& goal, bool done) {
    TeamRecord& me = belief_.team_[static_cast<std::size_t>(belief_.self())];
    me.seq = ++seq_;
    me.step = belief_.step();
    me.goal = goal;
    me.done = done;
    if (intent.role) me.role = *intent.role;
    me.words = std::move(intent.words);

    auto message = std::make_shared<Message>();
    message->from = belief_.self();
    message->frame = belief_.map_.frame();
    message->self = me;
    for (const TeamRecord& record : belief_.team_)
        if (record.seq > 0 && record.robot != belief_.self()) message->others.push_back(record);
    message->share = intent.share;
    message->summary_tiles = intent.summary_tiles;
    if (intent.share != Share::none) {
        message->map = std::make_shared<const MapSnapshot>(belief_.map_.snapshot());
        if (intent.share != Share::all || belief_.briefing_.link_bytes > 0)
            message->tile_order = tiles_by_worth(intent.share);
        message->heard = heard_;
    }
    last_message_step_ = belief_.step();
    return message;
}

/// Tiles by the step of their last change, newest first, then by row and column. For Share::delta only those that
/// changed since the last message.
std::vector<TileCoord> Robot::tiles_by_worth(Share share) {
    const KnownMap& map = belief_.map_;
    const int now = belief_.step() + 1;
    const Changes changes = map.changes_since(ordered_version_);
    if (changes.everything)
        map.cells().for_each([&](TileCoord t, const CellTile&) { changed_at_.at(t) = now; });
    else
        for (const TileChange& change : changes.tiles) changed_at_.at(change.tile) = now;
    ordered_version_ = map.version();
    std::vector<std::pair<int, TileCoord>> order;
    changed_at_.for_each([&](TileCoord t, int changed) {
        if (changed > 0 && (share != Share::delta || changed - 1 > last_message_step_)) order.emplace_back(-changed, t);
    });
    std::sort(order.begin(), order.end());
    std::vector<TileCoord> tiles;
    for (const auto& [age, t] : order) tiles.push_back(t);
    return tiles;
}

}  // namespace outrider
