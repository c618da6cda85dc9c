// outrider run --replay LOG: another strategy on the percepts of an old log.
#pragma once

#include "arguments/arguments.hpp"

namespace outrider {

/// What the strategy would have decided; the exit code. Throws Error.
int run_open_loop(const cxxopts::ParseResult& result);

}  // namespace outrider
