// How much of a run its log keeps.
#pragma once

#include <array>
#include <string_view>

namespace outrider {

enum class LogLevel { none, metrics, poses, full };
inline constexpr std::array<std::string_view, 4> log_level_names{"none", "metrics", "poses", "full"};

}  // namespace outrider
