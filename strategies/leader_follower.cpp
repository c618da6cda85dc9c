// Leader-follower as MRESim has it (Spirin, de Hoog, Visser & Cameron, RoboCup 2014): the last robot of a chain
// explores, the others follow as far as the links to the base allow.
#include <algorithm>
#include <span>
#include <utility>

#include "shared/chain.hpp"
#include "shared/frontier_bidding.hpp"
#include "shared/topics.hpp"
#include "shared/transitions.hpp"

namespace outrider::leader_follower_strategy {
namespace {

struct LeaderFollowerOptions {
    ReplanGuard::Options replan{.period_steps = 10};
    FrontierBidding::Options bidding{.remember_steps = 30};
    int back_steps = 20;
    int lost_steps = 100;
    int patience_steps = 25;
    double margin_db = 6;
    int first_random_steps = 3;

    void fields(Fields& f) {
        replan.fields(f);
        bidding.fields(f);
        f("back_steps", back_steps, 1, 10000,
          "a robot that lost the link drives back its own path for so long, then to where the other one was last");
        f("lost_steps", lost_steps, 1, 100000, "a robot silent for so long is left out of the chain");
        f("patience_steps", patience_steps, 1, 10000,
          "the explorer gives up a frontier when the chain did not follow for so long");
        f("margin_db", margin_db, 0, 200,
          "path loss: with a signal of the robot before it so much above the cutoff a robot drives on in any case");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps of the explorer before its first choice");
    }
};

class LeaderFollower final : public Strategy {
  public:
    static constexpr Traits traits{.needs_contact = true};
    static constexpr const char* summary = "a chain of relays from the base to one explorer (leader-follower, MRESim)";
    using Options = LeaderFollowerOptions;
    explicit LeaderFollower(const Options& options)
        : options_(options),
          replan_(options.replan),
          bidding_(options.bidding),
          stall_(std::max(stall_steps, options.patience_steps)) {}  // a patient robot may stand for long

    Intent choose(const Belief& belief, Rng&) override {
        if (!belief.briefing().drives()) return {.action = Stay{}, .done = true};  // not part of the chain
        look_at_chain(belief);
        hold_link(belief);
        const bool leads = chain_.back() == belief.self();
        Intent intent;
        if (belief.step() < options_.first_random_steps)
            intent.action = leads ? Action(RandomStep{}) : Action(Stay{});
        else
            intent = act(belief, leads);
        intent.role = leads ? Role::explorer : Role::relay;
        intent.words.push_back({topic_chain, to_all, {leads && finished_}});
        if (belief.overlays_wanted()) explain(belief, leads, intent.overlays);
        return intent;
    }

  private:
    /// The present robots, from the base outwards.
    void look_at_chain(const Belief& belief) {
        chain_ = present_team(belief, options_.lost_steps);
        const auto me = std::find(chain_.begin(), chain_.end(), belief.self());
        child_ = me + 1 == chain_.end() ? std::nullopt : std::optional(me[1]);
        parent_ = me == chain_.begin() ? home_base(belief) : std::optional(me[-1]);
    }

    void hold_link(const Belief& belief) {
        const bool linked = !parent_ || linked_with(belief, *parent_);
        if (linked) {
            linked_at_ = belief.pose().position();
            linked_step_ = belief.step();
        } else if (tether_ == Tether::held) {
            count_break(belief);
            if (breaks_often(belief, belief.cell())) tether_ = Tether::seek;
        }
        const TetherTimes times{options_.back_steps, options_.lost_steps};
        tether_ = next(tether_, linked, belief.step() - linked_step_, times);
    }

    /// The link broke in this step, here.
    void count_break(const Belief& belief) {
        breaks_ = near_break(belief, belief.cell()) ? breaks_ + 1 : 1;
        broken_at_ = belief.cell();
        broken_step_ = belief.step();
    }

    bool near_break(const Belief& belief, Cell c) const {
        const double reach = 2 * belief.speed_cells();
        return breaks_ > 0 && belief.step() - broken_step_ <= options_.lost_steps &&
               squared_distance(c, broken_at_) <= static_cast<std::int64_t>(reach * reach);
    }

    /// The link broke near this place again and again: a robot that goes back and sets out anew does so for ever.
    bool breaks_often(const Belief& belief, Cell c) const { return breaks_ >= 3 && near_break(belief, c); }

    Intent act(const Belief& belief, bool leads) {
        // A robot that knows that all is done drives home, linked or not.
        if (!leads && says_finished(belief, chain_.back())) return go_home(belief);
        if (tether_ != Tether::held && !(leads && finished_)) return reconnect(belief);
        return leads ? lead(belief) : follow(belief);
    }

    Intent reconnect(const Belief& belief) const {
        const Point start = belief.briefing().start.position();
        if (tether_ == Tether::back) return {.action = Goto{linked_at_.value_or(start), 0, {}}};
        if (tether_ == Tether::seek) return {.action = Goto{centre(belief, last_cell(belief, *parent_)), 0, {}}};
        return go_home(belief);
    }

    /// Whether the link to the parent should hold when this robot drives on along the path: because its signal is
    /// strong enough for another wall, or by the map. The parent's place is a step old, and it moves as well. Where the
    /// link broke again and again, it drives on only if the path ends nearer to the parent.
    bool holds_ahead(const Belief& belief, const Path& path) const {
        if (!parent_ || path.cells.empty()) return true;
        const double v = belief.speed_cells();
        const Cell next_cell = path.cells[std::min(path.cells.size() - 1, static_cast<std::size_t>(v))];
        const Cell there = last_cell(belief, *parent_);
        const auto nearer = [&](Cell c) { return squared_distance(c, there) < squared_distance(belief.cell(), there); };
        if (breaks_often(belief, next_cell)) return nearer(path.cells.back());
        if (nearer(next_cell)) return true;
        const RadioOptions& radio = belief.briefing().radio;
        for (const LinkReport& link : belief.percept().links)
            if (link.robot == *parent_ && radio.model == RadioModel::path_loss &&
                link.signal_dbm >= radio.cutoff_dbm + options_.margin_db)
                return true;
        const double slack = *parent_ == home_base(belief) ? 0 : 2 * v;
        return should_hear(belief, *parent_, there, belief.self(), next_cell, slack);
    }

    Intent follow(const Belief& belief) {
        const Cell child = last_cell(belief, *child_);
        const Path& path = belief.path_to(child);
        if (!path || path.length_cells() <= belief.speed_cells() || !holds_ahead(belief, path)) return {};
        return {.action = Goto{centre(belief, child), 0, {}}};
    }

    Intent lead(const Belief& belief) {
        const bool gone = !target_ || explored(belief, *target_);
        if (target_ && (stall_.stalled(belief, target_->goal) || waiting_ >= options_.patience_steps))
            given_up_.push_back(target_->goal), target_.reset();
        if (replan_.due(belief, gone || !target_) || looks_home_) {
            target_ = select(belief);
            looks_home_ = !target_ && look_home_.due(belief);
            finished_ = !target_ && !looks_home_;
            if (!target_ || target_->goal != awaited_) waiting_ = 0;
            if (target_) awaited_ = target_->goal;
        }
        if (looks_home_) return {.action = LookHome::towards(belief)};
        if (!target_) return go_home(belief);
        if (holds_ahead(belief, belief.path_to(target_->goal))) {
            waiting_ = 0;
            return {.action = go_to_frontier(belief, *target_)};
        }
        Intent intent;
        if (++waiting_ == options_.patience_steps)
            intent.strategy_events.push_back({StrategyEvent::Kind::waited, options_.patience_steps});
        return intent;
    }

    /// The best frontier that the chain can reach. Reachability is computed for the chosen one only; too_far_ keeps the
    /// answer for a while.
    std::optional<Frontier> select(const Belief& belief) {
        std::erase_if(too_far_, [&](const auto& entry) { return belief.step() >= entry.second; });
        FrontierBidding::Terms terms;
        terms.allowed = [&](const Frontier& f) {
            const auto near = [&](Cell c) { return squared_distance(c, f.goal) <= 9; };
            const auto same = [&](const auto& entry) { return near(entry.first); };
            return std::none_of(given_up_.begin(), given_up_.end(), near) &&
                   std::none_of(too_far_.begin(), too_far_.end(), same);
        };
        if (target_) terms.previous = target_->goal;
        for (;;) {
            const auto chosen = bidding_.choose(belief, terms, &why_);
            if (!chosen || in_reach(belief, chosen->goal)) return chosen;
            too_far_.emplace_back(chosen->goal, belief.step() + options_.lost_steps);
        }
    }

    bool in_reach(const Belief& belief, Cell goal) const {
        const auto base = home_base(belief);
        if (!base) return true;
        const Cell home = belief.map().lattice().cell_of(belief.home());
        const Cell from = belief.nav().reached(home) ? home : belief.cell();
        PathSearch path = belief.search(from, std::span(&goal, 1));
        if (path.find(0) != PathStatus::found) return false;
        const int robots = robots_along(belief, *base, path.path(0).cells);
        return robots >= 0 && robots <= static_cast<int>(chain_.size());
    }

    static bool says_finished(const Belief& belief, RobotId robot) {
        for (const Word& word : belief.latest(robot).words)
            if (word.topic == topic_chain && !word.values.empty()) return word.values[0] != 0;
        return false;
    }
    static Point centre(const Belief& belief, Cell c) { return belief.map().lattice().centre(c); }

    void explain(const Belief& belief, bool leads, std::vector<Overlay>& overlays) const {
        if (leads) overlays = why_;
        Overlay line = Overlay::polyline(Overlay::Meaning::network, "chain", {belief.home()});
        for (const RobotId robot : chain_) line.points.push_back(centre(belief, last_cell(belief, robot)));
        overlays.push_back(std::move(line));
        if (parent_) overlays.push_back(reports_to(belief, *parent_));
        const char* task = !leads ? "follow" : finished_ ? "finished" : waiting_ > 0 ? "wait for the chain" : "lead";
        const bool held = tether_ == Tether::held;
        overlays.push_back(Overlay::state(held ? task : std::string(tether_names[static_cast<std::size_t>(tether_)])));
    }

    LeaderFollowerOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;
    std::vector<RobotId> chain_;
    std::optional<RobotId> parent_, child_;
    Tether tether_ = Tether::held;
    std::optional<Point> linked_at_;
    int linked_step_ = 0;
    Cell broken_at_;  // where the link to the parent broke, in which step, how often in a row near there
    int broken_step_ = 0, breaks_ = 0;
    std::optional<Frontier> target_;
    std::vector<Cell> given_up_;                 // goals that the chain could not follow to
    std::vector<std::pair<Cell, int>> too_far_;  // goals that the chain cannot reach, until step
    Cell awaited_;                               // goal for which the robot waits for the chain ...
    int waiting_ = 0;                            // ... and for how many steps
    LookHome look_home_;
    bool looks_home_ = false;  // before it reports that nothing is in reach
    bool finished_ = false;
    std::vector<Overlay> why_;  // of the last choice
};

OUTRIDER_STRATEGY("leader_follower", LeaderFollower)

}  // namespace
}  // namespace outrider::leader_follower_strategy
