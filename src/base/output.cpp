#include "base/output.hpp"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/sqlite.hpp"
#include "outrider/error.hpp"

namespace outrider {

namespace fs = std::filesystem;

void prepare_output(const std::string& path, bool overwrite) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) fail("{}: is a folder; expected the name of a file", path);
    if (fs::is_regular_file(status) && !overwrite) fail("{}: exists already; --force overwrites it", path);
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error)) {
        fs::create_directories(folder, error);
        if (error) fail("{}: the folder {} cannot be made: {}", path, folder.string(), error.message());
    }
}

void prepare_database(const std::string& path, bool overwrite) {
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(path, error))) {  // one that leads nowhere would let SQLite make a file there
        if (!overwrite) fail("{}: is a link; --force replaces it", path);
        fs::remove(path, error);
    }
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
        fail("{}: is a device; a log needs a file of its own", path);
    prepare_output(path, overwrite);
    if (!fs::is_regular_file(status)) return;
    if (database_in_use(path))
        fail("{}: another program has it open, perhaps a run that still writes it; end that or choose another name",
             path);
    if (!fs::remove(path, error)) fail("{}: cannot be overwritten: {}", path, error.message());
}

OutputFile::OutputFile(const std::string& path, bool overwrite) : path_(path) {
    prepare_output(path, overwrite);
    std::error_code error;
    const bool device = fs::exists(path, error) && !fs::is_regular_file(path, error);
    partial_ = device ? path : path + ".partial";
    // What is left of a killed program, or a link that somebody laid there, is removed; "x": the file has to be new.
    if (!device) fs::remove(partial_, error);
    file_ = std::fopen(partial_.c_str(), device ? "wb" : "wbx");
    if (!file_) fail("{}: cannot be written: {}", path, std::strerror(errno));
}

OutputFile::~OutputFile() {
    if (!file_) return;
    std::fclose(file_);
    std::error_code ignored;
    if (partial_ != path_) fs::remove(partial_, ignored);
}

void OutputFile::write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
        fail("{}: cannot be written: {}", path_, std::strerror(errno));
}

void OutputFile::flush() {
    if (std::fflush(file_) != 0) fail("{}: cannot be written: {}", path_, std::strerror(errno));
}

void OutputFile::commit() {
    flush();
    std::FILE* file = std::exchange(file_, nullptr);
    const bool closed = std::fclose(file) == 0;
    std::error_code error;
    if (closed && partial_ != path_) fs::rename(partial_, path_, error);
    if (!closed || error) {
        const std::string reason = closed ? error.message() : std::strerror(errno);
        if (partial_ != path_) fs::remove(partial_, error);
        fail("{}: cannot be written: {}", path_, reason);
    }
}

namespace {

/// Whether a spreadsheet would compute it.
bool is_formula(std::string_view text) {
    if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
    if (text.front() == '+') text.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error != std::errc{} || end != text.data() + text.size();
}

}  // namespace

std::string csv_field(std::string_view text) {
    const std::string_view mark = is_formula(text) ? "'" : "";
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return fmt::format("{}{}", mark, text);
    std::string out = fmt::format("\"{}", mark);
    for (const char c : text) (out += c) += c == '"' ? "\"" : "";
    return out + "\"";
}

std::string file_name(std::string_view text) {
    constexpr std::size_t most = 100;
    constexpr std::string_view plain = "_-+=,.(){}@ ";
    std::string out(text.substr(0, most));
    for (char& c : out)
        if (!std::isalnum(static_cast<unsigned char>(c)) && plain.find(c) == std::string_view::npos &&
            static_cast<unsigned char>(c) < 128)
            c = '_';
    if (!out.empty() && out.front() == '.') out.front() = '_';
    return out;
}

std::string plain_text(std::string text) {
    for (char& c : text)
        if ((static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' && c != '\r') || c == '\x7f') c = '?';
    return text;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (c == '\'')
            out += "&#39;";
        else
            out += c;
    }
    return out;
}

}  // namespace outrider
