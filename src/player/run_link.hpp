// The address of a run for the simulator in a browser (docs/browser.md).
#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace outrider {

/// What stands behind PAGE# in a link at which the page makes this run: the scenario, its map and its layers, packed.
/// Throws Error where a browser cannot make it: a map that is no PNG, a script, strategies that are not in the program,
/// or a link that would be longer than browsers and mails keep whole.
std::string run_address(const Scenario& scenario);
/// The page of tools/browser, a file, so that it opens with this run. Throws Error where it is another file.
std::string playable_page(const std::string& page_file, const std::string& address);

}  // namespace outrider
