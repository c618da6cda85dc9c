// Deployment of a relay network, one robot after the other (after Howard, Mataric & Sukhatme, "An incremental
// self-deployment algorithm for mobile sensor networks", 2002; the goal is that of UvA Rescue's deployment behaviour).
#include <algorithm>

#include "shared/frontier_bidding.hpp"
#include "shared/sites.hpp"
#include "shared/teamwork.hpp"
#include "shared/topics.hpp"
#include "shared/transitions.hpp"

namespace outrider {
namespace {

struct RelayNetworkOptions {
    ReplanGuard::Options replan;
    FrontierBidding::Options bidding;
    double margin_db = 3;
    int moves = 3;
    int places = 200;
    int lost_steps = 100;
    int late_steps = 200;
    int first_random_steps = 3;

    void fields(Fields& f) {
        replan.fields(f);
        bidding.fields(f);
        f("margin_db", margin_db, 0, 100, "signals are good that are so much above the cutoff");
        f("moves", moves, 1, 1000, "a robot chooses so many places, one after the other, and stays at the last one");
        f("places", places, 1, 10000, "places considered, at most");
        f("lost_steps", lost_steps, 1, 100000, "a robot not heard for so long is no part of the network");
        f("late_steps", late_steps, 1, 100000, "a robot turns back that is under way for so long");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first choice");
    }
};

class RelayNetwork final : public Strategy {
  public:
    static constexpr Traits traits{.needs_contact = true};
    static constexpr const char* summary =
        "robots leave one by one for the best place in reach and stay there as relays";
    using Options = RelayNetworkOptions;
    explicit RelayNetwork(const Options& options)
        : options_(options), replan_(options.replan), bidding_(options.bidding) {}

    Intent choose(const Belief& belief, Rng&) override {
        Intent intent;
        if (belief.step() < options_.first_random_steps) {
            intent.action = RandomStep{};
        } else {
            look_around(belief);
            change_state(belief);
            intent = act(belief);
        }
        intent.role = state_ == Deployment::explore ? Role::explorer : Role::relay;
        intent.words.push_back({topic_deployment, to_all, {static_cast<std::int64_t>(state_)}});
        if (belief.overlays_wanted()) explain(belief, intent.overlays);
        return intent;
    }

  private:
    /// A robot of the network that does not move any more.
    struct Node {
        RobotId robot;
        Cell cell;
    };

    static std::optional<Deployment> said_state(const Belief& belief, RobotId robot) {
        for (const Word& word : belief.latest(robot).words)
            if (word.topic == topic_deployment && word.values.size() == 1)
                return static_cast<Deployment>(word.values[0]);
        return {};
    }

    void look_around(const Belief& belief) {
        nodes_.clear();
        if (const auto base = home_base(belief)) nodes_.push_back({*base, last_cell(belief, *base)});
        turn_ = last_ = true;
        bool passed_me = false;
        for (const RobotId robot : present_team(belief, options_.lost_steps)) {
            if (robot == belief.self()) {
                passed_me = true;
                continue;
            }
            const auto state = said_state(belief, robot);
            if (state == Deployment::relay) nodes_.push_back({robot, last_cell(belief, robot)});
            const bool takes_part = state || belief.latest(robot).seq == 0;
            if (passed_me && takes_part) last_ = false;
            if (!passed_me && takes_part && state != Deployment::relay && state != Deployment::explore) turn_ = false;
        }
        if (!linked(belief)) return;
        linked_step_ = belief.step();
        if (good(belief)) good_at_ = belief.pose().position();
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

    void change_state(const Belief& belief) {
        const bool arrived = site_ && (belief.cell() == *site_ || belief.goal_unreachable());
        const bool chooses = (state_ == Deployment::wait && turn_) || (state_ == Deployment::go && arrived);
        if (chooses) choose_site(belief);
        if (state_ == Deployment::wait) {
            looks_home_ = turn_ && !last_ && !site_ && look_home_.due(belief);
            if (looks_home_) return;
        }
        const int under_way = belief.step() - since_;
        const int lost_for = belief.step() - linked_step_;
        const bool late = under_way >= options_.late_steps || lost_for >= options_.late_steps / 4;
        const Deployment before = state_;
        state_ = next(state_, {.turn = turn_,
                               .last = last_,
                               .site = chooses && site_.has_value(),
                               .arrived = arrived,
                               .good = good(belief),
                               .late = late,
                               .given_up = under_way >= options_.late_steps});
        if (state_ != before || chooses) since_ = belief.step();
    }

    /// The place in good reach of the network from which most of the unknown is seen, if any is.
    void choose_site(const Belief& belief) {
        site_.reset();
        if (moved_ >= options_.moves) return;
        const double range = sensor_range_cells(belief);
        const std::vector<Cell> places =
            standing_places(belief, relay_spacing(belief), static_cast<std::size_t>(options_.places));
        Overlay overlay = Overlay::candidates("unknown area in sight, cells");
        double most = 0;
        for (const Cell place : places) {
            if (!belief.nav().reached(place) || !in_good_reach(belief, place)) continue;
            const double area = unknown_in_sight(belief.map(), place, range);
            if (belief.overlays_wanted()) {
                overlay.points.push_back(belief.map().lattice().centre(place));
                overlay.values.push_back(area);
            }
            if (area <= most) continue;
            most = area;
            site_ = place;
        }
        why_ = {std::move(overlay)};
        moved_ += site_.has_value();
    }
    bool in_good_reach(const Belief& belief, Cell place) const {
        return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& n) {
            return should_hear_well(belief, n.robot, n.cell, belief.self(), place, options_.margin_db);
        });
    }

    Intent act(const Belief& belief) {
        const Lattice& lattice = belief.map().lattice();
        switch (state_) {
            case Deployment::wait:
                return {.action = looks_home_ ? LookHome::towards(belief) : Stay{}};
            case Deployment::go:
                return {.action = Goto{lattice.centre(*site_), 0, {}}};
            case Deployment::back:
                return {.action = Goto{good_at_.value_or(belief.briefing().start.position()), 0, {}}};
            case Deployment::relay:
                return {.done = true};
            case Deployment::explore:
                return explore(belief);
        }
        return {};
    }

    Intent explore(const Belief& belief) {
        tether_ = next(tether_, linked(belief), belief.step() - linked_step_, {20, options_.lost_steps});
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (tether_ != Tether::held && target_) lost_at_.push_back(target_->goal), target_.reset();
        if (tether_ == Tether::back && good_at_) return {.action = Goto{*good_at_, 0, {}}};
        if (tether_ != Tether::held) return go_home(belief);
        if (replan_.due(belief, gone || stalled) || looks_home_) {
            FrontierBidding::Terms terms;
            terms.allowed = [&](const Frontier& f) {
                const auto near = [&](Cell c) { return squared_distance(c, f.goal) <= 9; };
                return std::none_of(lost_at_.begin(), lost_at_.end(), near) && !stall_.barred(belief, f.goal) &&
                       in_good_reach(belief, f.goal);
            };
            if (target_) terms.previous = target_->goal;
            target_ = bidding_.choose(belief, terms, &why_);
            looks_home_ = !target_ && look_home_.due(belief);
        }
        if (looks_home_) return {.action = LookHome::towards(belief)};
        return target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
    }

    void explain(const Belief& belief, std::vector<Overlay>& overlays) const {
        overlays.insert(overlays.end(), why_.begin(), why_.end());
        Overlay network = Overlay::marks(Overlay::Meaning::network, "network", "robots that have taken their place");
        for (const Node& node : nodes_) network.points.push_back(belief.map().lattice().centre(node.cell));
        overlays.push_back(std::move(network));
        overlays.push_back(Overlay::state(std::string(deployment_names[static_cast<std::size_t>(state_)])));
    }

    RelayNetworkOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;
    Deployment state_ = Deployment::wait;
    Tether tether_ = Tether::held;
    std::vector<Node> nodes_;
    bool turn_ = false, last_ = false;
    int since_ = 0;  // step at which it entered its state, or chose its place
    int linked_step_ = 0;
    std::optional<Point> good_at_;  // where the signal was good last
    std::optional<Cell> site_;
    int moved_ = 0;  // places chosen so far
    std::optional<Frontier> target_;
    LookHome look_home_;
    bool looks_home_ = false;    // before it reports that nothing is in reach
    std::vector<Cell> lost_at_;  // goals on the path to which the network was lost
    std::vector<Overlay> why_;   // of the last choice
};

OUTRIDER_STRATEGY("relay_network", RelayNetwork)

}  // namespace
}  // namespace outrider
