// Journals of changes, which followers read from where they were.
#pragma once

#include <cstdint>
#include <vector>

namespace outrider {

/// Keeps of what grew beyond a limit the latest, half as many as that, and gives back memory far beyond the limit.
/// `first`: the version at the front of the journal.
template <class Change>
void drop_old(std::vector<Change>& changes, std::uint64_t& first, std::size_t limit) {
    if (changes.size() < limit) return;
    const std::size_t old = changes.size() - limit / 2;
    changes.erase(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(old));
    first += old;
    if (changes.capacity() > 4 * limit) changes.shrink_to_fit();
}

}  // namespace outrider
