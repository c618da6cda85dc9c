// Merges what messages bring into the map and the records of a robot. It remembers which maps it merged: of a map of
// which it has the one before, what changed since is enough.
#pragma once

#include <cstdint>
#include <vector>

#include "messages/joined_messages.hpp"
#include "outrider/percept.hpp"

namespace outrider {

/// Takes over the newer record of each robot.
void merge_records(const Percept& percept, TeamTable& team);

class InboxMerger {
  public:
    explicit InboxMerger(RobotId self) : self_(self) {}
    /// Merges the maps that are in the frame of `map`, and notes in `heard` which they are. Messages that all who hear
    /// them have joined are merged as one: the result is that of merging one by one.
    void merge_maps(const Percept& percept, KnownMap& map, ReceivedMaps& merged);

  private:
    bool has_one_before(const JoinedMessages& joined) const;
    bool has_one_before(RobotId from, std::uint32_t seq) const {
        return seq == 1 || merged_[static_cast<std::size_t>(from)] == seq - 1;
    }
    void add(const JoinedMessages& joined);

    RobotId self_;
    std::vector<std::uint32_t> merged_;  // by sender: up to which message its whole map was merged
    std::uint32_t generation_ = 0;       // of the own map into which they were merged
    std::vector<MapNews> whole_;         // to be merged
};

}  // namespace outrider
