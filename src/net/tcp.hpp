// Private to this room: short names of Boost.Asio, with the executor of an io_context in their types. Boost's own names
// stand for any executor, which doubles what the compiler has to do.
#pragma once

#include <chrono>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

namespace outrider {

namespace asio = boost::asio;
using boost::system::error_code;
using Executor = asio::io_context::executor_type;

struct Tcp : asio::ip::tcp {
    using socket = asio::basic_stream_socket<asio::ip::tcp, Executor>;
    using acceptor = asio::basic_socket_acceptor<asio::ip::tcp, Executor>;
    using resolver = asio::ip::basic_resolver<asio::ip::tcp, Executor>;
};
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

}  // namespace outrider
