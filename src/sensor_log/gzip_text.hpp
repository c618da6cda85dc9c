// Logs compressed by gzip.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace outrider {

bool is_gzip(std::string_view bytes);

struct Gunzipped {
    std::string bytes;
    bool whole = true;  ///< false: what is packed is damaged or cut off after these
};
/// At most `most` bytes of what is packed, one part after the other.
Gunzipped gunzip(std::string_view packed, std::uint64_t most);

}  // namespace outrider
