// Ctrl-C, and the SIGTERM of schedulers, in the commands that end with 130 then.
#pragma once

#include <atomic>

namespace outrider {

/// From now on a signal sets what is returned; a second one ends the program at once. (timeout(1) sends each signal
/// twice: what comes within 0.3 s is the same one.)
const std::atomic<bool>& catch_interrupts();

/// From now on a signal ends the program at once, with this line on the error output and exit code 130. The text stays
/// where it is: a literal.
void end_when_interrupted(const char* line);
inline constexpr const char* nothing_written = "outrider: interrupted; nothing was written\n";

/// From now on signals are left aside, so that what is being written is written whole.
void ignore_interrupts();

}  // namespace outrider
