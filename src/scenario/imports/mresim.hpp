// Files of MRESim 2.2: teams and agent logs. Pixels with y down become metres from the lower left corner of the map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace outrider {

/// Where MRESim's pixels lie on a map. Its world has 800 x 600 pixels; a smaller map lies in the middle of it.
struct MresimFrame {
    static constexpr double cell_m = 0.1;
    double left = 0, top = 0;  ///< of the map in MRESim's world
    int height = 0;            ///< of the map

    MresimFrame(int map_width, int map_height);
    /// The middle of a pixel.
    Point on_map(double x, double y) const {
        return {(x - left + 0.5) * cell_m, (height - 1 - (y - top) + 0.5) * cell_m};
    }
};

/// A team file and its map as a scenario with MRESim's rules. Throws Error with file and line.
ConfigTable import_mresim(const std::string& team_file, const std::string& map_file, Notes& notes);

/// The rules of MRESim and this map, without a team.
ConfigTable mresim_rules(const std::string& map_file, const std::string& where);

/// An agent log: where each robot was after each cycle. Of three kinds: the cycle, then per agent x y goal_x goal_y
/// role state spare_time; the same without spare_time; x y alone, where the first agent is the base.
class MresimPositions {
  public:
    /// Reads the log. With a team file, its agents are those of the log, in the same order. Throws Error with file and
    /// line.
    MresimPositions(const std::string& path, const std::string& map_file, const std::string& team_file = "");

    /// The scenario for these positions: the team of the team file, or the log's agents with the default sensor and
    /// radio. No stop rule, as many steps as the log has. Throws Error.
    ConfigTable scenario(Notes& notes) const;
    /// Makes the robots of that scenario follow the positions. Throws Error with file and line where they do not fit.
    void apply(Scenario& scenario, Notes& notes) const;

  private:
    struct Agent {
        double x = 0, y = 0, goal_x = 0, goal_y = 0;  // pixels
        Role role = Role::explorer;
        std::string note;
    };
    struct Line {
        std::string where;
        int cycle = 0;
        std::vector<Agent> agents;  // in the order of the file
    };
    Line parse(const std::string& where, const std::vector<std::string>& words) const;
    void check_successor(const Line& last, const Line& line) const;
    double first_heading(std::size_t agent, const MresimFrame& frame) const;

    std::string path_, map_file_, team_file_;
    std::size_t fields_ = 0;  // per agent
    std::vector<Line> lines_;
    std::vector<std::size_t> order_;  // agents as robots are numbered: bases first
    std::size_t bases_ = 0;
    bool from_start_ = false;  // the team file's starts come before the first line
};

}  // namespace outrider
