// Signs that a strategy does not do what its author wants: for people, never part of a decision or a digest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/run.hpp"

namespace outrider {

/// What was noticed of a robot in a run.
struct RobotHealth {
    int returned_goals = 0;  ///< times that it took up again the goal before the last one, within `Health::soon` steps
    int unreachable_steps = 0;  ///< steps in which it knew no path to its goal
    int longest_idle = 0;       ///< steps in a row that it stood in one place, though it was not done
    int idle_until = 0;         ///< the step in which that ended
    bool operator==(const RobotHealth&) const = default;
};

/// When to stop a run, to look at it.
struct StopWhen {
    enum class Kind { idle, goal_changes, out_of_contact, unreachable } kind = Kind::idle;
    int count = 1;   ///< goal_changes: how many
    int steps = 30;  ///< in a row; goal_changes: within so many
    /// From "idle=30", "goal-changes=2/5", "out-of-contact=50", "unreachable=10". Throws Error.
    static StopWhen read(const std::string& text);
};

class Health final : public Observer {
  public:
    static constexpr int soon = 20;  ///< steps

    explicit Health(std::vector<StopWhen> stops = {}) : stops_(std::move(stops)) {}
    void on_step(const StepView& view) override;

    const std::vector<RobotHealth>& robots() const { return robots_; }
    /// Why the run is to be stopped, once: "r2 has stood in one place for 30 steps".
    const std::optional<std::string>& stop() const { return stop_; }
    RobotId stopped_robot() const { return stopped_robot_; }

  private:
    struct Track {
        std::vector<std::optional<Point>> goals{};  // the last three that it had, the newest last
        std::vector<int> changes{};                 // steps in which its goal changed
        Point place;
        int idle = 0, unreachable = 0, apart = 0;  // steps in a row
    };
    void follow(const StepView& view, std::size_t robot);
    void look(const StopWhen& when, const StepView& view, std::size_t robot);

    std::vector<StopWhen> stops_;
    std::vector<Track> tracks_;
    std::vector<RobotHealth> robots_;
    std::optional<std::string> stop_;
    RobotId stopped_robot_ = -1;
};

/// Lines for the summary of a run, the worst robots first, `most` at most; nothing of robots that are well.
std::vector<std::string> health_lines(const std::vector<RobotHealth>& robots, const Briefing& team, std::size_t most);

/// "stood 12 steps in one place, until step 40": what is to be said of one robot; empty: nothing.
std::string health_text(const RobotHealth& health);

}  // namespace outrider
