// Mistakes of a sweep that show only in what it makes: which line of its file led there, and what is there twice.
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
/// throws the Error with its place, itself and `what` in front; `what` says what was built: "on office". Returns when
/// no setting alone is to blame.
void blame(const std::vector<Setting>& settings, const std::string& what, const std::string& message,
           const std::function<void(const std::vector<Setting>&)>& build);

/// A map as it was named, and a hash of all that its runs depend on but its name.
struct NamedMap {
    std::string where, name, content;
};
/// Throws Error for a name or a content that is there twice: the same runs would count as independent ones.
void expect_distinct(const std::vector<NamedMap>& maps);
/// The content of a map of a sweep, for NamedMap.
std::string content_of(const SweepMap& map);

/// Throws Error for a text that is there twice: "WHERE: WHAT 'TEXT' is named twice".
void expect_distinct(const std::vector<std::string>& texts, const std::string& where, const std::string& what);

}  // namespace outrider
