// Modes and motions of the UvA Rescue robots: a mode has a main motion that uses the map; when that fails, or somebody
// or something is close, others that only look around take over for a while (motions.hpp, machine.hpp).
// Source: UvA Rescue, team descriptions and code of the RoboCup Rescue simulation league, 2006 to 2012; frontiers are
// chosen as in Visser & Slamet, 2008.
#include <algorithm>

#include "behaviours/machine.hpp"
#include "behaviours/relay_stations.hpp"
#include "shared/frontier_bidding.hpp"

namespace outrider::behaviours_strategy {
namespace {

struct BehavioursOptions {
    Mode mode = Mode::autonomous;
    ReplanGuard::Options replan{.period_steps = 60};
    GoalOptions goals{.goal_spacing = 0};
    double exponent = 1;
    double rough_factor = 3;
    int lost_steps = 10;

    void fields(Fields& f) {
        f("mode", mode, mode_names, "at the start; an operator's orders change it");
        replan.fields(f);
        goals.fields(f);
        f("exponent", exponent, 0.1, 8, "of the path: small ones look for area, large ones for what is near");
        f("rough_factor", rough_factor, 1, 100,
          "explore_traversability: a cell of slow ground on the way counts as so many");
        f("lost_steps", lost_steps, 1, 1'000'000,
          "tele_operation, conservative: backs off when it received nothing from the base station for longer");
    }
};

class Behaviours final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true, .takes_orders = true};
    static constexpr const char* summary =
        "modes and motions of the UvA Rescue robots, which operators switch: explores, follows way-points, is driven";
    using Options = BehavioursOptions;
    explicit Behaviours(const Options& options)
        : options_(options),
          replan_(options.replan),
          bidding_(FrontierBidding::Options{.candidates = 20, .goals = options.goals}),
          machine_(options.mode) {}

    Intent choose(const Belief& belief, Rng&) override {
        Intent intent;
        if (!belief.briefing().drives()) return intent;
        const auto steering = take_orders(belief);
        if (belief.base_in_contact()) last_contact_ = belief.step();
        Surroundings around = look_around(belief, belief.step() - last_contact_ <= options_.lost_steps);
        around.homeward = explores() && candidate_frontiers(belief).empty();
        finished_ = false;
        why_.clear();
        MotionMachine::Choice choice =
            machine_.step(around, belief.briefing().me().speed_mps, steering, [&] { return plan(belief); });
        intent.action = std::move(choice.action);
        intent.done = finished_;
        if (machine_.mode() == Mode::deployment) deployment_.add_words(intent.words);
        if (belief.overlays_wanted()) explain(choice, intent.overlays);
        return intent;
    }

  private:
    using Plan = MotionMachine::Plan;

    /// Modes are changed by name; way-points and drives by an operator change it, too.
    std::optional<MotionMachine::Steering> take_orders(const Belief& belief) {
        std::optional<MotionMachine::Steering> steering;
        for (const OperatorCommand& order : belief.orders()) {
            const std::string& what = order.behaviour;
            steering.reset();
            if (const auto named = std::find(mode_names.begin(), mode_names.end(), what); named != mode_names.end()) {
                change_mode(static_cast<Mode>(named - mode_names.begin()));
            } else if (what == "way_points" || what == "add" || what == "clear") {
                if (what != "add") waypoints_.clear();
                waypoints_.insert(waypoints_.end(), order.waypoints.begin(), order.waypoints.end());
                change_mode(Mode::follow_waypoints);
            } else {  // drive, drive_carefully, stop
                change_mode(what == "drive_carefully" ? Mode::conservative : Mode::tele_operation);
                if (what != "stop") steering = {order.forward, order.turn};
            }
        }
        return steering;
    }
    void change_mode(Mode mode) {
        if (mode == machine_.mode()) return;
        machine_.change_mode(mode);
        target_.reset();
        deployment_ = {};
    }

    bool explores() const {
        return machine_.mode() == Mode::autonomous || machine_.mode() == Mode::explore_traversability;
    }

    /// What the main motion of the mode does.
    Plan plan(const Belief& belief) {
        switch (machine_.mode()) {
            case Mode::autonomous:
                return explore(belief, false);
            case Mode::explore_traversability:
                return explore(belief, true);
            case Mode::follow_waypoints:
                return follow(belief);
            case Mode::deployment:
                return deploy(belief);
            case Mode::tele_operation:
            case Mode::conservative:
            case Mode::follow_corridor:
                break;  // have none
        }
        return {{}, "no plan"};
    }

    Plan explore(const Belief& belief, bool minds_ground) {
        const std::vector<Frontier> all = candidate_frontiers(belief);
        if (all.empty()) {
            Intent home = go_home(belief);
            finished_ = home.done;
            return {std::move(home.action), "nothing is left to explore: home"};
        }
        const bool gone = !target_ || explored(belief, *target_) || belief.goal_unreachable();
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) {
            FrontierBidding::Terms terms;
            terms.exponent = options_.exponent;
            terms.allowed = [&](const Frontier& f) { return !stall_.barred(belief, f.goal); };
            if (minds_ground && options_.rough_factor > 1)
                terms.own_share = [&](const Frontier& f, double length) { return ease(belief, f, length); };
            target_ = bidding_.choose(belief, terms, &why_);
        }
        if (!target_) return {{}, "no frontier can be chosen"};
        return {go_to_frontier(belief, *target_), "to the frontier with the best area for its path"};
    }

    /// Smaller the more slow ground lies between here and a frontier.
    double ease(const Belief& belief, const Frontier& f, double path_cells) const {
        const Lattice& lattice = belief.map().lattice();
        const Point from = lattice.to_cells(belief.pose().position()), to{f.goal.x + 0.5, f.goal.y + 0.5};
        const int parts = std::max(1, static_cast<int>(distance(from, to)));
        int slow = 0;
        for (int k = 0; k < parts; ++k) {
            const Point p = from + (to - from) * ((k + 0.5) / parts);
            slow += belief.map().marked(Mark::rough, {whole_below(p.x), whole_below(p.y)});
        }
        const double extra = (options_.rough_factor - 1) * slow / parts;
        return path_cells > 0 ? 1 / (1 + extra) : 1;
    }

    /// The next way-point counts as reached within 0.5 m, and where no way leads nearer.
    Plan follow(const Belief& belief) {
        constexpr double reached_m = 0.5;
        const Point here = belief.pose().position();
        while (!waypoints_.empty() && distance(here, waypoints_.front()) <= reached_m)
            waypoints_.erase(waypoints_.begin());
        if (waypoints_.empty()) return {Stay{}, "no way-point is left: waits"};
        const Point goal = waypoints_.front();
        if (belief.goal_unreachable()) return {{}, "no way leads to the way-point"};
        const bool reached = belief.nav().reached(belief.map().lattice().cell_of(goal));
        return {Goto{goal, reached ? 0 : 0.99 * distance(here, goal), {}}, "to the next way-point"};
    }

    Plan deploy(const Belief& belief) {
        const RelayStations::Task task =
            deployment_.next(belief, options_.goals, [&](const Frontier& f) { return stall_.barred(belief, f.goal); });
        if (!task.frontier) {
            finished_ = task.stationed;
            return {task.place ? Action(Goto{*task.place, 0, {}}) : Action(Stay{}), std::string(task.why)};
        }
        stall_.stalled(belief, task.frontier->goal);
        return {go_to_frontier(belief, *task.frontier), std::string(task.why)};
    }

    void explain(const MotionMachine::Choice& choice, std::vector<Overlay>& overlays) const {
        overlays = why_;
        std::string motions;
        for (const std::string_view motion : choice.active)
            motions += (motions.empty() ? "" : ", ") + std::string(motion);
        overlays.push_back(Overlay::state(std::string(mode_names[static_cast<std::size_t>(machine_.mode())]) + ": " +
                                          (motions.empty() ? "no motion" : motions)));
        overlays.push_back(Overlay::rule(choice.rule));
        if (!choice.alert.empty()) overlays.push_back(Overlay::note(Overlay::Meaning::other, "alert", choice.alert));
        if (!waypoints_.empty())
            overlays.push_back(Overlay::polyline(Overlay::Meaning::path, "path", waypoints_, "way-points"));
    }

    BehavioursOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;
    MotionMachine machine_;
    RelayStations deployment_;
    std::optional<Frontier> target_;
    std::vector<Point> waypoints_;
    std::vector<Overlay> why_;
    bool finished_ = false;
    int last_contact_ = 0;  // step in which a base station was heard last
};

OUTRIDER_STRATEGY("behaviours", Behaviours)

}  // namespace
}  // namespace outrider::behaviours_strategy
