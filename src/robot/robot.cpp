#include "outrider/robot.hpp"

#include <algorithm>
#include <cmath>

#include "robot/motions.hpp"
#include "robot/operator_control.hpp"
#include "robot/overlap.hpp"
#include "robot/pilot.hpp"
#include "slam/slam.hpp"
#include "waist/cargo.hpp"

namespace outrider {
namespace {

/// Twice the largest map, in metres at a centimetre a cell: no place is farther.
constexpr double far_m = 1e6;

const Percept no_percept{};

void check_point(const Point& p) {
    OUTRIDER_CHECK(std::abs(p.x), <=, far_m);  // false for what is not a number
    OUTRIDER_CHECK(std::abs(p.y), <=, far_m);
}

/// A strategy may not ask for what is no place and no speed.
void check_motive(const Motive& motive) {
    const auto check_face = [](const std::optional<Point>& face) {
        if (face) check_point(*face);
    };
    if (const auto* go = std::get_if<Goto>(&motive)) {
        check_point(go->goal);
        check_face(go->face);
        OUTRIDER_CHECK(go->tolerance_m, >=, 0);
    } else if (const auto* follow = std::get_if<Follow>(&motive)) {
        check_face(follow->face);
    } else if (const auto* stay = std::get_if<Stay>(&motive)) {
        check_face(stay->face);
    } else if (const auto* drive = std::get_if<Drive>(&motive)) {
        check_point({drive->forward, drive->turn});
    }
}

}  // namespace

Robot::Robot(Briefing briefing, const RobotOptions& options, std::unique_ptr<Strategy> strategy, std::uint64_t seed)
    : belief_(std::move(briefing), options.frontier, options.plan, options.strangers.get()),
      strategy_(std::move(strategy)),
      seed_(seed),
      pilot_(std::make_unique<Pilot>()),
      operator_(std::make_unique<OperatorControl>()),
      turns_overlap_(options.slam.scans_along_way() && options.slam.scan_deg > 0) {
    belief_.overlays_wanted_ = options.overlays;
    for (const SensorSpec& sensor : belief_.briefing_.sensors)
        mappers_.emplace_back(sensor, belief_.briefing_.lattice, options.mapping);
    if (belief_.briefing_.me().mobile && !belief_.briefing_.sensors.empty())
        slam_ = make_slam(options.slam, belief_.pose_, seed + (static_cast<std::uint64_t>(belief_.self()) << 32),
                          options.given_map.get());
    if (belief_.briefing_.prior_map) belief_.map_.merge(*belief_.briefing_.prior_map);
}
Robot::~Robot() = default;
Robot::Robot(Robot&&) noexcept = default;

Decision Robot::step(const Percept& percept) {
    take_in(percept, {});
    note_vain_look();

    Rng rng(seed_, belief_.self(), Purpose::strategy, percept.step);
    Intent intent = strategy_->choose(belief_, rng);
    if (auto told = operator_->steer(belief_, percept.commands)) {
        intent.motive = std::move(*told);
        intent.done = false;
        if (belief_.overlays_wanted_) intent.overlays.push_back({Overlay::Kind::text, "operator", {}, {}, "drives it"});
    }
    check_motive(intent.motive);
    Pilot::Result way = pilot_->follow(intent.motive, belief_, rng);
    belief_.goal_unreachable_ = way.unreachable;
    const auto* go = std::get_if<Goto>(&intent.motive);
    facing_ = go && go->face && !way.unreachable ? std::optional(std::pair(go->goal, *go->face)) : std::nullopt;

    Decision decision;
    decision.command =
        slam_ && !turns_overlap_ ? overlapping(std::move(way.command), belief_.briefing_) : std::move(way.command);
    decision.outbox.push_back(compose_message(intent, way.goal, intent.done));
    decision.done = intent.done;
    if (belief_.overlays_wanted_) decision.overlays = std::move(intent.overlays);
    decision.happenings = std::move(intent.happenings);
    if (slam_) decision.localised = {belief_.pose_, *covariance_, scan_poses_};
    belief_.percept_ = &no_percept;
    return decision;
}

std::shared_ptr<const Message> Robot::retrace(const Percept& percept, Intent said, const std::optional<Point>& goal,
                                              const std::optional<Localised>& localised) {
    take_in(percept, localised);
    belief_.percept_ = &no_percept;
    return compose_message(said, goal, said.done);
}

RobotState Robot::state() const {
    const KnownMap& map = belief_.map_;
    return {belief_.step_, belief_.pose_, belief_.team_,
            belief_.said_ ? *belief_.said_ : KnownMap(map.lattice(), map.frame()).snapshot(), belief_.last_discovery_};
}

void Robot::restore(const RobotState& state) {
    OUTRIDER_CHECK(seq_, ==, 0u);
    OUTRIDER_CHECK(state.team.size(), ==, belief_.team_.size());
    belief_.step_ = state.step;
    belief_.pose_ = state.pose;
    belief_.team_ = state.team;
    belief_.last_discovery_ = state.last_discovery;
    belief_.map_ = KnownMap(belief_.map_.lattice(), state.map.frame, belief_.briefing_.cells_change);
    belief_.map_.merge(state.map);
    belief_.said_ = std::make_shared<const MapSnapshot>(belief_.map_.snapshot());
    said_version_ = belief_.map_.version();
    seq_ = belief_.latest(belief_.self()).seq;
}

/// Localises, merges the inbox, draws the scans.
void Robot::take_in(const Percept& percept, const std::optional<Localised>& localised) {
    belief_.percept_ = &percept;
    belief_.step_ = percept.step;
    if (localised) {
        OUTRIDER_CHECK(localised->scans.size(), ==, percept.scans.size());
        belief_.pose_ = localised->pose;
        scan_poses_ = localised->scans;
        covariance_ = localised->covariance;
    } else {
        localise(percept);
    }
    merge_inbox(percept);
    note_known(false);
    insert_scans(percept);
    note_known(true);
    mark_deliveries();
}

/// By odometry, and by the scans where they are matched, one after the other along the way.
void Robot::localise(const Percept& percept) {
    const Pose last_from_now = percept.motion.delta;
    scan_poses_.clear();
    if (!slam_) {
        belief_.pose_ = compose(belief_.pose_, last_from_now);
        for (const Scan& scan : percept.scans) scan_poses_.push_back(compose(belief_.pose_, scan.now_from_then));
        return;
    }
    const std::vector<Motion> parts = motions_between(percept);
    std::vector<Point> ends, directions;
    for (std::size_t k = 0; k < percept.scans.size(); ++k) {
        const Scan& scan = percept.scans[k];
        const BeamFan& fan = mappers_.at(static_cast<std::size_t>(scan.sensor)).fan();
        const SensorSpec& sensor = fan.spec();
        fan.directions(0, directions);
        ends.clear();
        const Point from = sensor.mount.position();
        for (std::size_t i = 0; i < scan.ranges.size(); ++i)
            if (const std::uint16_t r = scan.ranges[i]; r != Scan::no_information && r != Scan::nothing)
                ends.push_back(beam_end(from, directions[i], beam_length_m(sensor, r)));
        const bool draw = slam_->update(parts[k], from, ends, static_cast<std::size_t>(scan.sensor));
        scan_poses_.push_back(draw ? std::optional(slam_->pose()) : std::nullopt);
    }
    if (parts.size() > percept.scans.size()) slam_->update(parts.back(), {}, {});
    belief_.pose_ = slam_->pose();
    covariance_ = slam_->covariance();
}

Hash128 Robot::map_name() const { return belief_.said_ ? belief_.said_->name() : Hash128{}; }

/// Takes over the newer record of each robot and merges the maps. First the inbox, then the own scans: the members of a
/// component then hold the same tiles, and share them.
void Robot::merge_inbox(const Percept& percept) {
    if (percept.inbox.empty()) return;
    std::vector<const TeamTable*> tables;
    for (const Received& received : percept.inbox) tables.push_back(&received.message->records);
    belief_.team_.take_newer(tables);
    auto heard = belief_.heard_ ? std::make_shared<HeardMaps>(*belief_.heard_) : std::make_shared<HeardMaps>();
    if (merged_generation_ != belief_.map_.generation()) merged_.clear();
    merged_generation_ = belief_.map_.generation();
    merged_.resize(belief_.team_.size());
    std::vector<MapNews> whole;
    const auto merge_whole = [&] {
        belief_.map_.merge(whole);
        whole.clear();
    };
    for (const Received& received : percept.inbox) {
        const Message& message = *received.message;
        const auto from = static_cast<std::size_t>(message.from);
        belief_.contact_[from] = percept.step;
        // In another frame, not joined with this one yet, a map means nothing here.
        if (!message.cargo || message.frame != belief_.map_.frame()) continue;
        heard->set(message.from, message.cargo->map);
        if (received.all_tiles) {
            const std::uint32_t seq = message.records.seq(from);
            whole.push_back({message.cargo->map.get(), seq > 1 && merged_[from] == seq - 1});
            merged_[from] = seq;
        } else {
            merge_whole();
            belief_.map_.merge(*message.cargo->map, &received.tiles);
        }
    }
    merge_whole();
    belief_.heard_ = std::move(heard);
}

void Robot::insert_scans(const Percept& percept) {
    const std::uint64_t before = belief_.map_.version();
    for (std::size_t i = 0; i < percept.scans.size(); ++i) {
        if (!scan_poses_[i]) continue;
        const Scan& scan = percept.scans[i];
        mappers_.at(static_cast<std::size_t>(scan.sensor))
            .insert(belief_.map_, *scan_poses_[i], scan, static_cast<std::uint32_t>(percept.step));
    }
    if (belief_.map_.version() != before) belief_.last_discovery_ = percept.step;
}

/// Standing where the last intent led, having looked where it asked to look, and that cell is still unknown.
void Robot::note_vain_look() {
    if (!facing_) return;
    const Lattice& lattice = belief_.map_.lattice();
    const Cell goal = lattice.cell_of(facing_->first), look = lattice.cell_of(facing_->second);
    if (belief_.cell() != goal || belief_.map_.state(look) != CellState::unknown) return;
    const double off = wrap_angle(bearing(belief_.pose_.position(), facing_->second) - belief_.pose_.yaw);
    if (std::abs(off) > 1e-6) return;
    auto& looks = belief_.vain_looks_;
    const std::pair entry(goal, look);
    const auto at = std::lower_bound(looks.begin(), looks.end(), entry);
    if (at == looks.end() || *at != entry) looks.insert(at, entry);
}

/// Takes note of the cells that became known since the last call; `own`: by this robot's scans.
void Robot::note_known(bool own) {
    if (!belief_.briefing_.deliveries || belief_.briefing_.is_base()) return;
    const KnownMap& map = belief_.map_;
    const auto note = [&](TileCoord t, const CellTile& tile) {
        BitTile& before = known_.at(t);
        if (own) {
            BitTile& discovered = belief_.discovered_.at(t);
            for (std::size_t j = 0; j < tile_size; ++j) discovered.rows[j] |= tile.known.rows[j] & ~before.rows[j];
        }
        before = tile.known;
    };
    const Changes changes = map.changes_since(known_version_);
    if (changes.everything) {
        if (own) known_ = {};
        map.cells().for_each(note);
    }
    for (const TileChange& change : changes.tiles)
        if (const CellTile* tile = map.tile(change.tile)) note(change.tile, *tile);
    known_version_ = map.version();
}

/// A base station marks what it knows as delivered.
void Robot::mark_deliveries() {
    if (!belief_.briefing_.deliveries || !belief_.briefing_.is_base()) return;
    KnownMap& map = belief_.map_;
    const auto mark = [&](TileCoord t) {
        if (const CellTile* tile = map.tile(t)) map.mark(Mark::at_base, t, tile->known);
    };
    const Changes changes = map.changes_since(marked_version_);
    std::vector<TileCoord> tiles;  // marking adds to the changes
    if (changes.everything)
        map.cells().for_each([&](TileCoord t, const CellTile&) { tiles.push_back(t); });
    else
        for (const TileChange& change : changes.tiles) tiles.push_back(change.tile);
    for (const TileCoord t : tiles) mark(t);
    marked_version_ = map.version();
}

std::shared_ptr<const Message> Robot::compose_message(Intent& intent, const std::optional<Point>& goal, bool done) {
    TeamRecord me;
    me.robot = belief_.self();
    me.seq = ++seq_;
    me.step = belief_.step();
    me.frame = belief_.map_.frame();
    me.pose = belief_.pose_;
    me.goal = goal;
    me.done = done;
    me.role = intent.role.value_or(belief_.latest(belief_.self()).role);
    me.words = std::move(intent.words);
    belief_.team_.say(static_cast<std::size_t>(belief_.self()), std::move(me), records_);

    belief_.team_.share_equal();
    auto message = std::make_shared<Message>();
    message->from = belief_.self();
    message->frame = belief_.map_.frame();
    message->records = belief_.team_;
    message->share = intent.share;
    message->summary_tiles = intent.summary_tiles;
    const std::size_t changed = note_changes();
    belief_.said_ = std::make_shared<const MapSnapshot>(belief_.map_.snapshot());
    if (intent.share == Share::none) return message;
    auto cargo = std::make_shared<Cargo>();
    cargo->map = belief_.said_;
    cargo->digest_bytes = digest_bytes(*cargo->map, changed);
    cargo->heard = belief_.heard_;
    if (intent.share == Share::summary || belief_.briefing_.link_bytes > 0) cargo->order = tiles_by_worth();
    message->cargo = std::move(cargo);
    return message;
}

/// Notes which tiles changed since the last message, and when; how many.
std::size_t Robot::note_changes() {
    const KnownMap& map = belief_.map_;
    const int now = belief_.step() + 1;
    const Changes changes = map.changes_since(said_version_);
    std::size_t count = 0;
    const auto note = [&](TileCoord t) {
        int& at = changed_at_.at(t);
        count += at != now;
        at = now;
    };
    if (changes.everything)
        map.cells().for_each([&](TileCoord t, const CellTile&) { note(t); });
    else
        for (const TileChange& change : changes.tiles) note(change.tile);
    said_version_ = map.version();
    return count;
}

/// Tiles by the step of their last change, newest first, then by row and column.
std::vector<TileCoord> Robot::tiles_by_worth() const {
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
