#include "robot/robot.hpp"

#include <algorithm>
#include <cmath>

#include "messages/inbox_merger.hpp"
#include "messages/map_payload.hpp"
#include "messages/team_size.hpp"
#include "robot/knowledge.hpp"
#include "robot/motions.hpp"
#include "robot/overlap.hpp"
#include "robot/pilot.hpp"
#include "robot/registry.hpp"
#include "robot/robot_parts.hpp"
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

void merge_submaps(const Percept& percept, Knowledge& known) {
    for (const Received& received : percept.inbox) {
        const Message& message = *received.message;
        if (!message.payload || !message.payload->submaps) continue;
        known.submaps->merge(*message.payload->submaps);
        known.heard_submaps[static_cast<std::size_t>(message.from)] = message.payload->submaps;
    }
    const Pose& own = known.estimate.pose;
    known.submaps->put_together(known, known.tracker && known.tracker->take_in(percept, *known.submaps, own));
    if (!known.tracker) return;
    known.pose = known.in_map(own);
    known.tracker->show_team(percept, known);
}

}  // namespace

Robot::Robot(Briefing briefing, const RobotOptions& options, std::unique_ptr<Strategy> strategy, std::uint64_t seed)
    : knowledge_(std::make_unique<Knowledge>(std::move(briefing), options.frontier, options.plan,
                                             options.initial_team_table.get())),
      belief_(*knowledge_),
      seed_(seed),
      strategy_(std::move(strategy)),
      parts_(make_robot_parts(knowledge_->briefing, options)),
      turns_overlap_(options.slam.scans_along_way() && options.slam.scan_deg > 0),
      inbox_merger_(std::make_unique<InboxMerger>(belief_.self())),
      pilot_(std::make_unique<Pilot>()) {
    Knowledge& known = *knowledge_;
    known.overlays_wanted = options.overlays;
    known.mresim = options.mresim;
    for (const SensorSpec& sensor : known.briefing.sensors)
        mappers_.emplace_back(sensor, known.briefing.lattice, options.mapping);
    if (known.briefing.me().mobile && !known.briefing.sensors.empty())
        slam_ = make_slam(options.slam, known.pose, seed + (static_cast<std::uint64_t>(belief_.self()) << 32),
                          options.given_map.get());
    if (options.submaps) {
        known.submaps = std::make_unique<TeamMaps>(known.briefing, options.mapping);
        known.heard_submaps.resize(known.team.size());
    }
    if (options.unknown_frames) {
        known.tracker = std::make_unique<FrameTracker>(known.briefing, options.sighting);
        known.here = Knowledge::Here{known.team, {}};
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
    knowledge_->note_vain_look();
    knowledge_->percept = &percept;
}

/// Localises, merges messages, draws the scans.
void Robot::take_in(const Percept& percept, const std::optional<PoseEstimate>& pose_estimate) {
    Knowledge& known = *knowledge_;
    known.step = percept.step;
    StepScans scans(percept, mappers_);
    for (const auto& part : parts_) part->before_localising(scans);
    if (pose_estimate) {
        OUTRIDER_CHECK(pose_estimate->scans.size(), ==, percept.scans.size());
        known.estimate = *pose_estimate;
        known.matches_scans = true;
        known.pose = known.in_map(pose_estimate->pose);
    } else {
        localise(scans);
    }
    // First messages, then the own scans: the members of a component then hold the same tiles, and share them.
    merge_inbox(percept);
    known.hear_far(percept);
    for (const auto& part : parts_) part->before_drawing(known, scans);
    draw(scans);
    for (const auto& part : parts_) part->after_drawing(known, percept);
    if (known.team.size() >= large_team) known.map.share();  // its tiles then have names for NavMap
}

/// By odometry, and by the scans where they are matched, one after the other along the motion.
void Robot::localise(const StepScans& scans) {
    Knowledge& known = *knowledge_;
    PoseEstimate& estimate = known.estimate;
    estimate.scans.clear();
    estimate.moved.clear();
    if (slam_) {
        match(scans);
    } else {
        estimate.pose = compose(estimate.pose, scans.percept().motion.delta);
        for (const Scan& scan : scans.all()) estimate.scans.push_back(compose(estimate.pose, scan.now_from_then));
    }
    known.pose = known.in_map(estimate.pose);
}

void Robot::match(const StepScans& scans) {
    Knowledge& known = *knowledge_;
    PoseEstimate& estimate = known.estimate;
    const std::vector<Motion> parts = motions_between(scans.percept());
    std::vector<Point> ends, directions;
    for (std::size_t k = 0; k < scans.all().size(); ++k) {
        const Scan& scan = scans.all()[k];
        const ScanGeometry& geometry = scans.geometry(scan);
        const SensorSpec& sensor = geometry.spec();
        geometry.directions(0, directions);
        ends.clear();
        const Point from = sensor.mount.position();
        for (std::size_t i = 0; i < scan.ranges.size() && sensor.cone == 0; ++i)
            if (const std::uint16_t r = scan.ranges[i]; r != Scan::no_information && r != Scan::nothing)
                ends.push_back(beam_end(from, directions[i], beam_length_m(sensor, r)));
        const bool draw = slam_->update(parts[k], from, ends, static_cast<std::size_t>(scan.sensor));
        estimate.scans.push_back(draw ? std::optional(slam_->pose()) : std::nullopt);
    }
    if (parts.size() > scans.all().size()) slam_->move(parts.back());
    estimate.pose = slam_->pose();
    estimate.covariance = slam_->covariance();
    estimate.lost = slam_->lost();
    known.matches_scans = true;
    if (known.submaps && slam_->counters().corrections != corrections_) note_moved();
}

/// A loop was closed: scans may have been taken elsewhere than was thought then.
void Robot::note_moved() {
    Knowledge& known = *knowledge_;
    corrections_ = slam_->counters().corrections;
    std::vector<Pose> at = slam_->drawn_at();
    std::size_t k = known.submaps->drawn();
    for (std::optional<Pose>& pose : known.estimate.scans)
        if (pose) pose = at.at(k++);
    at.resize(known.submaps->drawn());
    if (known.submaps->misplaced(at)) known.estimate.moved = std::move(at);
}

/// Takes over the newer record of each robot and merges the maps.
void Robot::merge_inbox(const Percept& percept) {
    Knowledge& known = *knowledge_;
    if (percept.inbox.empty() && !known.tracker) return;
    known.map.changes_since(seen_by_receive_);  // what it drew itself
    merge_records(percept, known.team);
    if (!known.tracker)
        for (const Received& received : percept.inbox)
            known.contact[static_cast<std::size_t>(received.message->from)] = percept.step;
    if (known.submaps) {
        merge_submaps(percept, known);
    } else {
        auto heard = known.heard ? std::make_shared<HeardMaps>(*known.heard) : std::make_shared<HeardMaps>();
        inbox_merger_->merge_maps(percept, known.map, *heard);
        known.heard = std::move(heard);
    }
    tiles_learnt_ += tiles_with_other_cells(known.map.changes_since(seen_by_receive_));
}

/// Each scan where it was taken; first those of before anew, when a closed loop moved them.
void Robot::draw(const StepScans& scans) {
    Knowledge& known = *knowledge_;
    const std::vector<Pose>& moved = known.estimate.moved;
    if (!moved.empty()) {
        if (moved.size() != known.submaps->drawn())
            fail("step {}: {} scans of before were moved, yet {} had been drawn", known.step, moved.size(),
                 known.submaps->drawn());
        known.submaps->redraw(moved);
        known.submaps->put_together(known, false);
    }
    const std::uint64_t before = known.map.version();
    for (std::size_t i = 0; i < scans.all().size(); ++i) {
        const std::optional<Pose>& at = known.estimate.scans[i];
        if (!at) continue;
        const Scan& scan = scans.all()[i];
        mappers_.at(static_cast<std::size_t>(scan.sensor))
            .insert(known.map, known.in_map(*at), scan, static_cast<std::uint32_t>(known.step));
        if (known.submaps) known.submaps->draw(scan, *at, known.step);
    }
    if (known.map.version() != before) known.last_discovery = known.step;
}

Decision Robot::decide() {
    Knowledge& known = *knowledge_;
    const bool perceived = known.percept != nullptr;
    OUTRIDER_CHECK(perceived, ==, true);
    const EndOfStep end{known};

    for (const auto& part : parts_) part->before_choice(known);
    Rng rng(seed_, belief_.self(), Purpose::strategy, belief_.step());
    Intent intent = strategy_->choose(belief_, rng);
    for (const auto& part : parts_) part->after_choice(known, intent);
    check_action(intent.action);
    Pilot::Result way = pilot_->follow(intent.action, belief_, rng);
    known.goal_unreachable = way.unreachable;
    const auto* go = std::get_if<Goto>(&intent.action);
    known.facing = go && go->face && !way.unreachable ? std::optional(std::pair(go->goal, *go->face)) : std::nullopt;

    Decision decision;
    decision.command =
        slam_ && !turns_overlap_ ? overlapping(std::move(way.command), known.briefing) : std::move(way.command);
    decision.outbox.push_back(compose_message(intent, way.goal));
    decision.done = intent.done;
    if (known.overlays_wanted) decision.overlays = std::move(intent.overlays);
    decision.strategy_events = std::move(intent.strategy_events);
    if (slam_) decision.pose_estimate = known.estimate;
    return decision;
}

std::shared_ptr<const Message> Robot::retrace(const Percept& percept, Intent said, const std::optional<Point>& goal,
                                              const std::optional<PoseEstimate>& pose_estimate) {
    take_in(percept, pose_estimate);
    return compose_message(said, goal);
}

void Robot::want_overlays(bool wanted) { knowledge_->overlays_wanted = wanted; }

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
    Knowledge& known = *knowledge_;
    OUTRIDER_CHECK(seq_, ==, 0u);
    OUTRIDER_CHECK(known.submaps == nullptr, ==, true);
    OUTRIDER_CHECK(state.team.size(), ==, known.team.size());
    known.step = state.step;
    known.pose = known.estimate.pose = state.pose;
    known.team = state.team;
    known.last_discovery = state.last_discovery;
    known.map = KnownMap(known.map.lattice(), state.map.frame, known.briefing.cells_change);
    known.map.merge(state.map);
    known.said = std::make_shared<const MapSnapshot>(known.map.snapshot());
    known.map.changes_since(seen_by_compose_);  // all of it was sent
    seq_ = known.team.seq(static_cast<std::size_t>(belief_.self()));
}

std::uint64_t Robot::tiles_learnt() const { return tiles_learnt_; }

std::shared_ptr<const Message> Robot::compose_message(Intent& intent, const std::optional<Point>& goal) {
    Knowledge& known = *knowledge_;
    TeamRecord me;
    me.robot = known.briefing.self;
    me.seq = next_seq();
    me.step = known.step;
    me.frame = known.map.frame();
    me.pose = known.pose;
    me.goal = goal;
    me.done = intent.done;
    me.role = intent.role.value_or(Belief(known).latest(me.robot).role);
    me.words = std::move(intent.words);
    const auto self = static_cast<std::size_t>(me.robot);
    known.team.say(self, std::move(me), records_);
    if (known.with_far) known.with_far->set(self, *known.team[self]);

    known.team.share_equal();
    auto message = std::make_shared<Message>();
    message->from = known.briefing.self;
    message->frame = known.map.frame();
    message->records = known.team;
    message->share = intent.share;
    message->summary_tiles = intent.summary_tiles;
    const std::size_t changed = note_changes();
    known.said = std::make_shared<const MapSnapshot>(known.map.snapshot());
    if (known.submaps) known.said_submaps = known.submaps->snapshot();
    if (known.tracker) message->frames = known.tracker->news(known.estimate.pose);
    if (intent.share == Share::none) return message;
    auto payload = std::make_shared<MapPayload>();
    payload->map = known.said;
    payload->digest_bytes = digest_bytes(*payload->map, changed);
    payload->heard = known.heard;
    payload->submaps = known.said_submaps;
    payload->heard_submaps = known.heard_submaps;
    if (intent.share == Share::summary || known.briefing.link_bytes > 0) payload->order = tiles_by_worth();
    message->payload = std::move(payload);
    return message;
}

/// When others heard of a later record of this robot, its program began again in mid-mission (outrider robot). One
/// number is left out then, so that nobody takes the next map for what changed since one that they merged.
std::uint32_t Robot::next_seq() {
    const Knowledge& known = *knowledge_;
    const std::uint32_t heard_of = known.team.seq(static_cast<std::size_t>(known.briefing.self));
    if (heard_of > seq_) seq_ = heard_of + 1;
    return ++seq_;
}

/// Notes which tiles changed since the last message, and when; returns how many.
std::size_t Robot::note_changes() {
    const Knowledge& known = *knowledge_;
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

Hash128 Robot::map_name() const { return knowledge_->said ? knowledge_->said->name() : Hash128{}; }

std::string Robot::said_version() const {
    const auto* program = dynamic_cast<const SaysVersion*>(strategy_.get());
    return program ? program->said_version() : std::string();
}

const Slam* Robot::slam() const { return slam_.get(); }

const std::array<double, 9>* Robot::covariance() const {
    return knowledge_->matches_scans ? &knowledge_->estimate.covariance : nullptr;
}

bool Robot::lost() const { return knowledge_->estimate.lost; }

const TeamFrames* Robot::frames() const { return knowledge_->frames(); }

}  // namespace outrider
