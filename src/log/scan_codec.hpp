// The ranges of a scan as small numbers. Along a straight wall 1/r is a sine over the beams, so two beams predict
// the next one: 1/r[i+1] = 2 cos(step) / r[i] - 1/r[i-1]. The difference to the prediction is stored, which for
// four of five beams is -1, 0 or 1 unit of rounding. The prediction is computed by basic arithmetic on doubles and
// rounded by int(x + 0.5); where it cannot be computed, it is the range of the beam before.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "outrider/percept.hpp"

namespace outrider {

/// Symbols of one byte (zigzag: 0, -1, 1, -2, 2 ... are 0, 1, 2, 3, 4 ...):
///   0-26     three beams, each with a difference of 0, -1 or 1 (zigzag), as a number of three digits in base 3
///   27-247   one beam: 27 + the zigzag of its difference, which is at most 110 to either side
///   248      one beam: nothing up to the maximal range
///   249      one beam: no information
///   250      one beam, a jump: its range stands in `jumps` as two bytes, the lower one first
/// After 248, 249 and 250 the prediction starts again: earlier ranges count no more. The next range is predicted to be
/// that of the jump, or 0 after 248 and 249.
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
