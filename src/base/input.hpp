// Files in.
#pragma once

#include <string>
#include <string_view>

namespace outrider {

/// "PATH: cannot be read; expected `what`", and whether it is missing or a folder.
std::string cannot_be_read(const std::string& path, std::string_view what);

/// The bytes of a file of at most 2 GiB. Throws Error "PATH: cannot be read; expected `what`".
std::string read_file(const std::string& path, std::string_view what);

}  // namespace outrider
