// A small canvas: flat cells, smooth lines and discs, text. For pictures of maps.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "base/image.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    bool operator==(const Colour&) const = default;
};

/// Eight colours that people with any colour vision can tell apart, dark enough for a white ground.
inline constexpr std::array<Colour, 8> palette{{{0x03, 0x4E, 0x72},
                                                {0x9A, 0x2F, 0x00},
                                                {0x14, 0xA8, 0x5C},
                                                {0xC9, 0x79, 0x9B},
                                                {0xA0, 0x96, 0x01},
                                                {0x7C, 0x89, 0xD0},
                                                {0x5F, 0x24, 0xAD},
                                                {0x66, 0x40, 0x35}}};

/// Pixels with y down; positions are in pixels, (0, 0) the upper left corner of the upper left pixel.
class Canvas {
  public:
    Canvas(int width, int height, Colour ground);

    int width() const { return raster_.width; }
    int height() const { return raster_.height; }
    void rectangle(int x, int y, int width, int height, Colour colour, double opacity = 1);
    void line(std::span<const Point> points, double width, Colour colour, double opacity = 1);
    void disc(Point centre, double radius, Colour colour, double opacity = 1);
    void ring(Point centre, double radius, double width, Colour colour);
    /// Upper left corner at (x, y); `size` pixels per dot of a font 7 dots high, about 6 wide. ASCII; other
    /// letters become '?'.
    void text(int x, int y, std::string_view text, int size, Colour colour);
    static int text_width(std::string_view text, int size);
    /// Copies a picture with its upper left corner to (x, y).
    void paste(const Raster& picture, int x, int y);
    const Raster& raster() const { return raster_; }

  private:
    void blend(int x, int y, Colour colour, double opacity);
    Raster raster_;
};

}  // namespace outrider
