// The words of a line of text, and the numbers among them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "outrider/geometry.hpp"

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

}  // namespace outrider
