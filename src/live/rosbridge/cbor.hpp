// Values in CBOR (RFC 8949).
#pragma once

#include <cstdint>
#include <string>

namespace outrider {

enum class CborKind : std::uint8_t { positive, negative, bytes, text, array, map, tag };

/// The head of a value: its kind, and a number in as few bytes as it needs.
std::string cbor_head(CborKind kind, std::uint64_t n);
std::string cbor_text(const std::string& value);
/// Whole numbers as such, others with 64 bits.
std::string cbor_number(double value);

}  // namespace outrider
