// Private to this room: who makes room for a newcomer where all places are taken.
#pragma once

#include <map>
#include <string>

namespace outrider {

/// Of the connections that never said anything (`is_silent`), the one that has been there longest of the address that
/// has most of them; 0: all said something. `connections` by number, older ones first. So those who only hold places
/// lose them, and those who talk keep theirs.
template <class Connections, class IsSilent>
int longest_silent(const Connections& connections, IsSilent&& is_silent) {
    std::map<std::string, int> silent;
    for (const auto& [id, connection] : connections)
        if (is_silent(*connection)) ++silent[connection->address()];
    int chosen = 0, most = 0;
    for (const auto& [id, connection] : connections)
        if (is_silent(*connection) && silent[connection->address()] > most) {
            chosen = id;
            most = silent[connection->address()];
        }
    return chosen;
}

}  // namespace outrider
