// The log of an open loop: what another strategy decides on the percepts of an old log. A copy of that log with other
// decisions: percepts, messages, poses and metrics stay as they were, and so do the keyframes.
#pragma once

#include "log/chunk_store.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"

namespace outrider {

class OpenLoopLog {
  public:
    /// `scenario`: that of the old log with the strategies that decide now. Throws Error.
    OpenLoopLog(const std::string& path, LogReader& old, const Scenario& scenario,
                const std::vector<Briefing>& briefings);
    /// A step of the open loop; `then` stands at the same step of the old log.
    void add(const StepView& view, const Replay& then);
    /// Interrupted, it ends with the last chunk that is whole.
    void finish(bool interrupted);
    int steps() const { return steps_; }  ///< number of steps it holds
    const std::string& path() const { return db_.path(); }

  private:
    void begin_chunk(int step);
    void close_chunk(std::span<const Robot> team);

    LogReader& old_;
    Database db_;
    Statement find_;
    StepWriter writer_;
    std::unique_ptr<StepChunk> chunk_;
    std::string sections_;  // of the chunk in the old log, after the hashes
    int first_ = 0, last_ = -1, steps_ = 0;
    std::vector<Pose> poses_;  // before the first step of the chunk, as the robots believe
    std::vector<Hash128> hashes_;
    std::vector<std::uint32_t> robot_hashes_;
    Hash128 digest_{};
    std::unique_ptr<ChunkStore> store_;  // last: it ends before the database does
};

}  // namespace outrider
