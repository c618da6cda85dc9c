// The core of a robot: percept in, decision out. The same core is driven by the simulator, by logs and by live robots.
#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "messages/decision.hpp"
#include "outrider/belief.hpp"
#include "outrider/strategy.hpp"
#include "robot/robot_options.hpp"
#include "robot/robot_part.hpp"

namespace outrider {

class Submaps;

/// What a robot learned, without the state of its strategy: enough to continue along a log.
struct RobotState {
    int step = -1;  ///< the last one that it completed
    Pose pose;
    TeamTable team;
    MapSnapshot map;
    int last_discovery = -1;
    std::shared_ptr<const Submaps> submaps = nullptr;  ///< RobotOptions::submaps; cannot be restored
};

struct Knowledge;
class Localiser;
class Messenger;
class Pilot;
class Slam;
class TeamFrames;

class Robot {
  public:
    Robot(Briefing briefing, const RobotOptions& options, std::unique_ptr<Strategy> strategy, std::uint64_t seed);
    ~Robot();
    Robot(Robot&&) noexcept;
    /// The same robot in a copy of the run (WholeCopy). Between perceive() and decide() a copy needs its percept, too:
    /// perceives_in(). Throws CannotCopy.
    Robot(const Robot& other);
    /// The percept of this step is from now on in another place.
    void perceives_in(const Percept& percept);

    /// perceive(), then decide(). Touches this robot only.
    Decision step(const Percept& percept);
    /// The first half of a step: localises, merges the inbox, draws the scans. belief() then shows the percept, which
    /// must not be moved or destroyed until decide() has returned.
    void perceive(const Percept& percept);
    /// The second half: chooses, plans the path, and composes the message. CHECK: perceive() was called before.
    Decision decide();
    /// Replays a step of a log: takes in the percept as step() does and sends what was sent then, without asking the
    /// strategy (which may be missing). The same percepts give the same belief and the same message, to the last bit.
    /// `pose_estimate`: the pose that it estimated then; scans are not matched again.
    std::shared_ptr<const Message> retrace(const Percept& percept, Intent sent, const std::optional<Point>& goal,
                                           const std::optional<PoseEstimate>& pose_estimate);
    /// Whether the decisions that follow hold what the strategy shows of its reasons; they are the same otherwise.
    void want_overlays(bool wanted);
    RobotState state() const;
    /// Puts a robot that has done nothing yet into this state. The maps received from others are not part of it.
    void restore(const RobotState& state);
    const Belief& belief() const { return belief_; }
    /// Its map, whole: for metrics, logs and pictures.
    const KnownMap& map() const { return belief_.map(); }
    /// Messenger::tiles_learnt().
    std::uint64_t tiles_learnt() const;
    /// The name of its map at the end of the last step.
    Hash128 map_name() const;
    /// What another program that decides for it says of itself; empty: nothing yet, or there is none.
    std::string reported_version() const;
    /// What it localises itself with; nullptr: it believes its odometry, or retraces its steps.
    const Slam* slam() const;
    /// How sure it is of its pose (x, y, yaw); nullptr: it believes its odometry.
    const std::array<double, 9>* covariance() const;
    /// Whether its scans did not fit where it should be, again and again: its pose is a guess.
    bool lost() const;
    /// Where it thinks that the frames of the others lie; nullptr: all share one frame.
    const TeamFrames* frames() const;
    /// Whether a part of it waits for something: the run does not end while one does.
    bool waits() const {
        return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->waits(); });
    }
    /// What a feature keeps in this robot, as part<VictimLog>(); nullptr: it has no such part.
    template <class Part>
    const Part* part() const {
        for (const auto& part : parts_)
            if (const auto* found = dynamic_cast<const Part*>(part.get())) return found;
        return nullptr;
    }
    /// The mappers of the sensors, by number: what their last scans covered.
    const std::vector<ScanMapper>& mappers() const { return mappers_; }

  private:
    void take_in(const Percept& percept, const std::optional<PoseEstimate>& pose_estimate);
    void draw(const StepScans& scans);

    std::unique_ptr<Knowledge> knowledge_;
    Belief belief_;  // of it
    std::uint64_t seed_;
    std::unique_ptr<Strategy> strategy_;
    std::vector<Boxed<RobotPart>> parts_;
    std::unique_ptr<Localiser> localiser_;
    std::unique_ptr<Messenger> messenger_;
    std::vector<ScanMapper> mappers_;
    std::unique_ptr<Pilot> pilot_;
};

/// In how many frames the mobile robots in service plan.
int frames_of(std::span<const Robot> team, std::span<const Percept> percepts);

}  // namespace outrider
