#include "base/input.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "outrider/error.hpp"

namespace outrider {

std::string cannot_be_read(const std::string& path, std::string_view what) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    const char* why = !std::filesystem::exists(status)        ? " (no such file)"
                      : std::filesystem::is_directory(status) ? " (it is a folder)"
                                                              : "";
    return fmt::format("{}: cannot be read; expected {}{}", path, what, why);
}

std::string read_file(const std::string& path, std::string_view what) {
    const auto refuse = [&] { fail("{}", cannot_be_read(path, what)); };
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) refuse();
    const std::streamoff size = file.tellg();
    if (size < 0 || size > INT32_MAX) refuse();
    std::string bytes(static_cast<std::size_t>(size), '\0');
    file.seekg(0);
    if (!file.read(bytes.data(), size)) refuse();
    return bytes;
}

}  // namespace outrider
