// Libraries of the program as far as a module in a browser has them: images (stb, headers alone), and zlib's formats.
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <string>

namespace {

constexpr std::size_t most_stored = 65535;  // bytes of a block that is not compressed (RFC 1951, 3.2.4)

std::uint32_t adler32(const Bytef* data, std::size_t size) {
    std::uint32_t a = 1, b = 0;
    for (std::size_t i = 0; i < size; ++i) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/// What a stream unpacks to, as stb reads it; nullptr: it is not whole, or damaged.
struct Unpacked {
    explicit Unpacked(const std::string& packed)
        : bytes(stbi_zlib_decode_malloc_guesssize_headerflag(packed.data(), static_cast<int>(packed.size()), 1 << 16,
                                                             &size, 1)) {}
    ~Unpacked() { stbi_image_free(bytes); }
    Unpacked(const Unpacked&) = delete;
    int size = 0;
    char* const bytes;
};

}  // namespace

struct zlib_state {
    std::string in, out;
    std::size_t given = 0;
    bool whole = false;
};

uLong crc32(uLong before, const Bytef* data, uInt size) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> t{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            t[i] = i;
            for (int bit = 0; bit < 8; ++bit) t[i] = t[i] & 1 ? 0xedb88320u ^ t[i] >> 1 : t[i] >> 1;
        }
        return t;
    }();
    std::uint32_t crc = ~static_cast<std::uint32_t>(before);
    for (uInt i = 0; i < size; ++i) crc = table[(crc ^ data[i]) & 255] ^ crc >> 8;
    return ~crc;
}

uLong compressBound(uLong size) { return size + 5 * (size / most_stored + 1) + 6; }

int deflate(z_stream* s, int) {
    const Bytef* const from = s->next_in;
    const std::size_t size = s->avail_in;
    if (s->avail_out < compressBound(size)) return Z_BUF_ERROR;
    const auto put = [&](std::uint32_t byte) {
        *s->next_out++ = static_cast<Bytef>(byte);
        --s->avail_out;
    };
    put(0x78);
    put(0x01);
    for (std::size_t at = 0;;) {
        const std::size_t n = size - at < most_stored ? size - at : most_stored;
        put(at + n == size);
        for (const std::size_t v : {n, ~n}) {
            put(v & 255);
            put(v >> 8 & 255);
        }
        std::memcpy(s->next_out, from + at, n);
        s->next_out += n;
        s->avail_out -= static_cast<uInt>(n);
        at += n;
        if (at == size) break;
    }
    const std::uint32_t sum = adler32(from, size);
    for (int shift = 24; shift >= 0; shift -= 8) put(sum >> shift & 255);
    s->next_in += size;
    s->avail_in = 0;
    return Z_STREAM_END;
}

int compress2(Bytef* to, uLongf* to_size, const Bytef* from, uLong size, int) {
    z_stream s{from, static_cast<uInt>(size), to, static_cast<uInt>(*to_size)};
    if (const int status = deflate(&s, Z_FINISH); status != Z_STREAM_END) return status;
    *to_size -= s.avail_out;
    return Z_OK;
}

int uncompress(Bytef* to, uLongf* to_size, const Bytef* from, uLong size) {
    const Unpacked unpacked(std::string(reinterpret_cast<const char*>(from), size));
    if (!unpacked.bytes) return Z_DATA_ERROR;
    if (static_cast<uLong>(unpacked.size) > *to_size) return Z_BUF_ERROR;
    std::memcpy(to, unpacked.bytes, static_cast<std::size_t>(unpacked.size));
    *to_size = static_cast<uLongf>(unpacked.size);
    return Z_OK;
}

int inflateInit(z_stream* s) {
    s->state = new zlib_state;
    return Z_OK;
}

/// Takes all of the input each time, and gives nothing until the stream is whole.
int inflate(z_stream* s, int) {
    zlib_state& state = *s->state;
    if (!state.whole) {
        state.in.append(reinterpret_cast<const char*>(s->next_in), s->avail_in);
        s->next_in += s->avail_in;
        const Unpacked unpacked(state.in);
        if (!unpacked.bytes) {
            const bool waits = s->avail_in > 0;
            s->avail_in = 0;
            return waits ? Z_OK : Z_BUF_ERROR;
        }
        state.out.assign(unpacked.bytes, static_cast<std::size_t>(unpacked.size));
        state.whole = true;
    }
    const std::size_t n = std::min<std::size_t>(state.out.size() - state.given, s->avail_out);
    std::memcpy(s->next_out, state.out.data() + state.given, n);
    s->next_out += n;
    s->avail_out -= static_cast<uInt>(n);
    state.given += n;
    const bool more = state.given < state.out.size();
    s->avail_in = more ? 1 : 0;  // callers stop when nothing is left to read
    return more ? Z_OK : Z_STREAM_END;
}

int inflateEnd(z_stream* s) {
    delete s->state;
    s->state = nullptr;
    return Z_OK;
}
