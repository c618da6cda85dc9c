// Strategies that are no part of the program: in shared libraries that the user names.
#pragma once

#include <string>

namespace outrider {

/// A strategy as the user typed it: "./my.so" and "./my.so(alpha=2)" load the library and become "name(alpha=2)": the
/// name of its only strategy, or of that which is called as the file is. Other texts stay as they are. Throws Error.
std::string typed_strategy(const std::string& text, const std::string& where);

/// Loads the libraries in the folders that the environment variable OUTRIDER_STRATEGIES names, with ':' between them.
/// What cannot be loaded is said and left out.
void load_own_strategies();

}  // namespace outrider
