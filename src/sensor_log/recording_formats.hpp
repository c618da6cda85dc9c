// The list of recordings that are read.
#pragma once

#include <span>

#include "base/input.hpp"

namespace outrider {

std::span<const FileFormat> recording_formats();

}  // namespace outrider
