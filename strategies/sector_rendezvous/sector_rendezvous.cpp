// Sectors and meetings at their borders, for open ground (after Wellman, Dawson, de Hoog & Anderson, "Using rendezvous
// to overcome communication limitations in multirobot exploration", IEEE SMC 2011).
#include <algorithm>
#include <utility>

#include "sector_rendezvous/sector_border.hpp"
#include "sector_rendezvous/sectors.hpp"
#include "shared/frontier_bidding.hpp"
#include "shared/sites.hpp"
#include "shared/teamwork.hpp"
#include "shared/transitions.hpp"

namespace outrider::sector_rendezvous_strategy {
namespace {

struct SectorOptions {
    ReplanGuard::Options replan;
    FrontierBidding::Options bidding;
    double overlap = 0.9;
    double pace = 0.5;
    int slack_steps = 30;
    int wait_steps = 60;
    int exchange_steps = 10;
    int courier_every = 2;
    int first_random_steps = 3;

    void fields(Fields& f) {
        replan.fields(f);
        bidding.fields(f);
        f("overlap", overlap, 0.1, 1, "rings are so many times as wide as the sensor sees to both sides");
        f("pace", pace, 0.01, 10, "expected share of the speed at which a ring is swept, to predict when it is done");
        f("slack_steps", slack_steps, 0, 100000, "a meeting is so long after both should have finished their rings");
        f("wait_steps", wait_steps, 1, 100000, "who came waits so long");
        f("exchange_steps", exchange_steps, 1, 1000,
          "partners stay together so long at most to agree on the next meeting");
        f("courier_every", courier_every, 0, 1000,
          "after so many meetings one of the two reports to the base; 0: never");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first choice");
    }
};

class SectorRendezvous final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "each robot explores a sector and meets its neighbours at the borders";
    using Options = SectorOptions;
    explicit SectorRendezvous(const Options& options)
        : options_(options), replan_(options.replan), bidding_(options.bidding) {}

    Intent choose(const Belief& belief, Rng&) override {
        if (!belief.briefing().drives()) return {.action = Stay{}, .done = true};  // it has no sector
        if (bounds_.empty()) divide(belief);
        listen(belief);
        Intent intent;
        if (belief.step() < options_.first_random_steps) {
            intent.action = RandomStep{};
        } else {
            happenings_.clear();
            propose(belief);
            change_state(belief);
            intent = act(belief);
            intent.strategy_events = happenings_;
        }
        for (const SectorBorder& border : borders_)
            for (Word& word : border.words()) intent.words.push_back(std::move(word));
        if (belief.overlays_wanted()) explain(belief, intent.overlays);
        return intent;
    }

  private:
    void divide(const Belief& belief) {
        std::vector<RobotId> robots;
        for (const TeamMember& member : belief.briefing().team())
            if (member.mobile && member.role != Role::base) robots.push_back(member.id);
        const auto n = static_cast<int>(robots.size());
        apex_ = belief.briefing().bases.empty() ? belief.home() : belief.briefing().bases.front().second.position();
        bounds_ = sector_bounds(apex_, belief.briefing().region, n);
        sector_ = static_cast<int>(std::find(robots.begin(), robots.end(), belief.self()) - robots.begin());
        const bool around = n > 2 && belief.briefing().region.empty();
        if (sector_ + 1 < n || around) {
            const int upper = (sector_ + 1) % n;
            borders_.emplace_back(robots[static_cast<std::size_t>(upper)], true, sector_);
        }
        if (sector_ > 0 || around) {
            const int lower = (sector_ + n - 1) % n;
            borders_.emplace_back(robots[static_cast<std::size_t>(lower)], false, lower);
        }
    }

    void listen(const Belief& belief) {
        for (SectorBorder& border : borders_)
            for (const Word& word : belief.latest(border.partner()).words)
                if (word.topic == topic_border && word.to == belief.self()) border.hear(word.values);
    }

    double ring_cells(const Belief& belief) const { return 2 * options_.overlap * sensor_range_cells(belief); }
    int ring_of(const Belief& belief, Cell c) const {
        const double r = distance(apex_, belief.map().lattice().centre(c));
        return whole(belief.map().lattice().cells(r) / ring_cells(belief));
    }

    /// Where no meeting is planned: at the end of the next ring whose meeting is at this border, once that ring should
    /// be swept.
    void propose(const Belief& belief) {
        for (SectorBorder& border : borders_) {
            if (!border.may_propose() || !belief.in_contact(border.partner())) continue;
            const int now = target_ ? ring_of(belief, target_->goal) : 0;
            const int ring = now + ((now + border.number()) % 2 == 0 ? 2 : 1);
            const double width = ring_cells(belief), r = width * ring, r0 = width * now;
            const double angle =
                bounds_[static_cast<std::size_t>(sector_ + 1)] - bounds_[static_cast<std::size_t>(sector_)];
            const double length = angle / 2 * (r * r - r0 * r0) / width;  // along the middle of the rings
            const int takes = whole(length / std::max(0.1, belief.speed_cells() * options_.pace));
            const auto [s, c] = sin_cos(bounds_[static_cast<std::size_t>(border.number() + 1)]);
            const Lattice& lattice = belief.map().lattice();
            const Cell place = lattice.cell_of(apex_ + Point{c, s} * lattice.metres(r));
            Meeting meeting;
            meeting.child_point = meeting.parent_point = meeting.backup = place;
            meeting.time = belief.step() + takes + options_.slack_steps;
            meeting.wait = options_.wait_steps;
            meeting.backup_time = meeting.end() + takes + options_.slack_steps;
            border.propose(meeting);
        }
    }

    /// The earliest of the coming meetings.
    SectorBorder* next_border() {
        SectorBorder* first = nullptr;
        for (SectorBorder& border : borders_)
            if (border.open() && (!first || border.agreed().time < first->agreed().time)) first = &border;
        return first;
    }

    /// Where to stand for a meeting: as near to its point as this robot can get. Computed every few steps.
    void find_meeting_place(const Belief& belief, const Meeting& meeting) {
        if (placed_at_ >= 0 && belief.step() - placed_at_ < 5) return;
        placed_at_ = belief.step();
        meeting_place_ = belief.cell();
        const auto off = [&](Cell c) { return squared_distance(c, meeting.child_point); };
        if (belief.nav().reached(meeting.child_point)) {
            meeting_place_ = meeting.child_point;
        } else {
            for (const Cell c : standing_places(belief, frontier_goals(belief, options_.bidding.goals),
                                                whole(sensor_range_cells(belief) / 4), 400))
                if (belief.nav().reached(c) && off(c) < off(meeting_place_)) meeting_place_ = c;
        }
        const Path& path = belief.path_to(meeting_place_);
        steps_there_ = path ? whole(path.length_cells() / std::max(0.1, belief.speed_cells())) : 0;
    }

    void change_state(const Belief& belief) {
        if (state_ == SectorState::sweep) {
            SectorBorder* border = next_border();
            meeting_ = border ? static_cast<int>(border - borders_.data()) : -1;
        }
        SectorSigns signs;
        if (meeting_ >= 0) {
            SectorBorder& border = borders_[static_cast<std::size_t>(meeting_)];
            const Meeting& m = border.agreed();
            const int now = belief.step();
            signs.linked = belief.in_contact(border.partner());
            if (state_ != SectorState::exchange) {
                // 1.5 times the straight distance: before that the exact path does not matter.
                const double straight =
                    distance(belief.map().lattice().centre(m.child_point), belief.pose().position());
                const double guess = 2 * belief.map().lattice().cells(straight) / std::max(0.1, belief.speed_cells());
                if (now + guess >= m.time) find_meeting_place(belief, m);
                signs.due = placed_at_ >= 0 && now + steps_there_ >= m.time && !finished_;
                signs.arrived = belief.cell() == meeting_place_ || belief.goal_unreachable();
                signs.over = now > m.end() || !border.open();
            }
            signs.settled = border.settled() || now >= since_ + options_.exchange_steps;
        }
        signs.carries = carries_;
        if (state_ == SectorState::courier)
            signs.reported = belief.base_in_contact() ? belief.delivered() : go_home(belief).done;
        enter(belief, next(state_, signs), signs);
    }

    void enter(const Belief& belief, SectorState now, const SectorSigns& signs) {
        const SectorState before = std::exchange(state_, now);
        if (before == now) return;
        const int waited = before == SectorState::wait ? belief.step() - since_ : 0;
        since_ = belief.step();
        if (waited > 0) happenings_.push_back({StrategyEvent::Kind::waited, waited});
        SectorBorder* border = meeting_ >= 0 ? &borders_[static_cast<std::size_t>(meeting_)] : nullptr;
        if (now == SectorState::exchange) {
            happenings_.push_back({StrategyEvent::Kind::met, 0});
            const std::int64_t id = border->agreed().id, every = options_.courier_every;
            // Every so many meetings, the two in turn.
            const bool lower = border->number() == sector_;
            carries_ = every > 0 && id % every == 0 && (id / every % 2 == 0) == lower && !belief.base_in_contact();
            border->close();
        } else if (signs.over && (before == SectorState::go || before == SectorState::wait) && border->open()) {
            happenings_.push_back({StrategyEvent::Kind::missed, 0});
            border->miss();
        }
        if (now == SectorState::sweep || now == SectorState::courier) placed_at_ = -1;
        if (now == SectorState::sweep) carries_ = false;
    }

    Intent act(const Belief& belief) {
        switch (state_) {
            case SectorState::go:
                return {.action = Goto{belief.map().lattice().centre(meeting_place_), 0, {}}};
            case SectorState::wait:
            case SectorState::exchange:
                return {};
            case SectorState::courier: {
                Intent intent = go_home(belief);
                intent.done = false;
                return intent;
            }
            case SectorState::sweep:
                break;
        }
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) target_ = select(belief);
        finished_ = !target_;
        return target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
    }

    /// The nearest frontier of the innermost ring of the own sector; when that is done, whatever the team has left.
    std::optional<Frontier> select(const Belief& belief) {
        const auto allowed = [&](const Frontier& f) { return !stall_.barred(belief, f.goal); };
        std::vector<Frontier> own;
        int ring = -1;
        for (const Frontier& f : frontier_goals(belief, options_.bidding.goals)) {
            const Point place = belief.map().lattice().centre(f.goal);
            if (!allowed(f) || sector_of(bounds_, apex_, place) != sector_) continue;
            const int at = ring_of(belief, f.goal);
            if (ring < 0 || at < ring) {
                ring = at;
                own.clear();
            }
            if (at == ring) own.push_back(f);
        }
        std::vector<Cell> goals;
        for (const Frontier& f : own) goals.push_back(f.goal);
        PathSearch search = belief.search(belief.cell(), goals);
        const int nearest = search.find_next();
        if (nearest >= 0) {
            if (belief.overlays_wanted()) {
                std::vector<double> paths;
                for (std::size_t i = 0; i < own.size(); ++i) paths.push_back(search.cost(i) / double(straight_cost));
                why_ = {candidates_overlay(belief, own, std::move(paths),
                                           "path in cells; but for the nearest a lower bound"),
                        Overlay::rule("the nearest frontier of the innermost ring of the own sector")};
            }
            return own[static_cast<std::size_t>(nearest)];
        }
        FrontierBidding::Terms terms;
        terms.allowed = allowed;
        if (target_) terms.previous = target_->goal;
        return bidding_.choose(belief, terms, &why_);
    }

    void explain(const Belief& belief, std::vector<Overlay>& overlays) const {
        if (state_ == SectorState::sweep) overlays = why_;
        const Lattice& lattice = belief.map().lattice();
        Overlay meetings = Overlay::marks(Overlay::Meaning::meeting, "rendezvous", "step of the meeting");
        for (const SectorBorder& border : borders_) {
            if (!border.open()) continue;
            meetings.points.push_back(lattice.centre(border.agreed().child_point));
            meetings.values.push_back(border.agreed().time);
        }
        overlays.push_back(std::move(meetings));
        for (const int side : {sector_, sector_ + 1}) {
            const auto [s, c] = sin_cos(bounds_[static_cast<std::size_t>(side)]);
            const Point end = apex_ + Point{c, s} * lattice.metres(3 * ring_cells(belief));
            overlays.push_back(Overlay::polyline(Overlay::Meaning::region, "sector", {apex_, end}));
        }
        overlays.push_back(Overlay::state(std::string(sector_state_names[static_cast<std::size_t>(state_)])));
    }

    SectorOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;
    Point apex_;                  // of all sectors: the first base, whichever is nearest later
    std::vector<double> bounds_;  // directions of the borders
    int sector_ = 0;
    std::vector<SectorBorder> borders_;
    SectorState state_ = SectorState::sweep;
    int since_ = 0;     // step at which it entered its state
    int meeting_ = -1;  // the border of the present meeting
    Cell meeting_place_;
    int placed_at_ = -1, steps_there_ = 0;
    bool carries_ = false;   // is to report to the base after this exchange
    bool finished_ = false;  // there is nothing left to explore
    std::optional<Frontier> target_;
    std::vector<StrategyEvent> happenings_;
    std::vector<Overlay> why_;  // of the last choice
};

OUTRIDER_STRATEGY("sector_rendezvous", SectorRendezvous)

}  // namespace
}  // namespace outrider::sector_rendezvous_strategy
