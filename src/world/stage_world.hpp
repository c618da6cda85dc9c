// Worlds of Stage (player/stage 3 and 4): the map, and where the robots stand.
#pragma once

#include <string>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

struct StageWorld {
    std::string image;  ///< the bitmap of the largest model that has one, relative to the world made absolute
    std::string where;  ///< file and line of that model
    double width_m = 0, height_m = 0;
    Pose middle;  ///< of the map, in the world's frame
    struct Robot {
        std::string name, where;
        Pose pose;  ///< in the world's frame
    };
    std::vector<Robot> robots;       ///< models of the type position, or of types that nothing defines
    std::vector<std::string> notes;  ///< what was not there, or not read
    /// Lower left corner of the map in the world's frame.
    Pose corner() const;
};

/// Reads a world and what it includes. Throws Error with file and line: cut off, numbers that cannot be, no map, a size
/// that is none, types that define each other.
StageWorld read_stage_world(const std::string& path);

}  // namespace outrider
