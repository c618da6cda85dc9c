// In which order a log lists the beams of its scans, where its format does not say.
#pragma once

#include "sensor_log/sensor_log.hpp"

namespace outrider {

enum class BeamOrder { counter_clockwise, clockwise, unknown };

/// How the readings of scans shift against each other while odometry turns: a wall that was at beam i is at beam i - k
/// after a turn to the left by k beams, if beams are counter-clockwise. `log`: as if they were. Unknown: hardly any
/// turn, or no order explains the scans clearly better.
BeamOrder beam_order(const SensorLog& log);

/// Lists the beams of a scan the other way round, between the same angles seen from the other side: for scanners that
/// hang upside down, and for logs that go from left to right.
void mirror(RecordedScan& scan);

}  // namespace outrider
