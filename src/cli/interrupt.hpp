// Ctrl-C, and the SIGTERM of schedulers, in the commands that end with 130 then.
#pragma once

#include <atomic>

namespace outrider {

/// From now on a signal sets the flag returned; a second one ends the program at once. (timeout(1) sends each signal
/// twice: signals within 0.3 s count as one.)
const std::atomic<bool>& catch_interrupts();

/// From now on a signal ends the program at once, with this line on the error output and exit code 130. The text must
/// stay valid: a literal.
void end_when_interrupted(const char* line);
inline constexpr const char* nothing_written = "outrider: interrupted; nothing was written\n";

/// From now on signals are ignored, so that the file being written is completed.
void ignore_interrupts();

}  // namespace outrider
