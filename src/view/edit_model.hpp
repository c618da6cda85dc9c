// Editing a team: where robots and bases start, and with what; saved as a scenario that runs.
#pragma once

#include "scenario/scenario.hpp"

namespace outrider::view {

class EditModel {
  public:
    explicit EditModel(const Scenario& scenario);

    const std::vector<RobotEntry>& robots() const { return scenario_.robots; }
    RobotEntry& robot(std::size_t i) { return scenario_.robots[i]; }
    /// Adds a copy of the last entry of the kind, or a plain one; returns its number. Positions are metres from the
    /// lower left corner of the map.
    std::size_t add(Role role, Point at);
    void move(std::size_t i, Point at);
    void remove(std::size_t i);
    /// What is wrong with the team as it is now; empty: nothing.
    std::string problem() const;
    /// As a scenario file beside which the map is found. Throws Error.
    std::string toml(const std::string& path) const;
    void save(const std::string& path, bool overwrite) const;
    /// The scenario as it is now. Throws Error.
    Scenario scenario() const;
    bool changed() const { return changed_; }

    /// What was changed since the last call is one step to undo: to be called when no change is under way.
    void settle();
    /// False: there is nothing to undo, or to redo. Both settle first.
    bool undo();
    bool redo();
    bool can_undo() const { return !undone_to_.empty(); }
    bool can_redo() const { return !redone_to_.empty(); }

  private:
    /// What the editor can change.
    struct Team {
        std::vector<RobotEntry> robots;
        std::vector<EventEntry> events;
        std::string text;  ///< of the whole scenario, to compare
    };
    Team team() const { return {scenario_.robots, scenario_.events, scenario_.resolved()}; }
    bool back(std::vector<Team>& from, std::vector<Team>& to);

    Scenario scenario_;
    Team settled_;
    std::vector<Team> undone_to_, redone_to_;
    bool changed_ = false;
};

}  // namespace outrider::view
