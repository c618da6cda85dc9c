#include "sensor_log/gzip_text.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <new>

namespace outrider {

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Gunzipped gunzip(std::string_view packed, std::uint64_t most) {
    constexpr int with_gzip_head = 16 + MAX_WBITS;
    z_stream stream{};
    if (inflateInit2(&stream, with_gzip_head) != Z_OK) throw std::bad_alloc();
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, &inflateEnd);
    Gunzipped out;
    int status = Z_OK;
    std::array<char, 1 << 16> part;
    while (out.bytes.size() < most && (!packed.empty() || status == Z_OK)) {
        if (status == Z_STREAM_END) {  // another part follows, or zeros at the end
            if (!is_gzip(packed)) break;
            inflateReset(&stream);
        }
        const std::size_t more = std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
        stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
        stream.avail_in = static_cast<uInt>(more);
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        packed.remove_prefix(more - stream.avail_in);
        out.bytes.append(part.data(), std::min<std::uint64_t>(part.size() - stream.avail_out, most - out.bytes.size()));
        if (status != Z_OK && status != Z_STREAM_END) break;  // damaged, or cut off: there is no progress
    }
    out.whole = status == Z_STREAM_END || out.bytes.size() == most;
    return out;
}

}  // namespace outrider
