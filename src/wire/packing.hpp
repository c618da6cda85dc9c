// Compression, of what a log stores and of messages: zlib, which Python's standard library reads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/budget.hpp"

namespace outrider {

/// Compresses one piece after the other with the same working memory.
class Packer {
  public:
    enum class Method {
        small,    ///< zlib's usual level
        fast,     ///< its fastest one
        symbols,  ///< frequencies alone: for residuals, that hardly repeat
    };
    Packer();
    ~Packer();
    Packer(Packer&&) noexcept;
    /// The result is valid until the next call.
    std::string_view pack(std::string_view bytes, Method method);

  private:
    struct Stream;
    std::unique_ptr<Stream> stream_;
    std::string out_;
};

/// The reverse. Throws Error when the bytes are damaged, or unpack to more than `most`.
std::string unpack(std::string_view packed, std::uint64_t most);
inline std::string unpack(std::string_view packed) { return unpack(packed, most_unpacked(packed.size())); }
std::uint32_t checksum(std::string_view bytes);

}  // namespace outrider
