// Positions by priority, handed out by a coach, and procedures: how CAMBADA's soccer team coordinates (Lau, Lopes,
// Corrente & Filipe, EPIA 2009), for exploration.
#include <algorithm>

#include "positions/layout.hpp"
#include "positions/procedure.hpp"
#include "shared/assignment.hpp"
#include "shared/chain.hpp"
#include "shared/election.hpp"
#include "shared/teamwork.hpp"
#include "shared/topics.hpp"

namespace outrider::positions_strategy {
namespace {

enum class Coach { base, elected };
constexpr std::array<std::string_view, 2> coach_names{"base", "elected"};

constexpr int coach_silent_steps = 20;
constexpr double keep_share = 0.8;
constexpr double home_m = 3;  // so near to home is at home

struct PositionsOptions {
    ReplanGuard::Options replan;
    MateOptions mates;
    GoalOptions goals{.goal_spacing = 0};
    Coach coach = Coach::elected;
    Election::Options election;
    int coach_steps = 10;
    std::string positions;
    double radius_m = 15, pull = 0.5, weight = 1;
    int gather_steps = 0;

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        goals.fields(f);
        f("coach", coach, coach_names,
          "who hands out positions: the first base station, which needs this strategy, too, or a robot that each "
          "connected "
          "component elects");
        election.fields(f);
        f("coach_steps", coach_steps, 1, 10000, "the coach hands out positions so often");
        f("positions", positions,
          "in order of priority, \"x y region pull, ...\": home in metres from the base, metres around its target in "
          "which it looks first (0: anywhere), and how far the target moves towards the frontiers (0 to 1); empty: one "
          "for each robot, on a circle");
        f("radius_m", radius_m, 0, 1e6, "of that circle");
        f("pull", pull, 0, 1, "of positions on the circle");
        f("weight", weight, 0, 100, "of a frontier's distance from the own target, against the path to it");
        f("gather_steps", gather_steps, 0, 1'000'000, "the coach calls all home so often; 0: never");
    }
};

class Positions final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "positions by priority that a coach hands out; each looks near its own, and all gather at home (CAMBADA)";
    using Options = PositionsOptions;
    explicit Positions(const Options& options) : options_(options), pursuit_(options.replan) {}

    void expect_fits(double, const std::string& where) const override { read_positions(options_.positions, where); }

    Intent choose(const Belief& belief, Rng& rng) override {
        begin(belief);
        elect(belief, rng);
        if (leads(belief)) {
            if (!assigned_at_ || belief.step() - *assigned_at_ >= options_.coach_steps) hand_out(belief);
            lead(belief);
        }
        Intent intent;
        if (belief.briefing().drives()) {
            const std::vector<StrategyEvent> events = take_position(belief);
            intent = act(belief);
            intent.strategy_events = events;
        }
        speak(belief, intent);
        return intent;
    }

  private:
    // Values {step, robot, position, robot, position, ...}.
    static constexpr std::uint32_t topic_assign = topic("posa"), topic_holds = topic("posh"),
                                   topic_procedure = topic("posp");

    void begin(const Belief& belief) {
        if (!positions_.empty()) return;
        positions_ = read_positions(options_.positions, "positions");
        std::size_t robots = 0;
        for (const TeamMember& member : belief.briefing().team()) robots += member.mobile && member.role != Role::base;
        if (positions_.empty())
            positions_ = circle_of_positions(std::max<std::size_t>(1, robots), options_.radius_m, options_.pull);
    }

    void elect(const Belief& belief, Rng& rng) {
        says_.clear();
        if (options_.coach != Coach::elected || !belief.briefing().drives()) return;
        if (!election_) election_.emplace(belief.self(), options_.election);
        std::vector<Election::Received> received;
        for (const auto& record : belief.team())
            if (record->robot != belief.self() && belief.in_contact(record->robot))
                for (const Word& word : record->words)
                    if (word.topic == topic_leader) received.push_back({record->robot, word.values});
        const Percept& percept = belief.percept();
        says_ =
            election_->step(belief.step(), received, {static_cast<int>(percept.links.size()), percept.battery}, rng);
    }
    /// -1: none is known.
    RobotId coach(const Belief& belief) const {
        if (election_) {  // whose words may have arrived damaged
            const RobotId leader = election_->leader();
            return leader < static_cast<RobotId>(belief.briefing().team().size()) ? leader : -1;
        }
        for (const TeamMember& member : belief.briefing().team())
            if (member.role == Role::base) return member.id;
        return -1;
    }
    bool leads(const Belief& belief) const {
        return election_ ? election_->office() == Office::leader : coach(belief) == belief.self();
    }

    /// Who is handed a position: robots heard lately, this one among them if it drives.
    std::vector<Participant> players(const Belief& belief) const {
        std::vector<Participant> team = participants(belief, options_.mates);
        if (!belief.briefing().drives())
            std::erase_if(team, [&](const Participant& p) { return p.robot == belief.self(); });
        return team;
    }
    std::vector<Point> targets(const Belief& belief) const {
        const Point focus = focus_of(belief.frontiers(), belief.map().lattice(), belief.home());
        std::vector<Point> out;
        for (const Position& p : positions_) out.push_back(target_of(p, belief.home(), focus));
        return out;
    }
    CostMatrix distances(const Belief& belief, const std::vector<Participant>& team) const {
        const std::vector<Point> at = targets(belief);
        CostMatrix costs(team.size(), at.size());
        for (std::size_t r = 0; r < team.size(); ++r)
            for (std::size_t c = 0; c < at.size(); ++c)
                costs(r, c) = distance(belief.map().lattice().centre(team[r].cell), at[c]);
        // Who holds a position keeps it unless another one is clearly nearer.
        for (std::size_t r = 0; r < team.size(); ++r)
            if (const int held = held_by(belief.latest(team[r].robot)); held >= 0 && held <= last())
                costs(r, static_cast<std::size_t>(held)) *= keep_share;
        return costs;
    }
    void hand_out(const Belief& belief) {
        assigned_at_ = belief.step();
        assignment_ = {belief.step()};
        std::vector<Participant> team = players(belief);
        CostMatrix costs = distances(belief, team);
        // Who is out of contact keeps what it held last.
        for (std::size_t r = 0; r < team.size(); ++r) {
            if (team[r].robot == belief.self() || belief.in_contact(team[r].robot)) continue;
            const int held = held_by(belief.latest(team[r].robot));
            for (std::size_t c = 0; c < positions_.size(); ++c) costs(r, c) = no_path;
            if (held < 0 || held > last()) continue;
            for (std::size_t k = 0; k < team.size(); ++k) costs(k, static_cast<std::size_t>(held)) = no_path;
        }
        const std::vector<int> chosen = by_priority(costs);
        for (std::size_t r = 0; r < team.size(); ++r) assignment_.insert(assignment_.end(), {team[r].robot, chosen[r]});
    }

    /// The position that the coach gave this robot lately; nothing: the coach is silent.
    std::optional<int> given(const Belief& belief) {
        const RobotId from = coach(belief);
        if (from < 0) return {};
        std::span<const std::int64_t> values = assignment_;
        if (from != belief.self())
            for (const Word& word : belief.latest(from).words)
                if (word.topic == topic_assign && word.values.size() % 2 == 1) values = word.values;
        if (values.empty() || (from != belief.self() && belief.step() - belief.latest(from).step > coach_silent_steps))
            return {};
        // All take theirs in the step in which the coach's message arrives; the coach waits for it.
        if (from == belief.self() && belief.step() <= *assigned_at_) return position_;
        for (std::size_t i = 1; i + 1 < values.size(); i += 2)
            if (values[i] == belief.self()) return std::clamp(received_number(values[i + 1]), -1, last());
        return -1;  // the coach has none for it: it is done
    }
    /// The place of this robot among those that drive.
    static int own_rank(const Belief& belief) {
        int rank = 0;
        for (const TeamMember& member : belief.briefing().team())
            rank += member.id < belief.self() && member.mobile && member.role != Role::base;
        return rank;
    }
    int last() const { return static_cast<int>(positions_.size()) - 1; }
    static int held_by(const TeamRecord& record) {
        for (const Word& word : record.words)
            if (word.topic == topic_holds && word.values.size() == 1) return received_number(word.values[0]);
        return -1;
    }

    /// As the coach says or, when it is silent, the most important position that no lower number holds.
    std::vector<StrategyEvent> take_position(const Belief& belief) {
        const int before = position_;
        if (const auto assigned = given(belief)) {
            position_ = *assigned;
            alone_ = false;
        } else {
            alone_ = true;
            const auto free = [&](int position) {
                std::vector<RobotId> holders;
                for (const auto& record : belief.team())
                    if (record->robot != belief.self() && held_by(*record) == position &&
                        belief.step() - record->step <= coach_silent_steps)
                        holders.push_back(record->robot);
                return may_hold(belief.self(), holders);
            };
            if (!begun_) {  // nobody was heard yet: by number
                begun_ = true;
                position_ = own_rank(belief) <= last() ? own_rank(belief) : -1;
            } else if (position_ < 0 || !free(position_)) {
                position_ = -1;
                for (int p = 0; p <= last() && position_ < 0; ++p)
                    if (free(p)) position_ = p;
            }
        }
        if (position_ == before) return {};
        return {{StrategyEvent::Kind::positioned, position_ + 1}};
    }

    /// The step in which the last gathering was to begin: all know the times beforehand. -1: there is none yet.
    int last_call(int now) const {
        const int every = options_.gather_steps;
        return every == 0 || now < every ? -1 : now - now % every;
    }
    /// As the coach: begins a gathering, continues and ends it.
    void lead(const Belief& belief) {
        const int now = belief.step(), call = last_call(now);
        if (!procedure_) {
            if (call < 0 || call <= ended_) return;
            procedure_ = ProcedureState{0, now};
        }
        ProcedureSigns signs{true, true, belief.percept().battery};
        for (const TeamMember& member : belief.briefing().team()) {
            if (!member.mobile || member.role == Role::base) continue;
            const TeamRecord& record = belief.latest(member.id);
            signs.all_in_contact = signs.all_in_contact && (member.id == belief.self() || belief.in_contact(member.id));
            signs.all_home = signs.all_home && distance(record.pose.position(), belief.home()) <= 2 * home_m;
        }
        procedure_ = advance(gathering(), *procedure_, now, signs);
        if (!procedure_) ended_ = now;
    }
    /// The step of the procedure that the coach announces; -1: none. Who does not hear the coach comes home, too, until
    /// that would be given up.
    int announced(const Belief& belief) {
        const int now = belief.step(), call = last_call(now);
        if (leads(belief)) return procedure_ ? procedure_->step : -1;
        const RobotId from = coach(belief);
        if (from >= 0 && now - belief.latest(from).step <= 1) {
            for (const Word& word : belief.latest(from).words)
                if (word.topic == topic_procedure && word.values.size() == 1) return received_number(word.values[0]);
            if (now > call + 1) ended_ = now;
            return -1;
        }
        const bool waits = call > ended_ && now - call <= gathering().steps[0].abort_steps;
        return waits ? 0 : -1;
    }

    Intent act(const Belief& belief) {
        const int step = announced(belief);
        const Part part = part_of(gathering(), step, leads(belief));
        Intent intent;
        if (part == Part::goes_on || belief.frontiers().empty()) {
            const auto candidates = [&](const Belief& b) { return frontier_goals(b, options_.goals); };
            intent = pursuit_.step(belief, candidates,
                                   [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
        } else if (part == Part::home) {
            intent.action = Goto{belief.home(), home_m, {}};
        }
        if (!belief.overlays_wanted()) return intent;
        std::string what = position_ < 0 ? "no position" : "position " + std::to_string(position_ + 1);
        if (alone_) what += ", the coach is silent";
        if (part != Part::goes_on)
            what += "; " + std::string(gathering().name) + ": " +
                    std::string(gathering().steps[static_cast<std::size_t>(step)].name);
        intent.overlays.push_back(Overlay::state(what));
        if (position_ >= 0)
            intent.overlays.push_back(Overlay::marks(Overlay::Meaning::goal, "goal of the position", "where it is now",
                                                     {targets(belief)[static_cast<std::size_t>(position_)]}));
        return intent;
    }

    /// The least way there plus weighted distance from the position's target; in its region first.
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        const Lattice& lattice = belief.map().lattice();
        PathSearch search = belief.search(belief.cell(), goals_of(frontiers));
        std::vector<double> values(frontiers.size(), -1);
        const Point target =
            position_ < 0 ? belief.pose().position() : targets(belief)[static_cast<std::size_t>(position_)];
        const double region_m = position_ < 0 ? 0 : positions_[static_cast<std::size_t>(position_)].region_m;
        int best = -1;
        bool best_inside = false;
        for (int f = search.find_next(); f >= 0; f = search.find_next()) {
            const auto i = static_cast<std::size_t>(f);
            const double off = distance(lattice.centre(frontiers[i].goal), target);
            values[i] = lattice.metres(search.cost(i) / static_cast<double>(straight_cost)) + options_.weight * off;
            const bool inside = region_m > 0 && off <= region_m;
            const bool better = best < 0 || (inside && !best_inside) ||
                                (inside == best_inside && values[i] < values[static_cast<std::size_t>(best)]);
            if (!better) continue;
            best = f;
            best_inside = inside;
        }
        if (belief.overlays_wanted())
            pursuit_.explain(
                {candidates_overlay(belief, frontiers, std::move(values), "path + distance from its position"),
                 Overlay::rule("the frontier near its position")});
        return best;
    }

    void speak(const Belief& belief, Intent& intent) const {
        if (!says_.empty()) intent.words.push_back({topic_leader, to_all, says_});
        if (leads(belief)) {
            intent.words.push_back({topic_assign, to_all, assignment_});
            if (procedure_) intent.words.push_back({topic_procedure, to_all, {procedure_->step}});
        }
        if (position_ >= 0) intent.words.push_back({topic_holds, to_all, {position_}});
    }

    PositionsOptions options_;
    Pursuit pursuit_;
    std::vector<Position> positions_;
    std::optional<Election> election_;      // none: the base is the coach
    std::vector<std::int64_t> says_;        // of the election
    std::vector<std::int64_t> assignment_;  // of the coach
    std::optional<int> assigned_at_;
    int position_ = -1;  // that this robot holds; -1: none
    bool alone_ = false, begun_ = false;
    std::optional<ProcedureState> procedure_;  // of the coach
    int ended_ = -1;                           // step in which the last gathering ended, as far as it knows
};

OUTRIDER_STRATEGY("positions", Positions)

}  // namespace
}  // namespace outrider::positions_strategy
