// Files that appear whole or not at all.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace outrider {

/// A new, empty file beside `path`, with a name that no other program has: PATH.PID.partial, and `ending`. What it
/// becomes is linked to `path` when it is whole; without that nothing is left. So a link that lies in the way is
/// replaced, never followed, and of several programs that write the same file each writes its own.
class PartialFile {
  public:
    /// Throws Error when the folder cannot be written.
    PartialFile(std::string path, const std::string& ending = "");
    ~PartialFile();
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;

    const std::string& name() const { return name_; }
    /// Puts it into place, whatever it was written with. Throws Error, unless `overwrite` also when a file has come
    /// there meanwhile.
    void commit(bool overwrite);
    /// Removes those of this program, from a handler of a signal that ends it.
    static void remove_all() noexcept;

  private:
    void forget();
    std::string path_, name_;
    std::size_t place_ = 0;  // in the list of remove_all()
};

/// An output file, written as a PartialFile and put into place by commit(). A device (/dev/stdout, /dev/full) is
/// written directly. Every failure throws Error with the path and the reason.
class OutputFile {
  public:
    /// Refuses a file that exists unless `overwrite`; so a place where nothing can be written is noticed before a run.
    OutputFile(const std::string& path, bool overwrite);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes);
    /// Flushes to the operating system: detects a full disk.
    void flush();
    void commit();
    const std::string& path() const { return path_; }

  private:
    std::string path_;
    bool overwrite_;
    std::optional<PartialFile> partial_;  // none: a device
    std::FILE* file_ = nullptr;
};

/// A name that was free, taken by making an empty file of that name: the first of name(1), name(2), ... that no other
/// program has. Should nothing be written into it, it is removed.
class TakenName {
  public:
    /// Makes the folder if it is missing. Throws Error when no file can be made.
    explicit TakenName(const std::function<std::string(int)>& name);
    /// This name and no other: throws Error when there is something.
    explicit TakenName(const std::string& path);
    ~TakenName();
    TakenName(TakenName&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TakenName& operator=(TakenName&&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// Throws Error when the path exists and may not be overwritten, or its folder is missing and cannot be made.
void prepare_output(const std::string& path, bool overwrite);
/// The same for a database, which must be a file of its own: what is overwritten is removed, a device is refused, and
/// so is a database that another program has open.
void prepare_database(const std::string& path, bool overwrite);

/// Without the characters with which a foreign text could steer a terminal, each of which becomes '?': controls (C0 and
/// C1, "\r" among them), those that turn the direction of writing, and what is no UTF-8. Lines and tabs stay.
std::string plain_text(std::string_view text);
/// Likewise on one line: ends of lines and tabs become '?', too.
std::string plain_line(std::string_view text);

/// A text of several lines of our own among the arguments of terminal_text().
struct Lines {
    std::string_view text;
};

/// Text for a terminal: it is made of arguments that are cleaned once, and of our own words.
class TerminalText {
  public:
    const std::string& text() const { return text_; }

  private:
    explicit TerminalText(std::string text) : text_(std::move(text)) {}
    template <class... T>
    friend TerminalText terminal_text(fmt::format_string<T...> format, T&&... args);
    friend TerminalText progress_text(const TerminalText& text);
    std::string text_;
};

namespace detail {
/// Above the line of a Work.
void print(std::FILE* file, std::string_view text);
inline std::string for_terminal(const std::string& text) { return plain_line(text); }
inline std::string for_terminal(std::string_view text) { return plain_line(text); }
template <class T>
const T& for_terminal(const T& value) {
    return value;
}
}  // namespace detail

/// Texts among the arguments come from anywhere, such as names in a file: plain_line() of them; of the whole
/// plain_text().
template <class... T>
TerminalText terminal_text(fmt::format_string<T...> format, T&&... args) {
    return TerminalText(
        plain_text(fmt::vformat(format, fmt::make_format_args(detail::for_terminal(std::forward<T>(args))...))));
}
/// Takes the place of the present line of a terminal, for a count that goes on; nothing said: that line is empty again.
TerminalText progress_text(const TerminalText& text);

/// To standard output.
template <class... T>
void print_plain(fmt::format_string<T...> format, T&&... args) {
    const TerminalText text = terminal_text(format, std::forward<T>(args)...);
    detail::print(stdout, text.text());
}
/// To standard error. Failures to write there are ignored: a note must not end a run.
inline void print_aside(const TerminalText& text) { detail::print(stderr, text.text()); }
template <class... T>
void print_aside(fmt::format_string<T...> format, T&&... args) {
    print_aside(terminal_text(format, std::forward<T>(args)...));
}

/// Text for XML, HTML and SVG, between tags or in an attribute.
std::string escaped(std::string_view text);

/// A text as one field of CSV: in quotes where it needs them. One that a spreadsheet would take for a formula (it
/// begins with = + - @, tab or return, and is no number) gets an apostrophe in front, as spreadsheets write it.
std::string csv_field(std::string_view text);

/// A text as one word of a shell: as it is where a shell reads it so, otherwise in single quotes. For commands that are
/// shown to be typed.
std::string shell_word(std::string_view text);

/// A text as a part of a file's name that stays in its folder: letters, digits and _ - + = , . ( ) { } @ blank as they
/// are, other characters as _; a dot in front too. At most 100 characters.
std::string file_name(std::string_view text);

}  // namespace outrider

template <>
struct fmt::formatter<outrider::Lines> : fmt::formatter<std::string_view> {
    template <class Context>
    auto format(const outrider::Lines& lines, Context& context) const {
        return fmt::formatter<std::string_view>::format(lines.text, context);
    }
};
