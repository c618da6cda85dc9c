// The core of a robot: percept in, decision out. The same core is driven by the simulator, by logs and by live robots.
#pragma once

#include <deque>
#include <memory>

#include "messages/decision.hpp"
#include "outrider/belief.hpp"
#include "outrider/strategy.hpp"
#include "robot/robot_options.hpp"
#include "slam/mapping.hpp"

namespace outrider {

/// What a robot learned, without the state of its strategy: enough to continue along a log.
struct RobotState {
    int step = -1;  ///< the last one that it completed
    Pose pose;
    TeamTable team;
    MapSnapshot map;
    int last_discovery = -1;
    std::shared_ptr<const HeardMaps> submaps = nullptr;  ///< RobotOptions::submaps; cannot be restored
};

struct Knowledge;
class OrderDesk;
class Slam;
class VictimLog;
class TeamFrames;

class Robot {
  public:
    Robot(Briefing briefing, const RobotOptions& options, std::unique_ptr<Strategy> strategy, std::uint64_t seed);
    ~Robot();
    Robot(Robot&&) noexcept;

    /// perceive(), then decide(). Touches this robot only.
    Decision step(const Percept& percept);
    /// The first half of a step: localises, merges the inbox, draws the scans. belief() then shows the percept, which
    /// must not be moved or destroyed until decide() has returned.
    void perceive(const Percept& percept);
    /// The second half: chooses, plans the path, and composes the message. CHECK: perceive() was called before.
    Decision decide();
    /// Replays a step of a log: takes in the percept as step() does and sends what was sent then, without asking the
    /// strategy (which may be missing). The same percepts give the same belief and the same message, to the last bit.
    /// `localised`: the pose that it estimated then; scans are not matched again.
    std::shared_ptr<const Message> retrace(const Percept& percept, Intent said, const std::optional<Point>& goal,
                                           const std::optional<PoseEstimate>& pose_estimate);
    /// Whether the decisions that follow hold what the strategy shows of its reasons; they are the same otherwise.
    void want_overlays(bool wanted);
    RobotState state() const;
    /// Puts a robot that has done nothing yet into this state. The maps received from others are not part of it.
    void restore(const RobotState& state);
    const Belief& belief() const { return belief_; }
    /// Its map, whole: for metrics, logs and pictures.
    const KnownMap& map() const { return belief_.map(); }
    /// Tiles of its map in which cells changed by what it heard, once for each step in which they did.
    std::uint64_t tiles_learnt() const { return tiles_learnt_; }
    /// The name of its map at the end of the last step.
    Hash128 map_name() const;
    /// What another program that decides for it says of itself; empty: nothing yet, or there is none.
    std::string said_version() const;
    /// What it localises itself with; nullptr: it believes its odometry, or retraces its steps.
    const Slam* slam() const { return slam_.get(); }
    /// How sure it is of its pose (x, y, yaw); none: it believes its odometry.
    const std::optional<std::array<double, 9>>& covariance() const { return covariance_; }
    /// Whether its scans did not fit where it should be, again and again: its pose is a guess.
    bool lost() const { return lost_; }
    /// Where it thinks that the frames of the others lie; nullptr: all share one frame.
    const TeamFrames* frames() const;
    /// Whom it found, or as a base station heard of; nullptr: nobody is to be found.
    const VictimLog* victims() const { return victims_.get(); }
    bool clears() const { return clears_; }
    /// Orders that it passes on and that were not acknowledged yet; nullptr: it passes on none.
    const OrderDesk* order_desk() const { return desk_.get(); }
    /// The mappers of the sensors, by number: what their last scans covered.
    const std::vector<ScanMapper>& mappers() const { return mappers_; }

  private:
    void take_in(const Percept& percept, const std::optional<PoseEstimate>& pose_estimate);
    void localise(const Percept& percept);
    void note_moved();
    void merge_inbox(const Percept& percept);
    void merge_submaps(const Percept& percept);
    void insert_scans(const Percept& percept);
    std::vector<Scan> cut_scans(const Percept& percept) const;
    void draw_steps(const Percept& percept);
    void note_known(bool own);
    void mark_deliveries();
    Intent choose(Rng& rng);
    void listen_to_operator();
    void obey_operator(Intent& intent);
    void put_map_together(bool frames_moved);
    Pose from_own_frame(const Pose& pose) const;
    void note_vain_look();
    std::shared_ptr<const Message> compose_message(Intent& intent, const std::optional<Point>& goal, bool done);
    std::size_t note_changes();
    std::vector<TileCoord> tiles_by_worth() const;

    std::unique_ptr<Knowledge> knowledge_;
    Belief belief_;  // of it
    std::vector<ScanMapper> mappers_;
    bool cut_mates_;
    bool clears_, takes_orders_;
    std::unique_ptr<Strategy> strategy_;
    std::uint64_t seed_;
    std::unique_ptr<class Pilot> pilot_;
    std::unique_ptr<class OperatorControl> operator_;
    std::unique_ptr<OrderDesk> desk_;     // none: it is not the base station that passes orders on
    std::unique_ptr<VictimLog> victims_;  // none: nobody is to be found
    std::unique_ptr<class EnergyBudget> energy_;
    std::unique_ptr<class PlanTrust> plan_trust_;  // none: there is no plan
    std::size_t think_steps_ = 0;
    std::deque<Intent> thinking_;                  // what the strategy wanted in the last steps, and is not done yet
    std::unique_ptr<Slam> slam_;                   // none: odometry is believed
    std::unique_ptr<class TeamMaps> maps_;         // none: maps of others are merged for good
    std::unique_ptr<class FrameTracker> tracker_;  // none: all share one frame
    Pose own_pose_;                                // in the own frame; that of the map, where all share one
    // Where it believes to have taken the scans of this step; none: not to be drawn.
    std::vector<std::optional<Pose>> scan_poses_;
    std::uint64_t corrections_ = 0;  // of slam_, up to the last step
    std::vector<Pose> moved_;        // where it believes now to have taken those of before; empty: as then
    std::optional<std::array<double, 9>> covariance_;
    bool lost_ = false;
    bool turns_overlap_ = false;  // scans along the motion overlap whatever the turn
    std::uint32_t seq_ = 0;
    std::shared_ptr<RecordSeries> records_;  // that it sent
    std::unique_ptr<class InboxMerger> inbox_merger_;
    ChangeCursor seen_by_marks_, seen_by_messages_, seen_by_note_known_, seen_by_merge_inbox_;  // of the map
    std::uint64_t tiles_learnt_ = 0;
    TileTable<BitTile> known_;                       // cells known when note_known() was last called
    TileTable<int> changed_at_;                      // 1 + step of the last change of a tile
    std::optional<std::pair<Point, Point>> facing_;  // where the last intent led, and where to look there
};

}  // namespace outrider
