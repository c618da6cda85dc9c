#include "slam/pose_tree.hpp"

#include <algorithm>

namespace outrider {

PoseTree::Node PoseTree::add(Node before, const Pose& pose) {
    nodes_.push_back({pose, before});
    return static_cast<Node>(nodes_.size() - 1);
}

std::vector<Pose> PoseTree::path(Node last) const {
    std::vector<Pose> out;
    for (; last != none; last = nodes_[static_cast<std::size_t>(last)].before)
        out.push_back(nodes_[static_cast<std::size_t>(last)].pose);
    std::reverse(out.begin(), out.end());
    return out;
}

void PoseTree::compact(std::span<Node> last) {
    if (nodes_.size() < next_compaction_) return;
    std::vector<Node> renumbered(nodes_.size(), none);
    std::vector<std::uint8_t> wanted(nodes_.size(), 0);
    for (Node n : last)
        for (; n != none && !wanted[static_cast<std::size_t>(n)]; n = nodes_[static_cast<std::size_t>(n)].before)
            wanted[static_cast<std::size_t>(n)] = 1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {  // a node comes after the one before it
        if (!wanted[i]) continue;
        Item item = nodes_[i];
        if (item.before != none) item.before = renumbered[static_cast<std::size_t>(item.before)];
        renumbered[i] = static_cast<Node>(kept);
        nodes_[kept++] = item;
    }
    nodes_.resize(kept);
    for (Node& n : last)
        if (n != none) n = renumbered[static_cast<std::size_t>(n)];
    next_compaction_ = std::max<std::size_t>(1024, 2 * kept);
}

}  // namespace outrider
