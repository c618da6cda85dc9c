#include "slam/wide_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace outrider {
namespace {

/// The likelihoods of the cells of `drawn`, zero in the rest of `all`, and their maxima over squares of 2^k cells whose
/// lower left corner is the cell, for k = 0 ... levels - 1.
class Pyramid {
  public:
    struct Box {
        Cell low, high;  // high is past the end
    };
    Pyramid(const CountedMap& map, Box drawn, Box all, int levels)
        : low_(all.low), width_(all.high.x - all.low.x), levels_(static_cast<std::size_t>(levels)) {
        const double horizon = map.horizon_m(), cell = map.lattice().cell_m;
        for (auto& level : levels_) level.assign(at({all.high.x, all.high.y - 1}), 0);
        for (int y = drawn.low.y; y < drawn.high.y; ++y)
            for (int x = drawn.low.x; x < drawn.high.x; ++x) {
                const double d = std::sqrt(static_cast<double>(map.squared_distance_at({x, y}))) * cell;
                const double near = std::max(0.0, 1 - d / horizon);
                levels_[0][at({x, y})] = static_cast<std::uint8_t>(255 * near * near);
            }
        for (std::size_t k = 1; k < levels_.size(); ++k) {
            const int shift = 1 << (k - 1);
            drawn.low = {std::max(all.low.x, drawn.low.x - shift), std::max(all.low.y, drawn.low.y - shift)};
            widen(levels_[k - 1], levels_[k], drawn, all, shift);
        }
    }
    /// Where a cell is in a level; how far the cell at `shift` from it, is its difference to that of (0, 0).
    std::size_t at(Cell c) const { return static_cast<std::size_t>(offset(c - low_)); }
    std::ptrdiff_t offset(Cell shift) const { return std::ptrdiff_t{shift.y} * width_ + shift.x; }
    /// Sums over the places `ends`, each moved by each of the offsets.
    template <std::size_t n>
    std::array<int, n> sums(int level, const std::vector<std::uint32_t>& ends,
                            const std::array<std::ptrdiff_t, n>& moved) const {
        const std::uint8_t* from = levels_[static_cast<std::size_t>(level)].data();
        std::array<int, n> out{};
        for (const std::uint32_t end : ends)
            for (std::size_t k = 0; k < n; ++k) out[k] += from[end + moved[k]];
        return out;
    }

  private:
    void widen(const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to, const Box& drawn, const Box& all,
               int shift) const {
        const std::ptrdiff_t above = offset({0, shift});
        for (int y = drawn.low.y; y < drawn.high.y; ++y)
            for (int x = drawn.low.x; x < drawn.high.x; ++x) {
                const std::uint8_t* here = from.data() + at({x, y});
                std::uint8_t m = *here;
                const bool right = x + shift < all.high.x, up = y + shift < all.high.y;
                if (right) m = std::max(m, here[shift]);
                if (up) m = std::max(m, here[above]);
                if (right && up) m = std::max(m, here[above + shift]);
                to[at({x, y})] = m;
            }
    }
    Cell low_;
    int width_;
    std::vector<std::vector<std::uint8_t>> levels_;
};

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
    const int margin = reach + static_cast<int>(longest / lattice.cell_m) + 4;
    const Cell middle = lattice.cell_of(centre.position());
    // Nothing but walls of the map's extent matters.
    const auto [map_low, map_high] = map.extent();
    const int top = levels - 1, side = 1 << top;
    const Cell low = middle - Cell{margin, margin}, high = middle + Cell{margin, margin};
    const Pyramid::Box drawn{{std::max(low.x, map_low.x - 16), std::max(low.y, map_low.y - 16)},
                             {std::min(high.x, map_high.x + 16), std::min(high.y, map_high.y + 16)}};
    if (drawn.low.x >= drawn.high.x || drawn.low.y >= drawn.high.y) return {};
    const Pyramid pyramid(map, drawn, {low, high + Cell{side, side}}, levels);

    // A turn moves the farthest end by a cell and a half at most.
    const double turn_step = std::max(0.004, 1.5 * lattice.cell_m / std::max(1.0, longest));
    const int turns = std::max(1, static_cast<int>(std::ceil(options.turn_rad / turn_step)));
    std::vector<std::vector<std::uint32_t>> ends(static_cast<std::size_t>(2 * turns + 1));
    for (int t = -turns; t <= turns; ++t) {
        auto& places = ends[static_cast<std::size_t>(t + turns)];
        const Pose at{centre.x, centre.y, centre.yaw + t * turn_step};
        const auto [s, c] = sin_cos(at.yaw);
        for (const Point p : points)
            places.push_back(static_cast<std::uint32_t>(
                pyramid.at(lattice.cell_of({at.x + c * p.x - s * p.y, at.y + s * p.x + c * p.y}))));
    }
    const auto score = [&](int level, const Candidate& candidate) {
        return pyramid.sums<1>(level, ends[static_cast<std::size_t>(candidate.turn)],
                               {pyramid.offset(candidate.shift)})[0];
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
    bool any = false;  // the first one that is found is enough
    const auto descend = [&](const auto& self, const std::vector<Candidate>& candidates, int level,
                             const auto& skip) -> void {
        for (const Candidate& c : candidates) {
            if (c.score <= best_score || (any && best)) break;
            if (skip(c, level)) continue;
            if (level == 0) {
                best = c;
                best_score = c.score;
                break;
            }
            const int half = 1 << (level - 1);
            const std::array<Cell, 4> quarters{c.shift, c.shift + Cell{half, 0}, c.shift + Cell{0, half},
                                               c.shift + Cell{half, half}};
            std::array<std::ptrdiff_t, 4> moved;
            std::transform(quarters.begin(), quarters.end(), moved.begin(),
                           [&](Cell shift) { return pyramid.offset(shift); });
            const auto scores = pyramid.sums(level - 1, ends[static_cast<std::size_t>(c.turn)], moved);
            std::vector<Candidate> parts;
            for (std::size_t k = 0; k < quarters.size(); ++k)
                if (quarters[k].x <= reach && quarters[k].y <= reach && scores[k] > best_score)
                    parts.push_back({c.turn, quarters[k], scores[k]});
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
        if (options.turned_rivals && match.rival <= options.most_rival) {
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
            best_score = static_cast<int>(options.most_rival * winner.score);
            any = true;
            descend(descend, first, top, same);
            if (best) match.rival = std::max(match.rival, best->score / static_cast<double>(winner.score));
        }
    }
    return match;
}

}  // namespace outrider
