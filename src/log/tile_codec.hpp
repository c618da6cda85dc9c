// Tiles of maps as bytes in a full log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "outrider/detail/hash.hpp"

namespace outrider {

/// A name of a tile as 16 bytes, the highest first.
std::string name_bytes(const Hash128& name);
/// Packs a tile: each row of a plane (a word of eight bytes) as its difference (exclusive or) to the one before;
/// for each 64 rows a word that says which are not zero, then those.
std::string pack_tile(std::string_view bytes);
/// The reverse. Throws Error when damaged.
std::string unpack_tile(std::string_view packed);
/// A tile of a log, checked against its name; Error names the damaged tile.
std::string checked_tile(std::int64_t id, std::string_view name, std::string_view packed);

}  // namespace outrider
