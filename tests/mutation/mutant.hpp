// What tools/mutate writes into copies of the sources: operators and constants that are others when their number is
// that of the active mutant (OUTRIDER_MUTANT; none: all are as they were). Included before everything else of each
// source.
//
// In a constant expression all are as they were, so that what has to be constant stays so.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <type_traits>

namespace outrider_mutation {

inline constexpr int most = 20'000;

/// Which mutants were asked for: appended to the file OUTRIDER_REACHED when the program ends.
struct Reached {
    std::atomic<unsigned char> by_number[most] = {};
    ~Reached() {
        const char* path = std::getenv("OUTRIDER_REACHED");
        if (!path) return;
        std::ofstream out(path, std::ios::app);
        for (int i = 0; i < most; ++i)
            if (by_number[i].load(std::memory_order_relaxed)) out << i << '\n';
    }
};
inline Reached reached;
inline const int active = [] {
    const char* text = std::getenv("OUTRIDER_MUTANT");
    return text ? std::atoi(text) : 0;
}();

inline const bool recording = std::getenv("OUTRIDER_REACHED") != nullptr;

constexpr bool is(int number) {
    if (std::is_constant_evaluated()) return false;
    if (recording) reached.by_number[number].store(1, std::memory_order_relaxed);
    return active == number;
}

// `a OP b`, which a mutant replaces by `a OTHER b`.
#define OUTRIDER_MUTATION(name, op, other)                                     \
    template <class A, class B>                                                \
    constexpr auto name(int number, const A& a, const B& b) {                  \
        return is(number) ? static_cast<decltype(a op b)>(a other b) : a op b; \
    }
OUTRIDER_MUTATION(lt, <, <=)
OUTRIDER_MUTATION(le, <=, <)
OUTRIDER_MUTATION(gt, >, >=)
OUTRIDER_MUTATION(ge, >=, >)
OUTRIDER_MUTATION(eq, ==, !=)
OUTRIDER_MUTATION(ne, !=, ==)
OUTRIDER_MUTATION(plus, +, -)
OUTRIDER_MUTATION(minus, -, +)
OUTRIDER_MUTATION(times, *, +)
OUTRIDER_MUTATION(over, /, *)
OUTRIDER_MUTATION(rest, %, *)
OUTRIDER_MUTATION(bit_and, &, |)
OUTRIDER_MUTATION(bit_or, |, &)
OUTRIDER_MUTATION(left, <<, >>)
OUTRIDER_MUTATION(right, >>, <<)
#undef OUTRIDER_MUTATION

/// What is added, or with a minus.
template <class A>
constexpr A sign(int number, const A& a) {
    return is(number) ? static_cast<A>(-a) : a;
}
/// A constant, or another one: the next whole number, twice a number (1 for 0), the other truth value.
template <class A>
constexpr A constant(int number, A a) {
    if (!is(number)) return a;
    if constexpr (std::is_same_v<A, bool>)
        return !a;
    else if constexpr (std::is_floating_point_v<A>)
        return a == 0 ? A{1} : a * 2;
    else
        return static_cast<A>(a + 1);
}
/// `!a`, or a.
template <class A>
constexpr bool negated(int number, const A& a) {
    return static_cast<bool>(a) == is(number);
}
template <class A>
constexpr const A& least(int number, const A& a, const A& b) {
    return is(number) ? std::max(a, b) : std::min(a, b);
}
template <class A>
constexpr const A& greatest(int number, const A& a, const A& b) {
    return is(number) ? std::min(a, b) : std::max(a, b);
}

}  // namespace outrider_mutation
