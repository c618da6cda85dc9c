// What scans are drawn into before they are merged.
#include "helpers.hpp"
#include "slam/scan_beams.hpp"
#include "slam/scan_window.hpp"

using namespace outrider;

namespace test_scan_window {

TEST_CASE("what a ray leaves out inside of the outline is claimed by the outline") {
    std::size_t left_out = 0, rays = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 0);
        const double step = radians(seed % 3 == 0 ? 0.25 : seed % 3 == 1 ? 1 : 5);
        const std::size_t count = seed % 3 == 2 ? 37 : 181;
        const double yaw = rng.uniform(-3, 3), unit = 0.02, reach = 120;
        const Point origin{rng.uniform(-70, 70), rng.uniform(-70, 70)};
        std::vector<Point> directions;
        std::vector<std::uint16_t> ranges;
        double range = 60;
        for (std::size_t i = 0; i < count; ++i) {
            const double angle = yaw + static_cast<double>(i) * step;
            directions.push_back({std::cos(angle), std::sin(angle)});
            // Walls, jumps in depth, now and then a thin pole or no echo at all.
            range = std::clamp(rng.below(8) == 0 ? rng.uniform(2, reach) : range + rng.uniform(-1, 1), 2.0, reach - 1);
            const double now = rng.below(12) == 0 ? rng.uniform(1, reach) : range;
            ranges.push_back(rng.below(25) == 0   ? Scan::nothing
                             : rng.below(40) == 0 ? Scan::no_information
                                                  : static_cast<std::uint16_t>(now / unit));
        }
        ScanBeams beams;
        beams.take(origin, directions, ranges, {unit, reach, 1.2 * unit});
        const auto [low, high] = beams.extent();
        const ScanBeams::Sectors sectors(step, reach);
        std::array<ScanWindow, 2> windows;
        for (const bool all : {false, true}) {
            ScanWindow& window = windows[all];
            window.begin(low, high);
            window.fill(beams.outline(reach), &CellTile::known);
            window.begin_rays();
            for (std::size_t i = 0; i < beams.size(); ++i) {
                if (beams.range(i) == 0) continue;
                const ScanBeams::Stretch inside = beams.inside_outline(i, sectors);
                window.mark_ray(beams.ray(i), beams.hit(i) ? beams.seen(i) : beams.range(i), !beams.hit(i),
                                all ? ScanBeams::Stretch{} : inside);
                rays += all;
                left_out += all && inside.to > inside.from + 10;
            }
            window.finish_rays();
        }
        REQUIRE(windows[0].tiles().size() == windows[1].tiles().size());
        for (std::size_t k = 0; k < windows[0].tiles().size(); ++k) {
            CHECK(windows[0].tiles()[k].claims == windows[1].tiles()[k].claims);
            CHECK(windows[0].tiles()[k].used == windows[1].tiles()[k].used);
        }
    }
    CHECK(left_out > rays / 4);
}

}  // namespace test_scan_window
