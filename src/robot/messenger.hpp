// A robot's part in the messages of its team: what it makes of those that arrived, and what it sends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "messages/inbox_merger.hpp"
#include "outrider/detail/boxed.hpp"
#include "outrider/intent.hpp"
#include "outrider/percept.hpp"

namespace outrider {

struct Knowledge;

class Messenger {
  public:
    explicit Messenger(RobotId self) : merger_(self) {}

    /// Takes over the newer record of each robot, merges the maps, and draws conclusions on frames.
    void receive(const Percept& percept, Knowledge& known);
    /// Tiles of the map in which cells changed by that, once for each step in which they did.
    std::uint64_t tiles_learnt() const { return tiles_learnt_; }

    /// The message of a step; its words are moved out of the intent. goal: where the robot drives, in the frame of the
    /// map.
    std::shared_ptr<const Message> compose(Knowledge& known, Intent& intent, const std::optional<Point>& goal);
    /// Continues after a message with the map and the records that are known now. CHECK: nothing was composed yet.
    void continue_from(const Knowledge& known);

  private:
    std::uint32_t next_seq(const Knowledge& known);
    std::size_t note_changes(const Knowledge& known);
    std::vector<TileCoord> tiles_by_worth() const;

    InboxMerger merger_;
    ChangeCursor seen_by_receive_, seen_by_compose_;  // of the map
    std::uint64_t tiles_learnt_ = 0;
    std::uint32_t seq_ = 0;                             // of the last message sent
    NotCopied<std::shared_ptr<RecordSeries>> records_;  // that were sent; two cannot both append to them
    TileTable<int> changed_at_;                         // 1 + step of the last change of a tile
};

}  // namespace outrider
