#include "log/event_text.hpp"

#include <cstdlib>

#include "base/json.hpp"
#include "log/event_feature.hpp"
#include "log/events.hpp"

namespace outrider {

std::string event_text(const Scenario& scenario, std::string_view kind, RobotId robot, const std::string& detail) {
    const auto name = [&](RobotId r) {
        return r < 0 || r >= std::ssize(scenario.robots) ? std::string()
                                                         : scenario.robots[static_cast<std::size_t>(r)].name;
    };
    const std::string who = name(robot);
    const auto share = [&] {
        const std::size_t at = detail.find(": ");
        return at == std::string::npos ? std::string()
                                       : fmt::format("{:.0f} %", 100 * std::atof(detail.c_str() + at + 2));
    };
    if (kind == "team_knows") return "the team knows " + share();
    if (kind == "base_knows") return "the base knows " + share();
    if (kind == "died") return who + " is out of service";
    if (kind == "met_base") return who + " came into contact with the base";
    if (kind == "left_base") return who + " lost contact with the base";
    if (kind == "lost") return who + " is lost: its scans do not fit where it should be";
    if (kind == "found") return who + " knows again where it is";
    if (kind == "parted") return who + " plans in its own frame again";
    if (kind == "joined") {
        const std::size_t at = detail.find(": ");
        const int frame = at == std::string::npos ? -1 : std::atoi(detail.c_str() + at + 2);
        return who + " plans in the frame of " + (name(frame).empty() ? "another robot" : name(frame));
    }
    if (kind == "operator") return who + " is ordered: " + read_command(detail).behaviour;
    if (kind == "note") {
        const Json note = parse_json(detail);
        const Json* text = note.find("text");
        return text && text->text() ? *text->text() : std::string(kind);
    }
    for (const EventFeature& feature : event_features())
        if (std::string text = feature.text ? feature.text(kind, who, detail) : ""; !text.empty()) return text;
    return who.empty() ? std::string(kind) : fmt::format("{}: {}", who, kind);
}

}  // namespace outrider
