// What a robot expects of its radio, from its own map: the formula of the radio model with a margin for what it does
// not know.
#pragma once

#include "outrider/known_map.hpp"
#include "outrider/radio.hpp"

namespace outrider {

/// Walls between two cells as far as the map tells: each run of cells that are not known to be free counts as one, and
/// every further 14 unknown cells of a run as one more.
int believed_walls(const KnownMap& map, Cell a, Cell b);

/// Expected signal in dBm between radios of range_m in the middle of two cells: the path-loss formula with a range
/// shorter, and walls thicker, by a tenth (MRESim, agent's propagation model). +infinity in the same cell.
double believed_signal_dbm(const KnownMap& map, const RadioOptions& radio, double range_m, Cell a, Cell b);

/// Whether the two cells should hear each other under the radio model in use, with the same margin.
bool believed_linked(const KnownMap& map, const RadioOptions& radio, double range_m, Cell a, Cell b);

}  // namespace outrider
