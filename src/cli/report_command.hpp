// Reports of sweeps, which `outrider compare` writes as well.
#pragma once

#include <string>
#include <vector>

#include "batch/report.hpp"

namespace outrider {

/// Writes PATH and its tables as PATH's stem with _NAME.csv. Returns the files' names, the report last.
std::vector<std::string> write_report(Results& results, const std::string& path,
                                      const std::vector<std::string>& commands, bool overwrite);

}  // namespace outrider
