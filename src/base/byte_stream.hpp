// Numbers and texts as a string of bytes: what logs store, and what positions of a script travel in.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "outrider/error.hpp"

namespace outrider {

/// Zigzag, seven bits a byte, the lowest first.
inline void append_integer(std::string& bytes, std::int64_t value) {
    for (auto v = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);; v >>= 7) {
        bytes += static_cast<char>(v < 128 ? v : (v & 127) | 128);
        if (v < 128) return;
    }
}
/// Eight bytes, the lowest first.
inline void append_number(std::string& bytes, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    std::array<char, 8> raw;
    for (std::size_t i = 0; i < 8; ++i) raw[i] = static_cast<char>(bits >> (8 * i));
    bytes.append(raw.data(), raw.size());
}

/// Appends numbers to a byte string: variable-length integers, doubles as they are, texts with their length.
class ByteWriter {
  public:
    void integer(std::int64_t value) { append_integer(bytes, value); }
    void number(double value) { append_number(bytes, value); }
    void text(std::string_view value) {
        integer(static_cast<std::int64_t>(value.size()));
        bytes += value;
    }
    std::string bytes;
};

/// The reverse. Throws Error at the end of the bytes, and at a number that cannot be.
class ByteReader {
  public:
    /// `source`: whose bytes they are, for the errors.
    explicit ByteReader(std::string_view bytes, std::string_view source = "the log") : bytes_(bytes), source_(source) {}
    std::int64_t integer() {
        std::uint64_t v = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1)[0]);
            v |= std::uint64_t{byte & 127u} << shift;
            if (byte < 128) break;
        }
        return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
    }
    double number() {
        const std::string_view raw = take(8);
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < 8; ++i) bits |= std::uint64_t{static_cast<unsigned char>(raw[i])} << (8 * i);
        return std::bit_cast<double>(bits);
    }
    int whole() { return static_cast<int>(within(INT32_MIN, INT32_MAX)); }
    std::int64_t within(std::int64_t low, std::int64_t high) {
        const std::int64_t v = integer();
        if (v < low || v > high) fail("{} holds the number {} where {} to {} can be", source_, v, low, high);
        return v;
    }
    /// A value of an enumeration without gaps, by its number of values.
    template <class E>
    E choice(std::size_t values) {
        return static_cast<E>(within(0, static_cast<std::int64_t>(values) - 1));
    }
    /// The length of a list whose entries take at least so many bytes each.
    std::size_t size(std::size_t least_bytes = 1) {
        const std::int64_t n = integer();
        if (n < 0 || static_cast<std::uint64_t>(n) > bytes_.size() / least_bytes)
            fail("{} holds a list of {} entries in {} bytes", source_, n, bytes_.size());
        return static_cast<std::size_t>(n);
    }
    std::string_view text() { return take(size()); }
    /// So many bytes as they are.
    std::string_view raw(std::size_t n) { return take(n); }
    std::string_view rest() const { return bytes_; }
    bool at_end() const { return bytes_.empty(); }

  private:
    std::string_view take(std::size_t n) {
        if (n > bytes_.size()) fail("a chunk of {} ends too early", source_);
        const std::string_view out = bytes_.substr(0, n);
        bytes_.remove_prefix(n);
        return out;
    }
    std::string_view bytes_, source_;
};

/// Bytes as text for files that others read (RFC 4648).
inline std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out((bytes.size() + 2) / 3 * 4, '=');
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
    char* to = out.data();
    std::size_t i = 0;
    for (; i + 3 <= bytes.size(); i += 3) {
        const std::uint32_t word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        for (int shift = 18; shift >= 0; shift -= 6) *to++ = digits[word >> shift & 63];
    }
    if (i == bytes.size()) return out;
    const std::uint32_t word = byte(i) << 16 | (i + 1 < bytes.size() ? byte(i + 1) << 8 : 0u);
    for (std::size_t k = 0; k < bytes.size() - i + 1; ++k) *to++ = digits[word >> (18 - 6 * k) & 63];
    return out;
}

}  // namespace outrider
