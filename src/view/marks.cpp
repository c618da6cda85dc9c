#include "view/marks.hpp"

#include <algorithm>

#include "log/events.hpp"

namespace outrider::view {
namespace {

constexpr std::string_view mark = "mark ", unmark = "unmark ";

std::optional<OperatorCommand> command_of(const RunEvent& event) {
    if (event.kind != "operator" || event.json.find("mark ") == std::string::npos) return {};
    OperatorCommand command = read_command(event.json);
    const bool ours =
        command.behaviour.starts_with(unmark) || (command.behaviour.starts_with(mark) && !command.waypoints.empty());
    return ours ? std::optional(std::move(command)) : std::nullopt;
}

}  // namespace

OperatorCommand mark_command(const std::string& name, Point at) { return {std::string(mark) + name, {at}, 0, 0}; }

OperatorCommand unmark_command(const std::string& name) { return {std::string(unmark) + name, {}, 0, 0}; }

std::vector<PlaceMark> marks_at(const std::vector<RunEvent>& events, int step) {
    std::vector<PlaceMark> marks;
    for (const RunEvent& event : events) {
        if (event.step > step) continue;
        const auto command = command_of(event);
        if (!command) continue;
        const bool made = command->behaviour.starts_with(mark);
        const std::string name = command->behaviour.substr(made ? mark.size() : unmark.size());
        std::erase_if(marks, [&](const PlaceMark& m) { return m.name == name; });
        if (made) marks.push_back({name, command->waypoints[0], event.step});
    }
    return marks;
}

std::string mark_text(const RunEvent& event) {
    const auto command = command_of(event);
    if (!command) return {};
    const bool made = command->behaviour.starts_with(mark);
    return made ? "the operator marks " + command->behaviour.substr(mark.size())
                : "the operator takes back the mark " + command->behaviour.substr(unmark.size());
}

}  // namespace outrider::view
