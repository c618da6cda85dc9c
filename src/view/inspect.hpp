// Reports on a robot or a cell at a moment, in words: why a robot goes where it goes.
#pragma once

#include "view/view_model.hpp"

namespace outrider::view {

/// A line of a report; `score`s are numbers of a list of candidates.
struct Fact {
    enum class Kind : std::uint8_t { title, plain, candidate, chosen, warning } kind = Kind::plain;
    std::string label, value;
    std::optional<Point> at;  ///< a place to look at, in the team's frame
};

std::vector<Fact> facts_of_robot(ViewModel& model, RobotId robot);
std::vector<Fact> facts_of_cell(ViewModel& model, Cell cell);
/// The messages of the shown step received by the selected robot, or by all robots if none is selected, and the
/// receivers.
struct MessageTable {
    std::string title;  ///< with their number
    std::vector<std::pair<RobotId, MessageRow>> rows;
};
MessageTable messages_received(const ViewModel& model);
/// A number of two runs up to a step; not a number: not yet.
struct ComparedNumber {
    std::string label, unit;
    double first = 0, second = 0;
    double difference() const { return second - first; }
    /// As people read it: "12.3 %", "not yet"; with a sign: "+0.5".
    std::string text(double value, bool sign = false) const;
};
/// When and how much team and base knew, the distance driven, messages. Of a run with fewer steps, at its end.
std::vector<ComparedNumber> compare_runs(const ViewModel& first, const ViewModel& second, int step);
/// A robot's state in a word or two: "explorer", "lost", "done".
std::string state_text(const ViewModel& model, RobotId robot);
/// Age in steps of what the robot knows of a base, and of what a base knows of the robot; none: never heard.
struct NewsAges {
    std::optional<int> of_base, at_base;
};
NewsAges news_ages(const ViewModel& model, RobotId robot);
/// The same in a few words: "base 3, at base 5"; nothing for a base itself.
std::string news_text(const ViewModel& model, RobotId robot);
/// The outline of an ellipse of two standard deviations around a position, from its covariance xx, xy, yy.
std::vector<Point> spread_outline(Point centre, const std::array<double, 3>& covariance);
/// An event in words.
std::string event_text(const ViewModel& model, const RunEvent& event);
std::string place_text(const ViewModel& model, Point team);

}  // namespace outrider::view
