// The two kinds of failure that throw. (The third, an expected absence, is a std::optional or an enum.)
//
//     if (options.cells % 2 != 0) fail("mine: expected an even number of cells, got {}", options.cells);  // a user's
//     OUTRIDER_CHECK(index, <, goals.size());                                                            // our own
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace outrider {

/// A user's mistake: a file, an option, a map. The message names the place, the offending text and what was expected.
/// Caught once, in main: exit code 2.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The run itself failed (the disk is full, a log cannot be written any more): exit code 1.
struct RunFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class... T>
[[noreturn]] void fail(fmt::format_string<T...> format, T&&... args) {
    throw Error(fmt::format(format, std::forward<T>(args)...));
}

/// A programmer's mistake; thrown by OUTRIDER_CHECK, never caught by the library.
struct CheckFailure : std::logic_error {
    using std::logic_error::logic_error;
};

namespace detail {
template <class A, class B>
[[noreturn, gnu::noinline, gnu::cold]] void check_failed(const char* file, int line, const char* text, const A& a,
                                                         const B& b) {
    throw CheckFailure(fmt::format("{}:{}: check failed: {} (left {}, right {})", file, line, text, a, b));
}
template <class A, class B, class Op>
void check(const A& a, const B& b, Op op, const char* file, int line, const char* text) {
    if (!op(a, b)) [[unlikely]]
        check_failed(file, line, text, a, b);
}
}  // namespace detail

/// Always on, in every build; prints both values: OUTRIDER_CHECK(a, <, b).
#define OUTRIDER_CHECK(a, op, b)                                                                                     \
    ::outrider::detail::check((a), (b), [](const auto& l_, const auto& r_) { return l_ op r_; }, __FILE__, __LINE__, \
                              #a " " #op " " #b)

}  // namespace outrider
