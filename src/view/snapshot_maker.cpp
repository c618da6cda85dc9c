#include "view/snapshot_maker.hpp"
#include "scenario/exclusions.hpp"

#include <algorithm>

#include "log/viewers/aims.hpp"
#include "messages/scan_geometry.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "slam/manifold/patch_graph.hpp"
#include "slam/slam.hpp"
#include "view/reach.hpp"

namespace outrider::view {
namespace {

bool wanted(const std::vector<std::uint8_t>& list, std::size_t robot) { return robot < list.size() && list[robot]; }

/// Where the beams of the scans ended, seen from the pose in which they were taken.
std::vector<Point> scan_ends(const Belief& belief, const Percept& percept) {
    std::vector<Point> ends;
    for (const Scan& scan : percept.scans) {
        const SensorSpec& sensor = belief.briefing().sensors[static_cast<std::size_t>(scan.sensor)];
        const Pose at = compose(compose(belief.pose(), scan.now_from_then), sensor.mount);
        ends.push_back(at.position());
        for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
            if (scan.ranges[i] == Scan::no_information) continue;
            const auto [s, c] = sin_cos(at.yaw + sensor.first_angle + static_cast<double>(i) * sensor.step_angle);
            ends.push_back(beam_end(at.position(), {c, s}, beam_length_m(sensor, scan.ranges[i])));
        }
    }
    return ends;
}

/// Whether a scanner that is fixed to the body took these scans while the body was not level.
bool tilted(const Belief& belief, const Percept& percept) {
    const std::vector<SensorSpec>& sensors = belief.briefing().sensors;
    return (percept.pitch != 0 || percept.roll != 0) &&
           std::any_of(sensors.begin(), sensors.end(), [](const SensorSpec& s) { return s.tilts_at_m > 0; });
}

std::string in_words(const Command& command, bool bumped) {
    std::string text;
    double length = 0;
    Point from;
    for (const Point& p : command.path_body) {
        length += distance(from, p);
        from = p;
    }
    if (command.path_body.empty())
        text = "stays";
    else
        text = fmt::format("drives towards a point {:.2f} m ahead at {:.2f} m/s", length, command.speed_mps);
    if (command.final_heading) text += fmt::format(", turns to {:+.0f} deg", degrees(*command.final_heading));
    return bumped ? text + "; was stopped by a wall" : text;
}

RobotMoment moment_of(const Robot& robot, const Percept& percept, const Decision& decision) {
    const Belief& belief = robot.belief();
    RobotMoment out;
    out.pose = belief.pose();
    if (const auto* c = robot.covariance()) out.spread = {(*c)[0], (*c)[1], (*c)[4]};
    out.lost = robot.lost();
    out.alive = percept.alive;
    out.bumped = percept.bumped;
    out.done = decision.done;
    out.battery = percept.battery;
    out.role = belief.latest(belief.self()).role;
    out.goal = belief.latest(belief.self()).goal;
    out.known_cells = static_cast<std::int64_t>(robot.map().count(false));
    out.last_discovery = belief.last_discovery();
    out.base_in_contact = percept.alive && belief.base_in_contact();
    for (const auto& mate : belief.team()) {
        if (mate->robot == belief.self()) continue;
        out.mates.push_back(
            {mate->robot, mate->seq == 0 ? -1 : mate->step, belief.in_contact(mate->robot), mate->pose, mate->goal});
        for (const Word& word : mate->words)
            if (auto report = read_report(word)) out.mates.back().report = std::move(report);
    }
    for (const LinkReport& link : percept.links) out.links.push_back(link.robot);
    out.commands = percept.commands;
    for (const auto& message : decision.outbox)
        for (const Word& word : message->self().words)
            if (read_order(word, word.to)) out.orders_kept.push_back(word.to);
    out.overlays = decision.overlays;
    out.parent = superior(belief.briefing(), decision.overlays);
    out.reasons_shown = !decision.overlays.empty();
    out.command = in_words(decision.command, percept.bumped);
    for (const Received& received : percept.inbox) {
        const TeamRecord& sent = received.message->self();
        out.received.push_back(
            {received.message->from, sent.step, sent.words.size(), received.all_tiles, received.tiles.size(), 0});
    }
    return out;
}

/// What was said in the frame of the robot's map.
void into_team_frame(const TrueView& truth, const Robot& robot, RobotMoment& moment) {
    const auto move = [&](Point& p) { p = truth.point(robot, p); };
    const auto move_all = [&](std::vector<Point>& points) { std::for_each(points.begin(), points.end(), move); };
    moment.pose = truth.pose(robot, moment.pose);
    if (moment.goal) move(*moment.goal);
    move_all(moment.path);
    move_all(moment.scan);
    move_all(moment.expected);
    move_all(moment.key_points);
    for (MateNews& mate : moment.mates) {
        mate.pose = truth.pose(robot, mate.pose);
        if (mate.goal) move(*mate.goal);
    }
    for (Overlay& overlay : moment.overlays) move_all(overlay.points);
}

}  // namespace

RobotId superior(const Briefing& briefing, std::span<const Overlay> overlays) {
    for (const Overlay& o : overlays)
        if (o.meaning == Overlay::Meaning::reports_to)
            for (const TeamMember& member : briefing.team())
                if (member.name == o.text) return member.id;
    return briefing.me().parent;
}

void SnapshotMaker::follow_truth(const StepView& view) {
    if (!truth_) truth_.emplace(info_.scenario.start_poses(), view.team);
    truth_->update(view.team);
}

void SnapshotMaker::forget() {
    followed_.clear();
    truth_.reset();
    events_.clear();
    claims_known_ = false;
}

void SnapshotMaker::note_history(const StepView& view, bool exact) {
    followed_.resize(view.team.size());
    follow_truth(view);
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const Belief& belief = view.team[i].belief();
        const KnownMap& map = truth_->map(view.team[i]);
        for (const TileCoord t : map.changes_since(followed_[i].noted).tiles())
            if (const CellTile* tile = map.tile(t))
                telemetry_.history().note(t, tile->known, belief.self(), belief.briefing().is_base(), view.step, exact);
    }
}

Snapshot SnapshotMaker::make(const StepView& view, std::span<const Pose> truth,
                             std::span<const std::vector<std::uint64_t>> bytes) {
    const Wants wants = telemetry_.wants();
    Snapshot out;
    out.step = view.step;
    followed_.resize(view.team.size());
    follow_truth(view);
    for (std::size_t i = 0; i < view.team.size(); ++i)  // a map that was drawn anew may lack cells that it had
        if (const auto now = truth_->map(view.team[i]).generation(); now != followed_[i].generation) {
            followed_[i].generation = now;
            claims_known_ = false;
        }
    out.claims_anew = !claims_known_;
    if (!claims_known_) std::fill(std::begin(out.marks_anew), std::end(out.marks_anew), true);
    claims_known_ = true;
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const Robot& robot = view.team[i];
        RobotMoment moment = moment_of(robot, view.percepts[i], view.decisions[i]);
        if (i < truth.size()) moment.truth = truth[i];
        if (i < bytes.size())
            for (std::size_t k = 0; k < moment.received.size() && k < bytes[i].size(); ++k)
                moment.received[k].bytes = bytes[i][k];
        Followed& followed = followed_[i];
        add_claims(robot, followed, out);
        // Where robots have frames of their own, these layers are not shown: their cells are those of the robot's map.
        const bool cells_fit = !truth_->own_frames();
        if (cells_fit && has_part(info_.scenario, "clearing")) add_cleared(robot, followed, out);
        if (wanted(wants.frontier, i) && cells_fit)
            add_frontier(robot.belief().self(), robot.belief().nav(), followed.frontier, out.marks);
        if (wanted(wants.skeleton, i) && cells_fit) {
            add_skeleton(robot, followed, out);
            const Lattice& lattice = robot.belief().map().lattice();
            for (const KeyPoint& p : find_key_points(*followed.skeleton, robot.belief().map()))
                moment.key_points.push_back(lattice.centre(p.cell));
        }
        if (wanted(wants.path, i) && moment.goal && moment.alive)
            moment.path = corners_to(robot.belief(), *moment.goal);
        if (wanted(wants.scan, i) && moment.alive) {
            moment.scan = scan_ends(robot.belief(), view.percepts[i]);
            moment.scan_tilted = tilted(robot.belief(), view.percepts[i]);
        }
        const Briefing& me = robot.belief().briefing();
        const double range = me.me().radio_range_m, reach_m = link_range_m(me.radio.range_rule, range, range);
        const Point here = moment.truth.value_or(truth_->pose(robot, moment.pose)).position();
        if (wanted(wants.reach, i) && moment.alive) {
            const Ir2Losses losses = Ir2Losses::draw(me.radio, info_.scenario.run.seed);
            moment.reach = radio_reach(info_.walls, me.radio, reach_m, here, losses);
        }
        if (wanted(wants.expected, i) && moment.alive)
            moment.expected = believed_reach(robot.belief().map(), me.radio, reach_m, moment.pose.position());
        if (wanted(wants.believed_path, i) && robot.slam())
            for (const Pose& p : robot.slam()->path())
                moment.believed_path.push_back(truth_->own_point(robot, p.position()));
        if (wanted(wants.guesses, i) && robot.slam()) add_guesses(robot, moment);
        if (wanted(wants.patches, i) && robot.slam() && robot.slam()->graph()) add_patches(robot, moment);
        if (truth_->own_frames()) into_team_frame(*truth_, robot, moment);
        out.robots.push_back(std::move(moment));
    }
    if (!stage_) stage_.emplace(info_.scenario);
    for (RunEvent& event : telemetry_.events_from(events_.size())) events_.push_back(std::move(event));
    out.scene = stage_->team({view, *truth_, truth, events_});
    return out;
}

void SnapshotMaker::add_guesses(const Robot& robot, RobotMoment& moment) const {
    double largest = 0;
    for (const auto& [pose, weight] : robot.slam()->guesses()) {
        moment.guesses.emplace_back(truth_->own_point(robot, pose.position()), weight);
        largest = std::max(largest, weight);
    }
    for (auto& [at, weight] : moment.guesses) weight = largest > 0 ? weight / largest : 1;
}

void SnapshotMaker::add_patches(const Robot& robot, RobotMoment& moment) const {
    const PatchGraph& graph = *robot.slam()->graph();
    for (int id = 0; id < graph.count(); ++id)
        moment.patches.push_back(truth_->own_point(robot, graph.pose(id).position()));
    for (const PoseGraphEdge& e : graph.relations())
        (e.to == e.from + 1 ? moment.relations : moment.closures).emplace_back(e.from, e.to);
}

void SnapshotMaker::add_claims(const Robot& robot, Followed& followed, Snapshot& out) const {
    const KnownMap& map = truth_->map(robot);
    if (out.claims_anew) followed.claims = {};
    for (const TileCoord t : map.changes_since(followed.claims).tiles())
        if (const CellTile* tile = map.tile(t)) out.claims.push_back({robot.belief().self(), t, *tile});
}

void add_frontier(RobotId robot, const NavMap& nav, ChangeCursor& cursor, std::vector<MarkUpdate>& marks) {
    for (const TileCoord t : nav.tiles_of(nav.frontier_changes_since(cursor))) {
        MarkUpdate update{robot, MarkKind::frontier, t, {}};
        const NavTile::Rows& reached = nav.reached_rows(t);
        if (const NavTile* tile = nav.tile(t))
            for (std::size_t row = 0; row < tile_size; ++row)
                update.cells.rows[row] = tile->frontier[row] & reached[row];
        marks.push_back(update);
    }
}

void SnapshotMaker::add_cleared(const Robot& robot, Followed& followed, Snapshot& out) const {
    const KnownMap& map = truth_->map(robot);
    if (out.marks_anew[static_cast<std::size_t>(MarkKind::cleared)]) followed.cleared = {};
    for (const TileCoord t : map.changes_since(followed.cleared).tiles())
        if (const BitTile* tile = map.marks(Mark::cleared, t))
            out.marks.push_back({robot.belief().self(), MarkKind::cleared, t, *tile});
}

void SnapshotMaker::add_skeleton(const Robot& robot, Followed& followed, Snapshot& out) const {
    if (!followed.skeleton) followed.skeleton = std::make_unique<Skeleton>();
    Skeleton& skeleton = *followed.skeleton;
    skeleton.update(robot.belief().nav());
    std::vector<TileCoord> tiles = skeleton.changed();
    if (!followed.skeleton_known || skeleton.began_anew()) tiles = skeleton.tiles();
    for (const TileCoord t : tiles) {
        MarkUpdate update{robot.belief().self(), MarkKind::skeleton, t, {}};
        if (const NavTile::Rows* rows = skeleton.rows(t)) update.cells.rows = *rows;
        out.marks.push_back(update);
    }
    followed.skeleton_known = true;
}

}  // namespace outrider::view
