// What RosbridgeServer says to clients: topics, subscriptions, messages.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "live/rosbridge/request.hpp"
#include "live/rosbridge/rosbridge_server.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_topics_of_client = 256;  // subscriptions

}  // namespace

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

void RosbridgeServer::pass_on(const std::string& topic, std::string_view type) {
    Topic& added = add_topic(topic, type);
    added.offered = true;
    added.taker = [this, &added](int, const Json& message) {
        const auto fitted = [&](RosDialect dialect) {
            return encode_ros(message, *find_ros_type(added.type, dialect), dialect, RosCoding::json);
        };
        fitted(RosDialect::ros1);  // throws, also when nobody listens
        publish(added, fitted);
    };
}

void RosbridgeServer::pass_over(const std::string& topic, std::string_view type) {
    add_topic(topic, type).passed_over = true;
}

const RosbridgeServer::Topic* RosbridgeServer::find_topic(const std::string& name) const {
    const auto at = topics_.find(name.starts_with('/') ? name : "/" + name);
    return at == topics_.end() ? nullptr : &at->second;
}

void RosbridgeServer::publish(const std::string& topic, const Maker& message) {
    if (const Topic* const published = find_topic(topic)) publish(*published, message);
}

void RosbridgeServer::publish(const Topic& topic, const Maker& message) {
    std::array<std::array<MessageStream::Message, 3>, 2> made;  // by dialect and coding, once they are wanted
    const auto now = MessageStream::Clock::now();
    const auto make = [&](const StreamTerms& terms) -> const MessageStream::Message& {
        auto& codings = made[static_cast<std::size_t>(terms.dialect)];
        MessageStream::Message& json = codings[0];
        if (!json) json = std::make_shared<const std::string>(message(terms.dialect));
        MessageStream::Message& wanted = codings[static_cast<std::size_t>(terms.coding)];
        if (!wanted)
            wanted = std::make_shared<const std::string>(
                encode_ros(parse_json(*json), *find_ros_type(topic.type, terms.dialect), terms.dialect, terms.coding));
        return wanted;
    };
    for (auto& [number, client] : clients_) {
        const std::optional<Subscription> subscription = subscription_to(client, &topic);
        if (!subscription || !client.streams[&topic].wants(subscription->terms, now)) continue;
        client.streams[&topic].put(make(subscription->terms), subscription->terms);
        send_due(client, *subscription);
    }
}

/// Of a client; several to one topic are one.
std::optional<RosbridgeServer::Subscription> RosbridgeServer::subscription_to(const Client& client,
                                                                              const Topic* topic) {
    std::optional<Subscription> out;
    for (const Subscription& s : client.subscriptions) {
        if (s.topic != topic) continue;
        if (out)
            out->terms = common_terms(out->terms, s.terms);
        else
            out = s;
    }
    return out;
}

/// What waited for the end of a pause that is over.
void RosbridgeServer::send_due(Client& client, const Subscription& subscription) {
    const auto now = MessageStream::Clock::now();
    while (const MessageStream::Message message = client.streams[subscription.topic].take(subscription.terms, now))
        send_message(client, subscription, *message);
}

void RosbridgeServer::send_message(Client& client, const Subscription& subscription, const std::string& message) {
    const StreamTerms& terms = subscription.terms;
    std::string bytes = publication(subscription.name, message, terms.coding, time_s_);
    if (terms.coding != RosCoding::json)
        server_.send(client.number, std::move(bytes), true);
    else if (terms.fragment == 0 || bytes.size() <= terms.fragment)
        server_.send(client.number, std::move(bytes), false);
    else
        for (std::string& part : fragments_of(bytes, terms.fragment, fmt::format("{}", ++fragmented_)))
            server_.send(client.number, std::move(part), false);
}

std::size_t RosbridgeServer::publishers(const std::string& topic) const {
    const Topic* const asked = find_topic(topic);
    return static_cast<std::size_t>(std::count_if(
        clients_.begin(), clients_.end(), [&](const auto& client) { return client.second.publishes.contains(asked); }));
}

std::vector<int> RosbridgeServer::subscribers(const std::string& topic) const {
    std::vector<int> out;
    for (const auto& [number, client] : clients_)
        if (subscription_to(client, find_topic(topic))) out.push_back(number);
    return out;
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
    const std::string name = needed_text(request, "topic");
    const Topic* const topic = find_topic(name);
    if (!topic || !topic->offered) fail("there is no topic {} to subscribe to", shortened(name));
    const StreamTerms terms = read_terms(request, agreed_dialect(client, *topic, request));
    if (client.subscriptions.size() >= most_topics_of_client)
        fail("expected at most {} subscriptions", most_topics_of_client);
    client.subscriptions.push_back({topic, name, id_text(request), terms});
    client.streams[topic] = {};  // what waits may be in other words
    if (!topic->latched) return;
    const Subscription joint = *subscription_to(client, topic);
    if (std::string message = topic->latched(joint.terms.dialect); !message.empty()) {
        if (joint.terms.coding != RosCoding::json)
            message = encode_ros(parse_json(message), *find_ros_type(topic->type, joint.terms.dialect),
                                 joint.terms.dialect, joint.terms.coding);
        send_message(client, joint, message);
    }
}

void RosbridgeServer::unsubscribe(Client& client, const Json& request) {
    const std::string name = needed_text(request, "topic"), id = id_text(request);
    const Topic* const topic = find_topic(name);
    const std::size_t ended = std::erase_if(client.subscriptions, [&](const Subscription& subscription) {
        return subscription.topic == topic && (id.empty() || subscription.id == id);
    });
    client.streams.erase(topic);
    if (ended == 0)
        complain(client.number, Level::warning, id, "unsubscribe: " + shortened(name) + " was not subscribed to");
}

}  // namespace outrider
