// What robots say to each other. Delivery is best effort.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

inline constexpr RobotId to_all = -1;

/// What strategies say to each other. Unknown topics are ignored, so that different strategies can share a team.
struct Word {
    std::uint32_t topic = 0;
    RobotId to = to_all;
    std::vector<std::int64_t> values;
    bool operator==(const Word&) const = default;
};

/// How a robot's map travels. Of each share, only the tiles that the hearer lacks go on the air: an update is always
/// the difference.
enum class Share : std::uint8_t {
    all,      ///< the whole map
    summary,  ///< the first Message::summary_tiles by worth
    none,     ///< no map and no digest
};

/// The newest that is known of a robot: from itself, or forwarded. Immutable once said; who passes it on shares it.
struct TeamRecord {
    RobotId robot = 0;
    std::uint32_t seq = 0;  ///< of the message that told this; 0: never heard
    int step = 0;           ///< when that message was said
    FrameId frame;          ///< of pose and goal
    Pose pose;
    Role role = Role::explorer;
    std::optional<Point> goal;
    bool done = false;
    std::vector<Word> words;
    bool operator==(const TeamRecord&) const = default;
};

/// The newest record of each robot, by number. The numbers of their messages stand side by side: of a table of a
/// thousand robots, what is newer than one's own is found without looking at the records.
class TeamTable {
  public:
    using Record = std::shared_ptr<const TeamRecord>;
    TeamTable() = default;
    TeamTable(std::initializer_list<Record> records) {
        for (const Record& record : records) push_back(record);
    }

    std::size_t size() const { return records_.size(); }
    const Record& operator[](std::size_t i) const { return records_[i]; }
    auto begin() const { return records_.begin(); }
    auto end() const { return records_.end(); }
    void push_back(Record record) {
        seqs_.push_back(record->seq);
        records_.push_back(std::move(record));
    }
    void set(std::size_t i, Record record) {
        seqs_[i] = record->seq;
        records_[i] = std::move(record);
    }
    /// Takes over each record of a table of the same size that is newer.
    void take_newer(const TeamTable& other);

  private:
    std::vector<Record> records_;
    std::vector<std::uint32_t> seqs_;
};

/// What a message carries of a map: for the core of a robot only.
struct Cargo;

struct Message {
    RobotId from = 0;
    RobotId to = to_all;
    FrameId frame;  ///< of the map
    /// The newest records of all robots, the sender's own among them. Their seqs are its acknowledgements: with seq s
    /// of robot i, the sender has heard all that i kept saying up to its message s.
    TeamTable records;
    Share share = Share::all;
    int summary_tiles = 0;
    std::shared_ptr<const Cargo> cargo;  ///< nullptr: no map

    const TeamRecord& self() const { return *records[static_cast<std::size_t>(from)]; }
};

}  // namespace outrider
