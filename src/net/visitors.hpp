// Whom a server lets in. A browser stands on the same machine as the server: any web page that a user has open can
// reach ports that listen there. It says so, though: in Origin whose page it is, in Host what it was looked up by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace outrider {

/// What a request of HTTP says of who asks: all fields of that name.
struct Visitor {
    std::vector<std::string> hosts, origins;
};

/// Why it is turned away; empty: it is let in. A program sends no Origin, or that of the server itself; any other one
/// has to be among `allowed`. Host has to be a name of this machine's loopback or `listened`, the address that the
/// server listens at; where that is any, an address or the machine's own name. Otherwise the name of a foreign page was
/// made to lead here (DNS rebinding).
std::string refusal_of(const Visitor& visitor, std::string_view listened, const std::vector<std::string>& allowed);

/// The origins as a browser would write them. Throws Error where one is none, such as "null", which any page can have.
std::vector<std::string> checked_origins(const std::vector<std::string>& origins);

/// Whether others than programs on this machine reach what listens at this address.
bool reaches_beyond_loopback(std::string_view address);

/// Whether a connection that begins with this line is no talk in lines of text: HTTP, in which a web page can put any
/// lines that it likes, or TLS.
bool begins_like_a_browser(std::string_view line);

}  // namespace outrider
