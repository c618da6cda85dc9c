// The robots of several logs, step by step on one timeline: what a log of them all is written from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "log/log_writer.hpp"
#include "log/robot_step.hpp"
#include "metrics/metrics.hpp"
#include "radio/links.hpp"
#include "scenario/scenario.hpp"
#include "wire/frame_inbox.hpp"

namespace outrider {

class JoinedRun {
  public:
    /// `logged`: the robots of which there is a log. Before its first step a robot stands at its start; in steps of
    /// which its log says nothing it stays where it was, and is out of service.
    JoinedRun(Scenario scenario, std::vector<Briefing> briefings, const std::vector<RobotId>& logged);
    JoinedRun(const JoinedRun&) = delete;
    JoinedRun& operator=(const JoinedRun&) = delete;

    std::unique_ptr<LogWriter> make_log(const std::string& path);
    void begin_step();
    /// What its log says of a robot in this step.
    void take(RobotId robot, const RobotStep& step);
    /// The step goes into the log.
    void end_step(LogWriter& log);
    void finish(LogWriter& log, EndReason reason);
    /// The steps that have ended.
    int steps() const { return run_.steps; }

  private:
    std::vector<Link> links() const;

    const Scenario scenario_;
    const std::vector<Briefing> briefings_;
    const std::unique_ptr<SimDriver> world_;  // what the log shows of it
    std::vector<Robot> team_;
    std::vector<FrameInbox> inboxes_;
    const Grid<std::uint8_t> counted_;
    Metrics metrics_;
    std::vector<std::vector<std::string>> frames_;  // off the air, by robot
    std::vector<std::optional<Pose>> poses_;        // none: there is no log of it
    Run run_;
};

}  // namespace outrider
