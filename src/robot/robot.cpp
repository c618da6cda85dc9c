#include "robot/robot.hpp"

#include <cmath>
#include <set>

#include "messages/team_size.hpp"
#include "robot/knowledge.hpp"
#include "robot/localiser.hpp"
#include "robot/messenger.hpp"
#include "robot/overlap.hpp"
#include "robot/pilot.hpp"
#include "robot/registry.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// Twice the largest map, in metres at a centimetre a cell: no place is farther.
constexpr double far_m = 1e6;

/// In cells: as many as a frontier has that is worth a drive.
constexpr int least_news = 10;

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

}  // namespace

Robot::Robot(Briefing briefing, const RobotOptions& options, std::unique_ptr<Strategy> strategy, std::uint64_t seed)
    : knowledge_(std::make_unique<Knowledge>(std::move(briefing), options.frontier, options.plan,
                                             options.initial_team_table.get())),
      belief_(*knowledge_),
      seed_(seed),
      strategy_(std::move(strategy)),
      parts_(make_robot_parts(knowledge_->briefing, options)),
      localiser_(std::make_unique<Localiser>(knowledge_->briefing, options, seed)),
      messenger_(std::make_unique<Messenger>(belief_.self())),
      pilot_(std::make_unique<Pilot>()) {
    Knowledge& known = *knowledge_;
    known.overlays_wanted = options.overlays;
    known.mresim = options.mresim;
    known.derived->explore(options.region);
    for (const SensorSpec& sensor : known.briefing.sensors)
        mappers_.emplace_back(sensor, known.briefing.lattice, options.mapping);
    if (options.submaps) {
        known.submaps = std::make_unique<TeamMaps>(known.briefing, options.mapping);
        known.received_submaps.resize(known.team.size());
    }
    if (options.unknown_frames) {
        known.tracker = std::make_unique<FrameTracker>(known.briefing, options.sighting);
        known.here = Knowledge::Here{known.team, {}};
    }
}
Robot::~Robot() = default;
Robot::Robot(Robot&&) noexcept = default;
Robot::Robot(const Robot& other)
    : knowledge_(other.knowledge_->copy()),
      belief_(*knowledge_),
      seed_(other.seed_),
      strategy_(copy_strategy(*other.strategy_)),
      parts_(other.parts_),
      localiser_(std::make_unique<Localiser>(*other.localiser_)),
      messenger_(std::make_unique<Messenger>(*other.messenger_)),
      mappers_(other.mappers_),
      pilot_(std::make_unique<Pilot>(*other.pilot_)) {}
void Robot::perceives_in(const Percept& percept) { knowledge_->percept = &percept; }

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
    if (pose_estimate)
        Localiser::take_over(*pose_estimate, scans, known);
    else
        localiser_->update(scans, known);
    // First messages, then the own scans: the members of a component then hold the same tiles, and share them.
    messenger_->receive(percept, known);
    known.hear_far(percept);
    for (const auto& part : parts_) part->before_drawing(known, scans);
    draw(scans);
    for (const auto& part : parts_) part->after_drawing(known, percept);
    if (known.team.size() >= large_team) known.map.share();  // its tiles then have names for NavMap
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
    int news = 0;
    for (std::size_t i = 0; i < scans.all().size(); ++i) {
        const std::optional<Pose>& at = known.estimate.scans[i];
        if (!at) continue;
        const Scan& scan = scans.all()[i];
        ScanMapper& mapper = mappers_.at(static_cast<std::size_t>(scan.sensor));
        mapper.insert(known.map, known.in_map(*at), scan, static_cast<std::uint32_t>(known.step));
        news += mapper.news();
        if (known.submaps) known.submaps->draw(scan, *at, known.step);
    }
    // Where poses err, each scan draws something elsewhere: only what was unknown is new, and a few cells are an error.
    const bool learned = known.matches_scans ? news >= least_news : known.map.version() != before;
    if (learned) known.last_discovery = known.step;
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
    Pilot::Result path = pilot_->follow(intent.action, belief_, rng);
    known.goal_unreachable = path.unreachable;
    const auto* go = std::get_if<Goto>(&intent.action);
    known.facing = go && go->face && !path.unreachable ? std::optional(std::pair(go->goal, *go->face)) : std::nullopt;

    Decision decision;
    decision.command =
        localiser_->limits_turns() ? overlapping(std::move(path.command), known.briefing) : std::move(path.command);
    decision.outbox.push_back(messenger_->compose(known, intent, path.goal));
    decision.done = intent.done;
    if (known.overlays_wanted) decision.overlays = std::move(intent.overlays);
    decision.strategy_events = std::move(intent.strategy_events);
    if (localiser_->slam()) decision.pose_estimate = known.estimate;
    return decision;
}

std::shared_ptr<const Message> Robot::retrace(const Percept& percept, Intent sent, const std::optional<Point>& goal,
                                              const std::optional<PoseEstimate>& pose_estimate) {
    take_in(percept, pose_estimate);
    return messenger_->compose(*knowledge_, sent, goal);
}

void Robot::want_overlays(bool wanted) { knowledge_->overlays_wanted = wanted; }

RobotState Robot::state() const {
    const KnownMap& map = knowledge_->map;
    return {knowledge_->step,
            knowledge_->pose,
            knowledge_->team,
            knowledge_->sent ? *knowledge_->sent : KnownMap(map.lattice(), map.frame()).snapshot(),
            knowledge_->last_discovery,
            knowledge_->sent_submaps};
}

void Robot::restore(const RobotState& state) {
    Knowledge& known = *knowledge_;
    OUTRIDER_CHECK(known.submaps.get() == nullptr, ==, true);
    OUTRIDER_CHECK(state.team.size(), ==, known.team.size());
    known.step = state.step;
    known.pose = known.estimate.pose = state.pose;
    known.team = state.team;
    known.last_discovery = state.last_discovery;
    known.map = KnownMap(known.map.lattice(), state.map.frame, known.briefing.cells_change);
    known.map.merge(state.map);
    known.sent = std::make_shared<const MapSnapshot>(known.map.snapshot());
    messenger_->continue_from(known);
}

std::uint64_t Robot::tiles_learnt() const { return messenger_->tiles_learnt(); }

Hash128 Robot::map_name() const { return knowledge_->sent ? knowledge_->sent->name() : Hash128{}; }

std::string Robot::reported_version() const {
    const auto* program = dynamic_cast<const SaysVersion*>(strategy_.get());
    return program ? program->reported_version() : std::string();
}

const Slam* Robot::slam() const { return localiser_->slam(); }

const std::array<double, 9>* Robot::covariance() const {
    return knowledge_->matches_scans ? &knowledge_->estimate.covariance : nullptr;
}

bool Robot::lost() const { return knowledge_->estimate.lost; }

const TeamFrames* Robot::frames() const { return knowledge_->frames(); }

int frames_of(std::span<const Robot> team, std::span<const Percept> percepts) {
    std::set<RobotId> leaders;
    for (const Robot& robot : team) {
        const Briefing& briefing = robot.belief().briefing();
        if (briefing.me().mobile && percepts[static_cast<std::size_t>(briefing.self)].alive)
            leaders.insert(robot.map().frame().robot);
    }
    return static_cast<int>(leaders.size());
}

}  // namespace outrider
