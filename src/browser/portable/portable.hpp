// Included before every source that is compiled for a browser: what the C++ library of Debian's emscripten, which is
// older than its compiler, lacks of C++20.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

template <class T>
shared_ptr<T> make_shared_for_overwrite() {
    return make_shared<T>();
}

/// Decimal numbers, as texts of people have them.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
    const char* end = first;
    if (end != last && *end == '-') ++end;
    const char* const digits = end;
    while (end != last &&
           ((*end >= '0' && *end <= '9') || *end == '.' || ((*end == 'e' || *end == 'E') && end != digits) ||
            ((*end == '+' || *end == '-') && end != digits && (end[-1] == 'e' || end[-1] == 'E'))))
        ++end;
    for (const char* word : {"inf", "nan"})
        if (last - digits >= 3 && equal(word, word + 3, digits)) end = digits + 3;
    const string text(first, end);
    char* read = nullptr;
    const double number = strtod(text.c_str(), &read);
    if (read == text.c_str()) return {first, errc::invalid_argument};
    end = first + (read - text.c_str());
    if (number == HUGE_VAL || number == -HUGE_VAL) {
        if (digits == end || *digits != 'i') return {end, errc::result_out_of_range};
    }
    value = number;
    return {end, errc{}};
}

namespace ranges {

template <class Range, class Wanted>
bool any_of(const Range& range, Wanted&& wanted) {
    return std::any_of(std::begin(range), std::end(range), wanted);
}
template <class Range, class To>
void copy(const Range& range, To to) {
    std::copy(std::begin(range), std::end(range), to);
}

}  // namespace ranges
}  // namespace std
