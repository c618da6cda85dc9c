// A network of relays that is laid out towards one frontier after the other, while the other robots explore what is in
// its reach (after Howard, Mataric & Sukhatme, "An incremental self-deployment algorithm for mobile sensor networks",
// 2002; the goal is that of UvA Rescue's deployment behaviour).
#include <algorithm>
#include <cmath>

#include "relay_network/network_plan.hpp"
#include "shared/chain.hpp"
#include "shared/frontier_bidding.hpp"
#include "shared/sites.hpp"
#include "shared/topics.hpp"

namespace outrider::relay_network_strategy {
namespace {

struct RelayNetworkOptions {
    ReplanGuard::Options replan;
    FrontierBidding::Options bidding;
    double margin_db = 0.5;
    int frontiers = 12;
    int lost_steps = 100;
    int late_steps = 100;
    int first_random_steps = 3;

    void fields(Fields& f) {
        replan.fields(f);
        bidding.fields(f);
        f("margin_db", margin_db, 0, 100, "signals are good that are so much above the cutoff");
        f("frontiers", frontiers, 1, 1000, "the next frontier is chosen among so many, those nearest to the network");
        f("lost_steps", lost_steps, 1, 100000, "a robot silent for so long is no part of the network");
        f("late_steps", late_steps, 1, 100000,
          "a relay turns back that is under way to its station, or waits there for a signal, for so long");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first choice");
    }
};

constexpr int few_steps = 10;  // that laying out a network takes at least

class RelayNetwork final : public Strategy {
  public:
    static constexpr Traits traits{.needs_contact = true};
    static constexpr const char* summary =
        "relays are laid out towards one frontier after the other; the others explore what is in their reach";
    using Options = RelayNetworkOptions;
    explicit RelayNetwork(const Options& options)
        : options_(options), replan_(options.replan), bidding_(options.bidding) {}

    Intent choose(const Belief& belief, Rng&) override {
        if (!belief.briefing().drives()) return {.action = Stay{}, .done = true};
        look_around(belief);
        Intent intent;
        if (belief.step() < options_.first_random_steps) {
            intent.action = RandomStep{};
        } else {
            if (leads_ && settled(belief)) make_plan(belief);
            intent = act(belief);
        }
        intent.role = state_ == Deployment::explore || state_ == Deployment::idle ? Role::explorer : Role::relay;
        intent.words.push_back({topic_deployment, to_all, {static_cast<std::int64_t>(state_)}});
        if (plan_.id > 0) intent.words.push_back(word_of(plan_));
        if (belief.overlays_wanted()) explain(belief, intent.overlays);
        return intent;
    }

  private:
    /// A base or a relay: it does not move.
    struct Node {
        RobotId robot;
        Cell cell;
    };

    /// Who stands where, who leads, and the newest plan.
    void look_around(const Belief& belief) {
        team_ = present_team(belief, options_.lost_steps);
        nodes_.clear();
        const FrameId frame = belief.map().frame();
        if (std::exchange(frame_, frame).robot != frame.robot) forget_places();
        const auto [base, not_joined] = base_in_frame(belief);
        free_ = not_joined;
        if (base) nodes_.push_back({*base, last_cell(belief, *base)});
        NetworkPlan newest = plan_;
        for (const RobotId robot : team_) {
            if (robot == belief.self()) continue;
            if (sent_state(belief, robot) == Deployment::relay) nodes_.push_back({robot, last_cell(belief, robot)});
            const auto sent = network_plan_in(belief.latest(robot));
            if (sent && sent->id > newest.id && sent->step() <= belief.step()) newest = *sent;
        }
        leads_ = base && belief.base_in_contact() && *std::min_element(team_.begin(), team_.end()) == belief.self();
        take(belief, newest);
        plan_.finished |= !base && !free_;
        if (!base || belief.base_in_contact()) with_base_step_ = belief.step();
        if (free_) linked_step_ = belief.step();
        if (!linked(belief)) return;
        linked_step_ = belief.step();
        if (good(belief)) good_at_ = belief.pose().position();
    }

    /// Cells of a frame that the map is not in any more. The next plan gives stations anew.
    void forget_places() {
        for (auto* cells : {&in_vain_, &lost_at_}) cells->clear();
        plan_.stations.clear(), aim_.reset(), good_at_.reset(), target_.reset();
    }

    void take(const Belief& belief, const NetworkPlan& plan) {
        if (plan.id == plan_.id) return;
        const std::optional<Cell> before = plan_.station_of(belief.self()), now = plan.station_of(belief.self());
        plan_ = plan;
        fresh_ = now && (now != before || state_ != Deployment::relay);
        lost_at_.clear();
        since_ = belief.step();
    }

    bool linked(const Belief& belief) const {
        return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& n) { return linked_with(belief, n.robot); });
    }
    /// Whether a signal of the network is good here, as measured; without path loss every link is.
    bool good(const Belief& belief) const {
        const RadioOptions& radio = belief.briefing().radio;
        for (const LinkReport& link : belief.percept().links) {
            const bool node =
                std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& n) { return n.robot == link.robot; });
            const bool strong =
                radio.model != RadioModel::path_loss || link.signal_dbm >= radio.cutoff_dbm + options_.margin_db;
            if (node && strong) return true;
        }
        return false;
    }
    bool in_good_reach(const Belief& belief, Cell place) const {
        return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& n) {
            return should_hear_well(belief, n.robot, n.cell, belief.self(), place, options_.margin_db);
        });
    }

    // --- the leader ---------------------------------------------------------------------------------------------

    /// Whether all stations are taken, and nobody has anything to do.
    bool settled(const Belief& belief) const {
        if (plan_.finished || belief.step() <= since_ + 2) return false;
        return std::all_of(team_.begin(), team_.end(), [&](RobotId robot) {
            const auto state = robot == belief.self() ? std::optional(state_) : sent_state(belief, robot);
            return state == Deployment::idle || state == Deployment::relay;
        });
    }

    /// Goals of frontiers, those nearest to the base or a relay first, without those that were tried in vain.
    std::vector<Frontier> nearest_frontiers(const Belief& belief, Cell base, const std::vector<Cell>& relays) const {
        std::vector<std::pair<std::int64_t, Frontier>> goals;
        for (const Frontier& f : frontier_goals(belief, options_.bidding.goals)) {
            const auto near = [&](Cell c) { return squared_distance(c, f.goal) <= 9; };
            if (std::any_of(in_vain_.begin(), in_vain_.end(), near)) continue;
            std::int64_t least = squared_distance(f.goal, base);
            for (const Cell c : relays) least = std::min(least, squared_distance(f.goal, c));
            goals.emplace_back(least, f);
        }
        std::stable_sort(goals.begin(), goals.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<Frontier> out;
        for (const auto& [away, frontier] : goals) out.push_back(frontier);
        return out;
    }

    /// The next frontier: of those nearest to the network the one with the most cells for the way that the relays drive
    /// for it. What could not be explored from the network that was laid out for it is left alone.
    void make_plan(const Belief& belief) {
        if (aim_) in_vain_.push_back(*std::exchange(aim_, {}));
        const Cell home = nodes_.front().cell;
        const Cell from = belief.nav().reached(home) ? home : belief.cell();
        std::vector<Cell> standing;
        for (const Node& n : nodes_)
            if (n.robot != nodes_.front().robot) standing.push_back(n.cell);
        if (state_ == Deployment::relay) standing.push_back(belief.cell());
        NetworkPlan best;
        double most = 0;
        int tried = 0;
        for (const Frontier& frontier : nearest_frontiers(belief, from, standing)) {
            const Cell goal = frontier.goal;
            if (most > 0 && ++tried > options_.frontiers) break;
            PathSearch path = belief.search(from, {&goal, 1});
            if (path.find(0) != PathStatus::found) continue;
            const auto places = stations_along(belief, nodes_.front().robot, path.path(0).cells, standing,
                                               team_.size() - 1, options_.margin_db);
            if (!places) continue;
            std::vector<Station> stations = staffed(belief, team_, *places);
            double drives = 0;
            for (const Station& s : stations)
                drives += std::sqrt(static_cast<double>(squared_distance(last_cell(belief, s.robot), s.cell)));
            const double worth = frontier.size / (drives + few_steps * belief.speed_cells());
            if (worth <= most) continue;
            most = worth;
            best.stations = std::move(stations);
            aim_ = goal;
        }
        best.finished = !aim_;
        if (best.finished) best.stations = plan_.stations;
        best.id = std::max(NetworkPlan::id_of(belief.step(), belief.self()), plan_.id + 1);
        take(belief, best);
    }

    // --- everybody ----------------------------------------------------------------------------------------------

    Intent act(const Belief& belief) {
        const std::optional<Cell> station = plan_.station_of(belief.self());
        const bool arrived = station && (belief.cell() == *station || belief.goal_unreachable());
        const int under_way = belief.step() - since_;
        const bool stands = station && (state_ == Deployment::relay || state_ == Deployment::go ||
                                        state_ == Deployment::back || fresh_);
        if (!stands) find_target(belief);
        const Deployment before = state_;
        state_ = next(state_, {.station = station.has_value(),
                               .fresh = std::exchange(fresh_, false),
                               .target = target_ || looks_home_ || tether_ != Tether::held,
                               .arrived = arrived,
                               .good = good(belief),
                               .late = under_way >= options_.late_steps,
                               .given_up = under_way >= 2 * options_.late_steps,
                               .cut_off = cut_off(belief)});
        if (state_ != before && stands) target_.reset();
        const Lattice& lattice = belief.map().lattice();
        switch (state_) {
            case Deployment::go:
                return {.action = Goto{lattice.centre(*station), 0, {}}};
            case Deployment::back:
                return {.action = Goto{good_at_.value_or(belief.briefing().start.position()), 0, {}}};
            case Deployment::relay:
                return {.done = plan_.finished};
            case Deployment::explore:
            case Deployment::idle:
                return explore(belief);
        }
        return {};
    }

    /// Keeps, drops or chooses a frontier in reach of the network.
    void find_target(const Belief& belief) {
        tether_ = next(tether_, free_ || linked(belief), belief.step() - linked_step_, {20, options_.lost_steps});
        if (tether_ != Tether::held && target_) lost_at_.push_back(target_->goal), target_.reset();
        if (tether_ != Tether::held) return;
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (!replan_.due(belief, gone || stalled) && !looks_home_) return;
        FrontierBidding::Terms terms;
        terms.allowed = [&](const Frontier& f) {
            const auto near = [&](Cell c) { return squared_distance(c, f.goal) <= 9; };
            return std::none_of(lost_at_.begin(), lost_at_.end(), near) && !stall_.barred(belief, f.goal) &&
                   (free_ || in_good_reach(belief, f.goal));
        };
        if (target_) terms.previous = target_->goal;
        target_ = bidding_.choose(belief, terms, &why_);
        looks_home_ = !target_ && look_home_.due(belief);
    }

    Intent explore(const Belief& belief) {
        if (tether_ == Tether::back && good_at_) return {.action = Goto{*good_at_, 0, {}}};
        if (tether_ != Tether::held) return go_home(belief);
        if (looks_home_) return {.action = LookHome::towards(belief)};
        if (target_) return {.action = go_to_frontier(belief, *target_)};
        return plan_.finished || free_ || cut_off(belief) ? go_home(belief) : Intent{};
    }

    /// Nobody has made a plan for this robot for long, and nobody will.
    bool cut_off(const Belief& belief) const { return belief.step() - with_base_step_ >= options_.lost_steps; }

    void explain(const Belief& belief, std::vector<Overlay>& overlays) const {
        if (state_ == Deployment::explore) overlays = why_;
        Overlay network = Overlay::marks(Overlay::Meaning::network, "network", "where relays stand, or will");
        for (const Station& s : plan_.stations) network.points.push_back(belief.map().lattice().centre(s.cell));
        overlays.push_back(std::move(network));
        std::string text(deployment_names[static_cast<std::size_t>(state_)]);
        if (leads_) text += ", leads";
        overlays.push_back(Overlay::state(std::move(text)));
    }

    RelayNetworkOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;
    Deployment state_ = Deployment::idle;
    Tether tether_ = Tether::held;
    std::vector<RobotId> team_;  // those heard lately, itself included
    std::vector<Node> nodes_;    // the base is the first one
    FrameId frame_;              // of the map
    NetworkPlan plan_;
    bool fresh_ = false;  // a new station, in this step
    bool leads_ = false;
    bool free_ = false;          // nobody knows where the base is: it explores alone
    std::optional<Cell> aim_;    // the frontier that the plan was made for
    std::vector<Cell> in_vain_;  // frontiers that were not explored although the network was laid out for them
    int since_ = 0;              // step of the plan
    int linked_step_ = 0, with_base_step_ = 0;
    std::optional<Point> good_at_;  // where the signal was good last
    std::optional<Frontier> target_;
    LookHome look_home_;
    bool looks_home_ = false;    // before it reports that nothing is in reach
    std::vector<Cell> lost_at_;  // goals on the path to which the network was lost
    std::vector<Overlay> why_;   // of the last choice
};

OUTRIDER_STRATEGY("relay_network", RelayNetwork)

}  // namespace
}  // namespace outrider::relay_network_strategy
