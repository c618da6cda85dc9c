#include "wire/packing.hpp"

#define ZLIB_CONST  // input is only read
#include <zlib.h>

#include <algorithm>
#include <array>

#include "outrider/error.hpp"

namespace outrider {

struct Packer::Stream {
    z_stream z{};
};

Packer::Packer() : stream_(std::make_unique<Stream>()) {
    const int status = deflateInit(&stream_->z, Z_DEFAULT_COMPRESSION);
    OUTRIDER_CHECK(status, ==, Z_OK);
}
Packer::~Packer() {
    if (stream_) deflateEnd(&stream_->z);
}
Packer::Packer(Packer&&) noexcept = default;

std::string_view Packer::pack(std::string_view bytes, Method method) {
    z_stream& z = stream_->z;
    deflateReset(&z);
    deflateParams(&z, method == Method::small ? 6 : 1, method == Method::symbols ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY);
    out_.resize(std::max(out_.size(), static_cast<std::size_t>(deflateBound(&z, static_cast<uLong>(bytes.size())))));
    z.next_in = reinterpret_cast<const Bytef*>(bytes.data());
    z.avail_in = static_cast<uInt>(bytes.size());
    z.next_out = reinterpret_cast<Bytef*>(out_.data());
    z.avail_out = static_cast<uInt>(out_.size());
    const int status = deflate(&z, Z_FINISH);
    OUTRIDER_CHECK(status, ==, Z_STREAM_END);
    return std::string_view(out_).substr(0, out_.size() - z.avail_out);
}

std::string unpack(std::string_view packed, std::uint64_t most) {
    std::string out;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) fail("it cannot be unpacked");
    stream.next_in = reinterpret_cast<const Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    int status = Z_OK;
    for (std::array<char, 1 << 16> part; status == Z_OK && out.size() <= most;) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        out.append(part.data(), part.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (out.size() > most) fail("its {} bytes unpack to more than {}", packed.size(), most);
    if (status != Z_STREAM_END) fail("it cannot be unpacked");
    return out;
}

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

}  // namespace outrider
