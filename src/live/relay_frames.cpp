#include "live/relay_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <utility>

#include "base/byte_stream.hpp"
#include "base/json.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_greeting_bytes = 1000;

/// Whether it is a name and what is for whom it names, or comes from there.
bool carries_bytes(RelayFrame::Kind kind) {
    return kind == RelayFrame::Kind::message || kind == RelayFrame::Kind::request || kind == RelayFrame::Kind::report;
}

}  // namespace

bool is_relay_name(std::string_view name) {
    return !name.empty() && name.size() <= most_relay_name &&
           std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 127; });
}

std::string write_relay_frame(const RelayFrame& frame) {
    ByteWriter out;
    out.bytes += static_cast<char>(frame.kind);
    if (!carries_bytes(frame.kind)) {
        out.integer(frame.step);
        return std::move(out.bytes);
    }
    out.text(frame.name);
    out.bytes += frame.bytes;
    return std::move(out.bytes);
}

RelayFrame read_relay_frame(std::string_view bytes) {
    ByteReader in(bytes, "a frame of the relay");
    const std::string_view kind = in.raw(1);
    RelayFrame frame;
    frame.kind = static_cast<RelayFrame::Kind>(kind[0]);
    if (carries_bytes(frame.kind)) {
        frame.name = in.text();
        if (!is_relay_name(frame.name)) fail("a frame of the relay holds a name that is none");
        if (in.rest().size() > most_relayed_bytes) fail("a frame of the relay holds {} bytes", in.rest().size());
        frame.bytes = in.rest();
        return frame;
    }
    if (frame.kind != RelayFrame::Kind::end_of_step && frame.kind != RelayFrame::Kind::step_has_come)
        fail("a frame of the relay is of kind {}", static_cast<int>(kind[0]));
    frame.step = static_cast<int>(in.within(0, INT_MAX));
    if (!in.at_end()) fail("a frame of the relay goes on behind its end");
    return frame;
}

std::string relay_greeting(const std::string& robot, const std::string& key, bool looks_on) {
    return (looks_on ? "{\"view\": " : "{\"robot\": ") + json_quoted(robot) +
           (key.empty() ? "" : ", \"key\": " + json_quoted(key)) + "}";
}

std::string relay_welcome(const std::string& robot, bool lockstep) {
    return fmt::format(R"({{"welcome": {}, "lockstep": {}}})", json_quoted(robot), lockstep);
}

bool welcome_to_lockstep(std::string_view text) { return text.find("\"lockstep\": true}") != std::string_view::npos; }

RelayGreeting read_relay_greeting(std::string_view text) {
    Json greeting;
    try {
        if (text.size() <= most_greeting_bytes) greeting = parse_json(text);
    } catch (const Error&) {
        // said below
    }
    const Json* robot = greeting.find("robot");
    const bool looks_on = !robot;
    if (looks_on) robot = greeting.find("view");
    if (!robot || !robot->text() || !is_relay_name(*robot->text())) fail("expected {{\"robot\": NAME}}");
    const Json* key = greeting.find("key");
    return {*robot->text(), key && key->text() ? *key->text() : std::string(), looks_on};
}

}  // namespace outrider
