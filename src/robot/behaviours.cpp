#include "outrider/behaviours.hpp"

#include <algorithm>

#include "robot/derived.hpp"
#include "robot/knowledge.hpp"
#include "robot/mresim_rules.hpp"
#include "slam/mapping.hpp"

namespace outrider {
namespace {

const MresimRules& rules_of(const Belief& belief) { return BeliefOf::knowledge(belief).mresim; }

constexpr int barred_steps = 100;

/// Of leftovers this robot's part: sorted by their direction from home and cut into as many equal parts as there are
/// mobile robots. Robots that know about the same share them out without a word. All of them when the part is empty.
std::vector<Frontier> own_part(const Belief& belief, const std::vector<Frontier>& leftovers) {
    std::size_t robots = 0, own = 0;
    for (std::size_t i = 0; i < belief.briefing().team().size(); ++i) {
        if (!belief.briefing().team()[i].mobile) continue;
        if (static_cast<RobotId>(i) == belief.self()) own = robots;
        ++robots;
    }
    if (leftovers.size() < robots) return leftovers;
    const Point home = belief.map().lattice().to_cells(belief.home());
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < leftovers.size(); ++i) order.emplace_back(bearing(home, leftovers[i].centroid), i);
    std::sort(order.begin(), order.end());
    std::vector<Frontier> part;
    for (std::size_t k = own * order.size() / robots; k < (own + 1) * order.size() / robots; ++k)
        part.push_back(leftovers[order[k].second]);
    return part;
}

bool poses_err(const Belief& belief) { return BeliefOf::knowledge(belief).matches_scans; }

/// Whether what is unknown there lies as near to a wall as poses err: then it is most likely the wall itself, drawn
/// here and there.
bool is_wall(const Belief& belief, Cell look) {
    if (!poses_err(belief)) return false;
    const int reach = pose_error_cells(belief.map().lattice().cell_m);
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx)
            if (belief.map().is_occupied(look + Cell{dx, dy})) return true;
    return false;
}

/// Whether the robot was told how much there is to know, and knows nearly all of it.
bool knows_enough(const Belief& belief) {
    const MresimRules& rules = rules_of(belief);
    if (rules.goal_cells == 0 || belief.step() < MresimRules::enough_from_step) return false;
    const KnownMap& map = belief.map();
    return static_cast<double>(map.count(false)) >= MresimRules::enough_share * static_cast<double>(rules.goal_cells);
}

}  // namespace

std::vector<Frontier> candidate_frontiers(const Belief& belief) {
    if (knows_enough(belief)) return {};
    const std::vector<Frontier>& all = belief.frontiers();
    std::vector<Frontier> large;
    std::copy_if(all.begin(), all.end(), std::back_inserter(large), [](const Frontier& f) { return !f.leftover; });
    if (!large.empty()) return large;
    std::vector<Frontier> leftovers;
    std::copy_if(all.begin(), all.end(), std::back_inserter(leftovers),
                 [&](const Frontier& f) { return f.region || f.uncleared || !is_wall(belief, f.look); });
    return own_part(belief, leftovers);
}

double sensor_range_cells(const Belief& belief) {
    return std::max(1.0, belief.map().lattice().cells(farthest_sight_m(belief.briefing())));
}

Overlay candidates_overlay(const Belief& belief, const std::vector<Frontier>& frontiers, std::vector<double> values,
                           std::string what) {
    Overlay overlay = Overlay::candidates(std::move(what), {}, std::move(values));
    for (const Frontier& f : frontiers) overlay.points.push_back(belief.map().lattice().centre(f.goal));
    return overlay;
}

bool explored(const Belief& belief, const Frontier& frontier) {
    if (frontier.region) return squared_distance(belief.cell(), frontier.goal) < 4;  // there, or within two cells
    if (frontier.uncleared) return belief.map().marked(Mark::cleared, frontier.look);
    return belief.map().state(frontier.look) != CellState::unknown ||
           belief.looked_in_vain(frontier.goal, frontier.look);
}

Goto go_to_frontier(const Belief& belief, const Frontier& frontier) {
    const Lattice& lattice = belief.map().lattice();
    if (frontier.region) return {lattice.centre(frontier.goal), 0, {}};
    return {lattice.centre(frontier.goal), 0, lattice.centre(frontier.look)};
}

Intent go_home(const Belief& belief) {
    Intent intent;
    const Lattice& lattice = belief.map().lattice();
    Point home = belief.home();
    if (poses_err(belief) && !belief.nav().reached(lattice.cell_of(home)))
        home = lattice.centre(belief.nav().foothold(lattice.cell_of(home)));  // a wall was drawn there
    const bool there = distance(home, belief.pose().position()) < 1.5 * lattice.cell_m;
    if (there)  // with the base in reach, until it knows everything
        intent.done = !belief.base_in_contact() || belief.delivered();
    else if (!belief.nav().reached(lattice.cell_of(home)))
        intent.done = true;
    else
        intent.action = Goto{home, 0, {}};
    return intent;
}

bool ReplanGuard::due(const Belief& belief, bool target_gone) {
    const int step = belief.step();
    const auto team = static_cast<int>(belief.briefing().team().size());
    const bool beat = rules_of(belief).replan_on_message
                          ? step - last_ >= options_.period_steps  // counted from the last choice
                          : (step + belief.self() * options_.period_steps / team) % options_.period_steps == 0;
    const bool gone = target_gone || belief.goal_unreachable() || belief.percept().bumped;
    const bool received = rules_of(belief).replan_on_message && !belief.inbox().empty();
    if (last_ >= 0 && !beat && !received && !(gone && step - last_ >= options_.min_gap_steps)) return false;
    last_ = step;
    return true;
}

bool StallGuard::stalled(const Belief& belief, Cell target) {
    if (rules_of(belief).no_stall_guard) return false;
    const double far = 2 * belief.speed_cells() * belief.map().lattice().cell_m;
    const bool moved = distance(anchor_, belief.pose().position()) >= far;
    const bool learned = since_ <= belief.last_discovery();
    if (since_ < 0 || moved || learned) {
        anchor_ = belief.pose().position();
        since_ = belief.step();
        stood_ = 0;
        return false;
    }
    if (++stood_ < steps_) return false;
    since_ = belief.step();
    stood_ = 0;
    barred_.emplace_back(target, belief.step() + barred_steps);
    return true;
}

bool StallGuard::barred(const Belief& belief, Cell goal) const {
    return std::any_of(barred_.begin(), barred_.end(), [&](const auto& entry) {
        return belief.step() < entry.second && squared_distance(entry.first, goal) <= 9;
    });
}

}  // namespace outrider
