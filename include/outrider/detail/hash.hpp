// 128-bit content hashes (XXH3): names of tiles and maps, hashes of steps and runs. Not cryptographic.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace outrider {

struct Hash128 {
    std::uint64_t high = 0, low = 0;
    auto operator<=>(const Hash128&) const = default;
    /// 32 lower-case hexadecimal digits.
    std::string hex() const;
    explicit operator bool() const { return (high | low) != 0; }
};

Hash128 hash_bytes(const void* data, std::size_t size);

/// Collects plain values into a canonical byte string and hashes it. Values go in with a fixed width and no padding
/// (structs field by field), so the hash is a property of the values alone.
class Hasher {
  public:
    template <class T>
    requires(std::integral<T> || std::is_enum_v<T> || std::floating_point<T>) Hasher& operator()(T value) {
        if constexpr (std::floating_point<T>) {
            const double d = value == 0 ? 0.0 : static_cast<double>(value);  // -0 equals 0
            put(&d, sizeof d);
        } else {
            const auto wide = static_cast<std::int64_t>(value);
            put(&wide, sizeof wide);
        }
        return *this;
    }
    Hasher& operator()(const Hash128& h) { return (*this)(h.high)(h.low); }
    Hasher& operator()(std::string_view text) {
        (*this)(text.size());
        put(text.data(), text.size());
        return *this;
    }
    template <class T>
    requires(std::integral<T>) Hasher& operator()(std::span<const T> values) {
        (*this)(values.size());
        put(values.data(), values.size_bytes());
        return *this;
    }
    Hash128 result() const {
        return long_.empty() ? hash_bytes(short_.data(), size_) : hash_bytes(long_.data(), long_.size());
    }

  private:
    void put(const void* data, std::size_t size) {
        if (size == 0) return;  // data may then be a null pointer
        if (long_.empty() && size_ + size <= short_.size()) {
            std::memcpy(short_.data() + size_, data, size);
            size_ += size;
            return;
        }
        put_beyond(data, size);
    }
    void put_beyond(const void* data, std::size_t size);  // what does not fit into short_
    std::array<unsigned char, 512> short_;  // most hashes are of a few numbers: they need no memory of their own
    std::size_t size_ = 0;                  // of what is in it
    std::vector<unsigned char> long_;       // all, once that is full
};

}  // namespace outrider

template <>
struct std::hash<outrider::Hash128> {
    std::size_t operator()(const outrider::Hash128& h) const noexcept { return h.low; }
};
