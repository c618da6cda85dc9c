// Readers of the map file formats other than PNG, each into a plain form of its own.
#pragma once

#include <string>
#include <vector>

#include "base/image.hpp"
#include "grid/grid.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

/// PGM, binary (P5) or text (P2), up to 16 bits; values as those of read_png.
GreyImage read_pgm(const std::string& path);
/// The same, and PBM (P4, P1) and PPM (P6, P3).
GreyImage read_pnm(const std::string& path, Channels channels);
/// An image of any kind that can be read, by its content. Throws Error; for a file of another kind it says what it is
/// and what to do.
GreyImage read_any_image(const std::string& path, Channels channels, bool with_alpha = false);
std::string encode_pgm(const Raster& grey);

/// The map_server file of ROS (its wiki page "map_server", section "Map format").
struct RosMap {
    enum class Mode { trinary, scale, raw } mode = Mode::trinary;
    std::string image;  ///< path, relative paths made absolute to the file
    double resolution_m = 0;
    Pose origin;
    bool negate = false;
    double occupied_thresh = 0.65, free_thresh = 0.196;
};
RosMap read_ros_map(const std::string& path);

/// MovingAI's .map: on land, walls are all but '.', 'G' and 'S'; on water, all but 'W', which cannot be reached from
/// land.
enum class Surface { land, water };
Grid<std::uint8_t> read_movingai_map(const std::string& path, Surface surface = Surface::land);
/// Rows of 0 and 1.
Grid<std::uint8_t> read_text_map(const std::string& path);

}  // namespace outrider
