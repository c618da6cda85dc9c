#include "world/map_formats.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "base/input.hpp"
#include "outrider/error.hpp"
#include "world/map_kinds.hpp"

namespace outrider {
namespace {

void check_size(const std::string& path, std::int64_t width, std::int64_t height) {
    if (width < 1 || height < 1 || width > max_map_side || height > max_map_side || width * height > max_map_cells)
        fail("{}: a map of {} x {} cells; expected 1 to {} on a side and at most {} cells", path, width, height,
             max_map_side, max_map_cells);
}

/// Walls from rows of letters, the first one on top.
template <class IsWall>
Grid<std::uint8_t> from_rows(const std::string& path, const std::vector<std::string_view>& rows, std::size_t first_line,
                             IsWall is_wall) {
    check_size(path, rows.empty() ? 0 : static_cast<std::int64_t>(rows[0].size()),
               static_cast<std::int64_t>(rows.size()));
    Grid<std::uint8_t> walls(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
    for (std::size_t j = 0; j < rows.size(); ++j) {
        if (rows[j].size() != rows[0].size())
            fail("{}:{}: a row of {} cells; expected {} as in the first one", path, first_line + j, rows[j].size(),
                 rows[0].size());
        for (std::size_t i = 0; i < rows[j].size(); ++i)
            walls[{static_cast<int>(i), static_cast<int>(rows.size() - 1 - j)}] =
                is_wall(rows[j][i], first_line + j, i + 1);
    }
    return walls;
}

std::vector<std::string_view> lines_of(const std::string& path, std::string_view text) {
    const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    expect_affordable(path, 2 * text.size() + count * sizeof(std::string_view), fmt::format("{} lines", count));
    std::vector<std::string_view> lines;
    lines.reserve(count);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// Binary or text (P1 to P6), by its first two bytes.
GreyImage decode_pnm(const std::string& path, const std::string& bytes, Channels channels) {
    const bool binary = bytes[1] >= '4', bits = bytes[1] == '1' || bytes[1] == '4';
    const std::string kind = bits ? "PBM" : bytes[1] == '3' || bytes[1] == '6' ? "PPM" : "PGM";
    const std::size_t colours = kind == "PPM" ? 3 : 1;
    std::size_t at = 2;
    const auto skip = [&] {
        for (;; ++at) {  // blanks and comments
            if (at < bytes.size() && bytes[at] == '#') at = std::min(bytes.find('\n', at), bytes.size());
            if (at >= bytes.size() || !std::isspace(static_cast<unsigned char>(bytes[at]))) break;
        }
    };
    const auto number = [&]() -> std::int64_t {
        skip();
        std::int64_t value = -1;
        const auto [end, error] = std::from_chars(bytes.data() + at, bytes.data() + bytes.size(), value);
        if (error != std::errc{} || value < 0) fail("{}: damaged {}: expected a number at byte {}", path, kind, at);
        at = static_cast<std::size_t>(end - bytes.data());
        return value;
    };
    const std::int64_t width = number(), height = number(), most = bits ? 1 : number();
    check_size(path, width, height);
    if (most < 1 || most > 65535) fail("{}: damaged {}: a largest value of {}; expected 1 to 65535", path, kind, most);
    const auto columns = static_cast<std::size_t>(width), count = columns * static_cast<std::size_t>(height),
               values = count * colours, row_bytes = (columns + 7) / 8;
    const std::size_t size = bits ? row_bytes * static_cast<std::size_t>(height) : values * (most > 255 ? 2u : 1u);
    ++at;  // one blank
    const std::size_t left = bytes.size() - std::min(at, bytes.size());
    if (binary ? left < size : left < (bits ? values : 2 * values - 1))
        fail("{}: truncated {}: {} x {} values do not fit into its {} bytes", path, kind, width, height, bytes.size());
    expect_affordable(path, bytes.size() + count * sizeof(std::uint16_t), fmt::format("{} x {} values", width, height));
    GreyImage image{static_cast<int>(width), static_cast<int>(height), std::vector<std::uint16_t>(count)};
    const auto byte = [&](std::size_t k) {
        return static_cast<std::int64_t>(static_cast<unsigned char>(bytes[at + k]));
    };
    const auto bit = [&](std::size_t i) -> std::int64_t {  // 1 is black
        if (binary) return byte(i / columns * row_bytes + i % columns / 8) >> (7 - i % columns % 8) & 1;
        skip();
        if (at >= bytes.size() || (bytes[at] != '0' && bytes[at] != '1'))
            fail("{}: damaged PBM: expected 0 or 1 at byte {}", path, at);
        return bytes[at++] - '0';
    };
    const auto value = [&](std::size_t i) {
        const std::int64_t v = bits         ? 1 - bit(i)
                               : !binary    ? number()
                               : most > 255 ? byte(2 * i) * 256 + byte(2 * i + 1)
                                            : byte(i);
        if (v > most) fail("{}: damaged {}: a value of {} above the largest, {}", path, kind, v, most);
        return v * 65535 / most;
    };
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t grey = value(i * colours);
        if (colours == 3) {
            const std::int64_t green = value(3 * i + 1), blue = value(3 * i + 2);
            if (channels == Channels::mean) grey = (grey + green + blue) / 3;
        }
        image.values[i] = static_cast<std::uint16_t>(grey);
    }
    return image;
}

/// The first bytes of a file: enough to tell what it is.
std::string first_bytes(const std::string& path, std::string_view what) {
    expect_file(path, what);
    std::ifstream in(path, std::ios::binary);
    std::string begin(512, '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    return begin;
}

}  // namespace

GreyImage read_pgm(const std::string& path) {
    const std::string bytes = read_file(path, "a PGM file");
    if (!bytes.starts_with("P5") && !bytes.starts_with("P2"))
        fail("{}: no PGM file (it begins with neither P5 nor P2)", path);
    return decode_pnm(path, bytes, Channels::mean);
}

GreyImage read_pnm(const std::string& path, Channels channels) {
    return decode_pnm(path, read_file(path, "a PGM, PBM or PPM file"), channels);
}

GreyImage read_any_image(const std::string& path, Channels channels, bool with_alpha) {
    const bool pgm = path.ends_with(".pgm") || path.ends_with(".PGM");
    const std::string begin = first_bytes(path, pgm ? "a PGM file" : "a PNG file");
    switch (image_kind(path, begin)) {
        case ImageKind::png:
            return read_png(path, channels, with_alpha);
        case ImageKind::pnm:
            return read_pnm(path, channels);
        case ImageKind::none:
            break;
        default:
            return read_other_image(path, channels, with_alpha);
    }
    refuse_foreign_map(path);
    return pgm ? read_pgm(path) : read_png(path, channels);  // which say what is wrong
}

std::string encode_pgm(const Raster& grey) {
    std::string out = fmt::format("P5\n{} {}\n255\n", grey.width, grey.height);
    out.append(reinterpret_cast<const char*>(grey.values.data()), grey.values.size());
    return out;
}

Grid<std::uint8_t> read_movingai_map(const std::string& path, Surface surface) {
    const std::string text = read_file(path, "a MovingAI map");
    std::vector<std::string_view> lines = lines_of(path, text);
    std::int64_t width = 0, height = 0;
    std::size_t at = 0;
    const auto count = [&](std::string_view value) {
        std::int64_t n = 0;
        std::from_chars(value.data(), value.data() + value.size(), n);
        return n;
    };
    for (; at < lines.size() && lines[at] != "map"; ++at) {
        if (lines[at].starts_with("height "))
            height = count(lines[at].substr(7));
        else if (lines[at].starts_with("width "))
            width = count(lines[at].substr(6));
        else if (!lines[at].starts_with("type "))
            fail("{}:{}: '{}': expected type, height, width or map", path, at + 1, lines[at].substr(0, 40));
    }
    if (at == lines.size()) fail("{}: no line 'map'; expected a MovingAI map", path);
    check_size(path, width, height);
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    if (static_cast<std::int64_t>(lines.size()) != height || static_cast<std::int64_t>(lines[0].size()) != width)
        fail("{}: {} rows of {} cells; its head says {} x {}", path, lines.size(), lines.empty() ? 0 : lines[0].size(),
             width, height);
    return from_rows(path, lines, at + 2, [&](char c, std::size_t, std::size_t) {
        return surface == Surface::water ? c != 'W' : c != '.' && c != 'G' && c != 'S';
    });
}

Grid<std::uint8_t> read_text_map(const std::string& path) {
    std::string text = read_file(path, "a text map of 0 and 1");
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == ','; });
    std::vector<std::string_view> lines = lines_of(path, text);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    if (lines.empty()) fail("{}: an empty file; expected rows of 0 (free) and 1 (wall)", path);
    return from_rows(path, lines, 1, [&](char c, std::size_t line, std::size_t column) {
        if (c != '0' && c != '1')
            fail("{}:{}: '{}' is cell {} of the row; expected 0 (free) or 1 (wall)", path, line, c, column);
        return c == '1';
    });
}

}  // namespace outrider
