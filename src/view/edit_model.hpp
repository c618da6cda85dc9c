// Editing a team: where robots and bases start, and with what; saved as a scenario that runs.
#pragma once

#include "scenario/scenario.hpp"

namespace outrider::view {

class EditModel {
  public:
    explicit EditModel(const Scenario& scenario) : scenario_(scenario) {}

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

  private:
    Scenario scenario_;
    bool changed_ = false;
};

}  // namespace outrider::view
