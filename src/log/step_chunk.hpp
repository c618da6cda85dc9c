// The full level of a chunk of steps, as one blob: a keyframe and columns, each compressed as suits it.
#pragma once

#include <string>
#include <vector>

#include "log/keyframe.hpp"
#include "log/step_codec.hpp"
#include "wire/packing.hpp"

namespace outrider {

struct StepChunk {
    std::string keyframe;  ///< what was known before the first step; empty before step 0
    StepColumns columns;
    std::vector<NewTile> tiles;  ///< that the keyframe uses for the first time; stored in a table of their own
};

/// Keyframe and columns as a blob.
std::string pack_steps(const StepChunk& chunk, Packer& packer);
/// Hash of their content, independent of the compression.
Hash128 steps_name(const StepChunk& chunk);
/// The reverse, without tiles. Throws Error when the blob does not have this checksum, or its content not this name (as
/// bytes).
StepChunk unpack_steps(std::string_view blob, std::int64_t crc, std::string_view name);

}  // namespace outrider
