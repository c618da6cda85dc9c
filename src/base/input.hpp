// Files in.
#pragma once

#include <string>
#include <string_view>

namespace outrider {

/// The bytes of a file of at most 2 GiB. Throws Error "PATH: cannot be read; expected `what`".
std::string read_file(const std::string& path, std::string_view what);

}  // namespace outrider
