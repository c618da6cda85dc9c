// Orders of an operator for robots that are live: from a file, or typed as the mission goes on.
#pragma once

#include <string>
#include <vector>

#include "live/complaints.hpp"
#include "live/viewers.hpp"
#include "messages/order_words.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

class LiveOrders {
  public:
    /// `source`: a file, read now, or "-" for the standard input, read line by line as it comes. `reached`: the robots
    /// that orders can be for. The scenario outlives this. Throws Error when the file cannot be read, or a line of it
    /// is no order.
    LiveOrders(const std::string& source, const Scenario& scenario, std::vector<RobotId> reached);
    /// Lines come from an open file.
    LiveOrders(int file, std::string name, const Scenario& scenario, std::vector<RobotId> reached);
    /// None but those that viewers give.
    LiveOrders(const Scenario& scenario, std::vector<RobotId> reached)
        : LiveOrders(-1, "", scenario, std::move(reached)) {}

    /// Lines that viewers wrote while this step is about to begin.
    void add(const std::vector<Viewers::Order>& orders, int step);

    /// Those of this step. A line that was typed and says no "step" is for this one; one that is no order, or for a
    /// step that is past, is named among the complaints.
    std::vector<OperatorOrder> due(int step);
    /// The step of the last order; `limit` while nobody knows it yet.
    int last_step(int limit) const { return file_ >= 0 ? limit : pending_.empty() ? -1 : pending_.back().step; }
    /// Whether all were due, and no more can come.
    bool over() const { return file_ < 0 && pending_.empty(); }
    std::vector<std::string> take_complaints() { return complaints_.take(); }

  private:
    void read(int step);
    void take_line(int step);
    void take_order(const std::string& text, const std::string& where, int step);
    void expect_reached(const std::vector<OperatorOrder>& orders, const std::string& where) const;

    int file_ = -1;  // open; -1: nothing comes from it
    std::string name_;
    const Scenario& scenario_;
    std::vector<RobotId> reached_;
    std::string text_;  // a line that is not whole yet
    int line_ = 0;
    bool too_long_ = false;  // the line
    std::vector<OperatorOrder> pending_;
    Complaints complaints_{50};
};

}  // namespace outrider
