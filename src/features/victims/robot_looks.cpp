// Looks for warmth: a robot stops for as long as its thermal scanner needs where much floor around it was not looked at
// yet, and drives to a place from where it sees much of such floor when its strategy sends it to any of it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "features/victims/cleared_floor.hpp"
#include "outrider/belief.hpp"
#include "outrider/intent.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// A look in passing is worth its time when it clears this share of the most that a look can clear.
constexpr double passing_share = 0.6;
/// Places from where to look are tried so far apart.
constexpr double spacing_m = 0.5;

double squared(double x) { return x * x; }

/// The floor that a look from there would clear, of that which can be reached, in cells.
int looks_at(const Belief& belief, Point place) {
    const KnownMap& map = belief.map();
    const NavView nav = belief.nav();
    int open = 0;
    cleared_cells(map, {place.x, place.y, 0}, 0, thermal_view).for_each([&](Cell c) {
        open += nav.reached(c) && !map.marked(Mark::cleared, c);
    });
    return open;
}

/// The cell that an action leads to; none: it names no place.
std::optional<Cell> goal_of(const Action& action, const Lattice& lattice) {
    if (const auto* go = std::get_if<Goto>(&action)) return lattice.cell_of(go->goal);
    const auto* follow = std::get_if<Follow>(&action);
    return follow && !follow->path.empty() ? std::optional(follow->path.back()) : std::nullopt;
}

class ThermalSearch final : public Copied<ThermalSearch, RobotPart> {
  public:
    explicit ThermalSearch(const Briefing& briefing)
        : wait_(std::max(1, static_cast<int>(std::ceil(ThermalLook::stands_s / briefing.step_s - 1e-9)))),
          worth_(static_cast<int>(passing_share * pi * squared(briefing.lattice.cells(ThermalLook::range_m)))) {}
    void after_drawing(Knowledge& known, const Percept& percept) override;
    void after_choice(Knowledge& known, Intent& intent) override;

  private:
    bool looks_here(const Belief& belief, const Intent& intent) const;
    void plan(const Belief& belief, Point goal);

    int wait_;   // steps that a look takes
    int worth_;  // cells that a look in passing has to clear
    int still_ = 0;
    std::optional<Cell> place_;  // from where it wants to look, on the way to a goal of its strategy
    int expected_ = 0;           // cells that a look from there clears, as planned
};

/// The world counts the same steps, and has the image ready in the last of them.
void ThermalSearch::after_drawing(Knowledge& known, const Percept& percept) {
    const Pose& moved = percept.motion.delta;
    still_ = percept.step > 0 && norm(moved.position()) < 1e-6 && std::abs(moved.yaw) < 1e-6 ? still_ + 1 : 0;
    if (still_ > 0 && still_ % wait_ == 0)
        cleared_cells(known.map, known.pose, known.briefing.radius_m, thermal_view).set(known, Mark::cleared);
}

void ThermalSearch::after_choice(Knowledge& known, Intent& intent) {
    const Belief belief(known);
    if (intent.done) return;
    const std::optional<Cell> goal = goal_of(intent.action, known.briefing.lattice);
    if (goal && belief.nav().reached(*goal) && !known.map.marked(Mark::cleared, *goal))
        plan(belief, known.briefing.lattice.centre(*goal));
    else
        place_.reset();
    if (looks_here(belief, intent)) {
        intent.action = Stay{};
    } else if (place_) {
        intent.action = Goto{known.briefing.lattice.centre(*place_), 0, {}};
    } else {
        return;
    }
    if (known.overlays_wanted)
        intent.overlays.push_back(Overlay::note(
            Overlay::Meaning::rule, "warmth", still_ > 0 ? "looks for warmth" : "drives to where it looks for warmth"));
}

/// Where it drives past, only for much floor; where its strategy, or a plan, makes it stop, for any.
bool ThermalSearch::looks_here(const Belief& belief, const Intent& intent) const {
    const bool stops = place_ ? belief.cell() == *place_ : std::holds_alternative<Stay>(intent.action);
    return looks_at(belief, belief.pose().position()) >= (stops ? 1 : worth_);
}

/// Keeps to a place while a look from there clears at least half of what was planned, and the goal is near it.
/// Otherwise takes the one near the goal from where most floor is cleared per second; of equal ones the lowest,
/// leftmost one.
void ThermalSearch::plan(const Belief& belief, Point goal) {
    const Lattice& lattice = belief.map().lattice();
    if (place_ && belief.nav().reached(*place_) && distance(lattice.centre(*place_), goal) <= ThermalLook::range_m &&
        2 * looks_at(belief, lattice.centre(*place_)) >= std::max(2, expected_))
        return;
    place_.reset();
    double best = 0;
    const int reach = static_cast<int>(ThermalLook::range_m / spacing_m);
    for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x) {
            const Cell cell = lattice.cell_of(goal + Point{x * spacing_m, y * spacing_m});
            const Point at = lattice.centre(cell);
            if (distance(at, goal) > ThermalLook::range_m || !belief.nav().reached(cell)) continue;
            const int open = looks_at(belief, at);
            const double drive_s = distance(belief.pose().position(), at) / belief.briefing().me().speed_mps;
            const double rate = open / (ThermalLook::stands_s + drive_s);
            if (rate > best) std::tie(best, place_, expected_) = std::tuple(rate, cell, open);
        }
}

}  // namespace

std::unique_ptr<RobotPart> make_thermal_search_part(const Briefing& briefing, const RobotOptions& options) {
    const bool has_scanner = !briefing.sensors.empty() && briefing.drives();
    return options.has("thermal_search") && has_scanner ? std::make_unique<ThermalSearch>(briefing) : nullptr;
}

}  // namespace outrider
