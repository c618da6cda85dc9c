#include "world/map_kinds.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/image.hpp"
#include "base/input.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::array<FileFormat, 7> formats{{
    {"image: PNG, PGM, PBM, PPM (P1 to P6), JPEG, BMP, GIF, TGA", "its first bytes; TGA by its name",
     "a pixel is a cell: dark ones are walls (`map.occupied_thresh`, `negate`, `channels`)",
     "colours, resolution, further pictures of a GIF"},
    {".yaml of ROS map_server and Nav2, with its image", "its name, or a line `image:`; beside an image by its name",
     "resolution, origin, thresholds, negate, mode trinary, scale, raw; alpha as in map_server", "other keys"},
    {".map of MovingAI", "its name, or a first line `type`", "rows of letters: `.`, `G`, `S` are free",
     "what kind of tree or swamp a cell is"},
    {".txt of 0 and 1", "its name, or nothing but these", "rows: 0 is free, 1 wall", ""},
    {".world of Stage 3 and 4", "words such as `floorplan` and `bitmap`, no tags",
     "the largest model with a `bitmap`, its size and pose (as origin); includes and `define`; with `outrider run` the "
     "poses of `position` models as robots",
     "sensors, controllers, heights, blocks and models without a bitmap"},
    {"JSON of HouseExpo", "JSON with `verts`", "the outline in metres: what is inside is free", "categories of rooms"},
    {"SVG 1.1", "a tag `<svg`",
     "outlines of paths, lines, polylines, polygons, rectangles, circles and ellipses as walls; transforms; a unit is "
     "a "
     "cell, or in metres where the width says so of 2 m and more",
     "fills, widths of lines, texts, images, `<use>`, style sheets"},
}};
static_assert(formats.size() == static_cast<std::size_t>(MapKind::none));

constexpr std::array<ForeignFormat, 24> foreign{{
    {"a TIFF or GeoTIFF", "gdal_translate -of PNG -ot Byte -scale IN OUT.png"},
    {"WebP", "dwebp IN -o OUT.png"},
    {"a PDF", "pdftoppm -png -gray -r 100 IN OUT, or pdftocairo -svg IN OUT.svg"},
    {"PostScript", "gs -sDEVICE=pnggray -r100 -o OUT.png IN"},
    {"a picture of GIMP", "export it as PNG"},
    {"a picture of Photoshop", "export it as PNG"},
    {"HEIC or AVIF", "heif-convert IN OUT.png"},
    {"a drawing of AutoCAD (DWG)", "export it as DXF, then as SVG, or plot it as PNG"},
    {"a drawing of AutoCAD (DXF)", "inkscape IN --export-filename=OUT.svg, or plot it as PNG"},
    {"a model of a building (IFC)", "export a floor as SVG: IfcConvert IN OUT.svg"},
    {"a world of Gazebo (SDF)", "slice it at the height of the scanner into a PNG, such as by gazebo_map_creator"},
    {"a robot's description (URDF)", "give a map: an image, or a world of Stage"},
    {"a map of OpenStreetMap", "draw it: export it as SVG from openstreetmap.org, or by QGIS as PNG"},
    {"a model of CityGML or IndoorGML", "draw a floor of it, by QGIS as PNG or SVG"},
    {"a web page", "save what it shows as PNG or SVG"},
    {"GeoJSON", "draw it by QGIS as PNG or SVG"},
    {"JSON without the verts of HouseExpo", "draw its walls into a PNG or SVG"},
    {"a shapefile", "draw it by QGIS as PNG or SVG"},
    {"a cloud of points (PCD, PLY, LAS)", "slice it at the height of the scanner into a PNG"},
    {"a map of OctoMap", "rosrun map_server map_saver, of the topic projected_map"},
    {"an array of numpy",
     "python3 -c 'import numpy, PIL.Image as I; I.fromarray(numpy.load(\"IN\")).save(\"OUT.png\")'"},
    {"compressed", "unpack it first"},
    {"a database, such as a log", "outrider replay and view show logs"},
    {"the recording of a robot", "outrider slam IN --map OUT makes a map of it"},
}};
constexpr std::size_t of_tiff = 0, of_webp = 1, of_pdf = 2, of_postscript = 3, of_gimp = 4, of_photoshop = 5,
                      of_heic = 6, of_dwg = 7, of_dxf = 8, of_ifc = 9, of_gazebo = 10, of_urdf = 11, of_osm = 12,
                      of_citygml = 13, of_html = 14, of_geojson = 15, of_json = 16, of_shapefile = 17, of_points = 18,
                      of_octomap = 19, of_numpy = 20, of_packed = 21, of_database = 22, of_recording = 23;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view trimmed(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
}

bool is_text(std::string_view begin) { return begin.find('\0') == std::string_view::npos; }

/// What XML is about: its first tag besides <?xml, <!DOCTYPE and comments decides.
MapKind xml_kind(std::string_view begin, std::size_t& which) {
    const auto tag = [&](std::string_view name) {
        for (std::size_t at = begin.find(name); at != std::string_view::npos; at = begin.find(name, at + 1))
            if (at + name.size() < begin.size() && !std::isalnum(static_cast<unsigned char>(begin[at + name.size()])))
                return true;
        return false;
    };
    which = foreign.size();
    if (tag("<svg")) return MapKind::svg;
    if (tag("<sdf") || tag("<gazebo") || tag("<world"))
        which = of_gazebo;
    else if (tag("<robot"))
        which = of_urdf;
    else if (tag("<osm"))
        which = of_osm;
    else if (has(begin, "CityModel") || has(begin, "IndoorFeatures"))
        which = of_citygml;
    else if (tag("<html") || tag("<!DOCTYPE html") || tag("<!doctype html"))
        which = of_html;
    return MapKind::none;
}

std::size_t foreign_kind(std::string_view begin) {
    const auto begins = [&](std::string_view text) { return begin.starts_with(text); };
    using namespace std::string_view_literals;
    if (begins("II*\0"sv) || begins("MM\0*"sv) || begins("II+\0"sv) || begins("MM\0+"sv)) return of_tiff;
    if (begins("RIFF") && has(begin.substr(0, 16), "WEBP")) return of_webp;
    if (begins("%PDF")) return of_pdf;
    if (begins("%!PS")) return of_postscript;
    if (begins("gimp xcf")) return of_gimp;
    if (begins("8BPS")) return of_photoshop;
    if (begin.size() > 12 && begin.substr(4, 4) == "ftyp" &&
        (has(begin.substr(8, 24), "hei") || has(begin.substr(8, 24), "avif")))
        return of_heic;
    if (begins("AC10")) return of_dwg;
    if (begins("AutoCAD Binary DXF") ||
        (has(begin, "SECTION") && has(begin, "HEADER") && trimmed(begin).starts_with("0")))
        return of_dxf;
    if (begins("ISO-10303-21")) return of_ifc;
    if (begins("\0\0\x27\x0a"sv)) return of_shapefile;
    if (begins("# .PCD") || begins("ply\n") || begins("ply\r") || begins("LASF")) return of_points;
    if (begins("# Octomap")) return of_octomap;
    if (begins("\x93NUMPY")) return of_numpy;
    if (begins("SQLite format 3")) return of_database;
    if (begins("#ROSBAG V") || begins("\x89MCAP0\r\n")) return of_recording;
    if (has(begin.substr(0, 40), "OSMHeader")) return of_osm;
    for (const std::string_view packed :
         {"\x1f\x8b"sv, "PK\x03\x04"sv, "BZh"sv, "\xfd\x37zXZ"sv, "\x28\xb5\x2f\xfd"sv, "7z\xbc\xaf"sv})
        if (begins(packed)) return of_packed;
    const std::string_view text = trimmed(begin);
    if (text.starts_with("<")) {
        std::size_t which = foreign.size();
        xml_kind(text, which);
        return which;
    }
    const std::string_view inside = text.starts_with("[") ? trimmed(text.substr(1)) : "";
    if (text.starts_with("{") || inside.starts_with("{") || inside.starts_with("\""))
        return has(text, "\"FeatureCollection\"") || has(text, "\"Polygon\"") ? of_geojson : of_json;
    for (const std::string_view line : {"FLASER ", "ROBOTLASER", "ODOM ", "PARAM "})
        if (text.starts_with(line) || has(text, "\n" + std::string(line))) return of_recording;
    return foreign.size();
}

/// Of a text that is neither XML nor JSON.
MapKind text_kind(std::string_view text) {
    if (text.starts_with("type ") && has(text, "\nmap")) return MapKind::movingai;
    if (!text.empty() && text.find_first_not_of("01 ,\t\r\n") == std::string_view::npos) return MapKind::text;
    const auto line = [&](std::string_view key) { return text.starts_with(key) || has(text, "\n" + std::string(key)); };
    if (line("image:") && line("resolution:")) return MapKind::ros_yaml;
    if (has(text, "(") && (has(text, "bitmap") || has(text, "floorplan") || line("include \"") || line("define ")))
        return MapKind::stage;
    return MapKind::none;
}

std::string beginning(const std::string& path) {
    expect_file(path, "a map");
    constexpr std::size_t most = 1 << 16;
    std::ifstream in(path, std::ios::binary);
    std::string begin(most, '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    return begin;
}

}  // namespace

std::span<const FileFormat> map_formats() { return formats; }
std::span<const ForeignFormat> foreign_map_formats() { return foreign; }

MapKind map_kind(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (ending == ".yaml" || ending == ".yml") return MapKind::ros_yaml;
    const MapKind named = ending == ".map" ? MapKind::movingai : ending == ".txt" ? MapKind::text : MapKind::none;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return named;  // its reader says what is wrong
    const std::string begin = beginning(path);
    if (image_kind(path, begin) != ImageKind::none) return MapKind::image;
    if (is_text(begin)) {
        const std::string_view text = trimmed(begin);
        std::size_t which = 0;
        if (text.starts_with("<")) return xml_kind(text, which);
        if (text.starts_with("{")) return has(text, "\"verts\"") ? MapKind::houseexpo : MapKind::none;
        if (const MapKind kind = text_kind(text); kind != MapKind::none) return kind;
    }
    return foreign_kind(begin) == foreign.size() ? named : MapKind::none;
}

std::string foreign_file(std::string_view begin) {
    const std::size_t which = foreign_kind(begin);
    if (which == foreign.size()) return "";
    const auto& [what, advice] = foreign[which];
    return fmt::format("it is {}; {}", what, advice);
}

void refuse_foreign_map(const std::string& path) {
    if (const std::string what = foreign_file(beginning(path)); !what.empty())
        fail(
            "{}: {}; a map is an image (PNG, PGM, PBM, PPM, JPEG, BMP, GIF, TGA), .yaml, .map, .txt, a world of Stage, "
            "JSON of HouseExpo or SVG: outrider formats",
            path, what);
}

}  // namespace outrider
