#include "slam/wide_search.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// The likelihoods of a rectangle of cells, and their maxima over squares of 2^k cells whose lower left corner is the
/// cell, for k = 0 ... levels - 1.
class Pyramid {
  public:
    Pyramid(const CountedMap& map, Cell low, Cell high, int levels)
        : low_(low), width_(high.x - low.x), height_(high.y - low.y) {
        const double horizon = map.horizon_m(), cell = map.lattice().cell_m;
        levels_.resize(static_cast<std::size_t>(levels));
        auto& base = levels_[0];
        base.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0);
        std::size_t i = 0;
        for (int y = low.y; y < high.y; ++y)
            for (int x = low.x; x < high.x; ++x, ++i) {
                const double d = std::sqrt(static_cast<double>(map.squared_distance_at({x, y}))) * cell;
                const double near = std::max(0.0, 1 - d / horizon);
                base[i] = static_cast<std::uint8_t>(255 * near * near);
            }
        for (std::size_t k = 1; k < levels_.size(); ++k) widen(levels_[k - 1], levels_[k], 1 << (k - 1));
    }
    int at(int level, Cell c) const {
        const int x = c.x - low_.x, y = c.y - low_.y;
        if (x >= width_ || y >= height_) return 0;
        const int side = 1 << level;
        if (x <= -side || y <= -side) return 0;
        // Left of or below the rectangle the square still reaches into it: its maximum is bounded by the edge's.
        const auto k = static_cast<std::size_t>(std::max(0, y)) * static_cast<std::size_t>(width_) +
                       static_cast<std::size_t>(std::max(0, x));
        return levels_[static_cast<std::size_t>(level)][k];
    }

  private:
    void widen(const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to, int shift) const {
        to = from;
        const auto w = static_cast<std::size_t>(width_), h = static_cast<std::size_t>(height_),
                   s = static_cast<std::size_t>(shift);
        for (std::size_t y = 0; y < h; ++y)
            for (std::size_t x = 0; x < w; ++x) {
                std::uint8_t m = from[y * w + x];
                const bool right = x + s < w, up = y + s < h;
                if (right) m = std::max(m, from[y * w + x + s]);
                if (up) m = std::max(m, from[(y + s) * w + x]);
                if (right && up) m = std::max(m, from[(y + s) * w + x + s]);
                to[y * w + x] = m;
            }
    }
    Cell low_;
    int width_, height_;
    std::vector<std::vector<std::uint8_t>> levels_;
};

/// Rivals that are worse than this share of the best pose are not told apart.
constexpr double enough_rival = 0.7;

struct Candidate {
    int turn = 0;  // index
    Cell shift;    // lower left of its square of positions
    int score = 0;
};

}  // namespace

std::optional<WideMatch> search_wide(const CountedMap& map, std::span<const Point> all, const Pose& centre,
                                     const WideSearchOptions& options) {
    std::vector<Point> points;
    double longest = 0;
    for (const Point p : all)
        if (norm(p) <= options.max_range_m) points.push_back(p);
    if (points.empty()) return {};
    if (const auto most = static_cast<std::size_t>(options.max_points); points.size() > most) {
        std::vector<Point> thin;
        for (std::size_t i = 0; i < most; ++i) thin.push_back(points[i * points.size() / most]);
        points = std::move(thin);
    }
    for (const Point p : points) longest = std::max(longest, norm(p));
    const Lattice& lattice = map.lattice();
    const int reach = std::max(1, static_cast<int>(std::ceil(options.reach_m / lattice.cell_m)));
    int levels = 1;
    while ((1 << levels) < reach && levels < 7) ++levels;
    const int margin = reach + static_cast<int>(longest / lattice.cell_m) + 2;
    const Cell middle = lattice.cell_of(centre.position());
    // Nothing but walls of the map's extent matters.
    const auto [map_low, map_high] = map.extent();
    const Cell low{std::max(middle.x - margin, map_low.x - 16), std::max(middle.y - margin, map_low.y - 16)};
    const Cell high{std::min(middle.x + margin, map_high.x + 16), std::min(middle.y + margin, map_high.y + 16)};
    if (low.x >= high.x || low.y >= high.y) return {};
    const Pyramid pyramid(map, low, high, levels);

    // A turn moves the farthest end by a cell and a half at most.
    const double turn_step = std::max(0.004, 1.5 * lattice.cell_m / std::max(1.0, longest));
    const int turns = std::max(1, static_cast<int>(std::ceil(options.turn_rad / turn_step)));
    std::vector<std::vector<Cell>> ends(static_cast<std::size_t>(2 * turns + 1));
    for (int t = -turns; t <= turns; ++t) {
        auto& cells = ends[static_cast<std::size_t>(t + turns)];
        const Pose at{centre.x, centre.y, centre.yaw + t * turn_step};
        const auto [s, c] = sin_cos(at.yaw);
        for (const Point p : points)
            cells.push_back(lattice.cell_of({at.x + c * p.x - s * p.y, at.y + s * p.x + c * p.y}));
    }
    const auto score = [&](int level, const Candidate& candidate) {
        int sum = 0;
        for (const Cell end : ends[static_cast<std::size_t>(candidate.turn)])
            sum += pyramid.at(level, end + candidate.shift);
        return sum;
    };
    // Best first, then near the centre, then by turn, row and column.
    const auto before = [&](const Candidate& a, const Candidate& b) {
        if (a.score != b.score) return a.score > b.score;
        const int ta = std::abs(a.turn - turns), tb = std::abs(b.turn - turns);
        if (ta != tb) return ta < tb;
        const auto da = squared_distance(a.shift, {}), db = squared_distance(b.shift, {});
        if (da != db) return da < db;
        if (a.turn != b.turn) return a.turn < b.turn;
        return a.shift < b.shift;
    };
    const int least = static_cast<int>(options.min_score * 255 * static_cast<double>(points.size()));
    const int top = levels - 1, side = 1 << top;
    std::vector<Candidate> first;
    for (int t = 0; t <= 2 * turns; ++t)
        for (int y = -reach; y <= reach; y += side)
            for (int x = -reach; x <= reach; x += side) {
                Candidate c{t, {x, y}, 0};
                c.score = score(top, c);
                if (c.score > least) first.push_back(c);
            }
    std::sort(first.begin(), first.end(), before);
    // The best candidate above `best_score`, leaving out the squares of positions that skip() names.
    std::optional<Candidate> best;
    int best_score = least;
    const auto descend = [&](const auto& self, const std::vector<Candidate>& candidates, int level,
                             const auto& skip) -> void {
        for (const Candidate& c : candidates) {
            if (c.score <= best_score) break;
            if (skip(c, level)) continue;
            if (level == 0) {
                best = c;
                best_score = c.score;
                break;
            }
            const int half = 1 << (level - 1);
            std::vector<Candidate> parts;
            for (const int dy : {0, half})
                for (const int dx : {0, half}) {
                    Candidate part{c.turn, {c.shift.x + dx, c.shift.y + dy}, 0};
                    if (part.shift.x > reach || part.shift.y > reach) continue;
                    part.score = score(level - 1, part);
                    if (part.score > best_score) parts.push_back(part);
                }
            std::sort(parts.begin(), parts.end(), before);
            self(self, parts, level - 1, skip);
        }
    };
    descend(descend, first, top, [](const Candidate&, int) { return false; });
    if (!best) return {};
    WideMatch match{{centre.x + best->shift.x * lattice.cell_m, centre.y + best->shift.y * lattice.cell_m,
                     wrap_angle(centre.yaw + (best->turn - turns) * turn_step)},
                    best->score / (255.0 * static_cast<double>(points.size()))};
    if (options.rival_m > 0) {
        const int level = std::min(2, top), step = 1 << level,
                  apart = static_cast<int>(options.rival_m / lattice.cell_m);
        const auto around = [&](Cell shift) { return score(level, {best->turn, shift - Cell{step / 2, step / 2}, 0}); };
        int rival = 0;
        for (int y = -reach; y <= reach; y += step)
            for (int x = -reach; x <= reach; x += step)
                if (squared_distance(Cell{x, y}, best->shift) >= apart * apart) rival = std::max(rival, around({x, y}));
        match.rival = rival / static_cast<double>(around(best->shift));
        if (options.turned_rivals) {
            constexpr double same_heading = 0.35;
            const Candidate winner = *best;
            const auto same = [&](const Candidate& c, int at_level) {
                if (std::abs(wrap_angle((c.turn - winner.turn) * turn_step)) > same_heading) return false;
                const int last = (1 << at_level) - 1;
                for (const Cell corner : {Cell{0, 0}, Cell{last, 0}, Cell{0, last}, Cell{last, last}})
                    if (squared_distance(c.shift + corner, winner.shift) >= apart * apart) return false;
                return true;
            };
            best.reset();
            best_score = static_cast<int>(enough_rival * winner.score);  // worse ones need not be known
            descend(descend, first, top, same);
            if (best) match.rival = std::max(match.rival, best->score / static_cast<double>(winner.score));
        }
    }
    return match;
}

}  // namespace outrider
