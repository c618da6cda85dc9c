#include "log/geotiff.hpp"

#include "outrider/error.hpp"

#ifdef OUTRIDER_GDAL
#include <cpl_vsi.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <array>
#include <memory>
#endif

namespace outrider {

#ifdef OUTRIDER_GDAL

namespace {

struct Close {
    void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using Dataset = std::unique_ptr<GDALDataset, Close>;

void check(CPLErr error) {
    if (error != CE_None) throw RunFailure(fmt::format("GDAL: {}", CPLGetLastErrorMsg()));
}

/// From column and row of the image, row 0 at the top, to the plane of the map or to longitude and latitude.
std::array<double, 6> transform_of(const Grid<std::uint8_t>& cells, const std::optional<Placement>& placement) {
    const double cell = cells.lattice().cell_m, width = cells.width() * cell, height = cells.height() * cell;
    const auto at = [&](Point p) {
        if (!placement) return p;
        const LatLon place = on_earth(*placement, p);
        return Point{place.lon_deg, place.lat_deg};
    };
    const Point corner = at({0, height}), right = at({width, height}), down = at({0, 0});
    const double columns = cells.width(), rows = cells.height();
    return {corner.x, (right.x - corner.x) / columns, (down.x - corner.x) / rows,
            corner.y, (right.y - corner.y) / columns, (down.y - corner.y) / rows};
}

void describe(GDALRasterBand& band) {
    check(band.SetNoDataValue(GeoCell::unknown));
    GDALColorTable colours(GPI_RGB);
    const auto set = [&](int value, short grey) {
        const GDALColorEntry entry{grey, grey, grey, 255};
        colours.SetColorEntry(value, &entry);
    };
    set(GeoCell::free, 255);
    set(GeoCell::wall, 0);
    set(GeoCell::unknown, 160);
    check(band.SetColorTable(&colours));
}

}  // namespace

bool has_geotiff() { return true; }

std::string geotiff_of(const Grid<std::uint8_t>& cells, const std::optional<Placement>& placement) {
    GDALRegister_GTiff();
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
    if (!driver) throw RunFailure("GDAL has no driver for GeoTIFF");
    const std::string path = fmt::format("/vsimem/outrider_{}.tif", static_cast<const void*>(&cells));
    std::string compress = "COMPRESS=DEFLATE";
    std::array<char*, 2> options{compress.data(), nullptr};
    Dataset file(driver->Create(path.c_str(), cells.width(), cells.height(), 1, GDT_Byte, options.data()));
    if (!file) throw RunFailure(fmt::format("GDAL: {}", CPLGetLastErrorMsg()));
    std::array<double, 6> transform = transform_of(cells, placement);
    check(file->SetGeoTransform(transform.data()));
    if (placement) {
        OGRSpatialReference wgs84;
        wgs84.SetWellKnownGeogCS("WGS84");
        wgs84.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
        check(file->SetSpatialRef(&wgs84));
    }
    GDALRasterBand& band = *file->GetRasterBand(1);
    describe(band);
    std::vector<std::uint8_t> row(static_cast<std::size_t>(cells.width()));
    for (int y = 0; y < cells.height(); ++y) {
        for (int x = 0; x < cells.width(); ++x)
            row[static_cast<std::size_t>(x)] = cells[cells.origin() + Cell{x, cells.height() - 1 - y}];
        check(band.RasterIO(GF_Write, 0, y, cells.width(), 1, row.data(), cells.width(), 1, GDT_Byte, 0, 0));
    }
    file.reset();  // writes the rest
    vsi_l_offset size = 0;
    const std::unique_ptr<GByte, void (*)(void*)> bytes(VSIGetMemFileBuffer(path.c_str(), &size, true), VSIFree);
    if (!bytes || size == 0) throw RunFailure(fmt::format("GDAL: {}", CPLGetLastErrorMsg()));
    return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

#else

bool has_geotiff() { return false; }

std::string geotiff_of(const Grid<std::uint8_t>&, const std::optional<Placement>&) {
    fail(
        "GeoTIFF needs GDAL, and this program was built without it; on Debian: apt-get install libgdal-dev, then "
        "cmake -B build -DOUTRIDER_GDAL=ON and build again");
}

#endif

}  // namespace outrider
