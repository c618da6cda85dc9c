// Writes the log of a run while it goes on. What is committed can be read even if the program is killed.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.hpp"
#include "log/chunk_store.hpp"
#include "log/events.hpp"
#include "log/log_format.hpp"
#include "log/log_level.hpp"
#include "metrics/metrics.hpp"
#include "scenario/provenance.hpp"

namespace outrider {

class LogWriter final : public Observer {
  public:
    /// What came off the air in the present step, for each robot: of live robots.
    using Frames = std::function<std::span<const std::vector<std::string>>()>;
    /// Creates the file and commits its header. `metrics` is updated before this observer. Throws Error.
    LogWriter(const std::string& path, LogLevel level, const Scenario& scenario, const std::vector<Briefing>& briefings,
              const SimDriver& driver, const Metrics& metrics, Frames frames = {});
    /// Adds the step; commits step 0 at once, then a chunk at a time; at the full level from a thread of its own.
    /// Throws RunFailure when the disk is full, then or at a later step.
    void on_step(const StepView& view) override;
    /// A line of the header besides. Throws RunFailure.
    void describe(std::string_view key, const std::string& value);
    /// An event of the next step, in words: what a program did that takes part in the run. Long texts are cut, and
    /// after a thousand no more are kept, so that nobody can fill the disk.
    void note(const std::string& text);
    /// Writes what is left, the summary and the timing, and leaves one closed file. `said`: versions of programs.
    void finish(EndReason reason, const Run& run, const std::vector<SummaryValue>& summary, const Provenance& reported);
    const std::string& path() const { return db_.path(); }

  private:
    StepLayout layout_of(const Scenario& scenario) const;
    void write_header(const Scenario& scenario, const std::vector<Briefing>& briefings);
    void begin_steps(std::span<const Robot> team, std::span<const Decision> decisions);
    void note_paths();
    std::string pack_sections();
    void close_chunk(std::span<const Robot> team, std::span<const Decision> decisions);

    Database db_;
    LogLevel level_;
    const SimDriver& driver_;
    const Metrics& metrics_;
    Frames frames_;             // none: robots are simulated
    int first_ = 0, next_ = 0;  // steps of the current chunk
    std::vector<Hash128> hashes_;
    std::vector<std::uint32_t> robot_hashes_;  // by step, then robot: enough to tell which one diverged
    std::vector<Pose> poses_;                  // by step, then robot
    ByteWriter paths_;                         // full level: corners of the paths, by step, then robot
    std::vector<LogEvent> events_;
    int notes_ = 0;
    EventFinder finder_;
    // Full level.
    std::vector<Pose> starts_;
    std::optional<StepWriter> steps_;
    KeyframeWriter keyframes_;
    std::unique_ptr<StepChunk> step_chunk_;
    std::unique_ptr<ChunkStore> store_;  // last: it ends before the database does
};

}  // namespace outrider
