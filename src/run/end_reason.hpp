// Why a run ended.
#pragma once

#include <array>
#include <string_view>

namespace outrider {

enum class EndReason { all_home, nothing_left, stop_rule, step_limit, interrupted, all_lost, log_ended };
inline constexpr std::array<std::string_view, 7> end_reason_names{
    "all_home", "nothing_left", "stop_rule", "step_limit", "interrupted", "all_lost", "log_ended"};
inline constexpr std::array<std::string_view, 7> end_reason_texts{"every robot is home and done",
                                                                  "every robot says that it is done",
                                                                  "the stop rule of the run",
                                                                  "the step limit",
                                                                  "interrupted",
                                                                  "all robots are out of service",
                                                                  "the end of the log"};

}  // namespace outrider
