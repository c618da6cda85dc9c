// Maps of matchers whose cold patches are kept compressed: the same maps in less memory.
#include <cmath>

#include "helpers.hpp"
#include "slam/slam.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_packed_patches {
namespace {

/// Two rooms, 40 m apart, and a scan in each.
std::vector<Point> ends_around(Point at, std::uint64_t seed) {
    Rng rng(seed, 0, Purpose::range, 0);
    std::vector<Point> out;
    for (int k = 0; k < 300; ++k) {
        const double angle = 0.021 * k, reach = 2.5 / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
        out.push_back(at + Point{std::cos(angle), std::sin(angle)} * (reach + 0.02 * rng.normal()));
    }
    return out;
}

void expect_equal(const CountedMap& a, const CountedMap& b) {
    REQUIRE(a.extent() == b.extent());
    CHECK(a.seen_cells() == b.seen_cells());
    CHECK(a.hit_cells() == b.hit_cells());
    const auto [low, high] = a.extent();
    int different = 0;
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x) {
            const Cell c{x, y};
            different += a.seen(c) != b.seen(c) || a.squared_distance_at(c) != b.squared_distance_at(c);
            const Point p = a.lattice().centre(c);
            different += a.surface_near(p).at != b.surface_near(p).at || a.sample(p).gx != b.sample(p).gx;
        }
    CHECK(different == 0);
}

}  // namespace

TEST_CASE("a map whose cold patches are packed is the same map, in less memory until it is looked at") {
    CountedMap plain({}), packed({});
    const auto insert = [&](Point at, std::uint64_t seed) {
        plain.insert(at, ends_around(at, seed));
        packed.insert(at, ends_around(at, seed));
        packed.pack_cold(3);
    };
    for (std::uint64_t k = 0; k < 10; ++k) insert({0, 0}, k);
    const std::size_t before = packed.bytes();
    for (std::uint64_t k = 10; k < 20; ++k) insert({40, 0}, k);
    CHECK(packed.bytes() < before + before / 3);  // one room packed, one not
    CHECK(packed.bytes() < 2 * plain.bytes() / 3);
    for (std::uint64_t k = 20; k < 23; ++k) insert({0.3, 0.1}, k);  // back again
    expect_equal(plain, packed);
    packed.pack_cold(0);
    expect_equal(plain, packed);
}

TEST_CASE("copies share packed patches, share them again when both look, and write into their own") {
    CountedMap first({});
    for (std::uint64_t k = 0; k < 5; ++k) first.insert({0, 0}, ends_around({0, 0}, k));
    CountedMap twin({});
    for (std::uint64_t k = 0; k < 5; ++k) twin.insert({0, 0}, ends_around({0, 0}, k));
    CountedMap second = first.fork();
    first.pack_cold(0);
    second.pack_cold(0);
    expect_equal(first, second);
    first.pack_cold(0);
    first.insert({0.1, 0.1}, ends_around({0.1, 0.1}, 9));
    expect_equal(second, twin);
    twin.insert({0.1, 0.1}, ends_around({0.1, 0.1}, 9));
    expect_equal(first, twin);
}

TEST_CASE("a robot finds the same way with packed patches") {
    const WallPlan world = hall();
    for (const SlamMethod method : {SlamMethod::scan_match, SlamMethod::particle}) {
        std::vector<Pose> poses;
        std::size_t bytes[2] = {0, 0};
        for (const int pack_after : {0, 2}) {
            SlamOptions options;
            options.method = method;
            options.particles = 6;
            options.pack_after = pack_after;
            const auto slam = make_slam(options, {2, 2, 0}, 3);
            Pose truth{2, 2, 0};
            for (int k = 0; k < 60; ++k) {
                const Pose step{0.2, 0, 0.05};
                slam->update({k == 0 ? Pose{} : Pose{0.2, 0.004, 0.053}, {}}, {},
                             world.scan(truth, 0.01, static_cast<std::uint64_t>(k)));
                const auto i = static_cast<std::size_t>(k);
                if (pack_after == 0)
                    poses.push_back(slam->pose());
                else
                    CHECK(slam->pose() == poses[i]);
                truth = compose(truth, step);
            }
            bytes[pack_after ? 1 : 0] = slam->map().bytes();
        }
        CHECK(bytes[1] <= bytes[0]);
    }
}

}  // namespace test_packed_patches
