// outrider log join: the logs of the processes of a live team as one log, of the team on one timeline
// (step_alignment.hpp). What each robot perceived, received, believed and decided stays as its log holds it; steps
// that robots say or know of others become those of the timeline.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace outrider {

class LiveLog;

class LogJoin {
  public:
    /// Reads the logs, of the full level, and finds out how they go together. Throws Error where they are not of
    /// different robots of one mission of a live team.
    explicit LogJoin(const std::vector<std::string>& paths);
    ~LogJoin();
    LogJoin(const LogJoin&) = delete;
    LogJoin& operator=(const LogJoin&) = delete;

    /// What the timeline has of one of them. In the order of the robots.
    struct Part {
        std::string path, robots;  ///< names, between commas
        std::vector<int> at;       ///< in which step of the timeline each of its steps is
        int steps() const { return static_cast<int>(at.size()); }
        /// Steps in which it stands still.
        int pauses() const { return at.back() - at.front() + 1 - steps(); }
    };
    const std::vector<Part>& parts() const { return parts_; }
    /// The number of steps of the timeline.
    int steps() const;
    /// Writes the log. False: it was interrupted, and the log ends there.
    bool write(const std::string& path, const std::atomic<bool>& interrupted);

  private:
    std::string origin();

    std::vector<std::unique_ptr<LiveLog>> logs_;
    std::vector<Part> parts_;
};

}  // namespace outrider
