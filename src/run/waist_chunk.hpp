// The full level of a chunk of steps, as one blob: a keyframe and columns, each compressed as suits it.
#pragma once

#include <string>
#include <vector>

#include "run/keyframe.hpp"
#include "run/packing.hpp"
#include "run/waist_codec.hpp"

namespace outrider {

struct WaistChunk {
    std::string keyframe;  ///< what was known before the first step; empty before step 0
    WaistColumns columns;
    std::vector<NewTile> tiles;  ///< that the keyframe names for the first time; they stand in a table of their own
};

class WaistPacker {
  public:
    WaistPacker() : plain_(1), symbols_(1, Packer::Method::symbols) {}
    /// Keyframe and columns.
    std::string pack(const WaistChunk& chunk);

  private:
    Packer plain_, symbols_;
};

/// The reverse, without tiles. Throws Error when the blob does not have this checksum, or is damaged.
WaistChunk unpack_waist(std::string_view blob, std::int64_t crc);

}  // namespace outrider
