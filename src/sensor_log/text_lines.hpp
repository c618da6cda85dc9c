// Lines of text logs.
#pragma once

#include <string_view>

#include "outrider/error.hpp"
#include "sensor_log/sensor_log.hpp"
#include "wire/words.hpp"

namespace outrider {

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
