// The trajectories of many particles, which share their beginnings: a tree of poses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

class PoseTree {
  public:
    using Node = std::int32_t;
    static constexpr Node none = -1;

    /// A pose after another one; after none: the first of a trajectory.
    Node add(Node before, const Pose& pose);
    /// From the first pose to this one.
    std::vector<Pose> path(Node last) const;
    /// Drops the poses that lead to none of these nodes, and renumbers them; does nothing until much has been added.
    void compact(std::span<Node> last);
    std::size_t size() const { return nodes_.size(); }

  private:
    struct Item {
        Pose pose;
        Node before;
    };
    std::vector<Item> nodes_;
    std::size_t next_compaction_ = 1024;
};

}  // namespace outrider
