// Multi-criteria decision making (N. Basilico & F. Amigoni, Autonomous Robots 31, 2011): unknown in sight, way, and the
// chance to reach the base by radio become one utility by the Choquet integral.
#include <algorithm>
#include <array>

#include "outrider/error.hpp"
#include "outrider/radio.hpp"
#include "shared/gain.hpp"
#include "shared/team_plan.hpp"

namespace outrider::mcdm_strategy {
namespace {

struct McdmOptions {
    TeamPursuit::Options course{.goals = {.goal_spacing = 1}};
    int candidates = 8;
    double area = 0.5, path = 0.3, link = 0.2;
    double area_path = 0.95, area_link = 0.7, path_link = 0.4;

    void fields(Fields& f) {
        course.fields(f);
        f("candidates", candidates, 1, 100'000, "a robot is considered for so many goals, the nearest to it");
        f("area", area, 0, 1, "weight of the unknown in sight of a goal");
        f("way", path, 0, 1, "weight of a short path");
        f("link", link, 0, 1, "weight of the chance to reach the base by radio from the goal");
        f("area_way", area_path, 0, 1, "of area and path together; more than their sum: both are wanted (synergy)");
        f("area_link", area_link, 0, 1, "of area and link together");
        f("way_link", path_link, 0, 1,
          "of path and link together; less than their sum: they say the same (redundancy)");
    }
};

class Mcdm final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "weighs unknown area, path and radio link by the Choquet integral (MCDM)";
    using Options = McdmOptions;
    explicit Mcdm(const Options& o)
        : options_(o), pursuit_(o.course), capacity_{0,      o.area,      o.path,      o.area_path,
                                                     o.link, o.area_link, o.path_link, 1} {
        for (std::size_t mask = 0; mask < capacity_.size(); ++mask)
            for (std::size_t bit = 1; bit < capacity_.size(); bit *= 2)
                if (capacity_[mask | bit] < capacity_[mask])
                    fail(
                        "mcdm: expected a pair of criteria to weigh no less than each of the two; got area {}, path "
                        "{}, link {}, area_way {}, area_link {}, way_link {}",
                        o.area, o.path, o.link, o.area_path, o.area_link, o.path_link);
    }

    Intent choose(const Belief& belief, Rng& rng) override {
        return pursuit_.step(belief, rng,
                             [&](const std::vector<Frontier>& frontiers) { return share(belief, frontiers); });
    }

  private:
    /// Robots and goals are paired by utility, the best pair first (as in the team PoAReT).
    TeamPursuit::Shares share(const Belief& belief, const std::vector<Frontier>& frontiers) {
        std::vector<Participant> team = participants(belief, options_.course.mates);
        const std::vector<Cell> goals = goals_of(frontiers);
        const CostMatrix paths = path_costs(belief, team, goals, static_cast<std::size_t>(options_.candidates));
        std::vector<double> areas, links;
        for (std::size_t g = 0; g < goals.size(); ++g) {
            bool near = false;
            for (std::size_t r = 0; r < team.size(); ++r) near |= paths(r, g) < no_path;
            areas.push_back(near ? belief.unknown_in_sight(goals[g], 32) : 0);
            links.push_back(near ? link_chance(belief, goals[g]) : 0);
        }
        CostMatrix regret(team.size(), goals.size());  // 1 - utility: the least first
        double area_low = no_path, area_high = 0, link_low = no_path, link_high = 0, path_low = no_path, path_high = 0;
        for (std::size_t r = 0; r < team.size(); ++r)
            for (std::size_t g = 0; g < goals.size(); ++g)
                if (paths(r, g) < no_path) {
                    path_low = std::min(path_low, paths(r, g));
                    path_high = std::max(path_high, paths(r, g));
                    area_low = std::min(area_low, areas[g]);
                    area_high = std::max(area_high, areas[g]);
                    link_low = std::min(link_low, links[g]);
                    link_high = std::max(link_high, links[g]);
                }
        for (std::size_t r = 0; r < team.size(); ++r)
            for (std::size_t g = 0; g < goals.size(); ++g)
                if (paths(r, g) < no_path) {
                    const std::array<double, 3> u{grade(areas[g], area_low, area_high),
                                                  grade(paths(r, g), path_high, path_low),
                                                  grade(links[g], link_low, link_high)};
                    regret(r, g) = 1 - choquet(u, capacity_);
                }
        std::vector<int> assigned = assign_all(regret, cheapest_pairs);
        if (belief.overlays_wanted()) {
            const std::size_t me = own_row(belief, team);
            std::vector<double> utilities;
            for (std::size_t g = 0; g < goals.size(); ++g) utilities.push_back(1 - regret(me, g));
            pursuit_.explain(assignment_overlays(
                belief, frontiers, std::move(utilities), "Choquet integral of area, path and link: the most",
                "the best pair of robot and goal, one after the other", team, assigned));
        }
        return {std::move(team), std::move(assigned)};
    }

    /// From 0 at `worst` to 1 at `best`; 1 when all are equal.
    static double grade(double value, double worst, double best) {
        return best == worst ? 1 : (value - worst) / (best - worst);
    }

    /// How likely a base is heard from a cell: the signal expected by the own map against the cutoff, with a shadowing
    /// of 4 dB (logistic); of several bases the most likely one. 1 without a base.
    static double link_chance(const Belief& belief, Cell from) {
        const Briefing& briefing = belief.briefing();
        if (briefing.bases.empty()) return 1;
        const MapView map = belief.map();
        double best = 0;
        for (const auto& [base, pose] : briefing.bases) {
            const double station_m = briefing.team()[static_cast<std::size_t>(base)].radio_range_m;
            const double range_m = link_range_m(briefing.radio.range_rule, station_m, briefing.me().radio_range_m);
            const Cell at = map.lattice().cell_of(pose.position());
            if (range_m <= 0) continue;
            if (briefing.radio.model != RadioModel::path_loss) {
                best = std::max(best, believed_linked(map, briefing.radio, range_m, at, from) ? 1.0 : 0.0);
                continue;
            }
            const double margin =
                believed_signal_dbm(map, briefing.radio, range_m, at, from) - briefing.radio.cutoff_dbm;
            best = std::max(best, 1 / (1 + outrider::exp(std::clamp(-margin / 4, -500.0, 500.0))));
        }
        return best;
    }

    McdmOptions options_;
    TeamPursuit pursuit_;
    std::array<double, 8> capacity_;
};

OUTRIDER_STRATEGY("mcdm", Mcdm)

}  // namespace
}  // namespace outrider::mcdm_strategy
