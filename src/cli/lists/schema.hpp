// The JSON schema of scenario files, made of the options' own lists.
#pragma once

#include <string>

namespace outrider {

std::string scenario_schema();

}  // namespace outrider
