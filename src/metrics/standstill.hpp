// Who stands still in a run, since when, and why: for people, never part of a decision or a digest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/run.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {

/// A mobile robot in service that was not done, came no further than `radius_cells` and saw nothing new, from step
/// `from` to step `to` (both included).
struct Standstill {
    RobotId robot = 0;
    int from = 0, to = 0;
    std::string why;           ///< when it was noticed, with places in metres of the map
    bool stated_wait = false;  ///< its strategy wants it to stand there, and says why
    bool never_moved = false;  ///< since the run began
    int steps() const { return to - from + 1; }
};

/// Watches a run for robots that get nowhere.
class Standstills final : public Observer {
  public:
    static constexpr int patience = 300;  ///< steps, until it counts
    static constexpr int new_goal = 10;   ///< steps, from which on a goal says why a robot stands
    static constexpr int few_steps = 20;  ///< a shorter run says nothing about robots that did not move
    static constexpr int radius_cells = 10;

    /// `driver` outlives this. `map_from_team`: the position of the team's frame on the map, in metres.
    Standstills(const SimDriver& driver, Point map_from_team);
    /// For a copy of the run; `driver` is of it.
    Standstills(const Standstills& other, const SimDriver& driver) : Standstills(other) { driver_ = &driver; }
    void on_step(const StepView& view) override;
    /// After the last step, once or more often: those that never moved count even in a run shorter than `patience`.
    void close(const StepView& last);
    /// Robots whose strategies have to show their reasons in the next step, since it will be asked for them.
    const std::vector<RobotId>& asked() const { return asked_; }
    /// In the order in which they were noticed; the last of a robot may go on.
    const std::vector<Standstill>& list() const { return list_; }

  private:
    struct Track {
        Point anchor;
        int since = 0;
        std::optional<Point> goal{};
        int goal_since = 0;
        std::ptrdiff_t entry = -1;  // in list_, while it stands
    };
    void look_at_goal(const StepView& view, std::size_t i);
    bool gets_on(const StepView& view, std::size_t i) const;
    void note(const StepView& view, std::size_t i);
    void describe(const StepView& view, std::size_t i, Standstill& out) const;
    std::string place(Point p) const;
    std::string who_is_near(const Briefing& team, std::size_t i) const;

    Standstills(const Standstills&) = default;

    const SimDriver* driver_;
    Point map_from_team_;
    std::vector<Track> tracks_;
    std::vector<RobotId> asked_;
    std::vector<Standstill> list_;
};

/// Lines for the summary of a run: "r2, steps 412 to 899: ...". The longest first, `most` at most; how many more there
/// are in the last. Waits whose reason the strategy states come last.
std::vector<std::string> standstill_lines(const std::vector<Standstill>& list, const Briefing& team, std::size_t most);

}  // namespace outrider
