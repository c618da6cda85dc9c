// Private to this room: short names of Boost.Asio.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

namespace outrider {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using boost::system::error_code;

}  // namespace outrider
