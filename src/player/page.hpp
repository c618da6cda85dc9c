// A run, or two side by side, as one HTML file that any browser plays without a network.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "player/recorder.hpp"

namespace outrider {

/// A run that was recorded and what its page names.
struct PlayedRun {
    const PlayerRecorder& recorder;
    PlayerCaption caption;
};

/// The page. Where the file would be larger than `most_bytes`, the maps become coarser and the reasons shorter; a run
/// that is too long for that too gets a larger file.
std::string player_page(std::span<const PlayedRun> runs, std::size_t most_bytes = 1'000'000);

}  // namespace outrider
