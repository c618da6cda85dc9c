#include "wire/words.hpp"

#include <charconv>
#include <cmath>

#include "outrider/error.hpp"

namespace outrider {

std::optional<double> whole_number(std::string_view text) {
    while (!text.empty() && (text[0] == ' ' || text[0] == '+')) text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool read = error == std::errc{} || error == std::errc::result_out_of_range;
    if (!read || end != text.data() + text.size()) return {};
    return error == std::errc{} ? value : 0;  // 1e-400
}

std::optional<std::string_view> Words::word() {
    if (separator_ == ' ')
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
    if (rest_.empty()) return {};
    const auto end = separator_ == ' ' ? rest_.find_first_of(" \t") : rest_.find(separator_);
    const std::string_view w = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return w;
}

double Words::number(const char* what) {
    const auto w = word();
    if (!w) fail("expected {}, found the end of the line", what);
    const std::optional<double> value = whole_number(*w);
    if (!value) fail("expected {}, found '{}'", what, w->substr(0, 60));
    return *value;
}

std::size_t Words::count(const char* what) {
    const double n = number(what);
    if (!(n >= 0 && n <= most_numbers) || n != std::floor(n)) fail("expected {}, found {}", what, n);
    return static_cast<std::size_t>(n);
}

Pose Words::pose(const char* what) {
    const double x = number(what), y = number(what);
    const double yaw = std::remainder(number(what), 2 * pi);
    if (!is_angle(yaw)) fail("{} is not a number", what);
    return {x, y, wrap_angle(yaw)};
}

double Words::stamp() {
    const double t = number("a time stamp");
    if (!std::isfinite(t)) fail("expected a time stamp, found {}", t);
    return t;
}

}  // namespace outrider
