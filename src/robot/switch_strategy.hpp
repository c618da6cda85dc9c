// A strategy that is one until a step and another from then on: what `outrider branch` makes of a log.
#pragma once

#include "outrider/detail/register.hpp"

namespace outrider {

/// For the registry: switch(first='A', then='B', at=N). Neither may be one that asks a program or is told what to do.
StrategyInfo switch_strategy();

/// Both, where `text` is such a strategy; otherwise itself. Throws Error.
std::vector<std::string> switched_between(const std::string& text, const std::string& where);
/// Its text. `first` and `then`: as typed, "name(option=value)".
std::string switch_text(const std::string& first, const std::string& then, int at);

/// What a strategy may need, and of a switch what either of its two does. Throws Error.
Traits traits_of(const std::string& text, const std::string& where);

}  // namespace outrider
