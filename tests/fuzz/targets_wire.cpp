// What robots that are processes of their own send each other.
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "live/relay_frames.hpp"
#include "messages/record_codec.hpp"
#include "outrider/error.hpp"
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

}  // namespace

std::vector<Target> wire_targets() {
    return {{"message", "messages of robots, behind their checksum (MessageDecoder)", read_robot_messages, 1 << 14},
            {"relay_frame", "frames of the relay, and greetings (read_relay_frame)", read_relay, 256}};
}

}  // namespace outrider::fuzz
