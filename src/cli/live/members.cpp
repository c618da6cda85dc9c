#include "cli/live/members.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "outrider/error.hpp"

namespace outrider {

std::vector<RobotId> robots_named(const Scenario& scenario, const std::optional<std::string>& list, bool bases) {
    const auto drives = [](const RobotEntry& r) { return r.role != Role::base && r.body.speed_mps > 0; };
    std::vector<RobotId> out;
    if (!list) {
        for (std::size_t i = 0; i < scenario.robots.size(); ++i)
            if (drives(scenario.robots[i])) out.push_back(static_cast<RobotId>(i));
        return out;
    }
    std::vector<std::string> names;
    for (const RobotEntry& r : scenario.robots)
        if (bases || drives(r)) names.push_back(r.name);
    for (std::size_t at = 0; at <= list->size();) {
        const std::size_t end = std::min(list->find(',', at), list->size());
        const std::string name = list->substr(at, end - at);
        const auto robot = std::find_if(scenario.robots.begin(), scenario.robots.end(),
                                        [&](const RobotEntry& r) { return r.name == name; });
        if (robot == scenario.robots.end() || (!bases && !drives(*robot)))
            fail("robot '{}': expected names of {}, separated by commas", name, fmt::join(names, ", "));
        const auto id = static_cast<RobotId>(robot - scenario.robots.begin());
        if (std::find(out.begin(), out.end(), id) != out.end()) fail("robot '{}' is named twice", name);
        out.push_back(id);
        at = end + 1;
    }
    return out;
}

std::string names_of(const Scenario& scenario, const std::vector<RobotId>& robots) {
    std::vector<std::string> names;
    for (const RobotId robot : robots) names.push_back(scenario.robots[static_cast<std::size_t>(robot)].name);
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace outrider
