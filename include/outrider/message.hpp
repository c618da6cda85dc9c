// What robots say to each other. Delivery is best effort.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "outrider/briefing.hpp"
#include "outrider/detail/cow_blocks.hpp"

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

/// The newest that is known of a robot: from itself, or forwarded.
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

/// Records of one robot by number, without a gap. Immutable once said: the robot itself appends the next one, everybody
/// else refers to what is there. Who hears news of a robot so takes over a number, and seldom another series.
class RecordSeries {
  public:
    explicit RecordSeries(TeamRecord first, std::uint32_t capacity = 1);
    /// The record of that number, which is there.
    const TeamRecord& at(std::uint32_t seq) const { return records_[seq - first_]; }
    /// Takes over the record; false when there is no room, or the number is not the next one.
    bool append(TeamRecord& record);

  private:
    std::uint32_t first_, size_ = 1, capacity_;
    std::unique_ptr<TeamRecord[]> records_;
};

/// The newest record of each robot, by number. Copies share what did not change since.
class TeamTable {
  public:
    TeamTable() = default;
    TeamTable(std::initializer_list<TeamRecord> records) {
        for (const TeamRecord& record : records) push_back(record);
    }

    std::size_t size() const { return size_; }
    const TeamRecord* operator[](std::size_t i) const {
        return &series_[i / block_size].of[i % block_size]->at(seq(i));
    }
    /// The number of the record, without a look at it.
    std::uint32_t seq(std::size_t i) const { return numbers_[i / block_size].seq[i % block_size]; }
    class Iterator {
      public:
        Iterator(const TeamTable& table, std::size_t at) : table_(&table), at_(at) {}
        const TeamRecord* operator*() const { return (*table_)[at_]; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        bool operator==(const Iterator&) const = default;

      private:
        const TeamTable* table_;
        std::size_t at_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size_}; }

    void push_back(TeamRecord record);
    void push_back(std::shared_ptr<const RecordSeries> series, std::uint32_t seq);
    void set(std::size_t i, TeamRecord record);
    /// What robot i says next; `series` is its own, begun anew when it is full or missing.
    void say(std::size_t i, TeamRecord record, std::shared_ptr<RecordSeries>& series);
    /// Takes over each record of tables of the same size that is newer.
    void take_newer(std::span<const TeamTable* const> others);
    /// Shares what changed since the last copy with tables that say the same; for large teams.
    void share_equal();

    /// How many robots were ever heard, and the bytes of the words of all records.
    struct Load {
        std::size_t heard = 0, words_bytes = 0;
    };
    Load load() const;

  private:
    static constexpr std::size_t block_size = 64;
    struct Numbers {
        std::array<std::uint32_t, block_size> seq{}, words_bytes{};
    };
    struct SeriesBlock {
        std::array<std::shared_ptr<const RecordSeries>, block_size> of;
    };
    void put(std::size_t i, std::shared_ptr<const RecordSeries> series, const TeamRecord& record);
    void take_newer(std::size_t block, const TeamTable& other);

    std::size_t size_ = 0;
    CowBlocks<Numbers> numbers_;  // side by side: what is newer is found without looking at the records
    CowBlocks<SeriesBlock> series_;
};

/// What a message carries of a map: for the core of a robot only.
struct MapPayload;
/// The maps last heard of the others: likewise.
class HeardMaps;

struct Message {
    RobotId from = 0;
    RobotId to = to_all;
    FrameId frame;  ///< of the map
    /// The newest records of all robots, the sender's own among them. Their seqs are its acknowledgements: with seq s
    /// of robot i, the sender has heard all that i kept saying up to its message s.
    TeamTable records;
    Share share = Share::all;
    int summary_tiles = 0;
    std::shared_ptr<const MapPayload> payload;  ///< nullptr: no map

    const TeamRecord& self() const { return *records[static_cast<std::size_t>(from)]; }
};

}  // namespace outrider
