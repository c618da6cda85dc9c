#include <algorithm>
#include <bit>
#include <sstream>

#include "helpers.hpp"
#include "log/exports.hpp"
#include "log/geotiff.hpp"
#include "wire/packing.hpp"

using namespace outrider;

namespace test_exports {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t i = 0; (i = text.find(what, i)) != std::string::npos; i += what.size()) ++n;
    return n;
}

const std::vector<Track> two_tracks{{"r<1>", "explorer", {{{0, {1, 2}}, {1.25, {4, 6}}}}},
                                    {"r2", "relay", {{{0, {3, 3}}}}}};

}  // namespace

TEST_CASE("places of a map on earth: a degree north is 111.3 km, a bearing turns the map clockwise") {
    const Placement oxford = Placement::parse("51.75,-1.25");
    CHECK(oxford.lat_deg == 51.75);
    CHECK(oxford.lon_deg == -1.25);
    CHECK(oxford.bearing_deg == 0);
    CHECK(on_earth(oxford, {0, 111'319.49}).lat_deg == doctest::Approx(52.75).epsilon(1e-7));
    CHECK(on_earth(oxford, {0, 111'319.49}).lon_deg == -1.25);
    CHECK(on_earth(oxford, {100, 0}).lat_deg == 51.75);
    CHECK(on_earth(Placement::parse("60,10"), {111'319.49, 0}).lon_deg == doctest::Approx(12).epsilon(1e-7));
    const LatLon east = on_earth(Placement::parse("0,0,90"), {0, 111'319.49});  // the y axis points east
    CHECK(east.lon_deg == doctest::Approx(1).epsilon(1e-7));
    CHECK(east.lat_deg == doctest::Approx(0));
    for (const char* wrong : {"", "51", "51 2", "51,2,", "51,2,3,4", "north,2", "99,0", "0,200"})
        CHECK_THROWS_WITH_AS(Placement::parse(wrong), doctest::Contains("LAT,LON"), Error);
}

TEST_CASE("GPX has a track per robot with a time per point") {
    const std::string gpx = gpx_of(two_tracks, {}, "a & b");
    CHECK(count_of(gpx, "<trk>") == 2);
    CHECK(count_of(gpx, "<trkpt ") == 3);
    CHECK(gpx.find("<name>a &amp; b</name>") != std::string::npos);
    CHECK(gpx.find("<name>r&lt;1&gt;</name>") != std::string::npos);
    CHECK(gpx.find("<trkpt lat=\"0.000017966\" lon=\"0.000008983\"><time>1970-01-01T00:00:00Z</time>") !=
          std::string::npos);
    CHECK(gpx.find("<time>1970-01-01T00:00:01.250Z</time>") != std::string::npos);
    const std::vector<Track> late{{"r", "explorer", {{{951'825'599, {}}, {951'868'800, {}}}}}};  // around a leap day
    CHECK(gpx_of(late, {}, "").find("2000-02-29T11:59:59Z") != std::string::npos);
    CHECK(gpx_of(late, {}, "").find("2000-03-01T00:00:00Z") != std::string::npos);
}

TEST_CASE("MapInfo files have an object and a row per robot") {
    const std::vector<std::string> mif = lines_of(mif_of(two_tracks, {}, 60, 40)), mid = lines_of(mid_of(two_tracks));
    CHECK(mif[3] == "CoordSys NonEarth Units \"m\" Bounds (0, 0) (60, 40)");
    CHECK(std::vector<std::string>(mif.end() - 4, mif.end()) ==
          std::vector<std::string>{"Pline 2", "1.0000 2.0000", "4.0000 6.0000", "None"});
    CHECK(mid == std::vector<std::string>{"\"r<1>\",\"explorer\",5.000", "\"r2\",\"relay\",0.000"});
    const std::vector<std::string> earth = lines_of(mif_of(two_tracks, Placement{51.75, -1.25, 0}, 60, 40));
    CHECK(earth[3] == "CoordSys Earth Projection 1, 104");
    CHECK(earth[earth.size() - 3].substr(0, 12) == "-1.249985490");
}

TEST_CASE("a way with a gap is two parts, and the gap no part of its length") {
    const std::vector<Track> gap{
        {"r", "explorer", {{{0, {0, 0}}, {1, {3, 0}}}, {{5, {9, 9}}, {6, {9, 10}}, {7, {9, 11}}}, {{9, {1, 1}}}}}};
    const std::string gpx = gpx_of(gap, {}, "");
    CHECK(count_of(gpx, "<trk>") == 1);
    CHECK(count_of(gpx, "<trkseg>") == 3);
    CHECK(count_of(gpx, "</trkseg>") == 3);
    const std::vector<std::string> mif = lines_of(mif_of(gap, {}, 60, 40));
    CHECK(std::vector<std::string>(mif.end() - 8, mif.end()) ==
          std::vector<std::string>{"Pline Multiple 2", "2", "0.0000 0.0000", "3.0000 0.0000", "3", "9.0000 9.0000",
                                   "9.0000 10.0000", "9.0000 11.0000"});
    CHECK(lines_of(mid_of(gap)) == std::vector<std::string>{"\"r\",\"explorer\",5.000"});
}

TEST_CASE("a CARMEN log has the ranges in metres, the pose of the laser and the time of each scan") {
    Briefing briefing;
    briefing.members = std::make_shared<const std::vector<TeamMember>>(1, TeamMember{0, "r1"});
    briefing.step_s = 0.5;
    briefing.sensors = {{{0.2, 0, 0}, radians(-90), radians(90), 3, 0.001, 20}};
    briefing.start = compose({1, 2, 0}, inverse({0.5, 0, 0.1}));
    CarmenLog log(briefing, {10, 5});
    Percept percept;
    percept.step = 3;
    percept.motion.delta = {0.5, 0, 0.1};
    percept.scans = {{0, {1500, Scan::nothing, Scan::no_information}, {}, 0}};
    log.add(percept, {1, 2, 0}, {1.5, 2, 0.25});
    const std::vector<std::string> lines = lines_of(log.text());
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].substr(0, 5) == "# r1,");
    CHECK(lines[1].find("3 beams from -1.5708 rad by 1.570796 rad, up to 20 m") != std::string::npos);
    CHECK(lines[2] == "ODOM 11.0000 7.0000 0.000000 1.0000 0.200000 0 1.500 outrider 1.500");
    CHECK(lines[3] == "TRUEPOS 11.5000 7.0000 0.250000 11.0000 7.0000 0.000000 1.500 outrider 1.500");
    CHECK(lines[4] ==
          "FLASER 3 1.500 20.000 0.000 11.2000 7.0000 0.000000 11.0000 7.0000 0.000000 1.500 outrider 1.500");
}

/// Reads what a TIFF's first directory says, little endian.
class Tiff {
  public:
    explicit Tiff(std::string bytes) : bytes_(std::move(bytes)) {
        const std::size_t directory = integer(4, 4);
        for (std::size_t k = 0; k < integer(directory, 2); ++k) {
            const std::size_t entry = directory + 2 + 12 * k;
            tags_.push_back({integer(entry, 2), integer(entry + 2, 2), integer(entry + 4, 4), entry + 8});
        }
    }
    std::vector<std::size_t> tags() const {
        std::vector<std::size_t> out;
        for (const Tag& t : tags_) out.push_back(t.number);
        return out;
    }
    std::vector<double> values(std::size_t number) const {
        std::vector<double> out;
        for (const Tag& t : tags_) {
            if (t.number != number) continue;
            constexpr std::size_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8};
            const std::size_t size = sizes[t.type], at = t.count * size > 4 ? integer(t.at, 4) : t.at;
            for (std::size_t i = 0; i < t.count; ++i) {
                const std::size_t value = integer(at + size * i, size);
                out.push_back(t.type == 12 ? std::bit_cast<double>(value) : static_cast<double>(value));
            }
        }
        return out;
    }
    /// Its only strip, unpacked.
    std::string pixels() const {
        const auto at = static_cast<std::size_t>(values(273).at(0)), size = static_cast<std::size_t>(values(279).at(0));
        return unpack(bytes_.substr(at, size));
    }

  private:
    struct Tag {
        std::size_t number, type, count, at;
    };
    std::size_t integer(std::size_t at, std::size_t size) const {
        std::size_t value = 0;
        for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_.at(at + i));
        return value;
    }
    std::string bytes_;
    std::vector<Tag> tags_;
};

constexpr int pixel_scale = 33550, tie_point = 33922, transformation = 34264, geo_keys = 34735;

TEST_CASE("a GeoTIFF holds the cells, the top row first, in metres where nothing says where on earth") {
    Grid<std::uint8_t> cells(40, 20, GeoCell::unknown, Lattice{0.5});
    cells.set_origin({-7, 3});  // which does not matter
    cells[{-7, 3}] = GeoCell::wall;
    cells[{32, 22}] = GeoCell::free;
    const std::string bytes = geotiff_of(cells, {});
    REQUIRE(bytes.starts_with(std::string("II*\0", 4)));
    const Tiff tiff(bytes);
    const std::vector<std::size_t> tags = tiff.tags();
    CHECK(std::is_sorted(tags.begin(), tags.end()));
    CHECK(tiff.values(256) == std::vector<double>{40});
    CHECK(tiff.values(257) == std::vector<double>{20});
    CHECK(tiff.values(pixel_scale) == std::vector<double>{0.5, 0.5, 0});
    CHECK(tiff.values(tie_point) == std::vector<double>{0, 0, 0, 0, 10, 0});
    CHECK(tiff.values(geo_keys).size() == 16);
    CHECK(tiff.values(42113) == std::vector<double>{'2', '5', '5', 0});
    const std::vector<double> colours = tiff.values(320);
    REQUIRE(colours.size() == 768);
    for (const std::size_t channel : {0u, 256u, 512u}) {
        CHECK(colours[channel + GeoCell::free] == 65535);
        CHECK(colours[channel + GeoCell::wall] == 0);
    }
    const std::string pixels = tiff.pixels();
    REQUIRE(pixels.size() == 800);
    std::string expected(800, '\xff');
    expected[19 * 40] = 1;
    expected[39] = 0;
    CHECK(pixels == expected);
    CHECK_THROWS_WITH_AS(geotiff_of(Grid<std::uint8_t>(), {}), doctest::Contains("at least one cell"), Error);
}

TEST_CASE("a GeoTIFF places the map on earth") {
    const Grid<std::uint8_t> cells(40, 20, GeoCell::unknown, Lattice{0.5});
    const Placement oxford{51.75, -1.25, 30};
    const Tiff tiff(geotiff_of(cells, oxford));
    CHECK(tiff.values(geo_keys).back() == 4326);
    CHECK(tiff.values(pixel_scale).empty());
    const std::vector<double> matrix = tiff.values(transformation);
    REQUIRE(matrix.size() == 16);
    for (const Point p : {Point{0, 0}, Point{20, 10}, Point{3, 7}}) {
        const double column = p.x / 0.5, row = (10 - p.y) / 0.5;
        const LatLon at = on_earth(oxford, p);
        CHECK(matrix[0] * column + matrix[1] * row + matrix[3] == doctest::Approx(at.lon_deg).epsilon(1e-10));
        CHECK(matrix[4] * column + matrix[5] * row + matrix[7] == doctest::Approx(at.lat_deg).epsilon(1e-10));
    }
}

}  // namespace test_exports
