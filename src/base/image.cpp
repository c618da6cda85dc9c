#include "base/image.hpp"

#include <stb_image.h>
#define ZLIB_CONST  // input is only read
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <climits>
#include <memory>

#include "base/input.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

std::uint32_t big_endian(const char* p) {
    std::uint32_t v = 0;
    for (int i = 0; i < 4; ++i) v = v << 8 | static_cast<unsigned char>(p[i]);
    return v;
}

struct Header {
    std::uint32_t width = 0, height = 0;
    int bits = 0, channels = 0;
    bool interlaced = false, palette = false;

    /// Bytes of all rows when unpacked, each with its filter byte; Adam7 has seven smaller images.
    std::uint64_t unpacked() const {
        const auto image = [&](std::uint64_t w, std::uint64_t h) {
            return w == 0 ? 0 : h * (1 + (w * static_cast<std::uint64_t>(bits * channels) + 7) / 8);
        };
        if (!interlaced) return image(width, height);
        constexpr std::array<std::array<std::uint32_t, 4>, 7> passes{
            {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
        std::uint64_t sum = 0;
        for (const auto& [x, y, dx, dy] : passes)
            sum += image((std::uint64_t{width} + dx - 1 - x) / dx, (std::uint64_t{height} + dy - 1 - y) / dy);
        return sum;
    }
};

/// Memory that reading it takes beside the file: the unpacked rows, as decoded by stb (of a palette also its colours,
/// of seven passes also the largest one), and the grey values.
std::uint64_t memory_of(const Header& h) {
    const std::uint64_t pixels = std::uint64_t{h.width} * h.height,
                        decoded = pixels * static_cast<std::uint64_t>(h.channels) * (h.bits > 8 ? 2 : 1);
    return h.unpacked() + (h.interlaced ? 2 : 1) * decoded + (h.palette ? 4 * pixels : 0) +
           pixels * sizeof(std::uint16_t);
}

Header read_header(const std::string& path, const char* p, std::uint32_t length) {
    if (length != 13) fail("{}: damaged PNG: its header has {} bytes, expected 13", path, length);
    const int kind = p[9];
    Header h{big_endian(p), big_endian(p + 4), p[8], 0, p[12] != 0, kind == 3};
    h.channels = kind == 2 ? 3 : kind == 4 ? 2 : kind == 6 ? 4 : 1;
    if (h.width == 0 || h.height == 0) fail("{}: the image is empty ({} x {})", path, h.width, h.height);
    if (h.width > max_map_side || h.height > max_map_side || std::int64_t{h.width} * h.height > max_map_cells)
        fail("{}: {} x {} pixels; at most {} a side and {} in all are possible", path, h.width, h.height, max_map_side,
             max_map_cells);
    return h;
}

/// Counts what a compressed stream unpacks to, in a small buffer; stops above `limit`.
class UnpackedSize {
  public:
    UnpackedSize() { inflateInit(&stream_); }
    ~UnpackedSize() { inflateEnd(&stream_); }
    UnpackedSize(const UnpackedSize&) = delete;
    UnpackedSize& operator=(const UnpackedSize&) = delete;
    /// False: the stream is damaged.
    bool take(const char* data, std::size_t size, std::uint64_t limit) {
        stream_.next_in = reinterpret_cast<const Bytef*>(data);
        stream_.avail_in = static_cast<uInt>(size);
        while (stream_.avail_in > 0 && !ended && total <= limit) {
            stream_.next_out = buffer_.data();
            stream_.avail_out = static_cast<uInt>(buffer_.size());
            const int status = inflate(&stream_, Z_NO_FLUSH);
            if (status != Z_OK && status != Z_STREAM_END) return false;
            total += buffer_.size() - stream_.avail_out;
            ended = status == Z_STREAM_END;
        }
        return true;
    }
    std::uint64_t total = 0;
    bool ended = false;

  private:
    z_stream stream_{};
    std::array<Bytef, 1 << 15> buffer_;
};

void check_signature(const std::string& path, const std::string& bytes) {
    if (bytes.empty()) fail("{}: the file is empty; expected a PNG image", path);
    if (!bytes.starts_with(signature)) fail("{}: not a PNG image", path);
}

/// The pixels of an image as stb decodes them, as grey values; `scale` stretches them to 16 bits.
template <class Value>
void take_grey(const std::unique_ptr<Value, void (*)(void*)>& pixels, const std::string& path, int channels,
               Channels wanted, int scale, GreyImage& image, bool with_alpha) {
    if (!pixels) fail("{}: cannot be decoded ({})", path, stbi_failure_reason());
    image.values.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
    const Value* p = pixels.get();
    for (std::uint16_t& value : image.values) {
        value = static_cast<std::uint16_t>(
            channels < 3 || wanted == Channels::first ? p[0] * scale : (p[0] + p[1] + p[2]) * scale / 3);
        p += channels;
    }
    if (!with_alpha || channels % 2 != 0) return;
    image.alpha.reserve(image.values.size());
    p = pixels.get() + channels - 1;
    for (std::size_t i = 0; i < image.values.size(); ++i, p += channels)
        image.alpha.push_back(static_cast<std::uint16_t>(*p * scale));
}

/// Walks the chunks of a PNG: it must be whole, undamaged, and unpack to exactly what its header announces.
Header check_png(const std::string& path, const std::string& bytes) {
    check_signature(path, bytes);
    Header header;
    UnpackedSize unpacked;
    for (std::size_t at = signature.size();;) {
        if (at + 12 > bytes.size()) fail("{}: truncated PNG: it ends after {} bytes", path, bytes.size());
        const std::uint32_t length = big_endian(&bytes[at]);
        const std::string_view type(&bytes[at + 4], 4);
        if (length > bytes.size() - at - 12)
            fail("{}: truncated PNG: it ends after {} bytes, in its part {}", path, bytes.size(), type);
        const char* data = &bytes[at + 8];
        if (big_endian(data + length) != crc32(0, reinterpret_cast<const Bytef*>(type.data()), length + 4))
            fail("{}: damaged PNG: the checksum of its part {} at byte {} is wrong", path, type, at);
        if (header.width == 0 && type != "IHDR") fail("{}: damaged PNG: it does not begin with a header", path);
        if (type == "IHDR") {
            header = read_header(path, data, length);
            expect_affordable(path, 2 * bytes.size() + memory_of(header),
                              fmt::format("its {} x {} pixels", header.width, header.height));
        }
        if (type == "IDAT" && !unpacked.take(data, length, header.unpacked()))
            fail("{}: damaged PNG: its pixels cannot be unpacked", path);
        if (type == "IEND") break;
        at += 12 + length;
    }
    if (unpacked.total > header.unpacked())
        fail("{}: refused: the PNG unpacks to more than the {} bytes that {} x {} pixels need", path, header.unpacked(),
             header.width, header.height);
    if (unpacked.total < header.unpacked())
        fail("{}: truncated PNG: it holds {} of {} bytes of pixels", path, unpacked.total, header.unpacked());
    return header;
}

void append_chunk(std::string& png, std::string_view type, std::string_view data) {
    const auto put = [&](std::uint32_t v) {
        for (int shift = 24; shift >= 0; shift -= 8) png += static_cast<char>(v >> shift);
    };
    put(static_cast<std::uint32_t>(data.size()));
    const std::size_t start = png.size();
    png.append(type).append(data);
    put(static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(&png[start]), static_cast<uInt>(png.size() - start))));
}

}  // namespace

std::pair<int, int> png_size(const std::string& path) {
    const std::string bytes = read_file(path, "a PNG file");
    check_signature(path, bytes);
    constexpr std::size_t header_at = 16, header_size = 13;
    if (bytes.size() < header_at + header_size) fail("{}: truncated PNG: it ends after {} bytes", path, bytes.size());
    const Header header = read_header(path, &bytes[header_at], header_size);
    return {static_cast<int>(header.width), static_cast<int>(header.height)};
}

GreyImage read_png(const std::string& path, Channels channels, bool with_alpha) {
    const std::string bytes = read_file(path, "a PNG file");
    const Header header = check_png(path, bytes);
    GreyImage image;
    int n = 0;
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(bytes.size());
    if (header.bits > 8) {
        stbi_us* pixels = stbi_load_16_from_memory(data, size, &image.width, &image.height, &n, 0);
        take_grey<stbi_us>({pixels, stbi_image_free}, path, n, channels, 1, image, with_alpha);
    } else {
        stbi_uc* pixels = stbi_load_from_memory(data, size, &image.width, &image.height, &n, 0);
        take_grey<stbi_uc>({pixels, stbi_image_free}, path, n, channels, 257, image, with_alpha);
    }
    return image;
}

ImageKind image_kind(const std::string& path, std::string_view begin) {
    if (begin.starts_with(signature)) return ImageKind::png;
    if (begin.starts_with("\xff\xd8\xff")) return ImageKind::jpeg;
    if (begin.starts_with("GIF87a") || begin.starts_with("GIF89a")) return ImageKind::gif;
    if (begin.size() > 2 && begin[0] == 'P' && begin[1] >= '1' && begin[1] <= '6' &&
        std::isspace(static_cast<unsigned char>(begin[2])))
        return ImageKind::pnm;
    // The length of the second header tells a BMP from a text that begins with its letters.
    if (begin.starts_with("BM") && begin.size() > 17 && begin[14] >= 12 && begin[15] == 0) return ImageKind::bmp;
    return path.ends_with(".tga") || path.ends_with(".TGA") ? ImageKind::tga : ImageKind::none;
}

GreyImage read_other_image(const std::string& path, Channels channels, bool with_alpha) {
    const std::string bytes = read_file(path, "an image");
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX));
    GreyImage image;
    int n = 0;
    if (!stbi_info_from_memory(data, size, &image.width, &image.height, &n))
        fail("{}: damaged image ({}); save it as PNG", path, stbi_failure_reason());
    if (image.width < 1 || image.height < 1 || image.width > max_map_side || image.height > max_map_side ||
        std::int64_t{image.width} * image.height > max_map_cells)
        fail("{}: {} x {} pixels; expected 1 to {} a side and at most {} in all", path, image.width, image.height,
             max_map_side, max_map_cells);
    // A GIF takes most: three canvases of four bytes beside what it becomes.
    expect_affordable(
        path,
        2 * bytes.size() + 20 * static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height),
        fmt::format("its {} x {} pixels", image.width, image.height));
    stbi_uc* pixels = stbi_load_from_memory(data, size, &image.width, &image.height, &n, 0);
    take_grey<stbi_uc>({pixels, stbi_image_free}, path, n, channels, 257, image, with_alpha);
    return image;
}

Raster read_colours(const std::string& path) {
    const std::string bytes = read_file(path, "a PNG file");
    const Header header = check_png(path, bytes);
    const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
    expect_affordable(path, 2 * bytes.size() + memory_of(header) + 8 * pixels,
                      fmt::format("its {} x {} pixels in colour", header.width, header.height));
    Raster image;
    int n = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                              &image.width, &image.height, &n, image.channels),
        stbi_image_free);
    if (!decoded) fail("{}: cannot be decoded as PNG ({})", path, stbi_failure_reason());
    image.values.assign(decoded.get(), decoded.get() + pixels * 3);
    return image;
}

std::string encode_png(const Raster& raster, const std::vector<std::pair<std::string, std::string>>& texts) {
    const bool one_bit = raster.channels == 1 && std::all_of(raster.values.begin(), raster.values.end(),
                                                             [](std::uint8_t v) { return v == 0 || v == 255; });
    const auto width = static_cast<std::size_t>(raster.width), height = static_cast<std::size_t>(raster.height);
    const std::size_t in_row = width * static_cast<std::size_t>(raster.channels),
                      out_row = one_bit ? (width + 7) / 8 : in_row;
    std::string rows;
    rows.reserve(height * (out_row + 1));
    for (std::size_t y = 0; y < height; ++y) {
        const std::uint8_t* from = raster.values.data() + y * in_row;
        rows += '\0';  // no filter: these pictures are flat
        if (!one_bit) {
            rows.append(reinterpret_cast<const char*>(from), in_row);
            continue;
        }
        for (std::size_t x = 0; x < width; x += 8) {
            int byte = 0;
            for (std::size_t k = 0; k < 8 && x + k < width; ++k) byte |= (from[x + k] >> 7) << (7 - k);
            rows += static_cast<char>(byte);
        }
    }
    uLongf size = compressBound(static_cast<uLong>(rows.size()));
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
              static_cast<uLong>(rows.size()), one_bit ? 9 : 6);
    packed.resize(size);

    std::string header;
    for (const int side : {raster.width, raster.height})
        for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>(side >> shift);
    header += {static_cast<char>(one_bit ? 1 : 8), static_cast<char>(raster.channels == 3 ? 2 : 0), '\0', '\0', '\0'};
    std::string png(signature);
    append_chunk(png, "IHDR", header);
    for (const auto& [keyword, text] : texts) append_chunk(png, "tEXt", keyword + '\0' + text);
    append_chunk(png, "IDAT", packed);
    append_chunk(png, "IEND", "");
    return png;
}

}  // namespace outrider
