#include "base/budget.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace outrider {

std::uint64_t memory_budget() {
    static const std::uint64_t bytes = [] {
        constexpr std::uint64_t usual = 768, most = 1 << 22;  // MiB; 4 TiB
        const char* text = std::getenv("OUTRIDER_MEMORY_MB");
        if (!text || *text == '\0') return usual * mebibyte;
        std::uint64_t value = 0;
        const char* end = text + std::strlen(text);
        const auto [at, error] = std::from_chars(text, end, value);
        if (error != std::errc{} || at != end || value < 1 || value > most)
            fail("OUTRIDER_MEMORY_MB={}: expected a whole number of MiB from 1 to {}", text, most);
        return value * mebibyte;
    }();
    return bytes;
}

void MemoryBudget::take(std::uint64_t bytes, std::string_view what) {
    if (bytes > left())
        throw TooMuchMemory(fmt::format(
            "{}: refused: {} would take {} MiB of memory, more than the {} MiB that reading a file may take; for a "
            "file that you trust set OUTRIDER_MEMORY_MB in the environment to more",
            path_, what, taken_ / mebibyte + bytes / mebibyte + 1, memory_budget() / mebibyte));
    taken_ += bytes;
}

void expect_affordable(const std::string& path, std::uint64_t bytes, std::string_view what) {
    MemoryBudget(path).take(bytes, what);
}

}  // namespace outrider
