// What the program is doing, on the last line of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/output.hpp"

namespace outrider {

/// Work that may take long. On a terminal (standard error) its name, how far it is and the time since it began stand on
/// the last line from half a second on, until the object goes: "writing  0:00:04, 0:00:08 left  12 of 36 pages".
/// What is printed meanwhile (print_plain, print_aside) stands above. Of works within each other the last one shows.
/// Elsewhere nothing is shown, and nothing is done.
class Work {
  public:
    explicit Work(const TerminalText& what);
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// Whether anybody sees it: texts need not be made otherwise.
    static bool watched();
    /// How far it is, in words.
    void at(const TerminalText& state);
    /// So many of its parts ("runs") are done: says so, and how long the others will take.
    void at(std::size_t done, std::size_t of, std::string_view parts);
    /// From now on nothing is shown in this program: --quiet.
    static void hide();

  private:
    std::size_t place_;  // in the list of works, the outermost first
};

/// "0:01:30", rounded up.
std::string time_text(double seconds);

}  // namespace outrider
