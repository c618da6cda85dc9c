// Role-based exploration (de Hoog, Cameron & Visser, COGNITIVE 2009, AAMAS 2010, SSRR 2010): explorers go beyond radio
// range and meet relays, which carry what they learn to the base, over chains of any length; roles can be exchanged.
#include <cmath>

#include "role_based/expected.hpp"
#include "role_based/meeting_overlays.hpp"
#include "role_based/meeting_timer.hpp"
#include "role_based/role_tree.hpp"
#include "shared/chain.hpp"
#include "shared/frontier_bidding.hpp"

namespace outrider::role_based_strategy {
namespace {

struct RoleBasedOptions {
    int relays = 1;
    bool swaps = true, strict_swaps = false;
    bool relays_explore = false;
    RendezvousOptions meetings;
    ReplanGuard::Options replan;
    FrontierBidding::Options bidding;

    void fields(Fields& f) {
        f("relays", relays, 0, 100, "relays for each explorer, where the scenario names no roles");
        f("swaps", swaps, "robots that meet exchange their roles when that makes the longer path shorter");
        f("strict_swaps", strict_swaps, "explorers exchange only when moreover the base hears of one of them sooner");
        f("relays_explore", relays_explore, "relays explore, too, while they have time before they meet their child");
        meetings.fields(f);
        replan.fields(f);
        bidding.fields(f);
    }
};

constexpr int swap_period = 10, swap_gap = 4, arrived_cells = 2, relay_patience = 60;
constexpr int most_late_waits = 3;  // a meeting is put off by at most so many of its waits

class RoleBased final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "explorers meet relays that carry their maps to the base; roles are exchanged on the way (de Hoog 2009-2011)";
    using Options = RoleBasedOptions;
    explicit RoleBased(const Options& options)
        : options_(options),
          replan_(options.replan),
          bidding_(options.bidding),
          tree_(!options.swaps         ? Swaps::never
                : options.strict_swaps ? Swaps::strict
                                       : Swaps::shorter) {}

    Intent choose(const Belief& belief, Rng&) override {
        if (belief.briefing().is_base()) return {.action = Stay{}, .done = true};  // the root of the hierarchy
        happenings_.clear();
        if (!tree_.begun()) tree_.begin(belief, options_.relays);
        listen(belief);
        if (goal(belief) && may_offer_swap(belief)) tree_.offer(belief, news(belief), exchange_steps + 3 * late_);
        for (int i = 0; i < 4 && change_state(belief); ++i) {
        }
        Intent intent = act(belief);
        speak(belief, intent);
        explain(belief, intent);
        return intent;
    }

  private:
    const Place& place() const { return tree_.place(); }
    bool acts_as_relay() const { return place().role == Role::relay && place().child >= 0 && !child_lost_; }
    bool parent_is_base() const { return parent_lost_ || tree_.at(place().parent).role == Role::base; }

    // --- hearing, and exchanging roles --------------------------------------------------------------------------

    void listen(const Belief& belief) {
        late_ = 0;
        for (const auto& record : belief.team())
            if (belief.in_contact(record->robot)) late_ = std::max(late_, belief.step() - record->step - 1);
        if (const auto taken = tree_.hear(belief, news(belief), can_swap(belief))) take_over(belief, *taken);
        if (tree_.claims().in_doubt(belief.step())) happenings_.push_back({StrategyEvent::Kind::doubted, 1});
        RobotId above = -1;
        if (const RoleNews* parent = tree_.news_of(place().parent, &above)) {
            if (parent_lost_ && tree_.in_contact(belief, place().parent)) parent_lost_ = false;
            if (above_.hear(parent->held)) agreed_at_ = belief.step();
            if (belief.received_far(above) && moved_to_backup(parent->below, above_.agreed())) above_.use_backup();
        }
        RobotId child = -1;
        if (const RoleNews* news = place().child >= 0 ? tree_.news_of(place().child, &child) : nullptr) {
            if (const auto proposal = proposal_in(belief.latest(child))) below_.hear_proposal(*proposal);
            agreed_below_ |= below_.hear_agreed(news->above);
            if (belief.received_far(child) && moved_to_backup(news->above, below_.agreed())) below_.use_other();
        }
    }

    /// Whether the partner has given up the meeting that this robot still goes to, for its backup.
    static bool moved_to_backup(const Meeting& theirs, const Meeting& own) {
        return theirs.agreed() && theirs.id == own.id && theirs.backup_time == 0 && own.backup_time > 0;
    }

    void take_over(const Belief& belief, const RoleNews& theirs) {
        above_.take(theirs.above);
        below_.take(theirs.below);
        enter(belief, theirs.state);
        target_.reset();
        wanted_ = theirs.goal;
        last_swap_ = belief.step();
        parent_lost_ = child_lost_ = false;  // those were of the old place
        failures_ = 0;
        happenings_.push_back({StrategyEvent::Kind::swapped, 0});
    }

    bool can_swap(const Belief& belief) const {
        return RoleTree::swappable(state_) && belief.step() - last_swap_ >= swap_gap && !parent_lost_ && !child_lost_;
    }
    bool may_offer_swap(const Belief& belief) const {
        return can_swap(belief) && belief.step() > 5 && belief.step() % swap_period == 0 && !belief.inbox().empty();
    }

    // --- the machine --------------------------------------------------------------------------------------------

    int timer(const Belief& belief) const { return belief.step() - entered_; }
    void enter(const Belief& belief, RoleState next) {
        state_ = next;
        entered_ = belief.step();
        wait_at_.reset();
    }

    bool change_state(const Belief& belief) {
        if (state_ == RoleState::explore || state_ == RoleState::finish) choose_frontier(belief, false);
        const RoleSituation s = situation(belief);
        const RoleTransition t = next_state(state_, s);
        if (t.next == state_ && t.event == RoleTransition::Event::none) return false;
        const bool waited = state_ == RoleState::wait_for_parent || state_ == RoleState::wait_for_child;
        if (waited && s.timer > 0) happenings_.push_back({StrategyEvent::Kind::waited, s.timer});
        apply(belief, t.event, s);
        enter(belief, t.next);
        if (t.next == RoleState::get_info_from_child) agreed_below_ = false;
        if (t.next == RoleState::return_to_parent) turned_back_ = belief.cell();
        if (t.next == RoleState::give_parent_info && !s.parent_is_base) propose_meeting(belief);
        return true;
    }

    void apply(const Belief& belief, RoleTransition::Event event, const RoleSituation& s) {
        using Event = RoleTransition::Event;
        switch (event) {
            case Event::none:
                break;
            case Event::met_parent:
                failures_ = 0;
                if (!s.parent_is_base) happenings_.push_back({StrategyEvent::Kind::met, 0});
                break;
            case Event::failed_with_parent:
                ++failures_;
                failed_at_ = belief.step();
                break;
            case Event::missed_parent:
                above_.use_backup();
                happenings_.push_back({StrategyEvent::Kind::missed, 0});
                break;
            case Event::lost_parent:
                parent_lost_ = true;
                failures_ = 0;
                happenings_.push_back({StrategyEvent::Kind::missed, 0});
                break;
            case Event::met_child:
                happenings_.push_back({StrategyEvent::Kind::met, 0});
                break;
            case Event::missed_child:
                below_.use_other();
                happenings_.push_back({StrategyEvent::Kind::missed, 0});
                break;
            case Event::lost_child:
                child_lost_ = true;
                if (!s.child_finished) happenings_.push_back({StrategyEvent::Kind::missed, 0});
                break;
            case Event::found_child:
                child_lost_ = false;
                break;
        }
    }

    RoleSituation situation(const Belief& belief) {
        RoleSituation s;
        s.role = acts_as_relay() ? Role::relay : Role::explorer;
        s.now = belief.step();
        s.timer = timer(belief);
        s.late = late_;
        s.parent_is_base = parent_is_base();
        s.parent_here = s.parent_is_base ? belief.base_in_contact() : tree_.in_contact(belief, place().parent);
        const RoleNews* child = place().child >= 0 ? tree_.news_of(place().child) : nullptr;
        s.child_finished = child && child->state == RoleState::finish;
        s.child_here = !s.child_finished && tree_.in_contact(belief, place().child);
        const RoleNews* parent = tree_.news_of(place().parent);
        s.wants_meeting = !(above_.agreed().agreed() && parent && parent->held == above_.agreed().id) &&
                          belief.step() - failed_at_ > explore_steps;
        s.due = state_ == RoleState::explore && !s.parent_is_base &&
                meeting_timer_.due(belief, options_.meetings, above_, range_m(belief), parent_late(belief));
        s.arrived = arrived(belief);
        s.nothing_left = !target_;
        // It stays where it is until the parent reports the agreement, or had two chances to receive it.
        s.agreed_above = agreed_at_ >= entered_ && ((parent && parent->below.id == above_.agreed().id) ||
                                                    belief.step() - agreed_at_ >= 2 + late_);
        s.failures = failures_;
        s.agreed_below = agreed_below_;
        s.pending_below = below_.pending();
        if (options_.relays_explore && s.role == Role::relay && below_.agreed().agreed()) {
            const int spare = below_.agreed().time - belief.step() - steps_to(belief, below_.agreed().parent_point);
            s.may_explore = spare >= explore_steps;
            s.child_due = spare <= 0;
        }
        s.carry_for_two = state_ == RoleState::return_to_parent && acts_as_relay() && s.parent_is_base &&
                          tree_.another_carries(belief, sent_left_);
        s.parent_end = s.parent_is_base           ? entered_ + exchange_steps + late_
                       : above_.agreed().agreed() ? above_.agreed().end() + parent_late(belief)
                                                  : entered_ + relay_patience;
        s.child_end = below_.agreed().agreed() ? below_.agreed().end() + child_late(belief) : entered_ + relay_patience;
        s.parent_backup = above_.agreed().backup_time > 0;
        s.child_backup = below_.agreed().backup_time > 0 || below_.pending();
        return s;
    }

    /// Steps by which the parent will be late for the meeting, as the second channel lets expect; 0: in time, or
    /// unknown.
    int parent_late(const Belief& belief) {
        RobotId robot = -1;
        const RoleNews* news = tree_.news_of(place().parent, &robot);
        const Meeting& m = above_.agreed();
        if (!news || !m.agreed() || news->below.id != m.id) return 0;
        const bool reports_first = news->state == RoleState::return_to_parent ||
                                   news->state == RoleState::wait_for_parent ||
                                   news->state == RoleState::give_parent_info;
        return late(m, parent_coming_.arrival(belief, robot, reports_first ? std::optional(news->goal) : std::nullopt,
                                              m.parent_point, speed_of(belief, robot)));
    }
    int child_late(const Belief& belief) {
        RobotId robot = -1;
        const RoleNews* news = place().child >= 0 ? tree_.news_of(place().child, &robot) : nullptr;
        const Meeting& m = below_.agreed();
        const bool comes = news && m.agreed() && news->above.id == m.id && news->state == RoleState::return_to_parent;
        return comes ? late(m, child_coming_.arrival(belief, robot, {}, m.child_point, speed_of(belief, robot))) : 0;
    }
    static int late(const Meeting& m, const std::optional<int>& arrival) {
        return arrival ? std::clamp(*arrival - m.time, 0, most_late_waits * m.wait) : 0;
    }
    static double speed_of(const Belief& belief, RobotId robot) {
        const Briefing& briefing = belief.briefing();
        const TeamMember& mate = briefing.team()[static_cast<std::size_t>(robot)];
        return std::max(0.1, belief.map().lattice().cells(mate.speed_mps * briefing.step_s));
    }

    /// Steps of the path to a cell; needed only for relays that explore, in states in which they have time.
    int steps_to(const Belief& belief, Cell to) const {
        if (state_ != RoleState::explore && state_ != RoleState::give_parent_info) return 0;
        PathSearch search = belief.search(belief.cell(), {&to, 1});
        const std::uint32_t cost =
            search.find(0) == PathStatus::found ? search.cost(0) : octile_cost(belief.cell(), to);
        // Who cannot drive counts as slow.
        const double speed = belief.speed_cells() > 0 ? belief.speed_cells() : 0.1;
        return whole(std::ceil(cost / (straight_cost * speed)));
    }
    double range_m(const Belief& belief) const { return belief.briefing().me().radio_range_m; }
    Cell home(const Belief& belief) const { return belief.map().lattice().cell_of(belief.home()); }
    Cell last_seen(const Belief& belief, RobotId at) const {
        RobotId robot = -1;
        return tree_.news_of(at, &robot) ? belief.map().lattice().cell_of(belief.latest(robot).pose.position())
                                         : belief.cell();
    }

    /// The destination of the state.
    std::optional<Cell> goal(const Belief& belief) const {
        switch (state_) {
            case RoleState::explore:
                return target_ ? std::optional(target_->goal) : std::nullopt;
            case RoleState::return_to_parent:
            case RoleState::wait_for_parent:
            case RoleState::give_parent_info:
                if (parent_is_base()) return home(belief);
                return above_.agreed().agreed() ? above_.agreed().child_point : last_seen(belief, place().parent);
            case RoleState::go_to_child:
            case RoleState::wait_for_child:
            case RoleState::get_info_from_child:
                return below_.agreed().agreed() ? below_.agreed().parent_point : belief.cell();
            case RoleState::initial:
            case RoleState::finish:
                break;
        }
        return {};
    }

    bool arrived(const Belief& belief) const {
        const std::optional<Cell> to = goal(belief);
        const Lattice& lattice = belief.map().lattice();
        // By cells, and by the place where it ends its way: a corner of a cell may be nearer than its middle.
        return !to || squared_distance(*to, belief.cell()) <= arrived_cells * arrived_cells ||
               distance(lattice.centre(*to), belief.pose().position()) <= lattice.metres(arrived_cells) ||
               !belief.nav().reached(*to) || belief.goal_unreachable();
    }

    // --- acting -------------------------------------------------------------------------------------------------

    Intent act(const Belief& belief) {
        const Lattice& lattice = belief.map().lattice();
        switch (state_) {
            case RoleState::initial:
                if (acts_as_relay() && timer(belief) < 2) return {};
                return {.action = RandomStep{}};
            case RoleState::explore:
                if (target_) return {.action = go_to_frontier(belief, *target_)};
                return {};
            case RoleState::return_to_parent:
            case RoleState::go_to_child:
                return {.action = Goto{lattice.centre(*goal(belief)), lattice.metres(arrived_cells), {}}};
            case RoleState::wait_for_parent:
            case RoleState::wait_for_child:
                return wait(belief);
            case RoleState::finish:
                return go_home(belief);
            case RoleState::give_parent_info:
            case RoleState::get_info_from_child:
                break;
        }
        return {};
    }

    /// When the partner's end is a different point: waits where its signal should be best.
    Intent wait(const Belief& belief) {
        const bool above = state_ == RoleState::wait_for_parent;
        const Meeting& m = above ? above_.agreed() : below_.agreed();
        if (!m.agreed() || m.child_point == m.parent_point || (above && parent_is_base())) return {};
        if (!wait_at_) wait_at_ = best_signal_near(belief, above ? m.parent_point : m.child_point, range_m(belief));
        return {.action = Goto{belief.map().lattice().centre(*wait_at_), 0, {}}};
    }

    /// Keeps or replaces the target; frontiers from which the meeting cannot be kept come last.
    void choose_frontier(const Belief& belief, bool at_once) {
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (!replan_.due(belief, gone || stalled) && !at_once) return;
        FrontierBidding::Terms terms;
        terms.allowed = [&](const Frontier& f) { return !stall_.barred(belief, f.goal); };
        if (target_) terms.previous = target_->goal;
        if (wanted_) terms.previous = std::exchange(wanted_, {});
        const bool relay = acts_as_relay();
        const Meeting& m = relay ? below_.agreed() : above_.agreed();
        const Cell point = relay ? m.parent_point : m.child_point;
        if (!at_once && (relay || !parent_is_base()) && m.agreed())
            terms.own_share = [&, now = belief.step(), v = belief.speed_cells()](const Frontier& f, double length) {
                const double on = octile_cost(f.goal, point) / static_cast<double>(straight_cost);
                return now + (length + on) / v > m.time ? 1e-20 : 1.0;
            };
        target_ = bidding_.choose(belief, terms, &why_);
    }

    void propose_meeting(const Belief& belief) {
        agreed_at_ = -1;
        MeetingQuery query;
        const Lattice& lattice = belief.map().lattice();
        RobotId parent = -1;
        const RoleNews* above = tree_.news_of(place().parent, &parent);
        const Place& upper = tree_.at(place().parent);
        query.child = belief.cell();
        query.parent = lattice.cell_of(belief.latest(parent).pose.position());
        query.child_speed = belief.speed_cells();
        const TeamMember& mate = belief.briefing().team()[static_cast<std::size_t>(parent)];
        query.parent_speed = speed_of(belief, parent);
        query.range_m = std::min(range_m(belief), mate.radio_range_m);
        query.turned_back = turned_back_;
        if (acts_as_relay()) {
            query.between = true;
            query.focus = below_.agreed().agreed() ? below_.agreed().parent_point : belief.cell();
            query.child_ready = below_.agreed().time;
        } else {
            choose_frontier(belief, true);
            if (!target_) return;
            query.focus = target_->goal;
            query.child_stays = options_.meetings.explore_steps;
        }
        if (options_.relays_explore)
            for (const Frontier& f : frontier_goals(belief, options_.bidding.goals))
                if (!target_ || f.goal != target_->goal) query.frontiers.push_back(f.goal);
        if (query.frontiers.size() > 6) query.frontiers.resize(6);
        const bool reports_to_base = tree_.at(upper.parent).role == Role::base;
        query.report = reports_to_base || !above->above.agreed() ? home(belief) : above->above.child_point;
        query.parent_ready = reports_to_base ? 0 : above->above.time;
        MeetingPlan plan = plan_meeting(belief, options_.meetings, query);
        plan.meeting.id = (std::int64_t{belief.step()} + 1) << 20 | belief.self();
        above_.propose(plan.meeting);
        if (!belief.overlays_wanted()) return;
        candidates_ = std::move(plan.candidates);
        linked_ = std::move(plan.linked);
    }

    // --- speaking -----------------------------------------------------------------------------------------------

    RoleNews news(const Belief& belief) const {
        const std::optional<Cell> to = goal(belief);
        return {tree_.claims().claims().front(),
                state_,
                to.value_or(belief.cell()),
                sent_left_,
                below_.held(),
                above_.agreed(),
                below_.agreed()};
    }

    void speak(const Belief& belief, Intent& intent) {
        sent_left_ = 0;
        if (state_ == RoleState::return_to_parent && acts_as_relay() && !belief.inbox().empty()) {
            const Path& path = belief.path_to(*goal(belief));
            sent_left_ = path ? whole<std::int64_t>(path.cost_cells()) : 0;
        }
        intent.role = acts_as_relay() && state_ != RoleState::explore ? Role::relay : Role::explorer;
        intent.words = tree_.words(news(belief), belief.step());
        if (above_.proposal()) intent.words.push_back(proposal_word(*above_.proposal()));
        intent.strategy_events = happenings_;
    }

    void explain(const Belief& belief, Intent& intent) const {
        if (!belief.overlays_wanted()) return;
        const Lattice& lattice = belief.map().lattice();
        if (state_ == RoleState::explore) intent.overlays = why_;
        std::string text = std::string(acts_as_relay() ? "relay: " : "explorer: ") +
                           std::string(role_state_names[static_cast<std::size_t>(state_)]);
        if (tree_.number() != belief.self())
            text += ", in the place of " + belief.briefing().team()[static_cast<std::size_t>(tree_.number())].name;
        intent.overlays.push_back(Overlay::state(std::move(text)));
        if (place().parent >= 0) intent.overlays.push_back(reports_to(belief, tree_.holder(place().parent)));
        show_meeting(intent.overlays, lattice, above_.agreed(), "parent");
        show_meeting(intent.overlays, lattice, below_.agreed(), "child");
        show_candidates(intent.overlays, lattice, candidates_, linked_);
    }

    RoleBasedOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;

    RoleTree tree_;

    RoleState state_ = RoleState::initial;
    int entered_ = 0;
    ParentSide above_;
    ChildSide below_;
    int agreed_at_ = -1;         // the step in which the parent reported that it holds the newest meeting
    bool agreed_below_ = false;  // in this exchange
    bool parent_lost_ = false, child_lost_ = false;
    int late_ = 0;  // steps that the oldest message of this step took beyond one
    int failures_ = 0, failed_at_ = -1000, last_swap_ = -1000;
    std::int64_t sent_left_ = 0;

    std::optional<Frontier> target_;
    std::optional<Cell> wanted_;       // taken over with a role
    std::optional<Cell> turned_back_;  // where it left for the last meeting
    std::optional<Cell> wait_at_;
    MeetingTimer meeting_timer_;
    ExpectedPartner parent_coming_, child_coming_;

    std::vector<StrategyEvent> happenings_;
    std::vector<KeyPoint> candidates_;
    std::vector<Cell> linked_;
    std::vector<Overlay> why_;
};

OUTRIDER_STRATEGY("role_based", RoleBased)

}  // namespace
}  // namespace outrider::role_based_strategy
