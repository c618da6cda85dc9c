#include "net/line_server.hpp"

#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "net/context_thread.hpp"
#include "net/line_connection.hpp"
#include "net/silent.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_unfetched = 1024;

}  // namespace

struct LineServer::Parts {
    explicit Parts(const LineServerOptions& o) : options(o), listener(context, o.address, o.port) {}

    /// More than may be there are turned away without a word: a protocol of lines need not have one for it. So are
    /// those who come and go so fast that take() has fetched the end of few of them. Who never said anything makes
    /// room.
    void accepted(LineConnection::Socket socket) {
        if (unfetched >= 4 * options.most_clients + most_unfetched) return;
        if (connections.size() >= options.most_clients) {
            const int silent = longest_silent(connections, [](const LineConnection& c) { return !c.has_received(); });
            if (silent == 0) return;
            const std::shared_ptr<LineConnection> gone = connections.at(silent);  // which leaves the list
            gone->drop("it sent nothing, and others wait");
        }
        boost::system::error_code gone;
        const std::string address = socket.remote_endpoint(gone).address().to_string();
        if (gone) return;
        const int id = ++last_id;
        const auto left = [this, id](const std::string& why) {
            connections.erase(id);
            inbox.put({NetEvent::Kind::left, id, why});
        };
        const LineLimits limits{options.end, options.most_line_bytes, options.most_waiting_bytes,
                                options.most_unsent_bytes, true};
        const auto connection = std::make_shared<LineConnection>(std::move(socket), address, id, limits, inbox, left);
        connections.emplace(id, connection);
        ++unfetched;
        inbox.put({NetEvent::Kind::joined, id, address});
        connection->begin();
    }
    template <class Function>
    void with(int client, Function&& function) {
        boost::asio::post(context, [this, client, function = std::forward<Function>(function)]() mutable {
            const auto at = connections.find(client);
            if (at == connections.end()) return;
            const std::shared_ptr<LineConnection> connection = at->second;  // which may leave the list
            function(*connection);
        });
    }

    const LineServerOptions options;
    Inbox inbox;
    boost::asio::io_context context{1};
    Listener listener;
    std::map<int, std::shared_ptr<LineConnection>> connections;
    int last_id = 0;
    std::size_t unfetched = 0;  // clients whose end was not fetched yet
    ContextThread thread{context};
};

LineServer::LineServer(const LineServerOptions& options) : parts_(std::make_unique<Parts>(options)) {
    Parts& p = *parts_;
    p.listener.begin([&p](LineConnection::Socket socket) { p.accepted(std::move(socket)); });
    p.thread.begin();
}

LineServer::~LineServer() {
    parts_->thread.finish([&p = *parts_] {
        p.listener.close();
        for (const auto& [id, connection] : p.connections) connection->close("the server ends");
    });
}

int LineServer::port() const { return parts_->listener.port(); }

std::vector<NetEvent> LineServer::take(std::chrono::milliseconds wait) {
    std::vector<NetEvent> events = parts_->inbox.take(wait);
    std::size_t ended = 0;
    for (const NetEvent& event : events) ended += event.kind == NetEvent::Kind::left;
    if (ended > 0) boost::asio::post(parts_->context, [&p = *parts_, ended] { p.unfetched -= ended; });
    for (const auto& [client, count] : line_bytes(events))
        parts_->with(client, [count = count](LineConnection& connection) { connection.fetched(count); });
    return events;
}

void LineServer::send(int client, std::string text) {
    parts_->with(client, [text = std::move(text)](LineConnection& connection) mutable {
        if (!connection.offer(std::move(text))) connection.drop("it reads too slowly");
    });
}

void LineServer::close(int client, const std::string& why) {
    parts_->with(client, [why](LineConnection& connection) { connection.close(why); });
}

}  // namespace outrider
