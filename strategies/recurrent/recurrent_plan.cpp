#include "recurrent/recurrent_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recurrent/connected_set.hpp"
#include "shared/sites.hpp"
#include "shared/teamwork.hpp"
#include "shared/topics.hpp"

namespace outrider {
namespace {

/// Which of the sites should be within radio reach of each other; the first one is the base's.
Neighbours links_between(const Belief& belief, const std::vector<LinkedSite>& sites, double margin_db) {
    Neighbours graph(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i)
        for (std::size_t k = i + 1; k < sites.size(); ++k) {
            const RobotId from = i == 0 ? home_base(belief).value_or(belief.self()) : belief.self();
            if (!should_hear_well(belief, from, sites[i].place, belief.self(), sites[k].place, margin_db)) continue;
            graph[i].push_back(static_cast<int>(k));
            graph[k].push_back(static_cast<int>(i));
        }
    return graph;
}

}  // namespace

const RecurrentPlan::Task* RecurrentPlan::task_of(RobotId robot) const {
    const auto at = std::find_if(tasks.begin(), tasks.end(), [&](const Task& t) { return t.robot == robot; });
    return at == tasks.end() ? nullptr : &*at;
}
std::vector<std::int64_t> RecurrentPlan::values() const {
    std::vector<std::int64_t> out{id, deadline};
    for (const Task& t : tasks) out.insert(out.end(), {t.robot, t.place.x, t.place.y, t.look.x, t.look.y});
    return out;
}
std::optional<RecurrentPlan> RecurrentPlan::read(const std::vector<std::int64_t>& v) {
    if (v.size() < 2 || (v.size() - 2) % 5 != 0) return {};
    RecurrentPlan plan{v[0], received_number(v[1]), {}};
    for (std::size_t i = 2; i < v.size(); i += 5)
        plan.tasks.push_back({received_number(v[i]), received_cell(v, i + 1), received_cell(v, i + 3)});
    return plan;
}

std::vector<std::int64_t> RecurrentNews::values() const {
    return {static_cast<std::int64_t>(state), since, place.x, place.y, failed};
}
std::optional<RecurrentNews> RecurrentNews::read(const TeamRecord& record) {
    for (const Word& word : record.words)
        if (word.topic == topic_recurrent && word.values.size() == 5 && word.values[0] >= 0 &&
            word.values[0] < static_cast<std::int64_t>(recurrent_names.size()))
            return RecurrentNews{static_cast<Recurrent>(word.values[0]), received_number(word.values[1]),
                                 received_cell(word.values, 2), word.values[4] != 0};
    return {};
}

SiteChoice choose_linked_sites(const Belief& belief, const SiteQuery& query) {
    const double range = sensor_range_cells(belief);
    std::vector<LinkedSite> sites{{belief.map().lattice().cell_of(belief.home()), {}, 0}};
    for (const Cell place : query.fixed) sites.push_back({place, place, 0});
    const std::size_t first = sites.size();
    const std::vector<Frontier> frontiers = frontier_goals(belief, query.goals);
    for (const Cell place : standing_places(belief, frontiers, relay_spacing(belief), query.most_places))
        if (belief.nav().reached(place) && query.may_stand(place)) sites.push_back({place, place, 0});
    for (const Frontier& f : frontiers) {
        const auto at = std::find_if(sites.begin() + static_cast<std::ptrdiff_t>(first), sites.end(),
                                     [&](const LinkedSite& s) { return s.place == f.goal; });
        if (at == sites.end() || !query.worth_a_look(f.goal)) continue;
        at->look = f.look;
        at->gain = std::max(f.area, belief.unknown_in_sight(f.goal));
    }
    std::vector<double> gain;
    for (const LinkedSite& s : sites) gain.push_back(s.gain);
    std::vector<int> terminals;
    for (std::size_t i = 1; i < first; ++i) terminals.push_back(static_cast<int>(i));
    const auto left = [&](int a, int b) {  // two robots that look at the same area from nearby see little more than one
        const double apart = std::sqrt(static_cast<double>(
            squared_distance(sites[static_cast<std::size_t>(a)].place, sites[static_cast<std::size_t>(b)].place)));
        return std::min(1.0, apart / (2 * range));
    };
    const std::vector<int> set = grow_connected(links_between(belief, sites, query.margin_db), 0, std::move(gain),
                                                terminals, query.robots.size() + query.fixed.size(), left);
    SiteChoice out;
    bool any_gain = false;
    for (const int i : set) {
        const auto index = static_cast<std::size_t>(i);
        any_gain = any_gain || sites[index].gain > 0;
        if (index >= first && out.sites.size() < query.robots.size()) out.sites.push_back(sites[index]);
    }
    if (!any_gain) out.sites.clear();
    out.considered = std::move(sites);
    return out;
}

RecurrentPlan share_out_sites(const Belief& belief, const std::vector<RobotId>& robots,
                              const std::vector<LinkedSite>& sites) {
    const Lattice& lattice = belief.map().lattice();
    std::vector<Cell> places;
    for (const LinkedSite& s : sites) places.push_back(s.place);
    places.push_back(lattice.cell_of(belief.home()));
    std::vector<std::vector<double>> steps;  // in steps
    for (const RobotId robot : robots) {
        PathSearch search = belief.search(last_cell(belief, robot), places);
        const double speed_mps = belief.briefing().team()[static_cast<std::size_t>(robot)].speed_mps;
        const double speed = std::max(0.1, lattice.cells(speed_mps * belief.briefing().step_s));
        steps.emplace_back();
        for (std::size_t i = 0; i < places.size(); ++i)
            steps.back().push_back(search.find(i) == PathStatus::found ? search.cost(i) / double(straight_cost) / speed
                                                                       : std::numeric_limits<double>::infinity());
    }
    const std::vector<int> robot_at = bottleneck_assignment(steps, sites.size());
    RecurrentPlan plan;
    double longest = 0;
    for (std::size_t r = 0; r < robots.size(); ++r) {
        const auto given = std::find(robot_at.begin(), robot_at.end(), static_cast<int>(r));
        auto i = static_cast<std::size_t>(given - robot_at.begin());
        if (given == robot_at.end())
            i = static_cast<std::size_t>(std::min_element(steps[r].begin(), steps[r].end()) - steps[r].begin());
        if (std::isinf(steps[r][i])) continue;
        longest = std::max(longest, steps[r][i]);
        const bool looks = i < sites.size() && given != robot_at.end();
        plan.tasks.push_back({robots[r], places[i], looks ? sites[i].look : places[i]});
    }
    constexpr int slack_steps = 10;
    plan.deadline = belief.step() + static_cast<int>(longest) + slack_steps;
    return plan;
}

}  // namespace outrider
