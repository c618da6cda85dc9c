#include "live/rosbridge/rosbridge_server.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "live/rosbridge/rosapi.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_name_bytes = 256;        // of topics, types, services, ids
constexpr std::size_t most_topics_of_client = 256;  // subscriptions
constexpr std::size_t most_heard = 1000;            // messages of a client in one call of serve()
constexpr double longest_pause_ms = 3'600'000;

/// A text field of a request; empty: it is not there.
std::string text_field(const Json& request, std::string_view key) {
    const Json* json = request.find(key);
    if (!json || std::holds_alternative<std::nullptr_t>(json->value)) return "";
    if (!json->text()) fail("\"{}\": expected a text", key);
    if (json->text()->size() > most_name_bytes) fail("\"{}\": expected at most {} bytes", key, most_name_bytes);
    return *json->text();
}

std::string needed_text(const Json& request, std::string_view key) {
    std::string text = text_field(request, key);
    if (text.empty()) fail("expected \"{}\"", key);
    return text;
}

/// The id of a request as JSON; empty: it has none that could be repeated.
std::string id_text(const Json& request) {
    const Json* id = request.find("id");
    const bool is_short = id && (id->number() || (id->text() && id->text()->size() <= most_name_bytes));
    return is_short ? json_text(*id) : "";
}

std::string with_id(const std::string& op, const std::string& id) {
    return fmt::format("{{\"op\": \"{}\"{}{}", op, id.empty() ? "" : ", \"id\": ", id);
}

}  // namespace

RosbridgeServer::RosbridgeServer(const std::string& address, int port, std::vector<std::string> origins)
    : address_(address),
      server_({.address = address,
               .port = port,
               .origins = std::move(origins),
               .most_message_bytes = 256 << 10,
               .most_unsent_bytes = 16 << 20}) {}

std::string RosbridgeServer::url() const { return fmt::format("ws://{}:{}", address_, server_.port()); }

RosbridgeServer::Topic& RosbridgeServer::add_topic(const std::string& topic, std::string_view type) {
    const auto [at, is_new] = topics_.try_emplace(topic);
    if (!is_new) fail("the topic {} would be that of two things; put {{}}, the robot's name, into it", topic);
    at->second.type = type;
    return at->second;
}

void RosbridgeServer::offer(const std::string& topic, std::string_view type, Maker latched) {
    Topic& added = add_topic(topic, type);
    added.offered = true;
    added.latched = std::move(latched);
}

void RosbridgeServer::accept(const std::string& topic, std::string_view type, Taker taker, std::string refusal) {
    Topic& added = add_topic(topic, type);
    added.taker = std::move(taker);
    added.refusal = std::move(refusal);
}

void RosbridgeServer::pass_over(const std::string& topic, std::string_view type) {
    add_topic(topic, type).passed_over = true;
}

const RosbridgeServer::Topic* RosbridgeServer::find_topic(const std::string& name) const {
    const auto at = topics_.find(name.starts_with('/') ? name : "/" + name);
    return at == topics_.end() ? nullptr : &at->second;
}

void RosbridgeServer::publish(const std::string& topic, const Maker& message) {
    const Topic* const published = find_topic(topic);
    std::array<std::string, 2> texts;  // by dialect, once they are wanted
    const auto now = std::chrono::steady_clock::now();
    for (auto& [number, client] : clients_)
        for (Subscription& subscription : client.subscriptions) {
            if (subscription.topic != published) continue;
            if (now < subscription.next) continue;
            subscription.next = now + subscription.pause;
            std::string& text = texts[static_cast<std::size_t>(subscription.dialect)];
            if (text.empty()) text = message(subscription.dialect);
            send_message(client, subscription, text);
            break;  // once for each client
        }
}

void RosbridgeServer::send_message(Client& client, Subscription& subscription, const std::string& message) {
    server_.send(client.number,
                 "{\"op\": \"publish\", \"topic\": " + json_quoted(subscription.name) + ", \"msg\": " + message + "}",
                 false);
}

std::size_t RosbridgeServer::publishers(const std::string& topic) const {
    const Topic* const asked = find_topic(topic);
    return static_cast<std::size_t>(std::count_if(
        clients_.begin(), clients_.end(), [&](const auto& client) { return client.second.publishes.contains(asked); }));
}

void RosbridgeServer::serve(std::chrono::milliseconds wait) {
    for (auto& [number, client] : clients_) client.heard = 0;
    for (const NetEvent& event : server_.take(wait)) {
        if (event.kind == NetEvent::Kind::joined) {
            clients_[event.client].number = event.client;
            note(fmt::format("client {} came", event.client));
        } else if (event.kind == NetEvent::Kind::refused) {
            note(event.data);
        } else if (event.kind == NetEvent::Kind::left) {
            clients_.erase(event.client);
            note(fmt::format("client {} left{}{}", event.client, event.data.empty() ? "" : ": ", event.data));
        } else if (Client& client = clients_[event.client]; ++client.heard > most_heard) {
            continue;
        } else if (event.kind == NetEvent::Kind::text) {
            hear(client, event.data);
        } else {
            complain(event.client, Level::error, "", "a binary message, expected JSON");
        }
    }
    for (const auto& [number, client] : clients_)
        if (client.heard > most_heard)
            complain(number, Level::error, "",
                     fmt::format("{} messages at once: those after the first {} are lost", client.heard, most_heard));
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
    } else if (op == "fragment" || op == "png" || op == "cbor" || op == "cbor-raw") {
        fail("messages in parts or compressed are not taken; expected JSON");
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

/// That of the type that the request names, or else of the client. Throws when the topic has another type.
RosDialect RosbridgeServer::agreed_dialect(Client& client, const Topic& topic, const Json& request) {
    const std::string type = text_field(request, "type");
    if (type.empty()) return client.dialect;
    const std::string plain = plain_type(type) == "tf/tfMessage" ? std::string(ros_type::transforms) : plain_type(type);
    const std::optional<RosDialect> dialect = dialect_of(type);
    if (!dialect || plain != topic.type) fail("type {}, expected {}", shortened(type), topic.type);
    return client.dialect = *dialect;
}

void RosbridgeServer::subscribe(Client& client, const Json& request) {
    const std::string name = needed_text(request, "topic"), compression = text_field(request, "compression");
    const Topic* const topic = find_topic(name);
    if (!topic || !topic->offered) fail("there is no topic {} to subscribe to", shortened(name));
    if (!compression.empty() && compression != "none") fail("compression {}: expected none", shortened(compression));
    if (const Json* size = request.find("fragment_size"); size && !std::holds_alternative<std::nullptr_t>(size->value))
        fail("fragment_size: messages are not sent in parts");
    const Json* const throttle = request.find("throttle_rate");
    const double pause_ms = throttle && throttle->number() ? *throttle->number() : 0;
    if (!(pause_ms >= 0 && pause_ms <= longest_pause_ms)) fail("throttle_rate: expected 0 to {} ms", longest_pause_ms);
    const RosDialect dialect = agreed_dialect(client, *topic, request);
    if (client.subscriptions.size() >= most_topics_of_client)
        fail("expected at most {} subscriptions", most_topics_of_client);
    client.subscriptions.push_back(
        {topic, name, id_text(request), dialect, std::chrono::milliseconds(std::llround(pause_ms))});
    if (topic->latched) send_message(client, client.subscriptions.back(), topic->latched(dialect));
}

void RosbridgeServer::unsubscribe(Client& client, const Json& request) {
    const std::string name = needed_text(request, "topic"), id = id_text(request);
    const Topic* const topic = find_topic(name);
    const std::size_t ended = std::erase_if(client.subscriptions, [&](const Subscription& subscription) {
        return subscription.topic == topic && (id.empty() || subscription.id == id);
    });
    if (ended == 0)
        complain(client.number, Level::warning, id, "unsubscribe: " + shortened(name) + " was not subscribed to");
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
