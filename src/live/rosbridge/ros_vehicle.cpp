#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "live/complaints.hpp"
#include "live/rosbridge/ros_intake.hpp"
#include "live/rosbridge/ros_messages.hpp"
#include "live/rosbridge/rosbridge.hpp"
#include "live/rosbridge/shown.hpp"
#include "log/viewers/map_follower.hpp"
#include "mcap/topics.hpp"
#include "net/web_socket_client.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr int most_messages = 10'000;                // that one call takes in
constexpr std::size_t most_shown_bytes = 9'000'000;  // rosbridge ends a connection with a message of 10 MB

std::vector<std::string> names_in_topics(const Briefing& briefing) {
    std::vector<std::string> names;
    for (const TeamMember& member : briefing.team()) names.push_back(member.name);
    return topic_names(names);
}

class RosVehicle final : public Vehicle {
  public:
    RosVehicle(const std::string& url, const Briefing& briefing, const LiveSection& options)
        : options_(options),
          name_(names_in_topics(briefing).at(static_cast<std::size_t>(briefing.self))),
          command_(ros_topic(options.command, name_)),
          intake_(briefing, options, names_in_topics(briefing), complaints_),
          client_({.url = url, .most_unsent_bytes = 2 * most_shown_bytes}) {}

    void take(std::chrono::milliseconds wait, Readings& readings) override {
        int taken = 0;
        for (const NetEvent& event : client_.take(wait)) switch (event.kind) {
                case NetEvent::Kind::joined:
                    greet();
                    break;
                case NetEvent::Kind::text:
                    if (++taken <= most_messages)
                        hear(event.data, readings);
                    else
                        complaints_.add("it sends faster than its messages can be read: some are passed over");
                    break;
                case NetEvent::Kind::binary:
                    complaints_.add("a binary message, expected JSON");
                    break;
                case NetEvent::Kind::refused:
                    break;  // servers alone tell of it
                case NetEvent::Kind::left:
                    lose(event.data);
            }
    }
    void drive(const Velocity& velocity) override {
        const bool is_one = std::isfinite(velocity.forward_mps) && std::isfinite(velocity.turn_radps);
        publish(command_, twist_json(is_one ? velocity : Velocity{}));
    }
    void show(const Belief& belief, std::span<const Point> path) override;
    bool connected() const override { return client_.connected(); }
    std::vector<std::string> take_complaints() override { return complaints_.take(); }

  private:
    bool send(const std::string& text) { return client_.send(text, false); }
    bool publish(const std::string& topic, const std::string& message) {
        return send("{\"op\": \"publish\", \"topic\": " + json_quoted(topic) + ", \"msg\": " + message + "}");
    }
    void greet();
    void lose(const std::string& why);
    void hear(const std::string& text, Readings& readings);
    void take_status(const Json& status);
    bool is_wanted(const std::string& pattern) const {
        return !pattern.empty() && !refused_.contains(ros_topic(pattern, name_));
    }
    void show_message(const std::string& pattern, const std::string& message);

    LiveSection options_;
    std::string name_, command_;
    Complaints complaints_;
    RosIntake intake_;
    std::set<std::string> refused_;  // topics that rosbridge does not want
    bool stood_ = false;             // the link
    std::chrono::steady_clock::time_point shown_{};
    WebSocketClient client_;
};

/// With types, so that topics may appear later. Those of ROS 1, which rosbridge of ROS 2 takes, too.
void RosVehicle::greet() {
    stood_ = true;
    refused_.clear();
    const auto say = [&](const char* op, const std::string& topic, std::string_view type) {
        send(fmt::format("{{\"op\": \"{0}\", \"id\": {1}, \"topic\": {1}, \"type\": \"{2}\"}}", op, json_quoted(topic),
                         type));
    };
    for (const auto& [topic, stream] : intake_.streams())
        if (stream.kind != RosStream::Kind::time) say("subscribe", topic, stream.type());
    if (!options_.map.empty()) say("advertise", ros_topic(options_.map, name_), ros_type::grid);
    if (!options_.path.empty()) say("advertise", ros_topic(options_.path, name_), ros_type::path);
    if (!options_.markers.empty()) say("advertise", ros_topic(options_.markers, name_), ros_type::markers);
    // Who hears the first time hears all else.
    if (options_.clock == TickClock::robot) say("subscribe", ros_topic(options_.time, name_), ros_type::clock);
    // Last: a world in lock-step begins when all of its robots are driven, and who drives has to hear of its first
    // step.
    say("advertise", command_, ros_type::twist);
}

/// The link broke, or could not be made.
void RosVehicle::lose(const std::string& why) {
    const std::string reason = why.empty() ? "the robot said good-bye" : shortened(why, 300);
    complaints_.add(std::exchange(stood_, false) ? "the link broke: " + reason : reason);
}

void RosVehicle::hear(const std::string& text, Readings& readings) {
    std::string from = "a message";
    try {
        const Json json = parse_ros_json(text);
        const Json *op = json.find("op"), *topic = json.find("topic"), *message = json.find("msg");
        if (!op || !op->text()) fail("expected an \"op\"");
        if (*op->text() == "status") return take_status(json);
        if (*op->text() != "publish") return;
        if (!topic || !topic->text() || !message) fail("expected \"topic\" and \"msg\"");
        from = shortened(*topic->text());
        intake_.take(*topic->text(), *message, readings);
    } catch (const Error& error) {
        complaints_.add(fmt::format("{}: {}", from, error.what()));
    }
}

/// Its id is that of the request: the topic.
void RosVehicle::take_status(const Json& status) {
    const Json *level = status.find("level"), *message = status.find("msg"), *id = status.find("id");
    if (id && id->text() && refused_.size() < intake_.streams().size() + 10) refused_.insert(*id->text());
    if (level && level->text() && (*level->text() == "info" || *level->text() == "none")) return;
    if (message && message->text()) complaints_.add("rosbridge says: " + shortened(*message->text(), 300));
}

/// At most once in a second, and not before the robot's own messages have shown how it writes times.
void RosVehicle::show(const Belief& belief, std::span<const Point> path) {
    const auto now = std::chrono::steady_clock::now();
    if (!intake_.dialect() || !connected() || now - shown_ < std::chrono::seconds(1)) return;
    shown_ = now;
    const RosHeader header{intake_.newest_s(), ros_map_frame(belief.map().frame(), name_), *intake_.dialect()};
    if (is_wanted(options_.map))
        if (const std::optional<GridMessage> grid = grid_of(belief.map(), {0, 0}))
            show_message(options_.map, grid_json(header, *grid));
    if (is_wanted(options_.path)) show_message(options_.path, path_json(header, path));
    if (is_wanted(options_.markers)) show_message(options_.markers, belief_markers_json(header, belief));
}

void RosVehicle::show_message(const std::string& pattern, const std::string& message) {
    const std::string topic = ros_topic(pattern, name_);
    if (message.size() > most_shown_bytes)
        complaints_.add(
            fmt::format("{} is not shown: {} bytes, but rosbridge takes at most 10 MB", topic, message.size()));
    else if (!publish(topic, message))
        complaints_.add(fmt::format("{} is not shown: too much is on its way", topic));
}

}  // namespace

std::unique_ptr<Vehicle> make_ros_vehicle(const std::string& url, const Briefing& briefing,
                                          const LiveSection& options) {
    return std::make_unique<RosVehicle>(url, briefing, options);
}

}  // namespace outrider
