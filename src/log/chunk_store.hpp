// Puts finished chunks of a log into its file: compressed, checked, each in one transaction; from a thread of its own
// when the run should not wait for it.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/sqlite.hpp"
#include "log/log_format.hpp"
#include "log/step_chunk.hpp"
#include "outrider/percept.hpp"

namespace outrider {

/// A notable event, for people to read and to jump to.
struct LogEvent {
    int step = 0;
    std::string_view kind;  ///< a literal
    RobotId robot = -1;     ///< -1: the team
    std::string json;
};

/// Steps that are ready to be stored.
struct LogChunk {
    int first = 0, last = 0;
    std::string sections;  ///< hashes, metrics, poses
    std::unique_ptr<StepChunk> steps;
    std::vector<LogEvent> events;
};

/// The first two sections of every chunk: the hashes of its steps, then by step and robot the low bits of theirs.
void append_hashes(ByteWriter& out, std::span<const Hash128> steps, std::span<const std::uint32_t> robots);

class ChunkStore {
  public:
    /// With `background`, a thread writes; else the caller of add(). No other thread may use the database meanwhile.
    ChunkStore(Database& db, bool background);
    /// Stores what was added.
    ~ChunkStore();
    ChunkStore(const ChunkStore&) = delete;
    ChunkStore& operator=(const ChunkStore&) = delete;

    /// Waits while several chunks are still to be written. Throws RunFailure when one could not be.
    void add(LogChunk chunk);
    /// Waits until all is stored. Throws likewise; to be called once, at the end.
    void finish();

  private:
    void write(LogChunk& chunk);
    void work();
    void rethrow();

    Database& db_;
    Packer packer_;
    struct Statements {
        Statement chunk, event;
        std::optional<Statement> steps, tile;
    };
    std::optional<Statements> insert_;  // prepared at the first chunk
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<LogChunk> queue_;
    std::exception_ptr error_;
    bool closing_ = false;
    std::thread thread_;
};

}  // namespace outrider
