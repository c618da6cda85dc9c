#include "log/geotiff.hpp"

#include <bit>
#include <cstdint>

#include "outrider/error.hpp"
#include "wire/packing.hpp"

namespace outrider {
namespace {

/// Little endian.
void put(std::string& out, std::uint64_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) out += static_cast<char>(value >> (8 * k) & 255);
}

/// An entry of a TIFF's directory; the types have the numbers of TIFF 6.0.
struct Tag {
    enum Type { text = 2, u16 = 3, u32 = 4, f64 = 12 };
    int tag;
    Type type;
    std::size_t count;
    std::string bytes{};
};

Tag whole(int tag, Tag::Type type, const std::vector<std::size_t>& values) {
    Tag out{tag, type, values.size()};
    for (const std::size_t v : values) put(out.bytes, v, type == Tag::u16 ? 2 : 4);
    return out;
}

Tag real(int tag, const std::vector<double>& values) {
    Tag out{tag, Tag::f64, values.size()};
    for (const double v : values) put(out.bytes, std::bit_cast<std::uint64_t>(v), 8);
    return out;
}

/// Greys of the values of GeoCell: 256 of red, of green, of blue, each of 16 bits.
std::vector<std::size_t> colours() {
    std::vector<std::size_t> one(256, 0), all;
    one[GeoCell::free] = 65535;
    one[GeoCell::unknown] = 160 * 257;
    for (int channel = 0; channel < 3; ++channel) all.insert(all.end(), one.begin(), one.end());
    return all;
}

/// Where the pixels lie: from column and row, row 0 at the top, to metres of the map or to longitude and latitude.
std::vector<Tag> place(const Grid<std::uint8_t>& cells, const std::optional<Placement>& placement) {
    const double cell = cells.lattice().cell_m, height = cells.height() * cell;
    if (!placement) return {real(33550, {cell, cell, 0}), real(33922, {0, 0, 0, 0, height, 0})};
    const LatLon corner = on_earth(*placement, {0, height}), right = on_earth(*placement, {cell, height}),
                 down = on_earth(*placement, {0, height - cell});
    const auto row = [](double from, double with_column, double with_row) {
        return std::vector<double>{with_column - from, with_row - from, 0, from};
    };
    std::vector<double> matrix = row(corner.lon_deg, right.lon_deg, down.lon_deg);
    for (const double v : row(corner.lat_deg, right.lat_deg, down.lat_deg)) matrix.push_back(v);
    matrix.insert(matrix.end(), {0, 0, 0, 0, 0, 0, 0, 1});
    return {real(34264, matrix)};
}

/// Keys of GeoTIFF, four numbers each: the model (2: latitude and longitude; 32767: the user's own), pixels are areas,
/// and the reference system (EPSG 4326 is WGS 84) or the unit (EPSG 9001 is the metre).
Tag keys(bool on_earth) {
    const std::size_t own = 32767;
    if (on_earth) return whole(34735, Tag::u16, {1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326});
    return whole(34735, Tag::u16, {1, 1, 0, 3, 1024, 0, 1, own, 1025, 0, 1, 1, 3076, 0, 1, 9001});
}

std::string packed_rows(const Grid<std::uint8_t>& cells) {
    std::string rows;
    for (int y = cells.height(); y-- > 0;)
        for (int x = 0; x < cells.width(); ++x) rows += static_cast<char>(cells[cells.origin() + Cell{x, y}]);
    return std::string(Packer().pack(rows, Packer::Method::small));
}

/// A TIFF with one directory. The value of tag 273, where the pixels begin, is filled in.
std::string tiff_of(std::vector<Tag> tags, const std::string& pixels) {
    constexpr std::size_t directory = 8, in_place = 4;
    const std::size_t behind = directory + 2 + 12 * tags.size() + 4;
    std::size_t begin = behind;
    for (Tag& tag : tags) {
        if (tag.bytes.size() % 2) tag.bytes += '\0';
        if (tag.bytes.size() > in_place) begin += tag.bytes.size();
    }
    std::string out = "II", longer;
    put(out, 42, 2);
    put(out, directory, 4);
    put(out, tags.size(), 2);
    for (Tag& tag : tags) {
        if (tag.tag == 273) tag = whole(273, Tag::u32, {begin});
        put(out, static_cast<std::uint64_t>(tag.tag), 2);
        put(out, tag.type, 2);
        put(out, tag.count, 4);
        if (tag.bytes.size() > in_place) {
            put(out, behind + longer.size(), 4);
            longer += tag.bytes;
        } else {
            out += tag.bytes + std::string(in_place - tag.bytes.size(), '\0');
        }
    }
    put(out, 0, 4);  // no directory follows
    return out + longer + pixels;
}

}  // namespace

std::string geotiff_of(const Grid<std::uint8_t>& cells, const std::optional<Placement>& placement) {
    if (cells.width() == 0 || cells.height() == 0) fail("GeoTIFF: expected at least one cell");
    const std::string pixels = packed_rows(cells);
    const auto width = static_cast<std::size_t>(cells.width()), height = static_cast<std::size_t>(cells.height());
    const std::string no_data = fmt::format("{}", GeoCell::unknown);
    std::vector<Tag> tags{whole(256, Tag::u32, {width}),  whole(257, Tag::u32, {height}),
                          whole(258, Tag::u16, {8}),                                  // bits of a sample
                          whole(259, Tag::u16, {8}),                                  // packed by zlib
                          whole(262, Tag::u16, {3}),                                  // colours by a table
                          whole(273, Tag::u32, {0}),      whole(277, Tag::u16, {1}),  // samples of a pixel
                          whole(278, Tag::u32, {height}), whole(279, Tag::u32, {pixels.size()}),
                          whole(320, Tag::u16, colours())};
    for (Tag& tag : place(cells, placement)) tags.push_back(std::move(tag));
    tags.push_back(keys(placement.has_value()));
    tags.push_back({42113, Tag::text, no_data.size() + 1, no_data + '\0'});
    return tiff_of(std::move(tags), pixels);
}

}  // namespace outrider
