#include "base/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
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

namespace {

void make_folder_of(const std::string& path) {
    std::error_code error;
    const fs::path folder = fs::path(path).parent_path();
    if (folder.empty() || fs::is_directory(folder, error)) return;
    fs::create_directories(folder, error);
    if (error) fail("{}: the folder {} cannot be made: {}", path, folder.string(), error.message());
}

}  // namespace

void prepare_output(const std::string& path, bool overwrite) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) fail("{}: is a folder; expected the name of a file", path);
    if (fs::is_regular_file(status) && !overwrite) fail("{}: exists already; --force overwrites it", path);
    make_folder_of(path);
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

namespace {

/// Makes an empty file; false: there is something of that name.
bool make_new_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) return false;
    if (file < 0) fail("{}: cannot be written: {}", path, std::strerror(errno));
    ::close(file);
    return true;
}

/// Whether something was there already. Where a file system has no hard links, another program can come in between.
bool link_new(const std::string& from, const std::string& to) {
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return true;
    }
    if (errno == EEXIST) return false;
    if (fs::exists(fs::symlink_status(to))) return false;
    return ::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

namespace {

/// Names of partial files, for the handler of a signal: so many are remembered.
std::array<std::atomic<const char*>, 64> partial_names{};

}  // namespace

PartialFile::PartialFile(std::string path, const std::string& ending) : path_(std::move(path)) {
    for (int k = 1; name_.empty(); ++k) {
        std::string name =
            fmt::format("{}.{}{}.partial{}", path_, ::getpid(), k == 1 ? "" : fmt::format("-{}", k), ending);
        try {
            if (make_new_file(name)) name_ = std::move(name);
        } catch (const Error&) {
            fail("{}: cannot be written: {}", path_, std::strerror(errno));
        }
    }
    for (const char* none = nullptr; place_ < partial_names.size(); ++place_, none = nullptr)
        if (partial_names[place_].compare_exchange_strong(none, name_.c_str())) break;
}

PartialFile::~PartialFile() {
    if (!name_.empty()) ::unlink(name_.c_str());
    forget();
}

void PartialFile::forget() {
    if (place_ < partial_names.size()) partial_names[place_] = nullptr;
    place_ = partial_names.size();
}

void PartialFile::remove_all() noexcept {
    for (const auto& name : partial_names)
        if (const char* path = name.load()) ::unlink(path);
}

void PartialFile::commit(bool overwrite) {
    std::error_code error;
    const fs::file_status there = fs::symlink_status(path_, error);
    const bool leads_nowhere = fs::is_symlink(there) && !fs::exists(path_, error);
    errno = 0;
    if (overwrite || leads_nowhere ? ::rename(name_.c_str(), path_.c_str()) == 0 : link_new(name_, path_)) {
        forget();
        name_.clear();
        return;
    }
    if (errno == EEXIST || errno == 0)
        fail("{}: exists already, another program has just made it; --force overwrites it", path_);
    fail("{}: cannot be written: {}", path_, std::strerror(errno));
}

TakenName::TakenName(const std::function<std::string(int)>& name) {
    for (int k = 1; path_.empty(); ++k) {
        std::string next = name(k);
        make_folder_of(next);
        if (make_new_file(next)) path_ = std::move(next);
    }
}

TakenName::TakenName(const std::string& path) {
    make_folder_of(path);
    if (!make_new_file(path)) fail("{}: exists already, another program has just made it", path);
    path_ = path;
}

TakenName::~TakenName() {
    std::error_code error;
    if (!path_.empty() && fs::file_size(path_, error) == 0 && !error) fs::remove(path_, error);
}

OutputFile::OutputFile(const std::string& path, bool overwrite) : path_(path), overwrite_(overwrite) {
    prepare_output(path, overwrite);
    std::error_code error;
    const bool device = fs::exists(path, error) && !fs::is_regular_file(path, error);
    if (!device) partial_.emplace(path);
    file_ = std::fopen(device ? path.c_str() : partial_->name().c_str(), "wb");
    if (!file_) fail("{}: cannot be written: {}", path, std::strerror(errno));
}

OutputFile::~OutputFile() {
    if (file_) std::fclose(file_);
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
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("{}: cannot be written: {}", path_, std::strerror(errno));
    if (partial_) partial_->commit(overwrite_);
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

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain = "_-+=,.:/@%";
    const auto is_plain = [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || plain.find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
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

namespace {

/// The character of UTF-8 that begins a text, and its bytes; 0 bytes: there is none.
std::pair<char32_t, std::size_t> first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return char32_t{static_cast<unsigned char>(text[i])}; };
    if (byte(0) < 0x80) return {byte(0), 1};
    const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {0, 0};
    char32_t c = byte(0) & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {0, 0};
        c = c << 6 | (byte(i) & 0x3f);
    }
    if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return {0, 0};
    return {c, length};
}

/// What steers a terminal or the order of what is shown.
bool is_steering(char32_t c) {
    return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

std::string cleaned(std::string_view text, std::string_view kept) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto [c, length] = first_character(text);
        const std::string_view bytes = text.substr(0, std::max<std::size_t>(length, 1));
        const bool stays = length > 0 && (!is_steering(c) || (length == 1 && kept.find(bytes[0]) != kept.npos));
        if (stays)
            out += bytes;
        else
            out += '?';
        text.remove_prefix(bytes.size());
    }
    return out;
}

}  // namespace

std::string plain_text(std::string_view text) { return cleaned(text, "\n\t"); }
std::string plain_line(std::string_view text) { return cleaned(text, ""); }

TerminalText progress_text(const TerminalText& text) { return TerminalText("\r" + text.text() + "\x1b[K"); }

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
