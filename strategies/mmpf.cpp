// Multi-robot multi-target potential field (J. Yu et al., SMMR-Explore, ICRA 2021): frontiers attract along ways,
// team-mates nearby repel; where the descent from the robot ends is its goal.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "outrider/error.hpp"
#include "shared/teamwork.hpp"

namespace outrider::mmpf_strategy {
namespace {

struct MmpfOptions {
    ReplanGuard::Options replan;
    MateOptions mates{.remember_steps = 15};
    GoalOptions goals{.goal_spacing = 0};
    int block_cells = 4;
    int candidates = 8;
    double repel_m = 2.5;
    double repel = 50;
    int most_moves = 3000;

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        goals.fields(f);
        f("block_cells", block_cells, 1, 16,
          "the field is worked out on blocks of so many cells squared: 1, 2, 4, 8 or 16");
        f("candidates", candidates, 1, 100'000, "frontiers that attract: those with the most cells / straight path");
        f("repel_m", repel_m, 0, 100, "team-mates nearer than this repel (|dx| + |dy|)");
        f("repel", repel, 0, 10000, "potential at a team-mate; a frontier of F cells has -F at one cell from it");
        f("most_moves", most_moves, 1, 1'000'000, "the descent gives up after so many");
    }
};

/// The reached space in blocks of cells, two of them connected when a robot can step across their border, and waves
/// over it. With blocks of two cells no wave passes a wall; in larger ones a wall may stand within a block.
class Blocks {
  public:
    Blocks(const NavView& nav, int size) : size_(size) {
        const auto [low, high] = nav.extent();
        min_ = block(low);
        const Cell max = block(high);
        width_ = static_cast<std::size_t>(max.x - min_.x + 3);  // with a rim
        links_.assign(width_ * static_cast<std::size_t>(max.y - min_.y + 3), 0);
        std::uint64_t last_columns = 0;  // of blocks; a border between words is one of blocks
        for (int i = size - 1; i < 64; i += size) last_columns |= std::uint64_t{1} << i;
        nav.for_each_block([&](Cell low_cell) {
            for (Cell first = low_cell; first.y < low_cell.y + 64; ++first.y) {
                const std::uint64_t here = nav.reached_word(first);
                if (!here) continue;
                const std::uint64_t next_word = nav.reached_word(first + Cell{64, 0}) << 63;
                link(first, here & (here >> 1 | next_word) & last_columns, 1, 1);
                if ((first.y - low_cell.y + 1) % size == 0)
                    link(first, here & nav.reached_word(first + Cell{0, 1}), 2, width_);
            }
        });
    }
    std::size_t index(Cell c) const {
        const Cell b = block(c);
        return static_cast<std::size_t>(b.y - min_.y + 1) * width_ + static_cast<std::size_t>(b.x - min_.x + 1);
    }
    Point middle(std::size_t i) const {  // in cells
        return {(static_cast<int>(i % width_) - 1 + min_.x + 0.5) * size_,
                (static_cast<int>(i / width_) - 1 + min_.y + 0.5) * size_};
    }
    std::size_t count() const { return links_.size(); }
    /// Calls visit(block) for those connected with one: below, left, right, above.
    template <class Visit>
    void for_each_neighbour(std::size_t i, Visit&& visit) const {
        if (links_[i] & 8) visit(i - width_);
        if (links_[i] & 4) visit(i - 1);
        if (links_[i] & 1) visit(i + 1);
        if (links_[i] & 2) visit(i + width_);
    }
    /// Number of blocks from the one with this cell; -1 where the wave does not arrive: where there is no path, and
    /// beyond 1.5 times the distance to `target`.
    std::vector<std::int32_t> wave(Cell from, std::size_t target) const {
        std::vector<std::int32_t> steps(links_.size(), -1);
        std::vector<std::size_t> front{index(from)};
        steps[front[0]] = 0;
        std::int32_t last = std::numeric_limits<std::int32_t>::max();
        for (std::size_t k = 0; k < front.size() && steps[front[k]] < last; ++k) {
            if (front[k] == target) last = steps[target] * 3 / 2 + 8;
            for_each_neighbour(front[k], [&](std::size_t n) {
                if (steps[n] >= 0) return;
                steps[n] = steps[front[k]] + 1;
                front.push_back(n);
            });
        }
        return steps;
    }

  private:
    void link(Cell first, std::uint64_t bits, std::uint8_t mark, std::size_t next) {
        for (; bits; bits &= bits - 1) {
            const std::size_t i = index(first + Cell{std::countr_zero(bits), 0});
            links_[i] |= mark;
            links_[i + next] |= static_cast<std::uint8_t>(mark << 2);
        }
    }
    Cell block(Cell c) const {
        return {c.x >> std::countr_zero(unsigned(size_)), c.y >> std::countr_zero(unsigned(size_))};
    }
    int size_;
    Cell min_;
    std::size_t width_ = 0;
    std::vector<std::uint8_t> links_;  // to the right 1, up 2, left 4, down 8
};

class Mmpf final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "down a potential field: frontiers attract, team-mates repel (MMPF)";
    using Options = MmpfOptions;
    explicit Mmpf(const Options& options) : options_(options), pursuit_(options.replan) {
        if (!std::has_single_bit(unsigned(options.block_cells)))
            fail("mmpf: expected block_cells of 1, 2, 4, 8 or 16, got {}", options.block_cells);
    }

    Intent choose(const Belief& belief, Rng&) override {
        const auto candidates = [&](const Belief& b) {
            // While it learns nothing, it keeps its target: team-mates that come and go would turn it around forever.
            if (pursuit_.target() && b.last_discovery() <= chosen_at_) return std::vector{*pursuit_.target()};
            chosen_at_ = b.step();
            std::vector<Frontier> all = frontier_goals(b, options_.goals);
            const auto pull = [&](const Frontier& f) {
                return f.size / (1 + std::sqrt(static_cast<double>(squared_distance(b.cell(), f.goal))));
            };
            std::stable_sort(all.begin(), all.end(),
                             [&](const Frontier& x, const Frontier& y) { return pull(x) > pull(y); });
            if (all.size() > static_cast<std::size_t>(options_.candidates))
                all.resize(static_cast<std::size_t>(options_.candidates));
            return all;
        };
        return pursuit_.step(belief, candidates,
                             [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
    }

  private:
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        const Blocks blocks(belief.nav(), options_.block_cells);
        std::vector<std::vector<std::int32_t>> waves;
        std::size_t at = blocks.index(belief.nav().foothold(belief.cell()));
        for (const Frontier& f : frontiers) waves.push_back(blocks.wave(f.goal, at));
        std::vector<Point> mates;
        for (const Participant& p : participants(belief, options_.mates))
            if (p.robot != belief.self()) mates.push_back({p.cell.x + 0.5, p.cell.y + 0.5});
        const double reach = belief.map().lattice().cells(options_.repel_m);

        std::vector<double> known(blocks.count(), no_path);  // computed when first needed
        const auto potential = [&](std::size_t i) {
            if (known[i] < no_path) return known[i];
            double sum = 0;
            for (std::size_t f = 0; f < frontiers.size(); ++f)
                if (waves[f][i] >= 0)
                    sum -= frontiers[f].size / std::max(1.0, double(waves[f][i] * options_.block_cells));
            for (const Point& m : mates) {
                const double d = std::abs(blocks.middle(i).x - m.x) + std::abs(blocks.middle(i).y - m.y);
                if (d < reach) sum += options_.repel * (1 - d / reach);
            }
            return known[i] = sum;
        };
        const auto arrived = [&](std::size_t i) {
            int best = -1;
            for (std::size_t f = 0; f < frontiers.size(); ++f)
                if (waves[f][i] >= 0 && waves[f][i] <= 1 &&
                    (best < 0 || waves[f][i] < waves[static_cast<std::size_t>(best)][i]))
                    best = static_cast<int>(f);
            return best;
        };

        std::vector<std::uint8_t> visited(blocks.count(), 0);
        std::vector<Point> track;
        double fill = 0;  // what a block that was visited before counts more: fills local minima
        int chosen = -1;
        for (int move = 0; move < options_.most_moves && chosen < 0; ++move) {
            visited[at] = 1;
            track.push_back(belief.map().lattice().to_metres(blocks.middle(at)));
            chosen = arrived(at);
            if (chosen >= 0) break;
            const auto height = [&](std::size_t i) { return potential(i) + (visited[i] ? 5 * fill : 0); };
            std::size_t lowest = 0;
            blocks.for_each_neighbour(at, [&](std::size_t n) {
                if (lowest == 0 || height(n) < height(lowest)) lowest = n;
            });
            if (lowest == 0) break;
            if (height(lowest) < height(at))
                at = lowest;
            else
                fill += 1;
        }
        const bool stuck = chosen < 0;
        if (stuck) chosen = belief.search(belief.cell(), goals_of(frontiers)).find_next();
        if (chosen >= 0 && !belief.nav().reached(frontiers[static_cast<std::size_t>(chosen)].goal)) chosen = -1;
        if (belief.overlays_wanted()) {
            std::vector<double> sizes;
            for (const Frontier& f : frontiers) sizes.push_back(f.size);
            pursuit_.explain({candidates_overlay(belief, frontiers, std::move(sizes), "cells: how much it attracts"),
                              Overlay::polyline(Overlay::Meaning::path, "descent", std::move(track)),
                              Overlay::rule(stuck ? "the descent found no frontier: the nearest one"
                                                  : "where the descent of the potential ends")});
        }
        return chosen;
    }

    MmpfOptions options_;
    Pursuit pursuit_;
    int chosen_at_ = -1;  // the step in which it last chose among all
};

OUTRIDER_STRATEGY("mmpf", Mmpf)

}  // namespace
}  // namespace outrider::mmpf_strategy
