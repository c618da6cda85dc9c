// A run as a base station sees it: what it heard of the robots, and nothing of the truth.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "view/snapshot.hpp"

namespace outrider::view {

/// What the layers show then.
inline constexpr std::string_view base_layers = "free:bases frontier:bases location:all name:all";

/// Of one robot.
struct ReportedRobot {
    RobotId robot = 0;
    std::optional<int> age;             ///< steps since the last message from it was sent; none: never heard of
    Pose pose;                          ///< where it said it was, in the team's frame
    std::optional<RobotReport> report;  ///< none: it sends no reports (operator.reports)
    bool silent() const { return !age || *age > silence_steps; }
    static constexpr int silence_steps = 10;
    bool operator==(const ReportedRobot&) const = default;
};

/// The mobile robots as the first base station knows them, by number; empty: there is no base station, or no step yet.
std::vector<ReportedRobot> reported_robots(const Snapshot& now, const std::vector<std::uint8_t>& is_base);

/// "reported 12 steps ago", "never reported".
std::string contact_text(const ReportedRobot& robot);
/// What an operator should know of a robot: that it is silent, lost or stopped, and that its battery is low.
std::vector<std::string> alerts_of(const ReportedRobot& robot);

/// Strengths of links in dBm that the robots reported, by row and column: first the base station, then the robots in
/// the order of `robots`; -100: unknown. The last report of the two ends counts.
std::vector<std::vector<double>> link_matrix(const std::vector<ReportedRobot>& robots);
inline constexpr double unknown_link_dbm = -100;

}  // namespace outrider::view
