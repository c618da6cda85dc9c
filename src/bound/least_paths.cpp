#include "bound/least_paths.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace outrider {
namespace {

constexpr int edge = 12, diagonal = 17, far = std::numeric_limits<int>::max();
constexpr double per_cell = 13, to_corners = 1.4143;  // both ends may lie half a diagonal from their corners

}  // namespace

LeastPaths::LeastPaths(const Grid<std::uint8_t>& open, std::span<const Cell> from)
    : width_(open.width()), height_(open.height()), origin_(open.origin()) {
    paths_.assign(corner(0, height_ + 1), far);
    std::array<std::vector<std::pair<int, int>>, diagonal + 1> rings;  // corners by way modulo its length
    std::size_t waiting = 0;
    const auto reach = [&](int x, int y, int length) {
        int& known = paths_[corner(x, y)];
        if (length >= known) return;
        known = length;
        rings[static_cast<std::size_t>(length) % rings.size()].emplace_back(x, y);
        ++waiting;
    };
    for (const Cell c : from)
        for (const Cell d : {Cell{0, 0}, Cell{1, 0}, Cell{0, 1}, Cell{1, 1}})
            reach(c.x - origin_.x + d.x, c.y - origin_.y + d.y, 0);
    const auto free = [&](int x, int y) {  // the cell up and right of a corner
        return x >= 0 && y >= 0 && x < width_ && y < height_ &&
               open.cells()[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                            static_cast<std::size_t>(x)];
    };
    for (int length = 0; waiting > 0; ++length) {
        auto ring = std::move(rings[static_cast<std::size_t>(length) % rings.size()]);
        rings[static_cast<std::size_t>(length) % rings.size()].clear();
        waiting -= ring.size();
        for (const auto& [x, y] : ring) {
            if (paths_[corner(x, y)] != length) continue;
            const bool ur = free(x, y), ul = free(x - 1, y), dr = free(x, y - 1), dl = free(x - 1, y - 1);
            if (ur || dr) reach(x + 1, y, length + edge);
            if (ul || dl) reach(x - 1, y, length + edge);
            if (ur || ul) reach(x, y + 1, length + edge);
            if (dr || dl) reach(x, y - 1, length + edge);
            if (ur) reach(x + 1, y + 1, length + diagonal);
            if (ul) reach(x - 1, y + 1, length + diagonal);
            if (dr) reach(x + 1, y - 1, length + diagonal);
            if (dl) reach(x - 1, y - 1, length + diagonal);
        }
    }
}

double LeastPaths::to(Cell cell) const {
    const int x = cell.x - origin_.x, y = cell.y - origin_.y;
    const int least = std::min(
        {paths_[corner(x, y)], paths_[corner(x + 1, y)], paths_[corner(x, y + 1)], paths_[corner(x + 1, y + 1)]});
    return least == far ? std::numeric_limits<double>::infinity() : std::max(0.0, least / per_cell - to_corners);
}

}  // namespace outrider
