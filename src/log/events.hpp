// The notable events of a run, for people to read and to jump to.
#pragma once

#include "log/chunk_store.hpp"
#include "log/event_feature.hpp"
#include "messages/order_words.hpp"
#include "metrics/metrics.hpp"

namespace outrider {

/// A command as the text of an event, and back. All numbers keep their exact bits. Throws Error with what was expected.
std::string command_json(const OperatorCommand& command);
OperatorCommand read_command(const std::string& text);

class EventFinder {
  public:
    explicit EventFinder(std::size_t robots)
        : alive_(robots, 1), connected_(robots, 2), lost_(robots, 0), frame_(robots, -1) {}
    /// The events of a step, each step in turn, always with the same driver. `component`: of each robot in the
    /// communication graph. `driver`: of the simulator, after this step; nullptr: of the world nothing is known.
    std::vector<LogEvent> find(const StepView& view, const StepMetrics& row, const std::vector<int>& component,
                               const SimDriver* driver = nullptr);

  private:
    void find_frame(const Robot& robot, int step, std::vector<LogEvent>& events);

    std::vector<std::unique_ptr<EventSource>> sources_;  // of the features of this run
    bool asked_ = false;                                 // the features for them
    std::vector<std::uint8_t> alive_, connected_, lost_;
    std::vector<RobotId> frame_;  // in which they plan, where each has its own; -1: not known yet
    std::size_t milestones_team_ = 0, milestones_base_ = 0;
};

}  // namespace outrider
