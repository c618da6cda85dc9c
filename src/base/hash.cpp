#include "outrider/hash.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace outrider {

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash128 hash_bytes(const void* data, std::size_t size) {
    const XXH128_hash_t h = XXH3_128bits(data, size);
    return {h.high64, h.low64};
}

}  // namespace outrider
