#include "net/line_client.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "net/context_thread.hpp"
#include "net/line_connection.hpp"
#include "net/tcp.hpp"

namespace outrider {
struct LineClient::Parts {
    explicit Parts(const LineClientOptions& o) : options(o), next_wait(o.first_wait) {}

    /// Looks the host up, then tries its addresses one after the other.
    void connect() {
        ++attempts;
        timer.expires_after(std::max(options.longest_wait, options.least_answer));
        timer.async_wait([this, mine = ++attempt](error_code stopped) {
            if (stopped || ending || mine != attempt) return;
            silent = true;
            resolver.cancel();
            error_code ignored;
            socket.close(ignored);
        });
        resolver.async_resolve(options.host, std::to_string(options.port),
                               [this](error_code error, const Tcp::resolver::results_type& found) {
                                   if (ending) return;
                                   if (error || silent) return failed(error);
                                   asio::async_connect(socket, found, [this](error_code refused, const Tcp::endpoint&) {
                                       if (ending) return;
                                       refused || silent ? failed(refused) : stands();
                                   });
                               });
    }
    void stands() {
        ++attempt;
        timer.cancel();
        prepare_socket(socket);
        last_failure.clear();
        ++times;
        const LineLimits limits{options.end, options.most_line_bytes, options.most_waiting_bytes,
                                options.most_unsent_bytes};
        const auto made = std::make_shared<LineConnection>(std::move(socket), options.host, times, limits, inbox,
                                                           [this](const std::string& why) { broke(why); });
        socket = Tcp::socket(context);
        {
            const std::lock_guard lock(mutex);
            connection = made;
        }
        inbox.put({NetEvent::Kind::joined, times, {}});
        made->begin();
    }
    void broke(const std::string& why) {
        std::shared_ptr<LineConnection> old;
        {
            const std::lock_guard lock(mutex);
            old = std::exchange(connection, nullptr);
        }
        inbox.put({NetEvent::Kind::left, times, why});
        if (old && old->has_received()) next_wait = options.first_wait;  // a server that takes nobody has failed
        again();
    }
    void failed(error_code error) {
        ++attempt;
        timer.cancel();
        error_code ignored;
        socket.close(ignored);
        const std::string why = fmt::format("cannot connect to {}:{}: {}", options.host, options.port,
                                            std::exchange(silent, false) ? "no answer" : error.message());
        if (why != last_failure) inbox.put({NetEvent::Kind::left, times, why});
        last_failure = why;
        again();
    }
    void again() {
        if (ending) return;
        timer.expires_after(next_wait);
        next_wait = std::min(2 * next_wait, options.longest_wait);
        timer.async_wait([this](error_code stopped) {
            if (!stopped && !ending) connect();
        });
    }
    std::shared_ptr<LineConnection> now() const {
        const std::lock_guard lock(mutex);
        return connection;
    }

    const LineClientOptions options;
    Inbox inbox;
    asio::io_context context{1};
    Tcp::resolver resolver{context};
    Tcp::socket socket{context};
    Timer timer{context};
    std::chrono::milliseconds next_wait;
    std::string last_failure;
    int attempt = 0;  // to connect: its end, and that of waiting for it, count too
    int times = 0;    // that the link stood
    std::atomic<int> attempts{0};
    bool silent = false, ending = false;
    mutable std::mutex mutex;
    std::shared_ptr<LineConnection> connection;  // nothing: the link is down
    ContextThread thread{context};
};

LineClient::LineClient(const LineClientOptions& options) : parts_(std::make_unique<Parts>(options)) {
    asio::post(parts_->context, [&p = *parts_] { p.connect(); });
    parts_->thread.begin();
}

LineClient::~LineClient() {
    parts_->thread.finish([&p = *parts_] {
        p.ending = true;
        p.timer.cancel();
        p.resolver.cancel();
        error_code ignored;
        p.socket.close(ignored);
        if (const auto connection = p.now()) connection->close("");
    });
}

std::vector<NetEvent> LineClient::take(std::chrono::milliseconds wait) {
    std::vector<NetEvent> events = parts_->inbox.take(wait);
    for (const auto& [id, count] : line_bytes(events))
        asio::post(parts_->context, [&p = *parts_, id = id, count = count] {
            if (const auto connection = p.now(); connection && id == p.times) connection->fetched(count);
        });
    return events;
}

bool LineClient::send(std::string text) {
    const auto connection = parts_->now();
    return connection && connection->offer(std::move(text));
}

bool LineClient::connected() const { return parts_->now() != nullptr; }

int LineClient::attempts() const { return parts_->attempts; }

}  // namespace outrider
