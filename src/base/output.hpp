// Files that appear whole or not at all.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace outrider {

/// An output file. Written under another, new name in the same folder and renamed by commit(); without commit nothing
/// is left. So a link that lies in the way is replaced, never followed. A device (/dev/stdout, /dev/full) is written
/// directly. Every failure throws Error with the path and the reason.
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
    std::string path_, partial_;
    std::FILE* file_ = nullptr;
};

/// Throws Error when the path exists and may not be overwritten, or its folder is missing and cannot be made.
void prepare_output(const std::string& path, bool overwrite);
/// The same for a database, which must be a file of its own: what is overwritten is removed, a device is refused, and
/// so is a database that another program has open.
void prepare_database(const std::string& path, bool overwrite);

/// Without the control characters with which a foreign text could steer a terminal; lines and tabs stay.
std::string plain_text(std::string text);

/// To standard error, as plain text. Failures to write there are ignored: a note must not end a run.
template <class... T>
void print_aside(fmt::format_string<T...> format, T&&... args) {
    std::fputs(plain_text(fmt::format(format, std::forward<T>(args)...)).c_str(), stderr);
}

/// Text for XML, HTML and SVG, between tags or in an attribute.
std::string escaped(std::string_view text);

/// A text as one field of CSV: in quotes where it needs them. One that a spreadsheet would take for a formula (it
/// begins with = + - @, tab or return, and is no number) gets an apostrophe in front, as spreadsheets write it.
std::string csv_field(std::string_view text);

/// A text as a part of a file's name that stays in its folder: letters, digits and _ - + = , . ( ) { } @ blank as they
/// are, other characters as _; a dot in front too. At most 100 characters.
std::string file_name(std::string_view text);

}  // namespace outrider
