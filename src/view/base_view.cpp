#include "view/base_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace outrider::view {

std::vector<ReportedRobot> reported_robots(const Snapshot& now, const std::vector<std::uint8_t>& is_base) {
    std::vector<ReportedRobot> out;
    if (now.robots.empty() || is_base.empty() || !is_base.front()) return out;
    for (const MateNews& mate : now.robots.front().mates) {
        if (is_base[static_cast<std::size_t>(mate.robot)]) continue;
        const std::optional<int> age = mate.step < 0 ? std::nullopt : std::optional(now.step - mate.step);
        out.push_back({mate.robot, age, mate.pose, mate.report});
    }
    return out;
}

std::string contact_text(const ReportedRobot& robot) {
    if (!robot.age) return "never reported";
    return *robot.age <= 1 ? "in contact" : fmt::format("reported {} steps ago", *robot.age);
}

std::vector<std::string> alerts_of(const ReportedRobot& robot) {
    constexpr double low_battery = 0.2;
    std::vector<std::string> out;
    if (robot.age && robot.silent()) out.push_back(fmt::format("silent for {} steps", *robot.age));
    if (!robot.report) return out;
    if (robot.report->battery < low_battery)
        out.push_back(fmt::format("battery {:.0f} %", 100 * robot.report->battery));
    if (robot.report->lost) out.emplace_back("does not know where it is");
    if (robot.report->bumped) out.emplace_back("was stopped");
    return out;
}

std::vector<std::vector<double>> link_matrix(const std::vector<ReportedRobot>& robots) {
    const std::size_t n = robots.size() + 1;
    std::vector<std::vector<double>> dbm(n, std::vector<double>(n, unknown_link_dbm));
    std::vector<std::vector<int>> age(n, std::vector<int>(n, std::numeric_limits<int>::max()));
    for (std::size_t i = 0; i < robots.size(); ++i) {
        if (!robots[i].report || !robots[i].age) continue;
        for (const LinkReport& link : robots[i].report->links) {
            const auto other = std::find_if(robots.begin(), robots.end(),
                                            [&](const ReportedRobot& r) { return r.robot == link.robot; });
            if (other == robots.end() && link.robot != 0) continue;
            const std::size_t a = i + 1, b = link.robot == 0 ? 0 : static_cast<std::size_t>(other - robots.begin()) + 1;
            if (*robots[i].age >= age[a][b]) continue;
            dbm[a][b] = dbm[b][a] = link.signal_dbm;
            age[a][b] = age[b][a] = *robots[i].age;
        }
    }
    return dbm;
}

}  // namespace outrider::view
