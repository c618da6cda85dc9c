// Files in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/budget.hpp"

namespace outrider {

/// A kind of file that can be read: for the list that people are shown.
struct FileFormat {
    std::string_view name;      ///< and versions, where there are several
    std::string_view told_by;   ///< how the reader knows such a file
    std::string_view taken;     ///< what is read of it
    std::string_view left_out;  ///< what it can hold besides
};

/// "PATH: cannot be read; expected `what`", and whether it is missing, a folder, a pipe or a device.
std::string cannot_be_read(const std::string& path, std::string_view what);

/// Throws Error unless it is an ordinary file: a pipe would wait for ever, a device never end.
void expect_file(const std::string& path, std::string_view what);

/// The bytes of an ordinary file. Throws Error "PATH: cannot be read; expected `what`", and when what is made of them
/// can take more than memory_budget(): `times` as much as the file.
std::string read_file(const std::string& path, std::string_view what, std::uint64_t times = 1);
/// The same for a text that people write, of at most most_text_bytes.
std::string read_text_file(const std::string& path, std::string_view what);
/// The standard input up to its end, at most most_text_bytes.
std::string read_standard_input(std::string_view what);

}  // namespace outrider
