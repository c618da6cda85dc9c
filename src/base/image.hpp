// Pictures in and out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrider {

/// Grey values 0 ... 65535 (8-bit files are stretched), row 0 at the top.
struct GreyImage {
    int width = 0, height = 0;
    std::vector<std::uint16_t> values;
    std::vector<std::uint16_t> alpha = {};  ///< how opaque each is; empty: all are, or nobody asked
};

enum class Channels {
    mean,
    first
};  ///< how a colour becomes grey: ROS takes the mean, MRESim band 0; alpha is ignored

inline constexpr int max_map_side = 65'535;  ///< cells
/// A ring of cells around them, in strips of rows, must be addressable by 32 bits too.
inline constexpr std::int64_t max_map_cells = (std::int64_t{1} << 31) - (std::int64_t{1} << 19);

/// Reads a PNG of any kind. Throws Error, without much memory being used, when the file is missing, empty, truncated or
/// damaged, is no PNG, is larger than 65,535 on a side or max_map_cells, or unpacks to more than its header says.
GreyImage read_png(const std::string& path, Channels channels, bool with_alpha = false);

/// What kind of image a file is, by its content; only a TGA has no mark of its own and goes by its name.
enum class ImageKind { none, png, pnm, jpeg, bmp, gif, tga };
ImageKind image_kind(const std::string& path, std::string_view begin);

/// Reads a JPEG, BMP, GIF (its first picture) or TGA. Throws as read_png does.
GreyImage read_other_image(const std::string& path, Channels channels, bool with_alpha = false);

/// Width and height of a PNG, from its header alone. Throws as read_png does.
std::pair<int, int> png_size(const std::string& path);

/// 8 bits per value; channels 1 (grey) or 3 (RGB); row 0 at the top.
struct Raster {
    int width = 0, height = 0, channels = 3;
    std::vector<std::uint8_t> values;
};

/// Reads a PNG of any kind as RGB; greys become equal values, 16 bits the upper 8, alpha is ignored. Throws as read_png
/// does.
Raster read_colours(const std::string& path);

/// The bytes of a PNG file; texts become tEXt chunks (keyword, Latin-1 text). A grey raster of only 0 and 255 is
/// written with one bit per pixel.
std::string encode_png(const Raster& raster, const std::vector<std::pair<std::string, std::string>>& texts = {});

}  // namespace outrider
