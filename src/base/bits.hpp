// Bytes to bits and back: bit i of a word is cell i of up to 64.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace outrider {

/// The cells that are not zero; count <= 64.
inline std::uint64_t nonzero_bits(const std::uint8_t* cells, int count) {
    std::uint64_t bits = 0;
    int i = 0;
    if constexpr (std::endian::native == std::endian::little) {
        constexpr std::uint64_t low7 = 0x7f7f7f7f7f7f7f7f, ones = 0x0101010101010101;
        for (; i + 8 <= count; i += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, cells + i, sizeof eight);
            const std::uint64_t set = (((eight & low7) + low7) | eight) >> 7 & ones;  // the lowest bit of each byte
            bits |= (set * 0x0102040810204080) >> 56 << i;                            // gathered in the top byte
        }
    }
    for (; i < count; ++i) bits |= std::uint64_t{cells[i] != 0} << i;
    return bits;
}

/// 1 for each bit that is set, 0 for the others; count <= 64.
inline void write_bytes(std::uint64_t bits, int count, std::uint8_t* cells) {
    if (bits == 0 || std::countr_one(bits) >= count) {
        std::memset(cells, bits != 0, static_cast<std::size_t>(count));
        return;
    }
    int i = 0;
    if constexpr (std::endian::native == std::endian::little) {
        constexpr std::uint64_t low7 = 0x7f7f7f7f7f7f7f7f, ones = 0x0101010101010101;
        for (; i + 8 <= count; i += 8) {
            const std::uint64_t own = (bits >> i & 255) * ones & 0x8040201008040201;  // in byte k bit k alone
            const std::uint64_t eight = (own + low7) >> 7 & ones;
            std::memcpy(cells + i, &eight, sizeof eight);
        }
    }
    for (; i < count; ++i) cells[i] = bits >> i & 1;
}

}  // namespace outrider
