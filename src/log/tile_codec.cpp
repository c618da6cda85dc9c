#include "log/tile_codec.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "outrider/error.hpp"

namespace outrider {

static_assert(std::endian::native == std::endian::little, "tiles are stored as they lie in memory");

std::string name_bytes(const Hash128& name) {
    std::string bytes;
    for (const std::uint64_t half : {name.high, name.low})
        for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift);
    return bytes;
}

std::string pack_tile(std::string_view bytes) {
    OUTRIDER_CHECK(bytes.size() % (64 * sizeof(std::uint64_t)), ==, 0u);
    std::string out;
    std::uint64_t last = 0;
    const auto append = [&](std::uint64_t word) {
        std::array<char, sizeof word> raw;
        std::memcpy(raw.data(), &word, sizeof word);
        out.append(raw.data(), raw.size());
    };
    for (; !bytes.empty(); bytes.remove_prefix(64 * sizeof last)) {
        std::array<std::uint64_t, 64> rows;
        std::memcpy(rows.data(), bytes.data(), sizeof rows);
        std::uint64_t changed = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            changed |= std::uint64_t{rows[i] != (i ? rows[i - 1] : last)} << i;
        append(changed);
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (changed >> i & 1) append(rows[i] ^ (i ? rows[i - 1] : last));
        last = rows.back();
    }
    return out;
}

std::string unpack_tile(std::string_view packed) {
    constexpr std::size_t most = 1 << 16;  // bytes; the largest kind of tile has less than half of that
    std::string out;
    std::uint64_t last = 0;
    const auto take = [&] {
        std::uint64_t word = 0;
        if (packed.size() < sizeof word) fail("a tile of the log ends too early");
        std::memcpy(&word, packed.data(), sizeof word);
        packed.remove_prefix(sizeof word);
        return word;
    };
    while (!packed.empty()) {
        std::array<std::uint64_t, 64> rows;
        const std::uint64_t changed = take();
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = last = changed >> i & 1 ? last ^ take() : last;
        out.append(reinterpret_cast<const char*>(rows.data()), sizeof rows);
        if (out.size() > most) fail("a tile of the log has more than {} bytes", most);
    }
    return out;
}

std::string checked_tile(std::int64_t id, std::string_view name, std::string_view packed) {
    std::string bytes;
    try {
        bytes = unpack_tile(packed);
    } catch (const Error& error) {
        fail("tile {}: {}", id, error.what());
    }
    if (name_bytes(hash_bytes(bytes.data(), bytes.size())) != name) fail("tile {} is not what its hash says", id);
    return bytes;
}

}  // namespace outrider
