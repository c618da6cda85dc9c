// The manual page and the shell's completion, made of the commands' own flags.
#pragma once

#include <string>

namespace outrider {

/// In troff, for man.
std::string manual_page();
/// For bash: commands, parts, flags, their choices, names of strategies.
std::string bash_completion();

}  // namespace outrider
