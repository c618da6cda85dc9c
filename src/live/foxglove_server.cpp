#include "live/foxglove_server.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/version.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_subscriptions = 10'000;  // of one client

/// Numbers in binary messages: little endian.
template <class Number>
void append(std::string& out, Number value) {
    for (std::size_t k = 0; k < sizeof(Number); ++k) out += static_cast<char>(value >> (8 * k) & 255);
}

/// A number of a channel or a subscription; nothing: it is none.
std::optional<std::uint32_t> id_of(const Json* json) {
    const double* number = json ? json->number() : nullptr;
    if (!number || !(*number >= 0) || !(*number < 4294967296.0) || *number != std::floor(*number)) return {};
    return static_cast<std::uint32_t>(*number);
}

}  // namespace

FoxgloveServer::FoxgloveServer(const std::string& address, int port, std::string name, std::vector<std::string> origins)
    : name_(std::move(name)),
      address_(address),
      server_({.address = address,
               .port = port,
               .protocols = {"foxglove.websocket.v1", "foxglove.sdk.v1"},
               .origins = std::move(origins)}) {}

std::string FoxgloveServer::url() const { return fmt::format("ws://{}:{}", address_, server_.port()); }

void FoxgloveServer::write(const std::string& topic, std::uint64_t time_ns, const ToolMessage& message,
                           const std::map<std::string, std::string>& about) {
    const auto kind = static_cast<MessageKind>(message.index());
    auto at = channels_.find(topic);
    if (at == channels_.end()) {
        at = channels_.emplace(topic, Channel{static_cast<std::uint32_t>(channels_.size() + 1), kind, 0, {}, about})
                 .first;
        topics_[at->second.id] = topic;
        for (const auto& [client, subscriptions] : clients_)
            server_.send(client, "{\"op\": \"advertise\", \"channels\": [" + advertisement(at->second, topic) + "]}",
                         false);
    }
    Channel& channel = at->second;
    OUTRIDER_CHECK(static_cast<int>(channel.kind), ==, static_cast<int>(kind));
    channel.time_ns = time_ns;
    channel.newest = message;
    time_ns_ = std::max(time_ns_, time_ns);
    std::string bytes;  // as JSON, if anybody wants it
    for (const auto& [client, subscriptions] : clients_)
        for (const auto& [subscription, id] : subscriptions) {
            if (id != channel.id) continue;
            if (bytes.empty()) bytes = foxglove_coding().encode(message, time_ns);
            send(client, subscription, time_ns, bytes);
        }
}

void FoxgloveServer::flush() {
    std::string time(1, '\2');
    append(time, time_ns_);
    for (const auto& [client, subscriptions] : clients_) server_.send(client, time, true);
    serve({});
}

void FoxgloveServer::serve(std::chrono::milliseconds wait) {
    for (const NetEvent& event : server_.take(wait)) switch (event.kind) {
            case NetEvent::Kind::joined: {
                clients_[event.client];
                server_.send(event.client,
                             fmt::format("{{\"op\": \"serverInfo\", \"name\": {}, \"capabilities\": [\"time\"], "
                                         "\"supportedEncodings\": [], \"metadata\": {{\"outrider\": {}}}}}",
                                         json_quoted(name_), json_quoted(version())),
                             false);
                std::string all;
                for (const auto& [topic, channel] : channels_)
                    all += (all.empty() ? "" : ", ") + advertisement(channel, topic);
                if (!all.empty())
                    server_.send(event.client, "{\"op\": \"advertise\", \"channels\": [" + all + "]}", false);
                break;
            }
            case NetEvent::Kind::text:
                hear(event.client, event.data);
                break;
            case NetEvent::Kind::binary:
                complain(event.client, "binary messages are not expected: nothing can be sent to a run");
                break;
            case NetEvent::Kind::refused:
                if (complaints_.size() < 100) complaints_.push_back(event.data);
                break;
            case NetEvent::Kind::left:
                clients_.erase(event.client);
                if (!event.data.empty() && complaints_.size() < 100)
                    complaints_.push_back(fmt::format("viewer {} left: {}", event.client, event.data));
        }
}

std::size_t FoxgloveServer::viewers() const {
    return static_cast<std::size_t>(
        std::count_if(clients_.begin(), clients_.end(), [](const auto& client) { return !client.second.empty(); }));
}

void FoxgloveServer::hear(int client, const std::string& text) {
    Json request;
    try {
        request = parse_json(text);
    } catch (const Error& error) {
        complain(client, fmt::format("expected JSON: {}", error.what()));
        return;
    }
    const Json* op = request.find("op");
    const std::string name = op && op->text() ? *op->text() : "";
    if (name == "subscribe")
        subscribe(client, request);
    else if (name == "unsubscribe")
        unsubscribe(client, request);
    else
        complain(client,
                 fmt::format("\"op\": \"{}\" is not known; expected subscribe or unsubscribe", name.substr(0, 40)));
}

void FoxgloveServer::subscribe(int client, const Json& request) {
    const Json* list = request.find("subscriptions");
    if (!list || !list->array()) return complain(client, "subscribe: expected a list of subscriptions");
    Subscriptions& mine = clients_[client];
    for (const Json& wanted : *list->array()) {
        const auto subscription = id_of(wanted.find("id")), id = id_of(wanted.find("channelId"));
        const auto topic = id ? topics_.find(*id) : topics_.end();
        if (!subscription || topic == topics_.end()) {
            complain(client, "subscribe: expected an id, and the channelId of a channel");
            continue;
        }
        if (mine.size() >= most_subscriptions) return complain(client, "subscribe: too many subscriptions");
        if (!mine.emplace(*subscription, *id).second) {
            complain(client, fmt::format("subscribe: the id {} is taken", *subscription));
            continue;
        }
        // What the topic shows now, such as a map that does not change any more.
        const Channel& channel = channels_.at(topic->second);
        send(client, *subscription, channel.time_ns, foxglove_coding().encode(channel.newest, channel.time_ns));
    }
}

void FoxgloveServer::unsubscribe(int client, const Json& request) {
    const Json* list = request.find("subscriptionIds");
    if (!list || !list->array()) return complain(client, "unsubscribe: expected a list of subscriptionIds");
    for (const Json& id : *list->array())
        if (const auto subscription = id_of(&id); !subscription || clients_[client].erase(*subscription) == 0)
            complain(client, "unsubscribe: there is no such subscription");
}

/// Foxglove shows it among its problems.
void FoxgloveServer::complain(int client, const std::string& what) {
    server_.send(client, fmt::format("{{\"op\": \"status\", \"level\": 1, \"message\": {}}}", json_quoted(what)),
                 false);
    if (complaints_.size() < 100) complaints_.push_back(fmt::format("viewer {}: {}", client, what));
}

std::string FoxgloveServer::advertisement(const Channel& channel, const std::string& topic) const {
    const MessageCoding& coding = foxglove_coding();
    const SchemaText schema = coding.schema(channel.kind);
    return fmt::format(
        "{{\"id\": {}, \"topic\": {}, \"encoding\": {}, \"schemaName\": {}, \"schema\": {}, \"schemaEncoding\": {}}}",
        channel.id, json_quoted(topic), json_quoted(coding.message_encoding), json_quoted(schema.name),
        json_quoted(schema.text), json_quoted(coding.schema_encoding));
}

void FoxgloveServer::send(int client, std::uint32_t subscription, std::uint64_t time_ns, const std::string& bytes) {
    std::string message(1, '\1');
    append(message, subscription);
    append(message, time_ns);
    server_.send(client, message + bytes, true);
}

}  // namespace outrider
