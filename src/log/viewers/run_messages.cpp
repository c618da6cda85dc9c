#include "log/viewers/run_messages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "log/event_text.hpp"
#include "log/viewers/drawings.hpp"
#include "mcap/topics.hpp"

namespace outrider {
namespace {

constexpr const char* map_frame_name = "map";

std::string odometry_frame(const std::string& robot) { return robot + "/odom"; }

std::string sensor_frame(const std::string& robot, std::size_t sensor) {
    return sensor == 0 ? robot + "/laser" : fmt::format("{}/laser_{}", robot, sensor + 1);
}

std::string scan_topic(int sensor) { return sensor == 0 ? "scan" : fmt::format("scan_{}", sensor + 1); }

std::vector<float> ranges_of(const Scan& scan, const SensorSpec& sensor) {
    std::vector<float> out;
    for (const std::uint16_t r : scan.ranges)
        out.push_back(r == Scan::no_information ? std::numeric_limits<float>::quiet_NaN()
                      : r == Scan::nothing      ? std::numeric_limits<float>::infinity()
                                                : static_cast<float>(r * sensor.range_unit_m));
    return out;
}

bool is_warning(std::string_view event) {
    return event == "died" || event == "failed" || event == "lost" || event == "stranded";
}

GridMessage walls_of(const Grid<std::uint8_t>& walls) {
    GridMessage grid{.frame = map_frame_name,
                     .corner = {},
                     .cell_m = walls.lattice().cell_m,
                     .width = walls.width(),
                     .height = walls.height(),
                     .cells = {}};
    for (const std::uint8_t wall : walls.cells()) grid.cells.push_back(wall ? GridMessage::wall : GridMessage::free);
    return grid;
}

std::uint64_t time_ns(double seconds) { return static_cast<std::uint64_t>(std::llround(std::max(0.0, seconds) * 1e9)); }

}  // namespace

RunMessages::RunMessages(const Scenario& scenario, TopicSink& topics, std::vector<LogReader::Event> events)
    : scenario_(scenario),
      topics_(topics),
      offset_(scenario.team_origin_m()),
      cell_m_(scenario.walls.lattice().cell_m),
      events_(std::move(events)),
      true_poses_(scenario.start_poses()),
      stage_(scenario) {
    std::vector<std::string> names;
    for (const RobotEntry& robot : scenario.robots) names.push_back(robot.name);
    for (const std::string& name : topic_names(names)) tracks_.emplace_back().name = name;
    for (std::size_t i = 0; i < names.size(); ++i) tracks_[i].about = {{"robot", names[i]}};
    topics_.write("/true_map", 0, walls_of(scenario.walls));
}

Pose RunMessages::on_map(const Pose& team) const { return {team.x + offset_.x, team.y + offset_.y, team.yaw}; }

void RunMessages::show(const std::string& name, std::uint64_t time, const SceneMessage& scene) {
    const auto [at, is_new] = shown_.try_emplace(name);
    if (is_new ? scene.items.empty() : at->second == scene) return;
    at->second = scene;
    topics_.write(name, time, scene);
}

void RunMessages::add_events(int up_to_step) {
    for (; next_event_ < events_.size() && events_[next_event_].step <= up_to_step; ++next_event_) {
        const LogReader::Event& event = events_[next_event_];
        topics_.write(
            "/events", time_ns(event.step * scenario_.run.step_s),
            TextMessage{event.robot ? event.robot->in(scenario_.robots).name : "team",
                        event_text(scenario_, event.kind, event.robot_id(), event.json), is_warning(event.kind)});
    }
}

void RunMessages::add(const StepView& view, std::span<const Pose> poses) {
    if (!truth_) truth_.emplace(scenario_.start_poses(), view.team);
    truth_->update(view.team);
    last_s_ = view.step * scenario_.run.step_s;
    const std::uint64_t time = time_ns(last_s_);
    if (!std::exchange(started_, true))
        for (std::size_t i = 0; i < tracks_.size(); ++i) {
            const Briefing& briefing = view.team[i].belief().briefing();
            tracks_[i].odometry = on_map(briefing.start);
            tracks_[i].colour = drawn_colour(briefing);
        }
    add_events(view.step);
    add_transforms(view);
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        const Robot& robot = view.team[i];
        Track& track = tracks_[i];
        add_body(robot, view.percepts[i], track, time);
        if (view.percepts[i].alive) {
            add_places_and_scans(robot, view.percepts[i], track);
            add_goal(robot, track, time);
            add_reasons(robot, view.decisions[i], track, time);
        }
        add_map(robot, track, false);
    }
    add_true_poses();  // behind odometry: readers take that for odometry which comes first
    add_links(view, time);
    add_scene(view, time);
    topics_.flush();
    true_poses_.assign(poses.begin(), poses.end());
    true_s_ = last_s_ + scenario_.run.step_s;
}

/// Where each robot is: the map knows its odometry's frame, that knows the body, and the body its sensors.
void RunMessages::add_transforms(const StepView& view) {
    TransformsMessage all;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        Track& track = tracks_[i];
        const Robot& robot = view.team[i];
        if (view.percepts[i].alive) {
            track.odometry = compose(track.odometry, view.percepts[i].motion.delta);
            track.correction = compose(on_map(truth_->pose(robot, robot.belief().pose())), inverse(track.odometry));
        }
        for (auto& link : frames_of(track, robot.belief().briefing(), track.odometry).links)
            all.links.push_back(std::move(link));
    }
    topics_.write("/tf", time_ns(last_s_), all);
}

TransformsMessage RunMessages::frames_of(const Track& track, const Briefing& briefing, const Pose& odometry) const {
    TransformsMessage out;
    out.links.push_back({map_frame_name, odometry_frame(track.name), track.correction});
    out.links.push_back({odometry_frame(track.name), track.name, odometry});
    for (std::size_t k = 0; k < briefing.sensors.size(); ++k)
        out.links.push_back({track.name, sensor_frame(track.name, k), briefing.sensors[k].mount});
    return out;
}

/// In the order of time: scans along the path, each with the place where it was taken, then the present ones.
void RunMessages::add_places_and_scans(const Robot& robot, const Percept& percept, Track& track) {
    const Briefing& briefing = robot.belief().briefing();
    const Scan* last = nullptr;
    for (const Scan& scan : percept.scans) {
        if (scan.age_s <= 0) continue;
        const std::uint64_t time = time_ns(last_s_ - scan.age_s);
        if (!last || last->age_s != scan.age_s) {
            const Pose odometry = compose(track.odometry, scan.now_from_then);
            topics_.write("/tf", time, frames_of(track, briefing, odometry));
            add_odometry(track, percept, odometry, time);
        }
        add_scan(track, briefing, scan, time);
        last = &scan;
    }
    const std::uint64_t time = time_ns(last_s_);
    if (briefing.me().mobile) add_odometry(track, percept, track.odometry, time);
    topics_.write(topic(track, "pose"), time,
                  PoseMessage{map_frame_name, track.name, compose(track.correction, track.odometry), {}}, track.about);
    for (const Scan& scan : percept.scans)
        if (scan.age_s <= 0) add_scan(track, briefing, scan, time);
}

void RunMessages::add_odometry(const Track& track, const Percept& percept, const Pose& odometry, std::uint64_t time) {
    const Pose& delta = percept.motion.delta;
    const double step_s = scenario_.run.step_s;
    topics_.write(
        topic(track, "odom"), time,
        PoseMessage{
            odometry_frame(track.name), track.name, odometry, {delta.x / step_s, delta.y / step_s, delta.yaw / step_s}},
        track.about);
}

void RunMessages::add_scan(const Track& track, const Briefing& briefing, const Scan& scan, std::uint64_t time) {
    const auto k = static_cast<std::size_t>(scan.sensor);
    const SensorSpec& sensor = briefing.sensors.at(k);
    McapWriter::Texts about = track.about;
    about["max_range_m"] = fmt::format("{}", sensor.max_range_m);
    topics_.write(topic(track, scan_topic(scan.sensor)), time,
                  ScanMessage{track.name, sensor_frame(track.name, k), sensor.mount, sensor.first_angle,
                              sensor.step_angle, sensor.max_range_m, scenario_.run.step_s, ranges_of(scan, sensor)},
                  about);
}

void RunMessages::add_true_poses() {
    for (std::size_t i = 0; i < tracks_.size(); ++i)
        topics_.write(topic(tracks_[i], "true_pose"), time_ns(true_s_),
                      PoseMessage{map_frame_name, tracks_[i].name + "/true", on_map(true_poses_[i]), {}},
                      tracks_[i].about);
}

void RunMessages::add_map(const Robot& robot, Track& track, bool at_end) {
    std::optional<GridMessage> grid = track.map.due(truth_->map(robot), last_s_, offset_, at_end);
    if (!grid) return;
    grid->frame = map_frame_name;
    topics_.write(topic(track, "map"), time_ns(last_s_), std::move(*grid), track.about);
}

void RunMessages::add_body(const Robot& robot, const Percept& percept, Track& track, std::uint64_t time) {
    const Belief& belief = robot.belief();
    std::string label = belief.briefing().me().name;
    if (!percept.alive)
        label += ": out of service";
    else if (robot.lost())
        label += ": lost";
    else if (belief.latest(belief.self()).role == Role::relay)
        label += ": relay";
    show(topic(track, "body"), time, body_drawing(belief.briefing(), track.name, label, percept.alive));
}

void RunMessages::add_goal(const Robot& robot, Track& track, std::uint64_t time) {
    std::optional<Aim> aim = changed_aim(robot, *truth_, track.aim);
    if (!aim) return;
    track.aim = *aim;
    show(topic(track, "goal"), time, goal_drawing(track.goal(offset_), cell_m_, track.colour));
    for (Point& p : aim->path) p = p + offset_;
    show(topic(track, "path"), time, path_drawing(std::move(aim->path), cell_m_, track.colour));
}

/// Layers as drawings, each on a topic of its own, and rules and states as lines of text when they change. A step
/// without any says nothing new.
void RunMessages::add_reasons(const Robot& robot, const Decision& decision, Track& track, std::uint64_t time) {
    if (decision.overlays.empty()) return;
    std::vector<Overlay> overlays = decision.overlays;
    std::map<std::string, std::vector<const Overlay*>> layers;
    for (const auto& [layer, name] : track.layers) layers[layer];  // those of before may be empty now
    for (Overlay& o : overlays) {
        if (o.kind != Overlay::Kind::text) {
            for (Point& p : o.points) p = truth_->point(robot, p) + offset_;
            layers[o.layer].push_back(&o);
        } else if (o.meaning != Overlay::Meaning::curve) {
            std::string& before = track.notes[o.layer];
            if (before == o.text) continue;
            before = o.text;
            topics_.write(topic(track, "log"), time,
                          TextMessage{robot.belief().briefing().me().name, fmt::format("{}: {}", o.layer, o.text)},
                          track.about);
        }
    }
    for (const auto& [layer, drawn] : layers)
        show(topic(track, "reasons/" + layer_topic(track, layer)), time,
             overlay_drawing(layer, drawn, cell_m_, track.goal(offset_), track.colour));
}

/// The name of a layer as a part of a topic: no two layers of a robot have the same.
const std::string& RunMessages::layer_topic(Track& track, const std::string& layer) {
    std::string& name = track.layers[layer];
    if (!name.empty()) return name;
    name = topic_name(layer);
    const auto is_taken = [&](const auto& other) { return other.first != layer && other.second == name; };
    while (std::any_of(track.layers.begin(), track.layers.end(), is_taken)) name += "_x";
    return name;
}

/// Who is linked by radio: between the true places.
void RunMessages::add_links(const StepView& view, std::uint64_t time) {
    std::vector<Point> ends;
    for (const auto& [a, b] : linked_pairs(view))
        for (const RobotId i : {a, b}) ends.push_back(true_poses_[static_cast<std::size_t>(i)].position() + offset_);
    show("/links", time, links_drawing(std::move(ends), cell_m_));
}

/// Each layer on a topic of its own, when it changes.
void RunMessages::add_scene(const StepView& view, std::uint64_t time) {
    const scene::TeamMoment moment{view, *truth_, true_poses_, std::span(events_).first(next_event_)};
    for (const scene::Layer& layer : follower_.changes(stage_.all(moment)))
        show(fmt::format("/scene/{}", layer.info->key), time, layer_drawing(layer, cell_m_, offset_));
}

void RunMessages::forget() {
    truth_.reset();
    for (Track& track : tracks_) track.map.forget();
}

void RunMessages::finish(std::span<const Robot> team) {
    add_events(std::numeric_limits<int>::max());
    for (std::size_t i = 0; truth_ && i < tracks_.size(); ++i) add_map(team[i], tracks_[i], true);
    if (started_) add_true_poses();
    topics_.flush();
}

}  // namespace outrider
