// A full log as an MCAP file.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/output.hpp"
#include "log/log_reader.hpp"
#include "mcap/topics.hpp"

namespace outrider {

/// The file of a run's messages: topics, and facts about the run.
class McapRunFile {
  public:
    /// `out` outlives this; commit() is left to the caller.
    McapRunFile(const Scenario& scenario, const MessageCoding& coding, OutputFile& out);
    TopicSink& topics() { return topics_; }
    /// After the last message.
    void finish() { mcap_.finish(); }

  private:
    McapWriter mcap_;
    McapTopics topics_;
};

struct McapExport {
    bool whole = true;                 ///< false: interrupted; what was written so far is no file
    std::vector<std::string> damaged;  ///< parts that are left out: "steps 64-127: ..."
};

/// Writes all steps of a full log; commit() is left to the caller. Throws Error when the log is of another level.
McapExport export_mcap(LogReader& log, const MessageCoding& coding, OutputFile& out,
                       const std::atomic<bool>* interrupted = nullptr);

}  // namespace outrider
