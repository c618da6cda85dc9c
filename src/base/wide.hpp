// Functions over whole tiles that are compiled for several widths of registers; the program picks one when it starts.
// Integer operations only: the results are the same.
#pragma once

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || !defined(__x86_64__) || !defined(__GNUC__) || \
    defined(__clang__)
#define OUTRIDER_WIDE  // sanitizers run before the choice can be made
#else
#define OUTRIDER_WIDE __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
