// Mistakes in a sweep that show only when its runs are built: which line of its file is to blame, and what is given
// twice.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "batch/sweep_plan.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {

/// Throws Error "WHERE: WHAT: MESSAGE"; MESSAGE alone when it names that place, or a line of the same file, already.
[[noreturn]] void fail_at(const std::string& where, const std::string& what, const std::string& message);

/// After build(settings) failed with `message`: finds the setting without which build(the others) throws no Error, and
/// throws the Error with the setting's place, the setting and `what` in front; `what` says what was built: "on office".
/// Returns when no single setting is to blame.
void blame(const std::vector<Setting>& settings, const std::string& what, const std::string& message,
           const std::function<void(const std::vector<Setting>&)>& build);

/// A map by the name given to it, and a hash of all that its runs depend on except its name.
struct NamedMap {
    std::string where, name, content;
};
/// Throws Error for a name or a content given twice: the same runs would count as independent ones.
void expect_distinct(const std::vector<NamedMap>& maps);
/// The content of a map of a sweep, for NamedMap.
std::string content_of(const SweepMap& map);

/// Throws Error for a text given twice: "WHERE: WHAT 'TEXT' is named twice".
void expect_distinct(const std::vector<std::string>& texts, const std::string& where, const std::string& what);

}  // namespace outrider
