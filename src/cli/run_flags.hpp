// The flags of outrider run, with and without --replay.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "cli/batch/reference_flags.hpp"

namespace outrider {

struct RunFlags {
    ScenarioFlags scenario;
    ReferenceFlags reference;
    std::optional<int> threads, foxglove;
    std::optional<double> speed;
    std::optional<std::string> csv, png, html, log_file, orders, replay, range, listen, link, playable;
    Defaulted<std::string> log{"poses"};
    std::vector<std::string> stop_when, allow_origin;
    bool json = false, force = false, quiet = false;
    void fields(Flags& f);
};

/// With --replay LOG: what another strategy would have decided on the percepts of an old log; the exit code. Throws
/// Error.
int run_open_loop(const RunFlags& flags);

}  // namespace outrider
