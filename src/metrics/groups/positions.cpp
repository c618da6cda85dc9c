// Positions that robots hold (strategy positions): how often they change, and how often two hold the same.
#include "metrics/groups/positions.hpp"
#include <array>

#include "metrics/groups/groups.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

double position_changes(Record r) {
    const double minutes = count(r.totals.robot_steps) * r.world.step_s() / 60;
    return share_of(count(r.counts<PositionCounts>().changes()), minutes);
}

constexpr std::array position_rows{
    MetricInfo{"position_changes", "1/min", 1,
               "how often a robot changed or gave up its position (a numbered task of the strategy positions, not a "
               "place), per robot and minute",
               plain, position_changes},
    MetricInfo{"two_holders_share", "share", 1,
               "steps in which a position was held by two robots / steps since the first robot took one", plain,
               [](Record r) {
                   return share_of(count(r.counts<PositionCounts>().doubled()),
                                   count(r.counts<PositionCounts>().steps()));
               }},
};

}  // namespace

const MetricGroup position_metrics{position_rows, nullptr, make_counter<PositionCounts>};

}  // namespace outrider
