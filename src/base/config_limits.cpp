#include "base/config_limits.hpp"

#include <algorithm>
#include <cctype>

#include "base/budget.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// The end of the text in quotes that begins at `at`; of one that is not closed, the end of its line or of everything.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string three(3, quote);
    const bool many_lines = text.substr(at, 3) == three, escapes = quote == '"';
    for (std::size_t i = at + (many_lines ? 3 : 1); i < text.size(); ++i) {
        if (escapes && text[i] == '\\') {
            ++i;
        } else if (!many_lines && (text[i] == quote || text[i] == '\n')) {
            return i + 1;
        } else if (many_lines && text.substr(i, 3) == three) {
            i += 3;
            for (int more = 0; more < 2 && i < text.size() && text[i] == quote; ++more) ++i;  // quotes before the end
            return i;
        }
    }
    return text.size();
}

bool bare(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

}  // namespace

void expect_modest_toml(std::string_view text, const std::string& file) {
    constexpr std::uint64_t node_bytes = 500;  // of a table or value, parsed and converted
    std::uint64_t nodes = 0;
    int parts = 0;  // of the name so far, with a dot after the last one if `dot`
    bool dot = false;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        nodes += c == '=' || c == '[' || c == '{' || c == ',' || c == '.';
        const bool quoted = c == '"' || c == '\'';
        if (quoted || bare(c)) {
            parts = dot && parts > 0 ? parts + 1 : 1;
            dot = false;
            if (parts > most_nested_tables)
                fail("{}:{}: a name of more than {} parts; tables lie at most that deep within each other", file,
                     1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'),
                     most_nested_tables);
            if (quoted)
                at = end_of_quoted(text, at);
            else
                while (at < text.size() && bare(text[at])) ++at;
            continue;
        }
        if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        if (c == '.')
            dot = true;
        else if (c != ' ' && c != '\t')
            parts = 0;
        ++at;
    }
    expect_affordable(file, 4 * text.size() + node_bytes * nodes, "its tables and values");
}

}  // namespace outrider
