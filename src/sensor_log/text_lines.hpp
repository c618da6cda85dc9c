// Lines of text logs, and the words in them.
#pragma once

#include <optional>
#include <string_view>

#include "outrider/error.hpp"
#include "sensor_log/sensor_log.hpp"

namespace outrider {

/// A line may hold no more numbers in a row than this.
inline constexpr double most_numbers = 100'000;

/// The words of a line, one after the other, as numbers. With the separator ' ', any spaces and tabs lie between two.
class Words {
  public:
    Words(std::string_view line, char separator) : rest_(line), separator_(separator) {}
    /// Nothing: the line ended.
    std::optional<std::string_view> word();
    /// The numbers throw Error that says what was expected; the line then counts as odd.
    double number(const char* what);
    std::size_t count(const char* what);
    Pose pose(const char* what);
    /// A number in finite seconds.
    double stamp();
    bool empty() const { return rest_.find_first_not_of(" \t") == std::string_view::npos; }

  private:
    std::string_view rest_;
    char separator_;
};

/// The whole of `text` as a number, spaces around it and a plus sign left out: neither "1,52" nor "1.52.13" (two lines
/// mixed up) is one. Numbers too small for a double are 0. Nothing: it is none.
std::optional<double> whole_number(std::string_view text);

/// Calls visit(line, number) for each line that is not blank; numbers count from 1. Line ends are \n or \r\n; a mark of
/// UTF-8 at the beginning is left out.
template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
    constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";  // some editors put it in front
    if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
    std::size_t number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.find_first_not_of(" \t") != std::string_view::npos) visit(line, number);
    }
}

/// Calls read(line, log) for each line; where it throws Error, the line is odd.
template <class Read>
void read_lines(std::string_view text, SensorLogBuilder& log, Read&& read) {
    for_each_line(text, [&](std::string_view line, std::size_t number) {
        try {
            read(line, log);
        } catch (const TooMuchMemory&) {
            throw;
        } catch (const Error& e) {
            log.odd(number, e.what());
        }
    });
}

}  // namespace outrider
