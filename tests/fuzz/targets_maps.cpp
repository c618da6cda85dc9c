// Maps: pictures, the files of ROS and MovingAI, texts.
#define ZLIB_CONST  // input is only read
#include <zlib.h>

#include "fuzz/fuzz.hpp"
#include "outrider/error.hpp"
#include "scenario/imports/scen_file.hpp"
#include "world/map_file.hpp"
#include "world/map_formats.hpp"
#include "world/stage_world.hpp"

namespace outrider::fuzz {
namespace {

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t png_header_size = 13;

void append_big_endian(std::string& out, std::uint32_t v) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(v >> shift);
}

std::uint32_t crc_of(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

void append_png_chunk(std::string& png, std::string_view type, std::string_view data) {
    append_big_endian(png, static_cast<std::uint32_t>(data.size()));
    const std::string content = std::string(type) + std::string(data);
    png += content;
    append_big_endian(png, crc_of(content));
}

/// The checksums of the parts of a PNG.
std::string with_png_checksums(std::string_view bytes) {
    std::string png(bytes);
    for (std::size_t at = png_signature.size(); at + 12 <= png.size();) {
        std::uint32_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(png[at + i]);
        if (length > png.size() - at - 12) break;
        std::string crc;
        append_big_endian(crc, crc_of(std::string_view(png).substr(at + 4, length + 4)));
        png.replace(at + 8 + length, 4, crc);
        at += 12 + length;
    }
    return png;
}

/// Reads a map, and what is written of it.
void read_and_write_map(const std::string& path) {
    MapOptions options;
    const MapFile map = read_map(options, path);
    if (map.walls.cells().size() > 1 << 16) return;
    static const std::string copy = ScratchFile::folder() + "/copy.png";
    write_map(copy, map, true);
    MapOptions plain;
    plain.cell_m = options.cell_m;
    expect(load_map(plain, copy).cells() == map.walls.cells(), "a map that is written and read again has other cells");
}

void read_png_file(std::string_view bytes) {
    static const ScratchFile file("map.png");
    file.write(bytes);
    const GreyImage first = read_png(file.path(), Channels::first), mean = read_png(file.path(), Channels::mean);
    expect(first.values.size() == static_cast<std::size_t>(first.width) * static_cast<std::size_t>(first.height),
           "an image has as many values as pixels");
    expect(mean.width == first.width && mean.height == first.height, "the size of an image is not one of its channels");
    expect(png_size(file.path()) == std::pair(first.width, first.height),
           "the size in the header is that of the image");
    read_and_write_map(file.path());
}

/// A header, a palette, a transparent colour and rows of pixels: packed and with checksums, as any PNG has them.
void read_png_pixels(std::string_view bytes) {
    if (bytes.size() < png_header_size) return;
    const std::string_view header = bytes.substr(0, png_header_size);
    const auto parts = parts_of(bytes.substr(png_header_size), 3);
    std::string png(png_signature);
    append_png_chunk(png, "IHDR", header);
    if (!parts[0].empty()) append_png_chunk(png, "PLTE", parts[0]);
    if (!parts[1].empty()) append_png_chunk(png, "tRNS", parts[1]);
    uLongf size = compressBound(static_cast<uLong>(parts[2].size()));
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(parts[2].data()),
              static_cast<uLong>(parts[2].size()), 1);
    packed.resize(size);
    append_png_chunk(png, "IDAT", packed);
    append_png_chunk(png, "IEND", "");
    read_png_file(png);
}

void read_pgm_file(std::string_view bytes) {
    static const ScratchFile file("map.pgm");
    file.write(bytes);
    read_and_write_map(file.path());
}

void read_ros_map_files(std::string_view bytes) {
    static const ScratchFile yaml("ros.yaml"), image("ros.pgm");
    const auto parts = parts_of(bytes, 2);
    image.write(parts[1]);
    yaml.write(parts[0]);
    const RosMap ros = read_ros_map(yaml.path());
    if (ros.image != image.path()) return;  // whatever else lies on this machine
    read_and_write_map(yaml.path());
}

void read_movingai(std::string_view bytes) {
    static const ScratchFile file("city.map");
    file.write(bytes);
    read_and_write_map(file.path());
}

void read_text_rows(std::string_view bytes) {
    static const ScratchFile file("map.txt");
    file.write(bytes);
    read_and_write_map(file.path());
}

/// By its content.
void read_drawn_map(std::string_view bytes) {
    static const ScratchFile file("drawn");
    file.write(bytes);
    read_and_write_map(file.path());
}

/// A world, and its image if it is that of the second part.
void read_stage_files(std::string_view bytes) {
    static const ScratchFile world("stage.world"), image("stage.pgm");
    const auto parts = parts_of(bytes, 2);
    world.write(parts[0]);
    image.write(parts[1]);
    const StageWorld stage = read_stage_world(world.path());
    if (stage.image == image.path()) read_and_write_map(world.path());
}

void read_scen_file(std::string_view bytes) {
    static const ScratchFile file("paths.scen");
    file.write(bytes);
    const ScenFile scen = read_scen(file.path());
    expect(!scen.queries.empty(), "a path scenario has a query");
}

}  // namespace

std::vector<Target> map_targets() {
    return {{"png", "PNG images (read_png, png_size)", read_png_file, 2048, with_png_checksums},
            {"png_pixels", "the pixels of a PNG (read_png)", read_png_pixels, 2048},
            {"pgm", "PGM images (read_pgm)", read_pgm_file, 1024},
            {"ros_map", "map_server files of ROS (read_ros_map)", read_ros_map_files, 1024},
            {"movingai_map", "maps of MovingAI (read_movingai_map)", read_movingai, 1024},
            {"text_map", "text maps (read_text_map)", read_text_rows, 1024},
            {"svg", "SVG plans (read_svg_map)", read_drawn_map, 1024},
            {"houseexpo", "houses of HouseExpo (read_houseexpo_map)", read_drawn_map, 1024},
            {"stage_world", "worlds of Stage (read_stage_world)", read_stage_files, 1024},
            {"scen", "path scenarios of MovingAI (read_scen)", read_scen_file, 1024}};
}

}  // namespace outrider::fuzz
