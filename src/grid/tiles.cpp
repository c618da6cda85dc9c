#include "outrider/detail/tiles.hpp"

#include "base/wide.hpp"

namespace outrider {

OUTRIDER_WIDE std::array<std::uint64_t, tile_size> transposed(std::array<std::uint64_t, tile_size> a) {
    std::uint64_t mask = 0x00000000FFFFFFFF;
    for (std::size_t j = 32; j != 0; j >>= 1, mask ^= mask << j)
        for (std::size_t block = 0; block < tile_size; block += 2 * j)
            for (std::size_t k = block; k < block + j; ++k) {
                const std::uint64_t t = ((a[k] >> j) ^ a[k + j]) & mask;
                a[k] ^= t << j;
                a[k + j] ^= t;
            }
    return a;
}

}  // namespace outrider
