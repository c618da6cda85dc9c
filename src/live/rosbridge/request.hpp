// Fields of what a client of rosbridge asks for.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"

namespace outrider {

/// A text field of a request; empty: it is not there. Throws Error when it is no text, or a long one.
std::string text_field(const Json& request, std::string_view key);
/// Throws Error when it is not there, too.
std::string needed_text(const Json& request, std::string_view key);
/// The id of a request as JSON; empty: it has none that could be repeated.
std::string id_text(const Json& request);

}  // namespace outrider
