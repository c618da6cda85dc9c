// MCAP files: the container, the messages in both codings, and what is drawn of a run.
#include <zlib.h>

#include <cmath>
#include <limits>

#include "base/json.hpp"
#include "helpers.hpp"
#include "log/viewers/drawings.hpp"
#include "log/viewers/map_follower.hpp"
#include "mcap/topics.hpp"
#include "ros_bag.hpp"
#include "sensor_log/sensor_log.hpp"

using namespace outrider;

namespace test_mcap {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t second = 1'000'000'000;

const ScanMessage sample_scan{"r1", "r1/laser", {0.1, 0, 0.5}, -1, 0.25, 8, 1, {1.5f, infinite, no_number, 0.123f}};

Json json_of(const ToolMessage& message, std::uint64_t time_ns = 1'500'000'000) {
    return parse_json(foxglove_coding().encode(message, time_ns));
}

const Json& at(const Json& json, std::initializer_list<std::string_view> keys) {
    const Json* value = &json;
    for (const std::string_view key : keys) {
        value = value->find(key);
        REQUIRE(value != nullptr);
    }
    return *value;
}

double number(const Json& json, std::initializer_list<std::string_view> keys) {
    const double* const v = at(json, keys).number();
    REQUIRE(v != nullptr);
    return *v;
}

std::vector<double> numbers(const Json& json) {
    REQUIRE(json.array() != nullptr);
    std::vector<double> out;
    for (const Json& item : *json.array()) out.push_back(*item.number());
    return out;
}

std::uint64_t little_endian(std::string_view bytes, std::size_t at, int size) {
    std::uint64_t value = 0;
    for (int i = size - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes.at(at + std::size_t(i)));
    return value;
}

/// Opcodes of the records outside of chunks, in order.
std::vector<int> opcodes_of(const std::string& file) {
    std::vector<int> out;
    for (std::size_t at = mcap_magic.size(); at + mcap_magic.size() < file.size();) {
        out.push_back(static_cast<unsigned char>(file[at]));
        at += 9 + little_endian(file, at + 1, 8);
    }
    return out;
}

/// A file that `write` fills.
template <class Write>
std::string mcap_file(const TemporaryFolder& folder, Write&& write, std::size_t chunk_bytes = 1 << 20) {
    OutputFile out(folder / "out.mcap", true);
    McapWriter mcap(out, "profile", "library", chunk_bytes);
    write(mcap);
    mcap.finish();
    out.commit();
    return read_text(folder / "out.mcap");
}

}  // namespace

TEST_CASE("a file without messages is a header, the end of the data and a summary, with checksums that fit") {
    const TemporaryFolder folder;
    const std::string file = mcap_file(folder, [](McapWriter&) {});
    CHECK(file.starts_with(mcap_magic));
    CHECK(file.ends_with(mcap_magic));
    CHECK(opcodes_of(file) == std::vector<int>{1, 15, 11, 14, 2});
    const std::size_t end = file.find("\x0f") == std::string::npos ? 0 : mcap_magic.size() + 9 + 4 + 7 + 4 + 7;
    const auto crc = [&](std::size_t from, std::size_t to) {
        return crc32(0, reinterpret_cast<const Bytef*>(file.data()) + from, static_cast<uInt>(to - from));
    };
    CHECK(little_endian(file, end + 9, 4) == crc(0, end));
    const std::size_t footer = file.size() - mcap_magic.size() - 29;
    CHECK(little_endian(file, footer + 9, 8) == end + 13);
    CHECK(little_endian(file, footer + 25, 4) == crc(end + 13, footer + 25));
}

TEST_CASE("chunks are closed when they are full, each has an index of its messages, and schemas come before them") {
    const TemporaryFolder folder;
    const std::string file = mcap_file(
        folder,
        [](McapWriter& mcap) {
            const auto schema = mcap.add_schema("a", "jsonschema", "{}");
            mcap.add_schema("unused", "jsonschema", "{}");
            const auto one = mcap.add_channel(schema, "/one", "json"), two = mcap.add_channel(schema, "/two", "json");
            mcap.add_channel(schema, "/unused", "json");
            mcap.add_metadata("about", {{"key", "value"}});
            for (std::uint64_t k = 0; k < 4; ++k) {
                mcap.write(one, k * second, "{}");
                mcap.write(two, k * second + 1, std::string(200, ' '));
            }
            CHECK(mcap.messages() == 8);
        },
        200);
    // Header, metadata; per chunk two indexes; then schemas, channels, statistics, indexes of chunks and of metadata.
    CHECK(opcodes_of(file) == std::vector<int>{1, 12, 6, 7,  7, 6, 7, 7, 6,  7,  7,  6,  7,  7,  15,
                                               3, 4,  4, 11, 8, 8, 8, 8, 13, 14, 14, 14, 14, 14, 2});
    CHECK(file.find("unused") == std::string::npos);
    for (const char* wrong : {"add_channel", "write"}) {
        CAPTURE(wrong);
        OutputFile out(folder / "other.mcap", true);
        McapWriter mcap(out, "", "");
        if (wrong[0] == 'a')
            CHECK_THROWS(mcap.add_channel(1, "/a", "json"));
        else
            CHECK_THROWS(mcap.write(1, 0, ""));
    }
}

TEST_CASE("messages of a topic are kept until they are flushed in the order of time, each with its number") {
    const TemporaryFolder folder;
    for (const MessageCoding* coding : {&foxglove_coding(), &ros2_coding()}) {
        mcap_file(folder, [&](McapWriter& mcap) {
            McapTopics topics(mcap, *coding);
            topics.write("/r1/odom", 2 * second, PoseMessage{"odom", "r1", {2, 0, 0}, {}});
            topics.write("/r1/odom", 1 * second, PoseMessage{"odom", "r1", {1, 0, 0}, {}});
            topics.write("/tf", 1 * second, TransformsMessage{{{"odom", "r1", {}}}});
            topics.write("/r1/scan", 2 * second, sample_scan, {{"max_range_m", "8"}});
            topics.write("/r1/log", 0, TextMessage{"r1", "hello", true});
            CHECK_THROWS(topics.write("/tf", 0, TextMessage{}));  // of another kind
            CHECK(mcap.messages() == 0);
            topics.flush();
            CHECK(mcap.messages() == 5);
        });
        const SensorLog log = read_sensor_log(folder / "out.mcap");
        REQUIRE(log.entries.size() == 3);
        CHECK(log.backward == 0);
        CHECK(log.ignored == 1);
        CHECK(log.entries[0].odometry.x == 1);
        CHECK(log.entries[2].odometry.x == 2);
        REQUIRE(log.scans.size() == 1);
        const RecordedScan& scan = log.scans[0];
        CHECK(scan.max_range_m == 8);
        CHECK(scan.first_angle == doctest::Approx(-1));
        CHECK(scan.step_angle == doctest::Approx(0.25));
        CHECK(scan.ranges[0] == 1.5f);
        CHECK(scan.ranges[1] == 8);
        CHECK_FALSE(scan.ranges[2] > 0);
        CHECK(scan.ranges[3] == 0.123f);
    }
}

TEST_CASE("names of topics have letters, digits and single underscores, and no two are equal") {
    CHECK(topic_name("r1") == "r1");
    CHECK(topic_name("a, \"b\"") == "a_b");
    CHECK(topic_name("") == "n");
    CHECK(topic_name("7 of 9") == "n7_of_9");
    CHECK(topic_name("\xc3\xa4__x") == "n_x");
    CHECK(topic_names({"r 1", "r_1", "r.1", "r1", "r_1_2"}) ==
          std::vector<std::string>{"r_1", "r_1_2", "r_1_3", "r1", "r_1_2_2"});
}

TEST_CASE("a scan in JSON: beams that saw nothing have the range, those that say nothing are 0") {
    const Json scan = json_of(sample_scan);
    CHECK(number(scan, {"timestamp", "sec"}) == 1);
    CHECK(number(scan, {"timestamp", "nsec"}) == 500'000'000);
    CHECK(*at(scan, {"frame_id"}).text() == "r1");
    CHECK(number(scan, {"pose", "position", "x"}) == 0.1);
    CHECK(number(scan, {"pose", "orientation", "z"}) == doctest::Approx(std::sin(0.25)));
    CHECK(number(scan, {"start_angle"}) == -1);
    CHECK(number(scan, {"end_angle"}) == -0.25);
    CHECK(numbers(at(scan, {"ranges"})) == std::vector<double>{1.5, 8, 0, 0.123});
    CHECK(numbers(at(scan, {"intensities"})) == std::vector<double>{1, 0, 0, 1});
    ScanMessage blind = sample_scan;
    blind.ranges.clear();
    CHECK(at(json_of(blind), {"ranges"}).array()->empty());
}

TEST_CASE("a grid in JSON: two bytes for each cell, unknown cells are transparent") {
    const Json grid =
        json_of(GridMessage{"map", {1, 2}, 0.1, 3, 1, {GridMessage::unknown, GridMessage::free, GridMessage::wall}});
    CHECK(number(grid, {"column_count"}) == 3);
    CHECK(number(grid, {"row_stride"}) == 6);
    CHECK(number(grid, {"cell_stride"}) == 2);
    CHECK(number(grid, {"pose", "position", "y"}) == 2);
    CHECK(*at(grid, {"data"}).text() == "AADr/yj/");  // 0 0 235 255 40 255
    CHECK(at(grid, {"fields"}).array()->size() == 4);
}

TEST_CASE("a drawing replaces the one of before, and one without anything removes it") {
    SceneMessage scene{"map", "goal", {}};
    CHECK(at(json_of(scene), {"deletions"}).array()->size() == 1);
    CHECK(at(json_of(scene), {"entities"}).array()->empty());
    for (const SceneItem::Kind kind : {SceneItem::Kind::disc, SceneItem::Kind::arrow, SceneItem::Kind::dots,
                                       SceneItem::Kind::line, SceneItem::Kind::segments, SceneItem::Kind::text})
        scene.items.push_back({.kind = kind, .colour = {}, .points = {{1, 2}, {3, 4}}, .text = "a \"b\"\n"});
    const Json json = json_of(scene);
    CHECK(at(json, {"deletions"}).array()->empty());
    REQUIRE(at(json, {"entities"}).array()->size() == 1);
    const Json& entity = at(json, {"entities"}).array()->front();
    for (const auto& [list, count] : std::vector<std::pair<std::string_view, std::size_t>>{{"cylinders", 1},
                                                                                           {"arrows", 1},
                                                                                           {"spheres", 2},
                                                                                           {"lines", 2},
                                                                                           {"texts", 1},
                                                                                           {"cubes", 0},
                                                                                           {"models", 0}}) {
        CAPTURE(list);
        CHECK(at(entity, {list}).array()->size() == count);
    }
    CHECK(*at(at(entity, {"texts"}).array()->front(), {"text"}).text() == "a \"b\"\n");
}

TEST_CASE("a scan of ROS has the bytes that another writer gives it") {
    const std::string bytes = ros2_coding().encode(
        ScanMessage{"base", "laser", {}, -1, 0.5, 10, 0.1, {1, 2, infinite, no_number}}, 7 * second + 500'000'000);
    CdrText expected;
    expected.add(std::int32_t{7}).add(std::uint32_t{500'000'000}).text("laser");
    for (const float v : {-1.0f, 0.5f, 0.5f, 0.0f, 0.1f, 0.0f, 10.0f}) expected.add(v);
    expected.add(std::uint32_t{4});
    for (const float v : {1.0f, 2.0f, infinite, no_number}) expected.add(v);
    expected.add(std::uint32_t{0});
    CHECK(bytes == expected.bytes());
}

TEST_CASE("definitions of ROS hold those of all types that they name, and schemas of Foxglove are JSON") {
    for (const MessageKind kind : {MessageKind::scan, MessageKind::pose, MessageKind::grid, MessageKind::transforms,
                                   MessageKind::scene, MessageKind::text}) {
        const SchemaText ros = ros2_coding().schema(kind), foxglove = foxglove_coding().schema(kind);
        CAPTURE(ros.name);
        CHECK(ros.name.find("/msg/") != std::string::npos);
        for (const char* part :
             {"std_msgs/Header", "geometry_msgs/Pose", "MapMetaData", "TransformStamped", "Marker[]"})
            if (ros.text.find(std::string(part) + " ") != std::string::npos) {
                std::string type = part;
                if (type.ends_with("[]")) type.resize(type.size() - 2);
                CHECK(ros.text.find(std::string(80, '=') + "\nMSG: ") != std::string::npos);
                CHECK(ros.text.find(type + "\n") != std::string::npos);
            }
        const Json schema = parse_json(foxglove.text);
        CHECK(*at(schema, {"title"}).text() == foxglove.name);
        CHECK(at(schema, {"required"}).array()->size() == at(schema, {"properties"}).object()->size());
    }
}

TEST_CASE("a map is written when a twentieth of it is new, or after ten seconds, and only when it changed") {
    KnownMap map(Lattice{0.5});
    MapFollower follower;
    const auto learn = [&](int cells, bool wall) {
        CellTile claims;
        for (int i = 0; i < cells; ++i) claims.set({i % 50, 3 + i / 50}, wall ? CellState::occupied : CellState::free);
        map.observe({0, 0}, claims, 0);
    };
    CHECK_FALSE(follower.due(map, 0, {}));
    learn(100, false);
    const auto first = follower.due(map, 0, {10, 20});
    REQUIRE(first);
    CHECK(first->width == 50);
    CHECK(first->height == 2);
    CHECK(first->corner == Point{10, 21.5});
    CHECK(std::count(first->cells.begin(), first->cells.end(), GridMessage::free) == 100);
    CHECK_FALSE(follower.due(map, 100, {10, 20}));
    learn(104, false);
    CHECK_FALSE(follower.due(map, 9, {10, 20}));
    const auto second_one = follower.due(map, 10, {10, 20});
    REQUIRE(second_one);
    CHECK(second_one->height == 3);
    CHECK(second_one->cells.back() == GridMessage::unknown);
    learn(110, false);
    CHECK(follower.due(map, 11, {10, 20}));
    learn(111, false);
    CHECK_FALSE(follower.due(map, 12, {10, 20}));
    CHECK(follower.due(map, 12, {10, 20}, true));
    CHECK_FALSE(follower.due(map, 12, {10, 20}, true));
    follower.forget();
    CHECK_FALSE(follower.due(map, 50, {10, 20}, true));  // looked at from the beginning: it is as it was
}

TEST_CASE("what cannot be drawn is left out, and the goal shows among the candidates whether more is better or less") {
    const double nan = std::nan("");
    const Overlay marks = Overlay::candidates("", {{0, 0}, {1, 0}, {2, 0}, {nan, 0}}, {1, 2, 5, 9});
    const Overlay line = Overlay::polyline(Overlay::Meaning::path, "candidates", {{0, 0}, {nan, 1}});
    const Overlay note = Overlay::rule("because");
    const std::vector<const Overlay*> all{&marks, &line, &note};
    const SceneMessage plain = overlay_drawing("candidates", all, 0.1, {}, palette[0]);
    REQUIRE(plain.items.size() == 1);
    CHECK(plain.items[0].points == std::vector<Point>{{0, 0}, {1, 0}, {2, 0}});
    REQUIRE(plain.items[0].tints.size() == 3);
    CHECK(plain.items[0].tints[0].alpha < plain.items[0].tints[2].alpha);
    const SceneMessage cheap = overlay_drawing("candidates", all, 0.1, Point{0, 0}, palette[0]);
    CHECK(cheap.items[0].tints[0].alpha > cheap.items[0].tints[2].alpha);
    CHECK(goal_drawing(Point{nan, 0}, 0.1, palette[0]).items.empty());
    CHECK(path_drawing({{0, 0}}, 0.1, palette[0]).items.empty());
    CHECK(links_drawing({}, 0.1).items.empty());
    Overlay many = Overlay::marks(Overlay::Meaning::other, "many", "");
    for (int i = 0; i < 1000; ++i) {
        many.points.push_back({1.0 * i, 0});
        many.values.push_back(i % 100);
    }
    const std::vector<const Overlay*> crowd{&many};
    const SceneMessage best = overlay_drawing("many", crowd, 0.1, {}, palette[0]);
    CHECK(best.items[0].points.size() == 500);
    CHECK(best.items[0].points[0] == Point{99, 0});
}

}  // namespace test_mcap
