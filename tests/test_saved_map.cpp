// Maps that are kept from one log to the next.
#include "helpers.hpp"
#include "sensor_log/saved_map.hpp"
#include "slam/pose_graph/g2o.hpp"

using namespace outrider;

namespace test_saved_map {
namespace {

/// Two scans of different scanners and a bare node, with relations.
SavedMap small_map() {
    SavedMap map;
    map.graph.nodes = {{1, 2, 0.5}, {1.5, 2.25, -2}, {2, 2, 3}};
    RecordedScan ahead{{0.1, -0.2, 0.3}, -1.5, 0.25, 20, {2.5F, 4, 25, 0, NAN, 1.25F}};
    RecordedScan behind{{-0.3, 0, pi}, -0.5, 0.5, 0, {3, 3.5F, 30}};
    map.scans = {SavedScan{ahead, 12.5}, SavedScan{behind, 13}, std::nullopt};
    map.graph.edges = {{0, 1, {0.5, 0.125, -2.5}, {400, 30, 5, 30, 300, -20, 5, -20, 5000}},
                       {2, 1, {-0.25, 0.5, 1.25}, {90, 0, 0, 0, 80, 0, 0, 0, 700}}};
    return map;
}

}  // namespace

TEST_CASE("a map is read as it was written") {
    const SavedMap map = small_map(), again = parse_saved_map(write_saved_map(map), "map.g2o");
    REQUIRE(again.scans.size() == 3);
    CHECK(again.graph.nodes == map.graph.nodes);
    CHECK_FALSE(again.scans[2]);
    for (const std::size_t i : {0u, 1u}) {
        REQUIRE(again.scans[i]);
        const RecordedScan &a = map.scans[i]->scan, &b = again.scans[i]->scan;
        CHECK(again.scans[i]->time_s == map.scans[i]->time_s);
        CHECK(distance(a.mount.position(), b.mount.position()) < 1e-12);
        CHECK(std::abs(wrap_angle(a.mount.yaw - b.mount.yaw)) < 1e-12);
        CHECK(a.first_angle == b.first_angle);
        CHECK(a.step_angle == b.step_angle);
        CHECK(a.max_range_m == b.max_range_m);
        REQUIRE(a.ranges.size() == b.ranges.size());
        for (std::size_t k = 0; k < a.ranges.size(); ++k)
            CHECK((a.ranges[k] == b.ranges[k] || (std::isnan(a.ranges[k]) && std::isnan(b.ranges[k]))));
    }
    REQUIRE(again.graph.edges.size() == 2);
    for (const std::size_t k : {0u, 1u}) {
        CHECK(again.graph.edges[k].measured == map.graph.edges[k].measured);
        CHECK(again.graph.edges[k].information == map.graph.edges[k].information);
    }
}

TEST_CASE("patches of a map see what its scans saw, and know as much of each other") {
    const SavedMap map = small_map();
    const PatchGraph graph = patches_of(map);
    REQUIRE(graph.count() == 3);
    // Of the first scan three beams hit something: one saw nothing within 20 m, two say nothing.
    REQUIRE(graph.patch(0).ends.size() == 3);
    const Point second = transform(compose({0.1, -0.2, 0.3}, {0, 0, -1.25}), {4, 0});
    CHECK(distance(graph.patch(0).ends[1], second) < 1e-9);
    CHECK(graph.patch(1).ends.size() == 3);  // its log does not say how far it sees
    CHECK(graph.patch(2).ends.empty());
    REQUIRE(graph.relations().size() == 2);
    for (const std::size_t k : {0u, 1u}) {
        CHECK(graph.relations()[k].from == map.graph.edges[k].from);
        for (std::size_t i = 0; i < 9; ++i)
            CHECK(graph.relations()[k].information[i] ==
                  doctest::Approx(map.graph.edges[k].information[i]).epsilon(1e-9));
    }
}

TEST_CASE("lines of data stay with their nodes when a graph is optimised and written") {
    const std::string text =
        "VERTEX_SE2 4 0 0 0\nROBOTLASER1 a\nVERTEX_SE2 2 1 0 0\nODOM b\nROBOTLASER1 c\nVERTEX_XY 9 1 1\nROBOTLASER1 d\n"
        "EDGE_SE2 4 2 1 0 0 1 0 0 1 0 1\nODOM e\n# end\n";
    const G2oFile file = parse_g2o(text, "graph.g2o");
    REQUIRE(file.data.size() == 3);
    CHECK(file.data[0] == std::pair(0, std::string("ROBOTLASER1 a")));
    CHECK(file.data[2] == std::pair(1, std::string("ROBOTLASER1 c")));
    CHECK(file.unread.at("ROBOTLASER1") == 3);
    const std::string written = write_g2o(file);
    CHECK(written.starts_with("VERTEX_SE2 4 0 0 0\nROBOTLASER1 a\nVERTEX_SE2 2 1 0 0\nODOM b\nROBOTLASER1 c\n"));
    CHECK(written.ends_with("VERTEX_XY 9 1 1\nEDGE_SE2 4 2 1 0 0 1 0 0 1 0 1\nROBOTLASER1 d\nODOM e\n# end\n"));
}

}  // namespace test_saved_map
