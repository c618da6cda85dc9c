// Recurrent connectivity: connected with the base at every place of a plan, not in between (Banfi, Quattrini Li,
// Rekleitis, Amigoni & Basilico, "Strategies for coordinated multirobot exploration with recurrent connectivity
// constraints", Autonomous Robots 42(4), 2018).
#include <algorithm>

#include "recurrent/recurrent_plan.hpp"
#include "shared/chain.hpp"
#include "shared/teamwork.hpp"
#include "shared/topics.hpp"

namespace outrider::recurrent_strategy {
namespace {

enum class Group { all, ready };
constexpr std::array<std::string_view, 2> group_names{"all", "ready"};

struct RecurrentOptions {
    Group group = Group::all;
    GoalOptions goals{.goal_spacing = 0};
    int places = 150;
    double margin_db = 0;
    int repeats = 3;
    int patience_steps = 30;
    int lost_steps = 100;
    int first_random_steps = 3;

    void fields(Fields& f) {
        f("group", group, group_names,
          "plans are made for the whole team once all are connected, or for those that are while others still move");
        goals.fields(f);
        f("places", places, 1, 10000, "places considered, at most");
        f("margin_db", margin_db, 0, 100, "by so much more than the cutoff must an expected signal be");
        f("repeats", repeats, 1, 1000, "a frontier is given out so often from about the same place");
        f("patience_steps", patience_steps, 1, 100000,
          "who is not connected so long after all should have arrived drives home");
        f("lost_steps", lost_steps, 1, 100000, "a robot silent for so long is not planned for");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first plan");
    }
};

bool near(Cell a, Cell b) { return squared_distance(a, b) <= 9; }

class RecurrentConnectivity final : public Strategy {
  public:
    static constexpr Traits traits{.needs_contact = true};
    static constexpr const char* summary = "places that are all linked to the base, planned anew once all are there";
    using Options = RecurrentOptions;
    explicit RecurrentConnectivity(const Options& options) : options_(options) {}

    Intent choose(const Belief& belief, Rng&) override {
        Intent intent;
        if (belief.step() < options_.first_random_steps) {
            intent.action = RandomStep{};
            news_.since = belief.step() + 1;
        } else {
            listen(belief);
            change_state(belief);
            intent = act(belief);
        }
        intent.words.push_back({topic_recurrent, to_all, news_.values()});
        if (plan_.id > 0) intent.words.push_back({topic_places, to_all, plan_.values()});
        if (belief.overlays_wanted()) explain(belief, intent.overlays);
        return intent;
    }

  private:
    void listen(const Belief& belief) {
        const auto base = home_base(belief);
        if (!base || linked_with(belief, *base)) linked_step_ = belief.step();
        new_plan_ = false;
        for (const auto& record : belief.team()) {
            if (record->robot == belief.self() || record->frame != belief.map().frame()) continue;
            for (const Word& word : record->words) {
                if (word.topic == topic_places) take(RecurrentPlan::read(word.values));
                if (word.topic == topic_recurrent && word.values.size() == 5 && word.values[4] != 0)
                    note_failure(received_cell(word.values, 2));
            }
        }
    }
    void take(std::optional<RecurrentPlan> plan) {
        if (!plan || plan->id <= plan_.id) return;
        plan_ = std::move(*plan);
        new_plan_ = true;
        for (const RecurrentPlan::Task& task : plan_.tasks)
            if (task.look != task.place) given_out_.push_back(task.place);
    }
    void note_failure(Cell place) {
        if (!failed(place)) failures_.push_back(place);
    }
    bool failed(Cell place) const {
        return std::any_of(failures_.begin(), failures_.end(), [&](Cell c) { return near(c, place); });
    }

    void change_state(const Belief& belief) {
        looks_home_ = false;
        if (news_.state == Recurrent::ready && !new_plan_) make_plan(belief);
        const int now = belief.step(), lost_for = now - linked_step_;
        const bool home = distance(belief.home(), belief.pose().position()) < 1.5 * belief.map().lattice().cell_m ||
                          !belief.nav().reached(belief.map().lattice().cell_of(belief.home()));
        const RecurrentPlan::Task* task = new_plan_ ? plan_.task_of(belief.self()) : nullptr;
        const bool nobody = news_.state == Recurrent::ready && home && lost_for >= options_.lost_steps;
        const Recurrent before = news_.state;
        const int deadline = before == Recurrent::move ? plan_.deadline + 2 * options_.patience_steps
                                                       : std::max(plan_.deadline, linked_step_);
        news_.state = next(before, {.plan = task != nullptr,
                                    .end = nobody || (plan_.id > 0 && plan_.tasks.empty()),
                                    .connected = lost_for <= 0,
                                    .arrived = belief.cell() == news_.place || belief.goal_unreachable(),
                                    .late = now > deadline + options_.patience_steps,
                                    .home = home});
        if (task) {
            news_.place = task->place;
            look_ = task->look;
            news_.failed = false;
        }
        if (news_.state == before) return;
        if (news_.state == Recurrent::ready) news_.since = now;
        if (news_.state == Recurrent::retreat) {
            news_.failed = before != Recurrent::ready;
            if (news_.failed) note_failure(news_.place);
        }
    }

    Intent act(const Belief& belief) {
        const Lattice& lattice = belief.map().lattice();
        const auto face = look_ != news_.place ? std::optional(lattice.centre(look_)) : std::nullopt;
        switch (news_.state) {
            case Recurrent::ready:
                return {.action = looks_home_ ? LookHome::towards(belief) : Stay{face}};
            case Recurrent::hold:
                return {.action = Stay{face}};
            case Recurrent::move:
                return {.action = Goto{lattice.centre(news_.place), 0, face}};
            case Recurrent::retreat: {
                Intent intent = go_home(belief);
                intent.done = false;
                return intent;
            }
            case Recurrent::finished:
                return go_home(belief);
        }
        return {};
    }

    // Planning: done by the robot with the lowest number of those planned for.

    struct Party {
        std::vector<RobotId> robots;  ///< to be planned for
        std::vector<Cell> fixed;      ///< places of robots that are on their way
        bool everybody = true;        ///< nobody is missing
    };

    /// The other robots that take part, with their last news; none: nothing was received from it yet. On its way to a
    /// place of the plan a robot may be silent for longer.
    std::vector<std::pair<RobotId, std::optional<RecurrentNews>>> mates(const Belief& belief) const {
        std::vector<std::pair<RobotId, std::optional<RecurrentNews>>> out;
        for (const RobotId robot : present_team(belief, belief.step() + 1)) {
            if (robot == belief.self()) continue;
            const bool tasked = plan_.task_of(robot) != nullptr;
            const int silent = belief.step() - belief.latest(robot).step;
            if (silent > options_.lost_steps && !(tasked && belief.step() <= plan_.deadline + options_.lost_steps))
                continue;
            const auto news = RecurrentNews::read(belief.latest(robot));
            const bool other_strategy = !news && belief.latest(robot).seq > 0;
            if (other_strategy || (news && news->state == Recurrent::finished)) continue;
            out.emplace_back(robot, news);
        }
        return out;
    }

    /// Whether a base station was heard since this step, or is a direct neighbour.
    static bool base_contact_since(const Belief& belief, int step) {
        const auto base = home_base(belief);
        if (!base || belief.latest(*base).step >= step) return true;
        const auto& links = belief.percept().links;
        return std::any_of(links.begin(), links.end(), [&](const LinkReport& l) { return l.robot == *base; });
    }

    /// The whole team, once all stand, each was heard since then, and base_contact_since(). Those messages came through
    /// a network that no longer changes, so one step later the base knows all that the robots know now.
    std::optional<Party> whole_team(const Belief& belief) const {
        Party party{{belief.self()}, {}, true};
        int standing_since = news_.since;
        for (const auto& [robot, news] : mates(belief)) {
            if (!news || news->state != Recurrent::ready || robot < belief.self()) return {};
            standing_since = std::max(standing_since, news->since);
            party.robots.push_back(robot);
        }
        for (const RobotId robot : party.robots)
            if (robot != belief.self() && belief.latest(robot).step < standing_since) return {};
        if (!base_contact_since(belief, standing_since)) return {};
        return party;
    }

    /// Those that are ready and in contact right now, with the base; the others keep their places.
    std::optional<Party> ready_ones(const Belief& belief) const {
        Party party{{belief.self()}, {}, true};
        const int planned_at = static_cast<int>(plan_.id >> 20);
        const auto all = mates(belief);
        for (const auto& [robot, news] : all) {
            if (!news) return {};
            const RecurrentPlan::Task* task = plan_.task_of(robot);
            // Has not received its task yet.
            const bool unaware = task && news->since <= planned_at && belief.step() <= planned_at + 5;
            if (unaware) {
                party.fixed.push_back(task->place);
            } else if (news->state == Recurrent::move || news->state == Recurrent::hold) {
                party.fixed.push_back(news->place);
            } else if (news->state == Recurrent::ready && belief.in_contact(robot)) {
                if (robot < belief.self()) return {};
                party.robots.push_back(robot);
            }
        }
        party.everybody = party.robots.size() == all.size() + 1;
        if (!base_contact_since(belief, belief.step() - 1)) return {};
        return party;
    }

    void make_plan(const Belief& belief) {
        const auto party = options_.group == Group::all ? whole_team(belief) : ready_ones(belief);
        if (!party) return;
        const SiteChoice choice =
            choose_linked_sites(belief, {party->robots, party->fixed, static_cast<std::size_t>(options_.places),
                                         options_.margin_db, options_.goals, [&](Cell place) { return !failed(place); },
                                         [&](Cell goal) { return !given_out_often(goal); }});
        explain_sites(belief, choice.considered);
        if (choice.sites.empty() && !party->everybody) return;  // more may be in reach with the missing robots
        looks_home_ = choice.sites.empty() && look_home_.due(belief);
        if (looks_home_) return;
        RecurrentPlan plan;
        plan.deadline = belief.step();
        if (!choice.sites.empty()) plan = share_out_sites(belief, party->robots, choice.sites);
        plan.id = std::int64_t{belief.step()} << 20 | belief.self();
        take(std::move(plan));
    }
    bool given_out_often(Cell goal) const {
        return std::count_if(given_out_.begin(), given_out_.end(), [&](Cell c) { return near(c, goal); }) >=
               options_.repeats;
    }

    void explain_sites(const Belief& belief, const std::vector<LinkedSite>& sites) {
        if (!belief.overlays_wanted()) return;
        Overlay overlay = Overlay::candidates("unknown area in sight, cells; 0: only to relay");
        for (const LinkedSite& s : sites) {
            overlay.points.push_back(belief.map().lattice().centre(s.place));
            overlay.values.push_back(s.gain);
        }
        why_ = {std::move(overlay)};
    }

    void explain(const Belief& belief, std::vector<Overlay>& overlays) const {
        overlays = why_;
        Overlay places = Overlay::marks(Overlay::Meaning::goal, "plan", "places of the newest plan");
        for (const RecurrentPlan::Task& task : plan_.tasks)
            places.points.push_back(belief.map().lattice().centre(task.place));
        overlays.push_back(std::move(places));
        overlays.push_back(Overlay::state(std::string(recurrent_names[static_cast<std::size_t>(news_.state)])));
    }

    RecurrentOptions options_;
    RecurrentNews news_;
    Cell look_;
    RecurrentPlan plan_;  // the newest one received or made
    bool new_plan_ = false;
    int linked_step_ = 0;          // step of the last contact with the base
    std::vector<Cell> failures_;   // places at which nothing was received from anybody
    std::vector<Cell> given_out_;  // frontiers of all plans
    LookHome look_home_;
    bool looks_home_ = false;   // in this step, before it reports that nothing is left
    std::vector<Overlay> why_;  // of the last plan made here
};

OUTRIDER_STRATEGY("recurrent", RecurrentConnectivity)

}  // namespace
}  // namespace outrider::recurrent_strategy
