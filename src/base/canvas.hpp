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

/// Eight colours that people with any colour vision can tell apart (Okabe & Ito 2008), dark enough for a white ground.
inline constexpr std::array<Colour, 8> palette{{{0, 114, 178},
                                                {213, 94, 0},
                                                {0, 158, 115},
                                                {204, 121, 167},
                                                {230, 159, 0},
                                                {86, 180, 233},
                                                {120, 94, 240},
                                                {100, 100, 100}}};

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
