// Places that the operator marks by hand, under a name: a victim that was found, a door that is locked. The order is
// sent to a base station like any other, so that it is in the log and a replay shows it again; robots ignore it.
#pragma once

#include "log/orders_file.hpp"
#include "view/snapshot.hpp"

namespace outrider::view {

struct PlaceMark {
    std::string name;
    Point at;  ///< in the team's frame
    int step = 0;
    bool operator==(const PlaceMark&) const = default;
};

OperatorCommand mark_command(const std::string& name, Point at);
OperatorCommand unmark_command(const std::string& name);
/// The marks that exist after a step, in the order in which they were made; a mark that is made again moves.
std::vector<PlaceMark> marks_at(const std::vector<RunEvent>& events, int step);
/// The events of marks in words; empty for others.
std::string mark_text(const RunEvent& event);

}  // namespace outrider::view
