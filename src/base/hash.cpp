#include "outrider/detail/hash.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace outrider {

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash128 hash_bytes(const void* data, std::size_t size) {
    const XXH128_hash_t h = XXH3_128bits(data, size);
    return {h.high64, h.low64};
}

// Out of line: it is rare, and inlined everywhere it makes code large and GCC 12 see overflows that are none.
void Hasher::put_beyond(const void* data, std::size_t size) {
    if (long_.empty()) long_.assign(short_.begin(), short_.begin() + static_cast<std::ptrdiff_t>(size_));
    const auto* first = static_cast<const unsigned char*>(data);
    long_.insert(long_.end(), first, first + size);
}

}  // namespace outrider
