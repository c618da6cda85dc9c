#include "wire/message_codec.hpp"

#include "wire/map_mirror.hpp"
#include "wire/message_head.hpp"
#include "wire/packing.hpp"

namespace outrider {
namespace {

/// A frame is a byte that says the version, and behind it, packed: up to which message its sender has those of the
/// receiver; the head; and if there is a payload, the number and the name of the mirror that it builds on, and its
/// layers.
constexpr char version = 1;
constexpr std::size_t most_content_bytes = 8 << 20;

const Mirror& nothing_known() {
    static const Mirror none;
    return none;
}

/// Submaps are merged as they are; of a map, the tiles that came.
std::shared_ptr<const MapPayload> payload_of(const ReadLayers& layers, const Message& message) {
    auto payload = std::make_shared<MapPayload>();
    if (!layers.submaps) {
        payload->map = layers.mirror.layers.front();
        return payload;
    }
    payload->map = std::make_shared<const MapSnapshot>(KnownMap(Lattice{}, message.frame).snapshot());
    auto submaps = std::make_shared<Submaps>();
    for (std::size_t i = 0; i < layers.mirror.layers.size(); ++i)
        if (const auto& layer = layers.mirror.layers[i]) submaps->set(static_cast<RobotId>(i), layer);
    payload->submaps = std::move(submaps);
    payload->received_submaps.resize(message.records.size());
    return payload;
}

}  // namespace

struct MessageEncoder::State {
    RobotId self, to;
    Mirrors mirrors;
    Packer packer;
};

MessageEncoder::MessageEncoder(const Briefing& sender, RobotId to)
    : state_(std::make_unique<State>(State{sender.self, to, {}, {}})) {}
MessageEncoder::~MessageEncoder() = default;
MessageEncoder::MessageEncoder(MessageEncoder&&) noexcept = default;
MessageEncoder& MessageEncoder::operator=(MessageEncoder&&) noexcept = default;

std::string MessageEncoder::encode(const Message& message, const ReceivedMessages& received) {
    OUTRIDER_CHECK(message.from, ==, state_->self);
    Mirrors& mirrors = state_->mirrors;
    ByteWriter out;
    out.integer(received.from_other);
    write_head(out, message);
    const bool map = message.payload && message.share != Share::none;
    out.integer(map);
    Mirror after;
    if (map) {
        mirrors.forget_before(received.by_other);
        const Mirror* known = mirrors.find(received.by_other);
        const Mirror& before = known ? *known : nothing_known();
        out.integer(before.seq);
        out.integer(before.name());
        after = write_layers(out, message, before);
    }
    if (out.bytes.size() > most_content_bytes)
        fail("a message of {} bytes to robot {}: {} is the most", out.bytes.size(), state_->to, most_content_bytes);
    if (map) mirrors.add(std::move(after));
    return version + std::string(state_->packer.pack(out.bytes, Packer::Method::fast));
}

struct MessageDecoder::State {
    struct Sender {
        Mirrors mirrors;
        std::uint32_t has = 0;  // of the receiver's messages
    };
    Briefing briefing;
    std::vector<Sender> senders;
};

MessageDecoder::MessageDecoder(const Briefing& receiver)
    : state_(std::make_unique<State>(State{receiver, std::vector<State::Sender>(receiver.team().size())})) {}
MessageDecoder::~MessageDecoder() = default;
MessageDecoder::MessageDecoder(MessageDecoder&&) noexcept = default;
MessageDecoder& MessageDecoder::operator=(MessageDecoder&&) noexcept = default;

DecodedMessage MessageDecoder::decode(std::string_view bytes) {
    if (bytes.empty() || bytes[0] != version) fail("it is no message of a robot, or one of another version");
    const std::string content = unpack(bytes.substr(1), most_content_bytes);
    ByteReader in(content, "a message");
    const auto has = static_cast<std::uint32_t>(in.within(0, UINT32_MAX));
    const std::shared_ptr<Message> message = read_head(in, state_->briefing);
    State::Sender& sender = state_->senders[static_cast<std::size_t>(message->from)];
    DecodedMessage out{message, false, {}};
    if (in.within(0, 1)) {
        const auto seq = static_cast<std::uint32_t>(in.within(0, UINT32_MAX));
        const std::int64_t name = in.integer();
        const Mirror* before = seq == 0 ? &nothing_known() : sender.mirrors.find(seq);
        if (before && before->name() == name) {
            ReadLayers layers = read_layers(in, *message, *before, state_->briefing);
            if (!in.at_end()) fail("a message goes on behind its end");
            message->payload = payload_of(layers, *message);
            out.all_tiles = layers.submaps;
            out.tiles = std::move(layers.tiles);
            sender.mirrors.forget_before(seq);
            sender.mirrors.add(std::move(layers.mirror));
        }
    }
    sender.has = has;
    return out;
}

ReceivedMessages MessageDecoder::received(RobotId other) const {
    const State::Sender& sender = state_->senders.at(static_cast<std::size_t>(other));
    const Mirror* newest = sender.mirrors.newest();
    return {newest ? newest->seq : 0, sender.has};
}

}  // namespace outrider
