#include "live/rosbridge/rosbridge_server.hpp"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "live/rosbridge/request.hpp"
#include "live/rosbridge/rosapi.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_messages_a_call = 1000;  // messages of a client in one call of serve()

std::string with_id(const std::string& op, const std::string& id) {
    return fmt::format("{{\"op\": \"{}\"{}{}", op, id.empty() ? "" : ", \"id\": ", id);
}

}  // namespace

RosbridgeServer::RosbridgeServer(const std::string& address, int port, std::vector<std::string> origins)
    : address_(address),
      server_({.address = address,
               .port = port,
               .origins = std::move(origins),
               .most_message_bytes = most_message_bytes,
               .most_unsent_bytes = 16 << 20}) {}

std::string RosbridgeServer::url() const { return fmt::format("ws://{}:{}", address_, server_.port()); }

void RosbridgeServer::serve(std::chrono::milliseconds wait) {
    for (auto& [number, client] : clients_) {
        client.messages = 0;
        for (const auto& [topic, stream] : client.streams)
            if (const auto subscription = subscription_to(client, topic)) send_due(client, *subscription);
    }
    for (const NetEvent& event : server_.take(wait)) {
        if (event.kind == NetEvent::Kind::joined) {
            clients_[event.client].number = event.client;
            note(fmt::format("client {} came", event.client));
        } else if (event.kind == NetEvent::Kind::refused) {
            note(event.data);
        } else if (event.kind == NetEvent::Kind::left) {
            clients_.erase(event.client);
            note(fmt::format("client {} left{}{}", event.client, event.data.empty() ? "" : ": ", event.data));
        } else if (Client& client = clients_[event.client]; ++client.messages > most_messages_a_call) {
            continue;
        } else if (event.kind == NetEvent::Kind::text) {
            hear(client, event.data);
        } else {
            complain(event.client, Level::error, "", "a binary message, expected JSON");
        }
    }
    for (const auto& [number, client] : clients_)
        if (client.messages > most_messages_a_call)
            complain(number, Level::error, "",
                     fmt::format("{} messages at once: those after the first {} are lost", client.messages,
                                 most_messages_a_call));
}

void RosbridgeServer::hear(Client& client, const std::string& text) {
    std::string id;
    try {
        const Json request = parse_json(text);
        id = id_text(request);
        const std::string op = needed_text(request, "op");
        try {
            answer(client, op, request);
        } catch (const Error& error) {
            complain(client.number, Level::error, id, op + ": " + error.what());
        }
    } catch (const Error& error) {
        complain(client.number, Level::error, id, error.what());
    }
}

void RosbridgeServer::answer(Client& client, const std::string& op, const Json& request) {
    if (op == "subscribe") {
        subscribe(client, request);
    } else if (op == "unsubscribe") {
        unsubscribe(client, request);
    } else if (op == "advertise") {
        advertise(client, request);
    } else if (op == "unadvertise") {
        const std::string name = needed_text(request, "topic");
        if (client.publishes.erase(find_topic(name)) == 0)
            complain(client.number, Level::warning, id_text(request),
                     op + ": " + shortened(name) + " is not advertised");
    } else if (op == "publish") {
        take_message(client, request);
    } else if (op == "call_service") {
        call_service(client, request);
    } else if (op == "fragment") {
        if (const std::optional<std::string> whole = client.parts.add(request)) hear(client, *whole);
    } else if (op == "png" || op == "cbor" || op == "cbor-raw") {
        fail("compressed messages are not taken; expected JSON");
    } else if (op != "set_level" && op != "auth" && op != "status") {
        fail(
            "there is no such operation; expected subscribe, unsubscribe, advertise, unadvertise, publish or "
            "call_service");
    }
}

void RosbridgeServer::advertise(Client& client, const Json& request) {
    const Topic& topic = publishable(needed_text(request, "topic"));
    needed_text(request, "type");
    agreed_dialect(client, topic, request);
    if (topic.passed_over)
        complain(client.number, Level::info, id_text(request), "nobody looks at this topic here");
    else
        client.publishes.insert(&topic);
}

void RosbridgeServer::take_message(Client& client, const Json& request) {
    const Topic& topic = publishable(needed_text(request, "topic"));
    const Json* message = request.find("msg");
    if (!message) fail("expected \"msg\"");
    if (topic.passed_over) return;
    topic.taker(client.number, *message);
    client.publishes.insert(&topic);
}

/// The topic that a client may publish to.
const RosbridgeServer::Topic& RosbridgeServer::publishable(const std::string& name) const {
    const Topic* const topic = find_topic(name);
    if (topic && (topic->taker || topic->passed_over)) return *topic;
    if (topic && !topic->refusal.empty()) fail("{}: {}", shortened(name), topic->refusal);
    std::string taken;
    for (const auto& [known, other] : topics_)
        if (other.taker && taken.size() < 100) taken += (taken.empty() ? "" : ", ") + known;
    fail("nobody listens to {}; expected one of {}", shortened(name), taken);
}

void RosbridgeServer::call_service(Client& client, const Json& request) {
    const std::string service = needed_text(request, "service");
    std::vector<RosapiTopic> topics;
    for (const auto& [name, topic] : topics_) topics.push_back({name, topic.type});
    std::string values;
    bool result = false;
    try {
        const auto answer = rosapi_values(service, request, {topics, client.dialect, time_s_});
        result = answer.has_value();
        values = answer.value_or(json_quoted("there is no service " + shortened(service)));
    } catch (const Error& error) {
        values = json_quoted(shortened(service) + ": " + error.what());
    }
    server_.send(client.number,
                 with_id("service_response", id_text(request)) + ", \"service\": " + json_quoted(service) +
                     ", \"values\": " + values + ", \"result\": " + (result ? "true" : "false") + "}",
                 false);
}

void RosbridgeServer::warn(int client, const std::string& what) { complain(client, Level::warning, "", what); }

void RosbridgeServer::complain(int client, Level level, const std::string& id, const std::string& what) {
    constexpr std::array names{"error", "warning", "info"};
    server_.send(client,
                 with_id("status", id) + ", \"level\": \"" + names[static_cast<std::size_t>(level)] +
                     "\", \"msg\": " + json_quoted(shortened(what, 500)) + "}",
                 false);
    if (level != Level::info) note(fmt::format("client {}: {}", client, shortened(what, 500)));
}

}  // namespace outrider
