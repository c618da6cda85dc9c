// Frontiers shared out as in MRESim's greedy exploration (Spirin et al., RoboCup 2014), by what would be seen from them
// and the square of the path, and on the way a look at what the robot would leave behind it: of headings that cost
// nothing, the best view (H. Gonzalez-Banos & J.-C. Latombe, IJRR 21, 2002).
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "outrider/ray.hpp"
#include "shared/frontier_bidding.hpp"

namespace outrider::look_around_strategy {
namespace {

constexpr int sector_count = 48, heading_count = 16;
using Sectors = std::array<double, sector_count>;  ///< the first begins along x, counter-clockwise

double middle_of(std::size_t sector) { return 2 * pi * (static_cast<double>(sector) + 0.5) / sector_count; }

bool is_wall(CellState state) { return state == CellState::occupied || state == CellState::safe_occupied; }

/// Unknown cells in sight from the middle of a cell, up to walls that are known or expected; of what lies along a ray
/// the first `depth` cells.
Sectors unknown_in_sectors(const MapView& map, Cell from, double range, double depth) {
    Sectors area{};
    for (std::size_t k = 0; k < area.size(); ++k) {
        const auto [s, c] = sin_cos(middle_of(k));
        double entered = 0, along = 0;
        bool unknown = false;  // the cell that the ray is in
        const auto leave = [&](double t) {
            if (unknown) area[k] += (t * t - entered * entered) * pi / sector_count;
            if (unknown) along += t - entered;
            entered = t;
        };
        std::optional<Cell> block;  // that the ray is in: it stays in one for many cells
        std::span<const std::uint64_t> known, occupied;
        const bool passed = walk_ray(Ray({from.x + 0.5, from.y + 0.5}, {c, s}), range, [&](Cell cell, double t) {
            leave(t);
            if (const Cell here = block_of(cell); block != here) {
                block = here;
                known = map.known_rows(here);
                occupied = map.occupied_rows(here);
            }
            const auto row = static_cast<std::size_t>(cell.y & 63);
            const auto in = [&](std::span<const std::uint64_t> rows) {
                return !rows.empty() && (rows[row] >> (cell.x & 63) & 1);
            };
            unknown = !in(known);
            const bool wall = unknown ? map.has_prior() && is_wall(map.prior(cell)) : in(occupied);
            unknown &= !wall;
            return along < depth && !wall;
        });
        if (passed) leave(range);
    }
    return area;
}

/// The cells of a path that a robot drives in a step.
std::vector<Cell> next_step(const std::vector<Cell>& path, double speed_cells) {
    std::vector<Cell> out{path.front()};
    double length = 0;
    for (std::size_t i = 1; i < path.size(); ++i) {
        length += octile_cost(path[i - 1], path[i]) / double(straight_cost);
        if (length > speed_cells) break;
        out.push_back(path[i]);
    }
    return out;
}

struct LookOptions {
    double ahead = 0.5, least_gain_m2 = 0.2, depth_m = 5;
    void fields(Fields& f) {
        f("ahead", ahead, 0, 10, "weight of the unknown ahead, which it comes nearer to anyway; aside and behind: 1");
        f("least_gain_m2", least_gain_m2, 0, 1e6, "looks elsewhere when it sees so much more there; large: never");
        f("depth_m", depth_m, 0, 1000, "so much of the unknown in each direction counts: a wall may follow");
    }
};

/// Drives to a frontier and looks, at the end of each step on the way, where most is new.
class Look {
  public:
    explicit Look(const LookOptions& options) : options_(options) {}

    Action drive(const Belief& belief, const Frontier& target, std::vector<Overlay>& why) const {
        const Goto whole = go_to_frontier(belief, target);
        const Briefing& me = belief.briefing();
        if (me.kinematics != Kinematics::holonomic || me.sensors.empty()) return whole;
        const SensorSpec& sensor = me.sensors.front();
        const double half = std::abs(sensor.step_angle) * (sensor.beams - 1) / 2;
        if (half >= pi * 0.95) return whole;  // it sees all around
        std::vector<Cell> step = cells_of_step(belief, target.goal);
        if (step.size() < 2 || step.back() == target.goal) return whole;

        const Lattice& lattice = belief.map().lattice();
        const Cell stop = step.back(), before = step[step.size() < 4 ? 0 : step.size() - 4];
        const double ahead = atan2(double(stop.y - before.y), double(stop.x - before.x));
        const Sectors unknown =
            unknown_in_sectors(belief.map(), stop, sensor_range_cells(belief), lattice.cells(options_.depth_m));
        const auto [turn, gain] = best_turn(unknown, ahead, half);
        const double gain_m2 = gain * lattice.cell_m * lattice.cell_m;
        if (gain_m2 <= options_.least_gain_m2) return whole;
        if (belief.overlays_wanted())
            why.push_back(Overlay::state(fmt::format("looks aside: {:.1f} m2 more are new there", gain_m2)));
        const double mount = sensor.mount.yaw + sensor.first_angle + sensor.step_angle * (sensor.beams - 1) / 2;
        const auto [s, c] = sin_cos(ahead + turn - mount);
        return Follow{std::move(step), lattice.centre(stop) + Point{c, s}};
    }

  private:
    /// Where it drives in this step, clear of walls where it can; empty: there is no path.
    static std::vector<Cell> cells_of_step(const Belief& belief, Cell goal) {
        const Path& path = belief.path_to(goal);
        if (!path) return {};
        const auto stretch = static_cast<std::size_t>(4 * std::ceil(belief.speed_cells()));
        const Path clear = belief.clear_path(belief.cell(), path.cells[std::min(stretch, path.cells.size() - 1)]);
        if (!clear) return {};
        return next_step(clear.cells, belief.speed_cells());
    }

    /// The turn from where it drives at which the weighted unknown in view is the most, and how much more that is.
    std::pair<double, double> best_turn(const Sectors& unknown, double ahead, double half) const {
        std::vector<std::pair<double, double>> new_there;  // angle from where it drives, and weighted area; none is 0
        for (std::size_t k = 0; k < unknown.size(); ++k) {
            if (unknown[k] == 0) continue;
            const double angle = wrap_angle(middle_of(k) - ahead);
            new_there.emplace_back(angle, (std::abs(angle) <= half ? options_.ahead : 1) * unknown[k]);
        }
        const auto in_view = [&](double turn) {
            double sum = 0;
            for (const auto& [angle, area] : new_there)
                if (std::abs(wrap_angle(angle - turn)) <= half) sum += area;
            return sum;
        };
        const double plain = in_view(0);
        std::pair<double, double> best{0, 0};
        for (int k = 1; k < heading_count; ++k) {
            const double turn = 2 * pi * k / heading_count;
            if (const double gain = in_view(turn) - plain; gain > best.second) best = {turn, gain};
        }
        return best;
    }

    LookOptions options_;
};

struct LookAroundOptions {
    ReplanGuard::Options replan;
    FrontierBidding::Options bidding{.worth = FrontierWorth::both};
    LookOptions look;
    double exponent = 2;
    int first_random_steps = 3;

    void fields(Fields& f) {
        replan.fields(f);
        bidding.fields(f);
        look.fields(f);
        f("exponent", exponent, 0.1, 10, "a frontier counts as its worth / path^exponent");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first choice");
    }
};

class LookAround final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "shares out frontiers by what is seen from them / path^2, and looks aside and back on the way";
    using Options = LookAroundOptions;
    explicit LookAround(const Options& options)
        : options_(options), replan_(options.replan), bidding_(options.bidding), look_(options.look) {}

    Intent choose(const Belief& belief, Rng&) override {
        if (belief.step() < options_.first_random_steps) return {.action = RandomStep{}};
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) target_ = select(belief);
        if (!target_) {
            Intent home = go_home(belief);
            home.overlays = why_;
            return home;
        }
        std::vector<Overlay> why = why_;
        Intent intent{.action = look_.drive(belief, *target_, why)};
        intent.overlays = std::move(why);
        return intent;
    }

  private:
    std::optional<Frontier> select(const Belief& belief) {
        FrontierBidding::Terms terms;
        terms.exponent = options_.exponent;
        terms.allowed = [&](const Frontier& f) { return !stall_.barred(belief, f.goal); };
        if (target_) terms.previous = target_->goal;
        return bidding_.choose(belief, terms, &why_);
    }

    LookAroundOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    Look look_;
    StallGuard stall_;
    std::optional<Frontier> target_;
    std::vector<Overlay> why_;  // of the last choice
};

OUTRIDER_STRATEGY("look_around", LookAround)

}  // namespace
}  // namespace outrider::look_around_strategy
