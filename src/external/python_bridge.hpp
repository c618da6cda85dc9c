// How a strategy in Python comes into a program that does not depend on Python: the extension outrider._core hands over
// a function that makes one. Both sides are built from the same sources.
#pragma once

#include <string>
#include <vector>

#include "outrider/detail/settings.hpp"
#include "outrider/strategy.hpp"

namespace outrider {

/// Makes the strategy "module:Class" with these options; nullptr: it could not, and `error` says why. Called with the
/// interpreter's lock held; the strategy takes the lock itself.
using MakePythonStrategy = Strategy* (*)(const std::string& python_class, const std::vector<Setting>& options,
                                         std::string& error);
/// The capsule that holds a pointer to it.
inline constexpr const char* python_bridge = "outrider._core._make_strategy";

}  // namespace outrider
