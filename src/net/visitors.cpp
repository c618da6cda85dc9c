#include "net/visitors.hpp"

#include <unistd.h>

#include <limits.h>
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <boost/asio/ip/address.hpp>

#include "outrider/error.hpp"

namespace outrider {
namespace {

std::string in_small_letters(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

/// What stands in a field of an unknown client, as far as a message shows it.
std::string shown_field(std::string_view text) {
    std::string out(text.substr(0, 100));
    for (char& c : out)
        if (c < ' ' || c > '~') c = '?';
    return out;
}

/// "name:80" or "[::1]:80" without the port.
std::string without_port(const std::string& host) {
    if (host.starts_with('[')) {
        const std::size_t end = host.find(']');
        return end == std::string::npos ? host : host.substr(1, end - 1);
    }
    const std::size_t colon = host.find(':');
    return host.substr(0, colon);
}

std::string machine_name() {
    std::array<char, HOST_NAME_MAX + 1> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? in_small_letters(name.data()) : std::string();
}

bool leads_here(const std::string& field, std::string_view listened) {
    std::string host = without_port(in_small_letters(field));
    if (host.ends_with('.')) host.pop_back();
    if (host == "localhost") return true;
    boost::system::error_code no_address, ignored;
    const auto address = boost::asio::ip::make_address(host, no_address);
    const auto own = boost::asio::ip::make_address(std::string(listened), ignored);
    if (!no_address) return address.is_loopback() || address == own || own.is_unspecified();
    if (own.is_loopback()) return false;
    const std::string machine = machine_name();
    return !machine.empty() && (host == machine || host == machine + ".local");
}

}  // namespace

std::string refusal_of(const Visitor& visitor, std::string_view listened, const std::vector<std::string>& allowed) {
    if (visitor.hosts.size() != 1) return fmt::format("expected one Host, found {}", visitor.hosts.size());
    const std::string& host = visitor.hosts.front();
    if (!leads_here(host, listened)) return fmt::format("'{}' is no name of this server", shown_field(host));
    if (visitor.origins.empty()) return {};
    if (visitor.origins.size() > 1) return fmt::format("expected one Origin, found {}", visitor.origins.size());
    const std::string origin = in_small_letters(visitor.origins.front());
    if (origin == "http://" + in_small_letters(host) ||
        std::find(allowed.begin(), allowed.end(), origin) != allowed.end())
        return {};
    const std::string shown = shown_field(visitor.origins.front());
    return fmt::format("a web page of '{}' may not take part{}", shown,
                       origin == "null" ? "" : fmt::format("; --allow-origin {} would let it", shown));
}

std::vector<std::string> checked_origins(const std::vector<std::string>& origins) {
    std::vector<std::string> out;
    for (const std::string& given : origins) {
        std::string origin = in_small_letters(given);
        const std::size_t end = origin.find("://");
        const auto fits = [](unsigned char c) {
            return std::isalnum(c) || std::string_view(".-_:[]").find(static_cast<char>(c)) != std::string_view::npos;
        };
        const std::size_t begin = end == std::string::npos ? 0 : end + 3;
        if (end == std::string::npos || end == 0 || begin == origin.size() ||
            !std::all_of(origin.begin(), origin.begin() + static_cast<std::ptrdiff_t>(end),
                         [](unsigned char c) { return std::isalnum(c) || c == '-'; }) ||
            !std::all_of(origin.begin() + static_cast<std::ptrdiff_t>(begin), origin.end(), fits))
            fail("--allow-origin {}: expected SCHEME://HOST or SCHEME://HOST:PORT, such as https://app.foxglove.dev",
                 given);
        out.push_back(std::move(origin));
    }
    return out;
}

bool reaches_beyond_loopback(std::string_view address) {
    boost::system::error_code error;
    const auto where = boost::asio::ip::make_address(std::string(address), error);
    return !error && !where.is_loopback();
}

bool begins_like_a_browser(std::string_view line) {
    constexpr std::array<std::string_view, 10> methods{"GET ",   "POST ",   "HEAD ",    "OPTIONS ", "PUT ",
                                                       "PATCH ", "DELETE ", "CONNECT ", "TRACE ",   "PRI "};
    constexpr char tls_handshake = 0x16;
    return line.starts_with(tls_handshake) ||
           std::any_of(methods.begin(), methods.end(), [&](std::string_view m) { return line.starts_with(m); });
}

}  // namespace outrider
