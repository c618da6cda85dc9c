// Writes values as ROS 2 does: CDR (OMG DDS-XTypes), little endian.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace outrider {

/// Each value is aligned to its size, counted from the end of the four header bytes.
class CdrWriter {
  public:
    template <class T>
    CdrWriter& add(T value) {
        static_assert(std::is_arithmetic_v<T>);
        while ((bytes_.size() - head) % sizeof(T) != 0) bytes_ += '\0';
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
        bytes_.append(raw, sizeof(T));
        return *this;
    }
    template <class T>
    CdrWriter& add_all(std::initializer_list<T> values) {
        for (const T v : values) add(v);
        return *this;
    }
    /// With its length and a zero at its end.
    CdrWriter& text(std::string_view value) {
        add(static_cast<std::uint32_t>(value.size() + 1));
        bytes_ += value;
        bytes_ += '\0';
        return *this;
    }
    /// The length of a sequence; its elements follow.
    CdrWriter& length(std::size_t n) { return add(static_cast<std::uint32_t>(n)); }
    void append(std::string_view bytes) { bytes_ += bytes; }
    std::string take() { return std::move(bytes_); }

  private:
    static constexpr std::size_t head = 4;
    std::string bytes_ = std::string("\0\1\0\0", head);  // plain CDR, little endian
};

}  // namespace outrider
