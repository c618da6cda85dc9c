// The tables of the newest records of a team, the messages that carry them, and how they arrive.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "outrider/detail/cow_blocks.hpp"
#include "outrider/detail/known_map.hpp"
#include "outrider/team.hpp"

namespace outrider {

/// Records of one robot by number, without a gap. A record is immutable once sent: the robot itself appends the next
/// one, everybody else refers to the series. A robot that receives a newer record thus copies a number, and seldom the
/// pointer to another series.
class RecordSeries {
  public:
    explicit RecordSeries(TeamRecord first, std::uint32_t capacity = 1);
    /// The record of that number, which has to exist.
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
    /// The number of the record, without reading the record.
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
    /// Adds the next record of robot i, its own; `series` is begun anew when it is full or missing.
    void say(std::size_t i, TeamRecord record, std::shared_ptr<RecordSeries>& series);
    /// Takes over each record of tables of the same size that is newer.
    void take_newer(std::span<const TeamTable* const> others);
    /// Shares what changed since the last copy with tables of the same content; for large teams.
    void share_equal();

    /// Of how many robots a record was received, and the bytes of the words of all records.
    struct Load {
        std::size_t received = 0, words_bytes = 0;
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
/// What a message says of frames, where robots do not know where the others started: likewise.
struct FrameNews;
/// The maps last received from the others: likewise.
class ReceivedMaps;
/// Messages that were merged with each other: likewise.
struct JoinedMessages;

struct Message {
    RobotId from = 0;
    RobotId to = to_all;
    FrameId frame;  ///< of the map
    /// The newest records of all robots, the sender's own among them. Their seqs are its acknowledgements: with seq s
    /// of robot i, the sender has received all that i kept repeating up to its message s.
    TeamTable records;
    Share share = Share::all;
    int summary_tiles = 0;
    std::shared_ptr<const MapPayload> payload;  ///< nullptr: no map
    std::shared_ptr<const FrameNews> frames;    ///< nullptr: all share one frame

    const TeamRecord& self() const { return *records[static_cast<std::size_t>(from)]; }
};

/// A message that arrived; it lasts until the next percept. Of its map, it brought all tiles that the receiver was
/// missing, or only those listed.
struct Received {
    const Message* message = nullptr;
    bool all_tiles = true;
    std::vector<TileCoord> tiles;  ///< sorted; when not all
};

}  // namespace outrider
