#include "net/context_thread.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>

#include "outrider/error.hpp"

namespace outrider {

void ContextThread::begin() {
    thread_ = std::thread([this] {
        context_.run();
        ended_.set_value();
    });
}

void ContextThread::finish(std::function<void()> end) {
    asio::post(context_, std::move(end));
    work_.reset();
    if (ended_.get_future().wait_for(std::chrono::milliseconds(500)) == std::future_status::timeout) context_.stop();
    thread_.join();
}

Listener::Listener(asio::io_context& context, const std::string& address, int port)
    : acceptor_(context), pause_(context) {
    error_code error;
    const asio::ip::address where = asio::ip::make_address(address, error);
    if (error) fail("{}: expected an address to listen at, such as 127.0.0.1", address);
    const Tcp::endpoint end(where, static_cast<unsigned short>(port));
    acceptor_.open(end.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(end, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) fail("cannot listen at {}:{}: {}", address, port, error.message());
    port_ = acceptor_.local_endpoint().port();
}

void Listener::begin(std::function<void(Tcp::socket)> accepted) {
    accepted_ = std::move(accepted);
    accept_next();
}

void Listener::close() {
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
}

void Listener::accept_next() {
    acceptor_.async_accept([this](error_code error, Tcp::socket socket) {
        if (error == asio::error::operation_aborted || !acceptor_.is_open()) return;
        if (error) {  // such as too many open files: again, a little later
            pause_.expires_after(std::chrono::milliseconds(100));
            pause_.async_wait([this](error_code stopped) {
                if (!stopped) accept_next();
            });
            return;
        }
        prepare_socket(socket);
        accepted_(std::move(socket));
        accept_next();
    });
}

void prepare_socket(Tcp::socket& socket) {
    error_code ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    const auto set = [&](int name, int value) {
        ::setsockopt(socket.native_handle(), IPPROTO_TCP, name, &value, sizeof value);
    };
    set(TCP_KEEPIDLE, 30);  // seconds
    set(TCP_KEEPINTVL, 10);
    set(TCP_KEEPCNT, 3);
    set(TCP_USER_TIMEOUT, 60'000);  // milliseconds, of what was sent and not acknowledged
}

}  // namespace outrider
