// The clock of the benchmarks that measure by themselves.
#pragma once

#include <time.h>

namespace outrider {

/// CPU time of this thread, in microseconds.
inline double thread_cpu_us() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

}  // namespace outrider
