// The mailbox between the run's thread and the drawing thread: the newest snapshot, the rows of all steps, the events,
// and what the window wants computed. Every call may come from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "view/history.hpp"
#include "view/remarks.hpp"
#include "view/snapshot.hpp"

namespace outrider::view {

/// The progress of a source.
struct Progress {
    int step = -1;        ///< the newest snapshot
    int last = -1;        ///< the last step that is known to exist
    bool ended = false;   ///< there will be no more steps
    std::string end;      ///< why, in words
    std::string error;    ///< what went wrong; the run is over then
    std::string warning;  ///< such as: the replay diverges
    std::string note;     ///< what the source is busy with
    int history_to = -1;  ///< up to this step the history of cells is complete
    int sought = -1;      ///< of a log: the last seek that has ended, whether that step could be read or not
    int generation = 0;   ///< incremented when the run starts again: rows and events are to be read again, too
};

class Telemetry {
  public:
    /// Replaces a snapshot that was not taken; its updates are kept and come first.
    void publish(Snapshot snapshot);
    std::optional<Snapshot> take();
    /// With the progress of the source at that time.
    std::pair<Progress, std::optional<Snapshot>> take_with_progress();
    bool wanted() const;  ///< whether the last snapshot was taken

    void add_row(StepRow row);
    void add_event(RunEvent event);
    /// Rows and events from these numbers on.
    std::vector<StepRow> rows_from(std::size_t first) const;
    std::vector<RunEvent> events_from(std::size_t first) const;
    std::vector<Pose> poses_at(std::size_t row) const;
    void begin_anew();
    /// The run starts again and will be the same: rows, events and history stay, also those of later steps.
    void go_back();
    /// The step after the last row.
    int end() const;

    void set_wants(const Wants& wants);
    Wants wants() const;
    template <class Change>
    void update(Change&& change) {
        const std::lock_guard lock(mutex_);
        change(progress_);
    }
    Progress progress() const;
    History& history() { return history_; }
    HealthHistory& health() { return health_; }
    Remarks& remarks() { return remarks_; }

  private:
    mutable std::mutex mutex_;
    std::optional<Snapshot> ready_;
    std::vector<StepRow> rows_;
    std::vector<RunEvent> events_;
    Progress progress_;
    Wants wants_;
    History history_;
    HealthHistory health_;
    Remarks remarks_;
};

}  // namespace outrider::view
