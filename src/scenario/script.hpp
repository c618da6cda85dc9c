// Where every robot stands at every step, taken from elsewhere: the log of another simulator. The simulator follows it;
// the decisions of the robots have no effect.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/strategy.hpp"

namespace outrider {

/// A robot at a step. Cells are those of the map's frame.
struct ScriptEntry {
    Cell cell;
    Role role = Role::explorer;
    std::optional<Cell> goal;  ///< its goal according to the log
    std::string note;          ///< other data of the log about it, for people
    bool operator==(const ScriptEntry&) const = default;
};

struct Script {
    std::string origin;                           ///< what it was taken from, for people
    std::vector<std::vector<ScriptEntry>> steps;  ///< by step, then robot; each as long as the team
    bool operator==(const Script&) const = default;

    std::string bytes() const;
    /// The reverse. Throws Error when damaged or not for a team of this size.
    static Script read(std::string_view bytes, std::size_t team);
};

/// The poses of a script, by step, then robot: in the middle of the cells, in the frame whose cell (0, 0) is the map's
/// cell `origin`. Robots start with the headings `yaws` (radians) and then face their direction of travel.
std::vector<std::vector<Pose>> poses_of(const Script& script, const Lattice& lattice, Cell origin,
                                        const std::vector<double>& yaws);

/// Reports the role that a robot has in the script and shows its goal and the note; never wants to go anywhere and is
/// never done. `origin` as above.
std::unique_ptr<Strategy> make_narrator(std::shared_ptr<const Script> script, std::size_t robot, Cell origin);

}  // namespace outrider
