#include "base/input.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "outrider/error.hpp"

namespace outrider {

std::string cannot_be_read(const std::string& path, std::string_view what) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    const char* why = !std::filesystem::exists(status)            ? " (no such file)"
                      : std::filesystem::is_directory(status)     ? " (it is a folder)"
                      : std::filesystem::is_fifo(status)          ? " (it is a pipe; write its content to a file first)"
                      : !std::filesystem::is_regular_file(status) ? " (it is a device)"
                                                                  : "";
    return fmt::format("{}: cannot be read; expected {}{}", path, what, why);
}

void expect_file(const std::string& path, std::string_view what) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) fail("{}", cannot_be_read(path, what));
}

std::string read_file(const std::string& path, std::string_view what, std::uint64_t times) {
    expect_file(path, what);
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file ? std::streamoff{file.tellg()} : -1;
    if (size < 0) fail("{}", cannot_be_read(path, what));
    const auto count = static_cast<std::uint64_t>(size);
    expect_affordable(path, count * times, fmt::format("{} of {} bytes", what, count));
    std::string bytes(count, '\0');
    file.seekg(0);
    if (!file.read(bytes.data(), size)) fail("{}", cannot_be_read(path, what));
    return bytes;
}

std::string read_text_file(const std::string& path, std::string_view what) {
    expect_file(path, what);
    std::error_code error;
    if (const std::uint64_t size = std::filesystem::file_size(path, error); !error && size > most_text_bytes)
        fail("{}: {} bytes; {} has at most {}", path, size, what, most_text_bytes);
    return read_file(path, what);
}

std::string read_standard_input(std::string_view what) {
    std::string out;
    char part[1 << 14];
    for (std::size_t n; (n = std::fread(part, 1, sizeof part, stdin)) > 0;) {
        out.append(part, n);
        if (out.size() > most_text_bytes) fail("standard input: {} has at most {} bytes", what, most_text_bytes);
    }
    return out;
}

}  // namespace outrider
