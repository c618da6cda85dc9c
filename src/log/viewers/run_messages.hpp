// Turns the steps of a run into messages for Foxglove, rviz and their kind. Topics, frames and units:
// docs/log.md. Works on what an observer of a run sees, in progress or out of a full log.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/canvas.hpp"
#include "log/log_reader.hpp"
#include "log/viewers/aims.hpp"
#include "log/viewers/map_follower.hpp"
#include "mcap/topic_sink.hpp"
#include "metrics/true_view.hpp"
#include "run/run.hpp"
#include "scenario/scenario.hpp"
#include "scene/stage.hpp"

namespace outrider {

class RunMessages {
  public:
    /// The scenario and the topics outlive this. `events`: of the run, by step, as far as they are known.
    RunMessages(const Scenario& scenario, TopicSink& topics, std::vector<LogReader::Event> events = {});

    /// An event of the step that is added next, of a run in progress.
    void add_event(LogReader::Event event) { events_.push_back(std::move(event)); }
    /// Takes in a step. `poses`: true ones after it, in the team's frame. Messages about it bear the time at which
    /// robots perceived it, the step's number times run.step_s.
    void add(const StepView& view, std::span<const Pose> poses);
    /// The robots were built anew (a part of the log was damaged): their maps are looked at from the beginning.
    void forget();
    /// After the last step: writes the last maps, unless they were forgotten, and poses. `team`: as
    /// in the last step.
    void finish(std::span<const Robot> team);

  private:
    struct Track {
        std::string name;  // as part of a topic
        Colour colour;
        Pose odometry;    // in the frame NAME/odom
        Pose correction;  // from there to that of the map
        MapFollower map;
        Aim aim;
        /// In the frame of the map, which lies at `offset`.
        std::optional<Point> goal(Point offset) const {
            return aim.goal ? std::optional(*aim.goal + offset) : aim.goal;
        }
        std::map<std::string, std::string> layers, notes;  // by layer: topics; texts that were written
        std::map<std::string, std::string> about;
    };
    void add_events(int up_to_step);
    std::string topic(const Track& track, const std::string& what) const { return "/" + track.name + "/" + what; }
    /// A drawing, unless the topic shows it already.
    void show(const std::string& topic, std::uint64_t time_ns, const SceneMessage& scene);
    void add_transforms(const StepView& view);
    TransformsMessage frames_of(const Track& track, const Briefing& briefing, const Pose& odometry) const;
    void add_places_and_scans(const Robot& robot, const Percept& percept, Track& track);
    void add_odometry(const Track& track, const Percept& percept, const Pose& odometry, std::uint64_t time);
    void add_scan(const Track& track, const Briefing& briefing, const Scan& scan, std::uint64_t time);
    void add_map(const Robot& robot, Track& track, bool at_end);
    void add_body(const Robot& robot, const Percept& percept, Track& track, std::uint64_t time);
    void add_goal(const Robot& robot, Track& track, std::uint64_t time);
    void add_reasons(const Robot& robot, const Decision& decision, Track& track, std::uint64_t time);
    static const std::string& layer_topic(Track& track, const std::string& layer);
    void add_links(const StepView& view, std::uint64_t time);
    void add_true_poses();
    void add_scene(const StepView& view, std::uint64_t time);
    Pose on_map(const Pose& team) const;

    const Scenario& scenario_;
    TopicSink& topics_;
    Point offset_;  // of the team's frame, in that of the map
    double cell_m_;
    std::vector<LogReader::Event> events_;
    std::size_t next_event_ = 0;
    std::optional<TrueView> truth_;
    std::vector<Track> tracks_;
    std::vector<Pose> true_poses_;  // after the last step
    double true_s_ = 0, last_s_ = 0;
    bool started_ = false;
    std::map<std::string, SceneMessage> shown_;  // by topic
    scene::Stage stage_;
    scene::SceneFollower follower_;
};

}  // namespace outrider
