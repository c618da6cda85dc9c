// Lines of USARSim's protocol, "TYPE {Key value} {Key value} ...", as its server and controllers send them and as logs
// keep them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrider {

/// Points into the text it was read from.
struct UsarsimLine {
    struct Segment {
        std::string_view key, value;  ///< the first word in the braces, and the rest without spaces around it
    };
    std::string_view type;
    std::vector<Segment> segments;

    /// The value of the first segment with this key, whose case does not matter; nothing: there is none.
    std::optional<std::string_view> find(std::string_view key) const;
    /// The first word of a value; empty: there is none.
    std::string_view word(std::string_view key) const;
};

/// Throws Error where braces do not match, something stands between them, or the line is unreasonably long.
UsarsimLine parse_usarsim_line(std::string_view line);

/// The line with its end, "\r\n". Braces and control characters in values become spaces, so that it stays one line.
std::string usarsim_text(std::string_view type, std::initializer_list<std::pair<std::string_view, std::string>> values);

/// The first word of a line.
std::string_view usarsim_type(std::string_view line);
/// Whether a line begins like one of the server's: SEN, STA, NFO, MISSTA, GEO, CONF or RES, then a brace.
bool looks_like_usarsim(std::string_view line);
/// Whether server or controllers send lines of this type.
bool is_usarsim_type(std::string_view type);

/// Equal but for the case of their letters (ASCII).
bool same_word(std::string_view a, std::string_view b);

}  // namespace outrider
