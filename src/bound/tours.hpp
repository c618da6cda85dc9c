// Tours over places, and a quick model of what a team comes to know on them: where each robot is at the end of each
// step, and what it sees there that is new.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "bound/roads.hpp"

namespace outrider {

/// By robot of the task, the places that it goes to after its start.
using Tours = std::vector<std::vector<int>>;

class TourModel {
  public:
    TourModel(const BoundTask& task, const Roads& roads, const Blocks& targets);
    /// The time counts until this share is known of what can be seen from nodes; then call begin().
    void want(double share);

    struct Value {
        double cost = std::numeric_limits<double>::infinity();  ///< infinite: above the limit
        double time = 0;  ///< steps until the share is known; beyond the tours' end where it never is
        double area = 0;  ///< above the curve of the share known over the steps, up to that time
    };
    /// Starts anew with these tours.
    Value begin(Tours tours);
    /// The value of other tours, which differ for these robots; stops as soon as it is above the limit.
    Value look_at(const Tours& tours, const std::vector<int>& changed, double limit);
    /// The tours looked at last become the present ones.
    void accept();
    /// Leaves out what lies wholly behind the first so many steps.
    void trim(double steps);
    const Tours& tours() const { return tours_; }
    /// Where a robot is at the end of each step.
    const std::vector<int>& nodes(std::size_t mover) const { return traces_[mover].nodes; }

  private:
    struct Trace {
        std::vector<int> nodes;  ///< at the end of each step, from step 0
    };
    struct Snapshot {
        BitMap known;
        int count = 0;
        double area = 0;
    };
    static constexpr int spacing = 12;  // steps between snapshots
    Trace trace(std::size_t mover, const std::vector<int>& tour) const;
    void see(Snapshot& now, int node, const Mover& m) const;
    void see_ahead(Snapshot& now, int node, int before, const Mover& m) const;
    Value run(const std::vector<const Trace*>& traces, std::size_t first, double limit,
              std::vector<Snapshot>& snapshots);

    const BoundTask& task_;
    const Roads& roads_;
    BitMap nothing_;
    int all_ = 0, wanted_ = 0;
    Tours tours_, next_tours_;
    std::vector<Trace> traces_, next_traces_;
    std::vector<int> changed_;
    std::vector<Snapshot> snapshots_, next_snapshots_;  // before steps 0, spacing, 2 spacing, ...
    std::size_t first_next_ = 0;
};

}  // namespace outrider
