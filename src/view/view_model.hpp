// The state of the window without any graphics: playback, what is shown, selection. Every button and key calls a
// function of this class.
#pragma once

#include <functional>
#include <span>

#include "scene/stage.hpp"
#include "scene/victim_events.hpp"
#include "view/base_view.hpp"
#include "view/camera.hpp"
#include "view/layers.hpp"
#include "view/maps.hpp"
#include "view/marks.hpp"
#include "view/source.hpp"
#include "view/visits.hpp"

namespace outrider::view {

/// Steps of simulated time per second of wall time; the last one stands for "as fast as possible".
inline constexpr std::array<double, 11> speeds{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 0};

struct Selection {
    std::optional<RobotId> robot;
    std::optional<Cell> cell;
};

class ViewModel {
  public:
    explicit ViewModel(std::unique_ptr<Source> source);
    ~ViewModel();

    /// Takes over new data; returns whether there was any. To be called before each picture.
    bool update();

    const RunInfo& info() const { return source_->info(); }
    Source& source() { return *source_; }
    const Snapshot& now() const { return now_; }
    const RobotMoment* moment(RobotId robot) const {
        const auto i = static_cast<std::size_t>(robot);
        return i < now_.robots.size() ? &now_.robots[i] : nullptr;
    }
    Maps& maps() { return maps_; }
    const Progress& progress() const { return progress_; }
    /// Metrics of all steps so far, and the poses of all robots.
    const std::vector<StepRow>& rows() const { return rows_; }
    /// The rows in parts without a gap: where a log is damaged, steps are missing.
    std::vector<std::span<const StepRow>> stretches() const;
    const std::vector<RunEvent>& events() const { return events_; }
    /// Of the steps so far; of a log, once the history was asked for.
    const std::vector<Remark>& remarks() const { return remarks_; }
    /// The row of a step; nullptr: there is none.
    const StepRow* row(int step) const;

    // Playback.
    bool playing() const { return source_->control().playing(); }
    void play(bool on);
    void toggle_play() { play(!playing()); }
    /// One step forward (+1) or back (-1); more for larger numbers.
    void step_by(int steps);
    void go_to(int step);
    void go_last();
    int step() const { return now_.step; }
    /// The step that it goes to; the present one when it stands.
    int aim() const { return aim_ >= 0 ? aim_ : now_.step; }
    /// The end of the timeline.
    int last() const;
    int speed() const { return speed_; }
    double steps_per_s() const { return speeds[static_cast<std::size_t>(speed_)] / info().scenario.run.step_s; }
    void set_speed(int index);
    /// Loops between two steps; -1: no mark.
    void set_loop(int from, int to);
    std::pair<int, int> loop() const { return {loop_from_, loop_to_}; }
    /// To the event before or after the present step; false: there is none.
    bool go_to_event(int direction);
    /// Starts the run again.
    void restart();
    /// A live run goes back by running again. While the user looks for the step to go to, the data kept of each step is
    /// shown: where the robots were, and what the team and the bases knew. Nothing: shows the present again. Has no
    /// effect for steps that are not past, and for logs, which go there at once.
    void look_at(std::optional<int> step);
    bool looks_back() const { return looked_at_.has_value(); }
    /// The step that is drawn.
    int shown_step() const { return looked_at_.value_or(now_.step); }

    // What is shown.
    Layers layers;
    std::array<Preset, 9> presets = default_presets();
    int preset = 0;  ///< the last one applied
    void apply_preset(int index);
    bool dark = false;
    bool map_only = false;  ///< the true walls as a map is drawn, and nothing of the run
    Camera camera;
    std::optional<RobotId> follow;
    /// The whole map, with a margin and more of it below, in pixels.
    void fit(double margin = 24, double below = 24);
    /// Whether the camera still is as fit() left it.
    bool fitted() const { return camera.centre == fitted_.centre && camera.pixels_per_m == fitted_.pixels_per_m; }

    // Operating.
    /// Sends a robot a command; the robot receives it in its next step.
    void command(RobotId robot, OperatorCommand command);
    /// Sends the same command in each step until called with nothing: a stick that is held.
    void drive(RobotId robot, std::optional<OperatorCommand> command);
    std::optional<RobotId> driven() const { return driven_; }
    bool careful = false;  ///< driving by hand stops before cells that the robot does not know to be free
    /// Marks a place under a name, or takes a mark back, from the next step on.
    void mark(const std::string& name, Point at);
    void unmark(const std::string& name);
    /// The marks at the step that is drawn; `step` is -1 for those that the next step brings.
    std::vector<PlaceMark> marks() const;
    /// What is drawn over the map besides robots: of the layers that are shown, and of the robots that they are shown
    /// for. Of a past step of a live run, and as the base station sees it, only what is known then.
    scene::Scene scene();
    /// Whom the base station had learned of at the step that is drawn.
    std::vector<ListedVictim> victims() const;
    /// Whether somebody is left to be decided about by hand.
    bool can_decide() const;
    /// The last command sent to it, in words; empty: none.
    std::string ordered(RobotId robot) const;
    /// Whether the last order for it is on its way by radio.
    bool order_under_way(RobotId robot) const;

    /// Whether the radio links it to a base, maybe over others, at the step that is drawn: as metrics and events count.
    bool linked(RobotId robot) const;
    /// Whether the run is shown as the first base station sees it: its map, and robots where it last heard of them.
    bool as_base() const { return as_base_.has_value(); }
    /// Throws Error where there is no base station.
    void show_as_base(bool on);
    /// The robots as the base station knows them; empty: there is none.
    std::vector<ReportedRobot> base_reports() const { return reported_robots(now_, info().is_base); }
    /// One of these while the run is shown as the base station sees it; nullptr: otherwise, and of base stations.
    const ReportedRobot* report_of(RobotId robot) const;
    /// Whether a robot is not drawn, since the base station never heard of it.
    bool hidden(RobotId robot) const;

    // Selection.
    Selection selection;
    void select_robot(std::optional<RobotId> robot) { selection.robot = robot; }
    /// The next (+1) or previous (-1) robot that is not a base, wrapping around.
    void select_next_mobile(int direction);
    /// The robot drawn nearest to a point in metres, within a reach; none: no robot there.
    std::optional<RobotId> robot_at(Point team, double reach_m) const;
    /// Where each robot is drawn, in pixels: those on one place fan out.
    std::vector<Point> spots() const;
    /// Where a robot is drawn: its true position, if known, or as the base station knows it.
    Pose shown_pose(RobotId robot) const;
    /// How often cells were passed; counted when it is drawn.
    Visits visits;
    Cell cell_at(Point team) const { return info().walls.lattice().cell_of(team); }

    /// Asks for the steps since when cells are known.
    void ask_history() { history_asked_ = true; }
    /// Whether these are still being computed.
    bool waits_for_history() const;

    /// Incremented by every change of the picture except the camera.
    std::uint64_t version() const { return version_ + static_cast<std::uint64_t>(layers.version()); }

  private:
    void tell(const std::function<void()>& order);
    void take_rows();
    void add_event(RunEvent event);
    void send_wants();

    std::unique_ptr<Source> source_;
    scene::Stage stage_;
    Snapshot now_;
    Maps maps_;
    Progress progress_;
    std::vector<StepRow> rows_;
    std::vector<RunEvent> events_;
    std::vector<Remark> remarks_;
    std::size_t events_taken_ = 0;  // of the source's, some of which are not shown
    std::vector<std::vector<std::pair<int, bool>>>
        links_;                   // by robot: from which step on it was linked to a base, or not
    std::vector<int> driven_at_;  // by robot: the last step in which it was driven by hand
    bool history_asked_ = false;
    Wants wants_;
    std::vector<std::string> ordered_;
    int speed_ = 6, loop_from_ = -1, loop_to_ = -1, aim_ = -1;
    bool wraps_ = false;
    std::optional<int> looked_at_;
    std::optional<RobotId> driven_;
    std::optional<OperatorCommand> driving_;  // the command for that robot
    Camera fitted_;
    struct AsBase {
        std::string layers;  ///< what was shown before
        std::vector<ReportedRobot> robots;
    };
    std::optional<AsBase> as_base_;     // while the run is shown as the base station sees it
    std::vector<PlaceMark> new_marks_;  // sent after their step, and not yet received
    std::uint64_t version_ = 0;
};

}  // namespace outrider::view
