// What reading a file may cost, the same for all readers: a file may come from anywhere. Each limit is checked before
// memory is taken, and each refusal names it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "outrider/error.hpp"

namespace outrider {

inline constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
/// Settings, team files, lists: texts that people write.
inline constexpr std::uint64_t most_text_bytes = 64 * mebibyte;
/// How deep tables of a TOML file lie within each other. (JSON has json_levels.)
inline constexpr int most_nested_tables = 32;
/// Instructions of SQLite for one query of a file of so many bytes: ten times what its rows can need.
constexpr std::int64_t most_query_instructions(std::uint64_t file_bytes) {
    return 100'000'000 + 100 * static_cast<std::int64_t>(file_bytes);
}

/// Bytes that the content of one file may take in memory: OUTRIDER_MEMORY_MB in the environment, else 768 MiB.
std::uint64_t memory_budget();

/// What is thrown when a file would take more than that. A reader that goes on after a damaged part lets it pass.
struct TooMuchMemory : Error {
    using Error::Error;
};

/// Counts what one file takes.
class MemoryBudget {
  public:
    /// `path` is named in messages.
    explicit MemoryBudget(std::string path) : path_(std::move(path)) {}
    /// Before memory is taken for `what` ("its steps"). Throws TooMuchMemory when it is more than what is left.
    void take(std::uint64_t bytes, std::string_view what);
    std::uint64_t left() const { return memory_budget() - taken_; }

  private:
    std::string path_;
    std::uint64_t taken_ = 0;
};

/// Throws TooMuchMemory when `bytes` alone are over the budget.
void expect_affordable(const std::string& path, std::uint64_t bytes, std::string_view what);

/// What packed bytes may unpack to: 256 times as much, and 64 MiB whatever their number.
inline std::uint64_t most_unpacked(std::uint64_t packed) { return 256 * packed + 64 * mebibyte; }

}  // namespace outrider
