// The ranges of a scan as small numbers. Along a straight wall 1/r is a sine over the beams, so two beams predict
// the next one: 1/r[i+1] = 2 cos(step) / r[i] - 1/r[i-1]. The difference to the prediction is stored, which for
// four of five beams is -1, 0 or 1 unit of rounding.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "outrider/percept.hpp"

namespace outrider {

/// Symbols of one byte; docs/log.md lists them.
class ScanCodec {
  public:
    explicit ScanCodec(double step_angle) : curve_(2 * sin_cos(step_angle).cos) {}
    /// Appends the beams to `symbols`, and two bytes to `jumps` for each that the prediction misses by too much.
    void write(std::span<const std::uint16_t> ranges, std::string& symbols, std::string& jumps) const;
    /// Reads ranges.size() beams from the front of both, which it shortens. Throws Error at their end.
    void read(std::string_view& symbols, std::string_view& jumps, std::span<std::uint16_t> ranges) const;

  private:
    double curve_;
};

}  // namespace outrider
