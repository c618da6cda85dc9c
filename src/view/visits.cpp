#include "view/visits.hpp"

#include <algorithm>

namespace outrider::view {
namespace {

constexpr double least_m = 0.25;  // so that the track of a point can be seen

std::vector<Cell> disc(double radius_cells) {
    std::vector<Cell> cells;
    const int r = static_cast<int>(std::ceil(radius_cells));
    for (int y = -r; y <= r; ++y)
        for (int x = -r; x <= r; ++x)
            if ((x == 0 && y == 0) || x * x + y * y <= radius_cells * radius_cells) cells.push_back({x, y});
    return cells;
}

void sort_distinct(std::vector<Cell>& cells) {
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

}  // namespace

Visits::Visits(const RunInfo& info) : lattice_(info.walls.lattice()) {
    for (const RobotEntry& r : info.scenario.robots)
        body_.push_back(disc(lattice_.cells(std::max(least_m, r.body.radius_m))));
}

void Visits::clear() {
    tiles_.for_each([&](TileCoord t, const std::unique_ptr<Tile>& tile) {
        if (tile) changed_.push_back(t);
    });
    tiles_.clear();
    counted_ = 0;
}

bool Visits::follow(const std::vector<StepRow>& rows, int step, const std::vector<std::uint8_t>& robots,
                    std::size_t most_rows) {
    if (robots != robots_ || counted_ > rows.size()) clear();  // or the run began anew
    robots_ = robots;
    const auto at = std::lower_bound(rows.begin(), rows.end(), step,
                                     [](const StepRow& row, int s) { return row.metrics.step < s; });
    const auto wanted = static_cast<std::size_t>(at - rows.begin());
    for (; most_rows > 0 && counted_ < wanted; --most_rows) count(rows, counted_++, 1);
    for (; most_rows > 0 && counted_ > wanted; --most_rows) count(rows, --counted_, ~std::uint32_t{0});  // one less
    return counted_ == wanted;
}

void Visits::cover(std::size_t robot, Point at) {
    const Cell c = lattice_.cell_of(at);
    for (const Cell d : body_[robot]) over_.push_back(c + d);
}

void Visits::count(const std::vector<StepRow>& rows, std::size_t k, std::uint32_t by) {
    const StepRow& row = rows[k];
    for (std::size_t i = 0; i < row.poses.size() && i < robots_.size(); ++i) {
        if (!robots_[i]) continue;
        over_.clear();
        Point from = row.poses[i].position();
        std::vector<Cell> before;
        if (k > 0 && i < rows[k - 1].poses.size()) {
            from = rows[k - 1].poses[i].position();
            cover(i, from);
            before = std::exchange(over_, {});
            sort_distinct(before);
        }
        const auto go = [&](Point to) {
            const int parts = static_cast<int>(std::ceil(distance(from, to) / (0.5 * lattice_.cell_m)));
            for (int part = 1; part <= parts; ++part) cover(i, from + (to - from) * (double(part) / parts));
            from = to;
        };
        if (i < row.paths.size())
            for (const Point& p : row.paths[i]) go(p);
        go(row.poses[i].position());
        if (before.empty()) cover(i, from);
        sort_distinct(over_);
        for (const Cell c : over_) {
            if (std::binary_search(before.begin(), before.end(), c)) continue;
            auto& slot = tiles_.at(tile_of(c));
            if (!slot) slot = std::make_unique<Tile>();
            (*slot)[static_cast<std::size_t>(row_in_tile(c) * tile_size + column_in_tile(c))] += by;
            if (changed_.empty() || changed_.back() != tile_of(c)) changed_.push_back(tile_of(c));
        }
    }
}

std::uint32_t Visits::at(Cell c) const {
    const Tile* found = tile(tile_of(c));
    return found ? (*found)[static_cast<std::size_t>(row_in_tile(c) * tile_size + column_in_tile(c))] : 0;
}

std::vector<TileCoord> Visits::take_changed() {
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    return std::exchange(changed_, {});
}

}  // namespace outrider::view
