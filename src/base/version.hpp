#pragma once

#include <string_view>

namespace outrider {

std::string_view version();
/// Commit from which the program was built, with "+" when the tree was changed; "unknown" without git.
std::string_view source_id();

}  // namespace outrider
