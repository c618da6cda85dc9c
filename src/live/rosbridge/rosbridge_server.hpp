// The server side of rosbridge (protocol 2.0): which topics there are, who subscribed to what, who publishes what.
// Messages go out in the coding that a client asks for, and in parts if it wants them so; they come in as JSON.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "live/complaints.hpp"
#include "live/rosbridge/fragments.hpp"
#include "live/rosbridge/ros_messages.hpp"
#include "live/rosbridge/stream.hpp"
#include "net/web_socket_server.hpp"

namespace outrider {

/// Belongs to one thread; clients are served while it calls serve().
class RosbridgeServer {
  public:
    /// Makes a message in a dialect.
    using Maker = std::function<std::string(RosDialect)>;
    /// Takes a message of a client; throws Error when it is wrong.
    using Taker = std::function<void(int client, const Json& message)>;

    /// Throws Error when the address or port cannot be used.
    RosbridgeServer(const std::string& address, int port, std::vector<std::string> origins);

    std::string url() const;
    /// A topic that clients can subscribe to; what `latched` makes they get at once, unless it is empty. Throws Error
    /// when the topic is there already; so do the next ones.
    void offer(const std::string& topic, std::string_view type, Maker latched = {});
    /// A topic that clients can publish to, or not, and why.
    void accept(const std::string& topic, std::string_view type, Taker taker, std::string refusal = {});
    /// A topic on which clients speak to each other.
    void pass_on(const std::string& topic, std::string_view type);
    /// A topic that clients may advertise; they are told that nobody looks at it here.
    void pass_over(const std::string& topic, std::string_view type);
    /// To all who subscribed: made once for each dialect that somebody wants.
    void publish(const std::string& topic, const Maker& message);
    /// The time that clients are told who ask for it.
    void set_time(double time_s) { time_s_ = time_s; }
    /// Clients that advertised the topic, or published to it.
    std::size_t publishers(const std::string& topic) const;
    /// Clients that subscribed to the topic.
    std::vector<int> subscribers(const std::string& topic) const;
    void serve(std::chrono::milliseconds wait);
    /// For people here; a client is told as well when it is a client's fault.
    void note(std::string text) { complaints_.add(std::move(text)); }
    void warn(int client, const std::string& what);
    std::vector<std::string> take_complaints() { return complaints_.take(); }

  private:
    struct Topic {
        std::string type;  ///< in ROS 1
        Maker latched;     ///< of those that are offered
        Taker taker;       ///< of those that are accepted
        std::string refusal;
        bool offered = false, passed_over = false;
    };
    struct Subscription {
        const Topic* topic;
        std::string name, id;  ///< as the client writes them
        StreamTerms terms;
    };
    struct Client {
        int number = 0;
        RosDialect dialect = RosDialect::ros1;  ///< that of the last type it named
        std::vector<Subscription> subscriptions = {};
        std::map<const Topic*, MessageStream> streams = {};
        FragmentInbox parts{most_message_bytes};
        std::set<const Topic*> publishes = {};
        std::size_t messages = 0;  ///< messages in this call of serve()
    };
    enum class Level { error, warning, info };
    static constexpr std::size_t most_message_bytes = 256 << 10;  // of a client's

    Topic& add_topic(const std::string& topic, std::string_view type);
    /// nullptr: there is none.
    const Topic* find_topic(const std::string& name) const;
    void hear(Client& client, const std::string& text);
    void answer(Client& client, const std::string& op, const Json& request);
    void subscribe(Client& client, const Json& request);
    void unsubscribe(Client& client, const Json& request);
    void advertise(Client& client, const Json& request);
    void take_message(Client& client, const Json& request);
    const Topic& publishable(const std::string& name) const;
    RosDialect agreed_dialect(Client& client, const Topic& topic, const Json& request);
    void call_service(Client& client, const Json& request);
    void publish(const Topic& topic, const Maker& message);
    static std::optional<Subscription> subscription_to(const Client& client, const Topic* topic);
    void send_due(Client& client, const Subscription& subscription);
    void send_message(Client& client, const Subscription& subscription, const std::string& message);
    void complain(int client, Level level, const std::string& id, const std::string& what);

    std::string address_;
    double time_s_ = 0;
    std::size_t fragmented_ = 0;  // messages that were sent in parts
    std::map<std::string, Topic> topics_;
    std::map<int, Client> clients_;
    Complaints complaints_{20};
    WebSocketServer server_;
};

}  // namespace outrider
