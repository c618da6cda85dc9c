#include "robot/robot.hpp"

#include <algorithm>
#include <cmath>

#include "messages/decision.hpp"
#include "messages/inbox_merger.hpp"
#include "messages/map_payload.hpp"
#include "messages/scan_geometry.hpp"
#include "messages/team_size.hpp"
#include "robot/cut_mates.hpp"
#include "robot/energy_budget.hpp"
#include "robot/frame_tracker.hpp"
#include "robot/ground_marks.hpp"
#include "robot/knowledge.hpp"
#include "robot/motions.hpp"
#include "robot/operator_control.hpp"
#include "robot/order_desk.hpp"
#include "robot/overlap.hpp"
#include "robot/pilot.hpp"
#include "robot/plan_trust.hpp"
#include "robot/registry.hpp"
#include "robot/team_maps.hpp"
#include "robot/tilted_beams.hpp"
#include "robot/victim_log.hpp"
#include "slam/slam.hpp"

namespace outrider {
namespace {

/// Twice the largest map, in metres at a centimetre a cell: no place is farther.
constexpr double far_m = 1e6;

/// After a decision there is no percept any more, also after an error.
struct EndOfStep {
    Knowledge& knowledge;
    ~EndOfStep() { knowledge.percept = nullptr; }
};

void check_point(const Point& p) {
    OUTRIDER_CHECK(std::abs(p.x), <=, far_m);  // false for NaN
    OUTRIDER_CHECK(std::abs(p.y), <=, far_m);
}

/// A strategy must not ask for an invalid place or speed.
void check_action(const Action& action) {
    const auto check_face = [](const std::optional<Point>& face) {
        if (face) check_point(*face);
    };
    if (const auto* go = std::get_if<Goto>(&action)) {
        check_point(go->goal);
        check_face(go->face);
        OUTRIDER_CHECK(go->tolerance_m, >=, 0);
    } else if (const auto* follow = std::get_if<Follow>(&action)) {
        check_face(follow->face);
    } else if (const auto* stay = std::get_if<Stay>(&action)) {
        check_face(stay->face);
    } else if (const auto* drive = std::get_if<Drive>(&action)) {
        check_point({drive->forward, drive->turn});
    }
}

/// How many tiles there are of which a cell changed, not only a mark or a stamp; 0 where the map was drawn anew.
std::size_t tiles_with_other_cells(const MapChanges& changes) {
    std::vector<TileCoord> tiles;
    for (const TileChange& change : changes.list)
        if (change.rows) tiles.push_back(change.tile);
    std::sort(tiles.begin(), tiles.end());
    return static_cast<std::size_t>(std::unique(tiles.begin(), tiles.end()) - tiles.begin());
}

}  // namespace

Robot::Robot(Briefing briefing, const RobotOptions& options, std::unique_ptr<Strategy> strategy, std::uint64_t seed)
    : knowledge_(std::make_unique<Knowledge>(std::move(briefing), options.frontier, options.plan,
                                             options.initial_team_table.get())),
      belief_(*knowledge_),
      cut_mates_(options.cut_mates),
      clears_(options.clears),
      takes_orders_(options.takes_orders),
      strategy_(std::move(strategy)),
      seed_(seed),
      pilot_(std::make_unique<Pilot>()),
      operator_(std::make_unique<OperatorControl>(options.orders, knowledge_->briefing)),
      energy_(std::make_unique<EnergyBudget>(options.battery, knowledge_->briefing)),
      think_steps_(static_cast<std::size_t>(options.think_steps)),
      turns_overlap_(options.slam.scans_along_way() && options.slam.scan_deg > 0),
      inbox_merger_(std::make_unique<InboxMerger>(belief_.self())) {
    knowledge_->overlays_wanted = options.overlays;
    knowledge_->mresim = options.mresim;
    for (const SensorSpec& sensor : knowledge_->briefing.sensors)
        mappers_.emplace_back(sensor, knowledge_->briefing.lattice, options.mapping);
    if (knowledge_->briefing.me().mobile && !knowledge_->briefing.sensors.empty())
        slam_ = make_slam(options.slam, knowledge_->pose, seed + (static_cast<std::uint64_t>(belief_.self()) << 32),
                          options.given_map.get());
    if (options.submaps) {
        maps_ = std::make_unique<TeamMaps>(knowledge_->briefing, options.mapping);
        knowledge_->heard_submaps.resize(knowledge_->team.size());
    }
    if (options.unknown_frames) {
        tracker_ = std::make_unique<FrameTracker>(knowledge_->briefing, options.sighting);
        knowledge_->here = Knowledge::Here{knowledge_->team, {}};
    }
    own_pose_ = knowledge_->pose;
    if (options.orders.through == OrdersThrough::radio && knowledge_->briefing.is_base())
        desk_ = std::make_unique<OrderDesk>();
    if (options.victims) victims_ = std::make_unique<VictimLog>();
    if (const KnownMap* plan = knowledge_->briefing.prior_map.get()) {
        plan_trust_ = std::make_unique<PlanTrust>(*plan);
        knowledge_->trusted_plan = plan;
    }
}
Robot::~Robot() = default;
Robot::Robot(Robot&&) noexcept = default;

Decision Robot::step(const Percept& percept) {
    perceive(percept);
    return decide();
}

void Robot::perceive(const Percept& percept) {
    take_in(percept, {});
    note_vain_look();
    knowledge_->percept = &percept;
}

void Robot::want_overlays(bool wanted) { knowledge_->overlays_wanted = wanted; }

/// What the strategy wants, late where it thinks for long; or the way home, where the battery asks for it.
Intent Robot::choose(Rng& rng) {
    const Lattice& lattice = knowledge_->briefing.lattice;
    if (energy_->any()) knowledge_->spare_cells = lattice.cells(energy_->spare_m(belief_));
    Intent intent = strategy_->choose(belief_, rng);
    if (think_steps_ > 0) {
        thinking_.push_back(std::move(intent));
        intent = {};
        if (thinking_.size() > think_steps_) {
            intent = std::move(thinking_.front());
            thinking_.pop_front();
        }
    }
    if (!energy_->any()) return intent;
    const bool waiting = intent.done && knowledge_->derived->frontiers_out_of_reach();
    const auto way_home_m = [&] { return lattice.metres(knowledge_->derived->way_home_cells(belief_.cell())); };
    if (!energy_->homeward(belief_, way_home_m, waiting)) return intent;
    knowledge_->turned_back = true;
    intent.action = Goto{belief_.home(), 0.8 * charging_range_m, {}};
    intent.done = false;
    if (knowledge_->overlays_wanted)
        intent.overlays.push_back(Overlay::note(Overlay::Meaning::rule, "battery", "goes home to charge"));
    return intent;
}

Decision Robot::decide() {
    const bool perceived = knowledge_->percept != nullptr;
    OUTRIDER_CHECK(perceived, ==, true);
    const EndOfStep end{*knowledge_};

    listen_to_operator();
    Rng rng(seed_, belief_.self(), Purpose::strategy, belief_.step());
    Intent intent = choose(rng);
    obey_operator(intent);
    if (victims_) {
        victims_->update(belief_);
        victims_->add_words(belief_, intent.words);
    }
    check_action(intent.action);
    Pilot::Result way = pilot_->follow(intent.action, belief_, rng);
    knowledge_->goal_unreachable = way.unreachable;
    const auto* go = std::get_if<Goto>(&intent.action);
    facing_ = go && go->face && !way.unreachable ? std::optional(std::pair(go->goal, *go->face)) : std::nullopt;

    Decision decision;
    decision.command =
        slam_ && !turns_overlap_ ? overlapping(std::move(way.command), knowledge_->briefing) : std::move(way.command);
    decision.outbox.push_back(compose_message(intent, way.goal, intent.done));
    decision.done = intent.done;
    if (knowledge_->overlays_wanted) decision.overlays = std::move(intent.overlays);
    decision.strategy_events = std::move(intent.strategy_events);
    if (slam_) decision.pose_estimate = {own_pose_, *covariance_, scan_poses_, moved_, lost_};
    return decision;
}

void Robot::listen_to_operator() {
    const RobotId base = tracker_ ? first_base(knowledge_->briefing) : -1;
    knowledge_->orders = operator_->listen(belief_, base < 0 ? Pose{} : frames()->place(base).value_or(Pose{}));
}

/// What an operator ordered comes first, unless the strategy sees to it; a base station passes orders on.
void Robot::obey_operator(Intent& intent) {
    if (auto told = takes_orders_ ? std::nullopt : operator_->steer(belief_, knowledge_->orders)) {
        intent.action = std::move(*told);
        intent.done = false;
        if (knowledge_->overlays_wanted)
            intent.overlays.push_back(Overlay::note(Overlay::Meaning::rule, "operator", operator_->said()));
    }
    operator_->add_words(belief_, lost_, intent.words);
    if (!desk_) return;
    desk_->update(belief_);
    desk_->add_words(intent.words);
}

std::shared_ptr<const Message> Robot::retrace(const Percept& percept, Intent said, const std::optional<Point>& goal,
                                              const std::optional<PoseEstimate>& pose_estimate) {
    take_in(percept, pose_estimate);
    return compose_message(said, goal, said.done);
}

RobotState Robot::state() const {
    const KnownMap& map = knowledge_->map;
    return {knowledge_->step,
            knowledge_->pose,
            knowledge_->team,
            knowledge_->said ? *knowledge_->said : KnownMap(map.lattice(), map.frame()).snapshot(),
            knowledge_->last_discovery,
            knowledge_->said_submaps};
}

void Robot::restore(const RobotState& state) {
    OUTRIDER_CHECK(seq_, ==, 0u);
    OUTRIDER_CHECK(maps_ == nullptr, ==, true);
    OUTRIDER_CHECK(state.team.size(), ==, knowledge_->team.size());
    knowledge_->step = state.step;
    knowledge_->pose = own_pose_ = state.pose;
    knowledge_->team = state.team;
    knowledge_->last_discovery = state.last_discovery;
    knowledge_->map = KnownMap(knowledge_->map.lattice(), state.map.frame, knowledge_->briefing.cells_change);
    knowledge_->map.merge(state.map);
    knowledge_->said = std::make_shared<const MapSnapshot>(knowledge_->map.snapshot());
    knowledge_->map.changes_since(seen_by_messages_);  // all of it was sent
    seq_ = belief_.latest(belief_.self()).seq;
}

/// Localises, merges the inbox, draws the scans.
void Robot::take_in(const Percept& given, const std::optional<PoseEstimate>& pose_estimate) {
    std::optional<Percept> cut;
    if (any_tilted(given, mappers_)) {
        cut = given;
        cut->scans = without_floor(given, mappers_);
    }
    const Percept& percept = cut ? *cut : given;
    knowledge_->step = percept.step;
    if (pose_estimate) {
        OUTRIDER_CHECK(pose_estimate->scans.size(), ==, percept.scans.size());
        own_pose_ = pose_estimate->pose;
        scan_poses_ = pose_estimate->scans;
        moved_ = pose_estimate->moved;
        covariance_ = pose_estimate->covariance;
        lost_ = pose_estimate->lost;
    } else {
        localise(percept);
    }
    knowledge_->pose = from_own_frame(own_pose_);
    merge_inbox(percept);
    knowledge_->hear_far(percept);
    note_known(false);
    insert_scans(percept);
    note_known(true);
    if (plan_trust_) {
        plan_trust_->update(knowledge_->map);
        knowledge_->trusted_plan = plan_trust_->trusted() ? knowledge_->briefing.prior_map.get() : nullptr;
    }
    mark_deliveries();
    if (knowledge_->team.size() >= large_team) knowledge_->map.share();  // its tiles then have names for NavMap
}

/// By odometry, and by the scans where they are matched, one after the other along the motion.
void Robot::localise(const Percept& percept) {
    const Pose last_from_now = percept.motion.delta;
    scan_poses_.clear();
    moved_.clear();
    if (!slam_) {
        own_pose_ = compose(own_pose_, last_from_now);
        for (const Scan& scan : percept.scans) scan_poses_.push_back(compose(own_pose_, scan.now_from_then));
        return;
    }
    const std::vector<Motion> parts = motions_between(percept);
    std::vector<Point> ends, directions;
    for (std::size_t k = 0; k < percept.scans.size(); ++k) {
        const Scan& scan = percept.scans[k];
        const ScanGeometry& geometry = mappers_.at(static_cast<std::size_t>(scan.sensor)).geometry();
        const SensorSpec& sensor = geometry.spec();
        geometry.directions(0, directions);
        ends.clear();
        const Point from = sensor.mount.position();
        for (std::size_t i = 0; i < scan.ranges.size() && sensor.cone == 0; ++i)
            if (const std::uint16_t r = scan.ranges[i]; r != Scan::no_information && r != Scan::nothing)
                ends.push_back(beam_end(from, directions[i], beam_length_m(sensor, r)));
        const bool draw = slam_->update(parts[k], from, ends, static_cast<std::size_t>(scan.sensor));
        scan_poses_.push_back(draw ? std::optional(slam_->pose()) : std::nullopt);
    }
    if (parts.size() > percept.scans.size()) slam_->move(parts.back());
    own_pose_ = slam_->pose();
    covariance_ = slam_->covariance();
    lost_ = slam_->lost();
    if (maps_ && slam_->counters().corrections != corrections_) note_moved();
}

/// A loop was closed: scans may have been taken elsewhere than was thought then.
void Robot::note_moved() {
    corrections_ = slam_->counters().corrections;
    std::vector<Pose> at = slam_->drawn_at();
    std::size_t k = maps_->drawn();
    for (std::optional<Pose>& pose : scan_poses_)
        if (pose) pose = at.at(k++);
    at.resize(maps_->drawn());
    if (maps_->misplaced(at)) moved_ = std::move(at);
}

std::string Robot::said_version() const {
    const auto* program = dynamic_cast<const SaysVersion*>(strategy_.get());
    return program ? program->said_version() : std::string();
}

Hash128 Robot::map_name() const { return knowledge_->said ? knowledge_->said->name() : Hash128{}; }

/// Takes over the newer record of each robot and merges the maps. First the inbox, then the own scans: the members of a
/// component then hold the same tiles, and share them.
void Robot::merge_inbox(const Percept& percept) {
    if (percept.inbox.empty() && !tracker_) return;
    knowledge_->map.changes_since(seen_by_merge_inbox_);  // what it drew itself
    merge_records(percept, knowledge_->team);
    if (!tracker_)
        for (const Received& received : percept.inbox)
            knowledge_->contact[static_cast<std::size_t>(received.message->from)] = percept.step;
    if (maps_) {
        merge_submaps(percept);
    } else {
        auto heard =
            knowledge_->heard ? std::make_shared<HeardMaps>(*knowledge_->heard) : std::make_shared<HeardMaps>();
        inbox_merger_->merge_maps(percept, knowledge_->map, *heard);
        knowledge_->heard = std::move(heard);
    }
    tiles_learnt_ += tiles_with_other_cells(knowledge_->map.changes_since(seen_by_merge_inbox_));
}

void Robot::merge_submaps(const Percept& percept) {
    for (const Received& received : percept.inbox) {
        const Message& message = *received.message;
        if (!message.payload || !message.payload->submaps) continue;
        maps_->merge(*message.payload->submaps);
        knowledge_->heard_submaps[static_cast<std::size_t>(message.from)] = message.payload->submaps;
    }
    put_map_together(tracker_ && tracker_->take_in(percept, *maps_, own_pose_));
    if (!tracker_) return;
    knowledge_->pose = from_own_frame(own_pose_);
    tracker_->show_team(percept, *knowledge_);
}

/// A pose in the frame of the map.
Pose Robot::from_own_frame(const Pose& pose) const { return tracker_ ? tracker_->from_own(pose) : pose; }

const TeamFrames* Robot::frames() const { return tracker_ ? &tracker_->frames() : nullptr; }

/// Brings the map up to date with the submaps. When all of it is new, what was noted of places counts no more.
void Robot::put_map_together(bool frames_moved) {
    if (!maps_->put_together(knowledge_->map, frames(), frames_moved)) return;
    knowledge_->vain_looks.clear();
    facing_.reset();
}

void Robot::insert_scans(const Percept& percept) {
    if (!moved_.empty()) {
        if (moved_.size() != maps_->drawn())
            fail("step {}: {} scans of before were moved, yet {} had been drawn", percept.step, moved_.size(),
                 maps_->drawn());
        maps_->redraw(moved_);
        put_map_together(false);
    }
    const std::uint64_t before = knowledge_->map.version();
    std::vector<Scan> cut;
    if (cut_mates_) cut = cut_scans(percept);
    const std::vector<Scan>& scans = cut_mates_ ? cut : percept.scans;
    for (std::size_t i = 0; i < scans.size(); ++i) {
        if (!scan_poses_[i]) continue;
        const Scan& scan = scans[i];
        mappers_.at(static_cast<std::size_t>(scan.sensor))
            .insert(knowledge_->map, from_own_frame(*scan_poses_[i]), scan, static_cast<std::uint32_t>(percept.step));
        if (maps_) maps_->draw(scan, *scan_poses_[i], percept.step);
    }
    if (knowledge_->map.version() != before) knowledge_->last_discovery = percept.step;
    if (!percept.rough.empty()) mark_rough(knowledge_->map, knowledge_->pose, percept.rough);
    if (victims_) mark_people(knowledge_->map, knowledge_->pose, percept.sightings, knowledge_->briefing.radius_m);
    if (clears_ && !mappers_.empty() && knowledge_->briefing.me().mobile)
        mark_cleared(knowledge_->map, knowledge_->pose, knowledge_->briefing.radius_m);
    draw_steps(percept);
}

/// Steps are walls for sure: no scan that passes over them clears them.
void Robot::draw_steps(const Percept& percept) {
    TileTable<CellTile> claims;
    for (const Point& p : percept.steps) {
        const Cell c = knowledge_->map.lattice().cell_of(transform(knowledge_->pose, p));
        if (c != belief_.cell()) claims.at(tile_of(c)).set(c, CellState::safe_occupied);
    }
    claims.for_each([&](TileCoord t, const CellTile& tile) {
        if (tile != CellTile{}) knowledge_->map.observe(t, tile, static_cast<std::uint32_t>(percept.step));
    });
}

/// The scans without the team-mates that are in view, those that last said where they are, and the bases.
std::vector<Scan> Robot::cut_scans(const Percept& percept) const {
    std::vector<Point> mates;
    for (const Sighting& s : percept.sightings)
        if (s.kind == Sighting::Kind::team_mate) mates.push_back(s.body_from_other.position());
    const auto know = [&](RobotId robot, const Pose& pose) {
        if (robot != belief_.self()) mates.push_back(into_body(knowledge_->pose, pose.position()));
    };
    for (const auto& [base, pose] : knowledge_->briefing.bases) know(base, pose);
    for (std::size_t i = 0; i < knowledge_->team.size(); ++i)
        if (const TeamRecord& record = *knowledge_->team[i]; record.seq > 0) know(record.robot, record.pose);
    return without_mates(percept, mates, mappers_, knowledge_->briefing.radius_m);
}

/// Notes that the robot stands where the last intent led and looked where it asked to, yet that cell is still unknown.
void Robot::note_vain_look() {
    if (!facing_) return;
    const Lattice& lattice = knowledge_->map.lattice();
    const Cell goal = lattice.cell_of(facing_->first), look = lattice.cell_of(facing_->second);
    if (belief_.cell() != goal || knowledge_->map.state(look) != CellState::unknown) return;
    const double off = wrap_angle(bearing(knowledge_->pose.position(), facing_->second) - knowledge_->pose.yaw);
    if (std::abs(off) > 1e-6) return;
    knowledge_->note_vain_look(goal, look);
}

/// Takes note of the cells that became known since the last call; `own`: by this robot's scans.
void Robot::note_known(bool own) {
    if (!knowledge_->briefing.deliveries || knowledge_->briefing.is_base()) return;
    const KnownMap& map = knowledge_->map;
    const auto note = [&](TileCoord t, const CellTile& tile) {
        BitTile& before = known_.at(t);
        if (own) {
            BitTile& discovered = knowledge_->discovered.at(t);
            for (std::size_t j = 0; j < tile_size; ++j) discovered.rows[j] |= tile.known.rows[j] & ~before.rows[j];
        }
        before = tile.known;
    };
    const MapChanges changes = map.changes_since(seen_by_note_known_);
    if (changes.everything && own) known_ = {};
    changes.for_each([&](const TileChange& change) {
        if (const CellTile* tile = map.tile(change.tile)) note(change.tile, *tile);
    });
}

/// A base station marks what it knows as delivered.
void Robot::mark_deliveries() {
    if (!knowledge_->briefing.deliveries || !knowledge_->briefing.is_base()) return;
    KnownMap& map = knowledge_->map;
    if (maps_) maps_->mark_all(Mark::at_base);
    for (const TileCoord t : map.changes_since(seen_by_marks_).tiles())
        if (const CellTile* tile = map.tile(t)) map.mark(Mark::at_base, t, tile->known);
    map.changes_since(seen_by_marks_);  // the marks themselves
}

std::shared_ptr<const Message> Robot::compose_message(Intent& intent, const std::optional<Point>& goal, bool done) {
    // The others heard of a later record of this robot: its program began again in mid-mission (outrider robot). One
    // number is left out, so that nobody takes the next map for what changed since one that they merged.
    const std::uint32_t heard_of = knowledge_->team.seq(static_cast<std::size_t>(belief_.self()));
    if (heard_of > seq_) seq_ = heard_of + 1;
    TeamRecord me;
    me.robot = belief_.self();
    me.seq = ++seq_;
    me.step = belief_.step();
    me.frame = knowledge_->map.frame();
    me.pose = knowledge_->pose;
    me.goal = goal;
    me.done = done;
    me.role = intent.role.value_or(belief_.latest(belief_.self()).role);
    me.words = std::move(intent.words);
    const auto self = static_cast<std::size_t>(belief_.self());
    knowledge_->team.say(self, std::move(me), records_);
    if (knowledge_->with_far) knowledge_->with_far->set(self, *knowledge_->team[self]);

    knowledge_->team.share_equal();
    auto message = std::make_shared<Message>();
    message->from = belief_.self();
    message->frame = knowledge_->map.frame();
    message->records = knowledge_->team;
    message->share = intent.share;
    message->summary_tiles = intent.summary_tiles;
    const std::size_t changed = note_changes();
    knowledge_->said = std::make_shared<const MapSnapshot>(knowledge_->map.snapshot());
    if (maps_) knowledge_->said_submaps = maps_->snapshot();
    if (tracker_) message->frames = tracker_->news(own_pose_);
    if (intent.share == Share::none) return message;
    auto payload = std::make_shared<MapPayload>();
    payload->map = knowledge_->said;
    payload->digest_bytes = digest_bytes(*payload->map, changed);
    payload->heard = knowledge_->heard;
    payload->submaps = knowledge_->said_submaps;
    payload->heard_submaps = knowledge_->heard_submaps;
    if (intent.share == Share::summary || knowledge_->briefing.link_bytes > 0) payload->order = tiles_by_worth();
    message->payload = std::move(payload);
    return message;
}

/// Notes which tiles changed since the last message, and when; returns how many.
std::size_t Robot::note_changes() {
    const KnownMap& map = knowledge_->map;
    const int now = belief_.step() + 1;
    std::size_t count = 0;
    map.changes_since(seen_by_messages_).for_each([&](const TileChange& change) {
        int& at = changed_at_.at(change.tile);
        count += at != now;
        at = now;
    });
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
