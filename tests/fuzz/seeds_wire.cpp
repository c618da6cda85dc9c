// Seeds of what robots that are processes of their own send each other.
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "live/relay_frames.hpp"
#include "live/rosbridge/ros_messages.hpp"
#include "messages/frame_news.hpp"
#include "wire/message_codec.hpp"
#include "wire/packing.hpp"

namespace outrider::fuzz {

void add_wire(SeedList& out) {
    const std::vector<Briefing> briefings = sample_briefings();
    KnownMap map(briefings[1].lattice, briefings[1].frame);
    const auto see = [&](TileCoord at, std::uint64_t cells) {
        CellTile tile;
        tile.known.rows[3] = tile.known.rows[4] = cells;
        tile.occupied.rows[4] = cells & 1;
        map.observe(at, tile, 0);
        map.mark(Mark::rough, at, {tile.known});
    };
    std::uint32_t seq = 0;
    const auto say = [&](MessageEncoder& encoder, bool submaps) {
        Message m;
        m.from = 1;
        m.frame = map.frame();
        ++seq;
        for (const TeamMember& member : briefings[1].team()) {
            TeamRecord record;
            record.robot = member.id;
            record.seq = member.id == 1 ? seq : 0;
            record.goal = Point{1, 2};
            record.words = {{7, to_all, {1, -1}}};
            m.records.push_back(record);
        }
        auto payload = std::make_shared<MapPayload>();
        payload->map = std::make_shared<const MapSnapshot>(map.snapshot());
        if (submaps) {
            auto own = std::make_shared<MapSnapshot>(*payload->map);
            own->frame = {1, 2};
            payload->submaps = std::make_shared<const Submaps>(Submaps{{1, own}});
            auto news = std::make_shared<FrameNews>();
            news->relations = {{1, 2, {1, 2, 0.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, true, 3}};
            m.frames = news;
        }
        m.payload = payload;
        const std::string bytes = encoder.encode(m, {4, seq - 1});
        return unpack(std::string_view(bytes).substr(1));
    };
    MessageEncoder encoder(briefings[1], 0), other(briefings[1], 0);
    see({0, 0}, 0xff);
    const std::string first = say(encoder, false);
    see({1, 0}, 0xf0);
    const std::string second = say(encoder, false);
    out.add("message", "map", join_parts({first, second}));
    const std::string before = say(other, true);
    see({1, 0}, 0xff);
    out.add("message", "submaps", join_parts({before, say(other, true)}));
    out.add("relay_frame", "message", write_relay_frame({RelayFrame::Kind::message, "r2", "hello"}));
    out.add("relay_frame", "end_of_step", write_relay_frame({RelayFrame::Kind::end_of_step, {}, {}, 300}));
    out.add("relay_frame", "greeting", relay_greeting("r1"));

    const RosHeader header{1.5, "map", RosDialect::ros2};
    const std::vector<TransformsMessage::Link> links{{"map", "r1/odom", {}}};
    out.add("rosbridge", "transforms", transforms_json(1.5, RosDialect::ros1, links));
    out.add("rosbridge", "clock", clock_json(1.5, RosDialect::ros2));
    out.add("rosbridge", "scan",
            R"({"header": {"stamp": {"sec": 1, "nanosec": 5}, "frame_id": "laser"}, "angle_min": -1, "angle_max": 1,)"
            R"( "angle_increment": 0.5, "range_min": 0.1, "range_max": 20, "ranges": [1, 2, null, 3, 30]})");
    out.add("rosbridge", "twist", R"({"linear": {"x": 0.5, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": -1}})");
    out.add("rosbridge", "subscribe",
            R"({"op": "subscribe", "id": "a", "topic": "/r1/scan", "type": "sensor_msgs/msg/LaserScan",)"
            R"( "compression": "cbor", "throttle_rate": 100, "queue_length": 2, "fragment_size": 1000})");
    out.add("rosbridge", "part", R"({"op": "fragment", "id": "1", "data": "{\"op\":", "num": 0, "total": 2})");
    out.add("rosbridge", "service", R"({"op": "call_service", "service": "/rosapi/topics", "args": {}})");
    out.add("tour_plan", "plan.json",
            R"({"outrider_plan": 1, "cell_m": 0.1, "robots": [[], [[12, 3], [14, 5, 90], [20, 5, null]]],)"
            R"( "plan_steps": [150, null], "bound_steps": [37, 48],)"
            R"( "plan_spent": [120, 0, 0, 0, 12, 40]})");
}

}  // namespace outrider::fuzz
