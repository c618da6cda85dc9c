// Editing a run before it begins: where robots and bases start and with what, and the walls; saved as a scenario that
// runs.
#pragma once

#include <cstdint>
#include <map>

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
    /// Makes the cells along a line walls, or free, `width_m` wide; at least one cell. What lies outside of the map is
    /// left out.
    void draw(Point from, Point to, double width_m, bool wall);
    /// Cells that are other than in the map that the editor began with: nonzero where there is a wall now.
    const std::map<Cell, std::uint8_t>& drawn() const { return drawn_; }
    /// What is wrong with the scenario as it is now; empty: nothing.
    std::string problem();
    /// Writes a scenario file, and beside it, where walls were drawn or the map is in no file, the map: a .png of the
    /// same name, or a .yaml with a .pgm where the map has an origin. Throws Error.
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
        FeatureLists lists;
        std::map<Cell, std::uint8_t> drawn;
        std::string text;  ///< of the whole scenario, to compare

        bool same(const Team& other) const { return text == other.text && drawn == other.drawn; }
    };
    Team team() const { return {scenario_.robots, scenario_.lists, drawn_, scenario_.resolved()}; }
    bool back(std::vector<Team>& from, std::vector<Team>& to);
    Grid<std::uint8_t> walls() const;
    std::string map_beside(const std::string& path) const;

    Scenario scenario_;
    std::map<Cell, std::uint8_t> drawn_;
    Team settled_;
    std::optional<Team> judged_;  // problem_ is of this one
    std::string problem_;
    std::vector<Team> undone_to_, redone_to_;
    bool changed_ = false;
};

}  // namespace outrider::view
