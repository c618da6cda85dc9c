// What robots that are processes of their own send each other, and what comes from clients and plans.
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "live/relay_frames.hpp"
#include "live/rosbridge/beam_fit.hpp"
#include "live/rosbridge/fragments.hpp"
#include "live/rosbridge/request.hpp"
#include "live/rosbridge/rosapi.hpp"
#include "live/rosbridge/stream.hpp"
#include "messages/record_codec.hpp"
#include "outrider/error.hpp"
#include "robot/tour_plan.hpp"
#include "wire/message_codec.hpp"
#include "wire/packing.hpp"

namespace outrider::fuzz {
namespace {

/// Two messages of one robot, what is packed in them. One that is read says the same when it is sent on.
void read_robot_messages(std::string_view bytes) {
    static const std::vector<Briefing> briefings = sample_briefings();
    static Packer packer;
    MessageDecoder decoder(briefings[0]);
    for (const std::string_view content : parts_of(bytes, 2)) {
        const DecodedMessage came = decoder.decode('\x01' + std::string(packer.pack(content, Packer::Method::fast)));
        const Message& m = *came.message;
        const auto from = static_cast<std::size_t>(m.from);
        MessageEncoder encoder(briefings[from], 0);
        const auto same = MessageDecoder(briefings[0]).decode(encoder.encode(m, {}));
        for (std::size_t i = 0; i < briefings.size(); ++i) {
            ByteWriter one, other;
            write_record(one, *m.records[i]);
            write_record(other, *same.message->records[i]);
            expect(one.bytes == other.bytes, "a record that is sent on differs");
        }
        if (!m.payload || m.share != Share::all) continue;
        expect(m.payload->map->name() == same.message->payload->map->name(), "a map that is sent on differs");
    }
}

void read_relay(std::string_view bytes) {
    if (bytes.starts_with('{')) {
        const RelayGreeting said = read_relay_greeting(bytes);
        const RelayGreeting again = read_relay_greeting(relay_greeting(said.robot, said.key));
        expect(again.robot == said.robot && again.key == said.key, "a greeting that is said again differs");
        return;
    }
    const RelayFrame frame = read_relay_frame(bytes);
    const std::string again = write_relay_frame(frame);
    expect(write_relay_frame(read_relay_frame(again)) == again, "a frame that is written again differs");
}

/// What a client of rosbridge sends: a request, whole or as a part of one, or a message of a topic. What is read of a
/// message goes out in all codings.
void read_rosbridge(std::string_view bytes) {
    static constexpr std::size_t most_bytes = 1 << 12;
    static FragmentInbox inbox(most_bytes);
    const Json json = parse_ros_json(std::string(bytes));
    const auto tries = [](auto&& read) {
        try {
            read();
        } catch (const Error&) {  // of this kind it is not
        }
    };
    tries([&] {
        const std::optional<std::string> whole = inbox.add(json);
        expect(!whole || whole->size() <= most_bytes, "a message of parts is longer than what is kept");
    });
    for (const RosDialect dialect : {RosDialect::ros1, RosDialect::ros2}) {
        tries([&] { read_terms(json, dialect); });
        tries([&] {
            const std::vector<RosapiTopic> topics{{"/r1/scan", ros_type::scan}, {"/clock", ros_type::clock}};
            rosapi_values(needed_text(json, "service"), json, {topics, dialect, 1.5});
        });
        for (const std::string_view type : {ros_type::scan, ros_type::odometry, ros_type::twist, ros_type::clock,
                                            ros_type::transforms, ros_type::grid, ros_type::path, ros_type::markers})
            for (const RosCoding coding : {RosCoding::json, RosCoding::cbor, RosCoding::raw})
                tries([&] { encode_ros(json, *find_ros_type(type, dialect), dialect, coding); });
    }
    tries([&] { beams_of(read_scan(json), {{}, -1, 1, 9, 0.001, 20}, NullRange::nothing); });
    tries([&] { read_odometry(json); });
    tries([&] { read_twist(json); });
    tries([&] { read_clock(json); });
}

/// What is written is read again as the same plan.
void read_tour_plan(std::string_view bytes) {
    const TourPlan plan = TourPlan::parse(std::string(bytes), "plan.json");
    const std::string text = plan.json();
    expect(TourPlan::parse(text, "again.json").json() == text, "a plan that is written and read is another one");
}

}  // namespace

std::vector<Target> wire_targets() {
    return {{"message", "messages of robots, behind their checksum (MessageDecoder)", read_robot_messages, 1 << 14},
            {"relay_frame", "frames of the relay, and greetings (read_relay_frame)", read_relay, 256},
            {"rosbridge", "requests and messages of clients of rosbridge", read_rosbridge, 1024},
            {"tour_plan", "plans of a team that knows the map (TourPlan::parse)", read_tour_plan, 1024}};
}

}  // namespace outrider::fuzz
