// Recurrent connectivity: connected with the base at every place of a plan, not in between (Banfi, Quattrini Li,
// Rekleitis, Amigoni & Basilico, "Strategies for coordinated multirobot exploration with recurrent connectivity
// constraints", Autonomous Robots 42(4), 2018).
#include <algorithm>
#include <cmath>
#include <limits>

#include "outrider/connected_set.hpp"
#include "outrider/gain.hpp"
#include "outrider/sites.hpp"
#include "outrider/teamwork.hpp"
#include "outrider/topics.hpp"
#include "outrider/transitions.hpp"

namespace outrider {
namespace {

enum class Group { all, ready };
constexpr std::array<std::string_view, 2> group_names{"all", "ready"};

struct RecurrentOptions {
    Group group = Group::all;
    int places = 150;
    double margin_db = 0;
    int repeats = 3;
    int patience_steps = 30;
    int lost_steps = 100;
    int first_random_steps = 3;

    void fields(Fields& f) {
        f("group", group, group_names,
          "plans are made for the whole team once all are connected, or for those that are while others still move");
        f("places", places, 1, 10000, "places considered, at most");
        f("margin_db", margin_db, 0, 100, "by so much more than the cutoff must an expected signal be");
        f("repeats", repeats, 1, 1000, "a frontier is given out so often from about the same place");
        f("patience_steps", patience_steps, 1, 100000,
          "who is not connected so long after all should have arrived drives home");
        f("lost_steps", lost_steps, 1, 100000, "a robot not heard for so long is not planned for");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first plan");
    }
};

/// What the planning robot tells the others: topic_plan.
struct Plan {
    struct Task {
        RobotId robot = 0;
        Cell place, look;  ///< equal: nothing to look at
    };
    std::int64_t id = 0;      ///< grows; 0: none
    int deadline = 0;         ///< step at which everybody should have arrived
    std::vector<Task> tasks;  ///< empty: nothing is left to explore

    std::vector<std::int64_t> values() const {
        std::vector<std::int64_t> out{id, deadline};
        for (const Task& t : tasks) out.insert(out.end(), {t.robot, t.place.x, t.place.y, t.look.x, t.look.y});
        return out;
    }
    static std::optional<Plan> read(const std::vector<std::int64_t>& v) {
        if (v.size() < 2 || (v.size() - 2) % 5 != 0) return {};
        Plan plan{v[0], static_cast<int>(v[1]), {}};
        const auto cell = [&](std::size_t i) {
            return Cell{static_cast<std::int32_t>(v[i]), static_cast<std::int32_t>(v[i + 1])};
        };
        for (std::size_t i = 2; i < v.size(); i += 5)
            plan.tasks.push_back({static_cast<RobotId>(v[i]), cell(i + 1), cell(i + 3)});
        return plan;
    }
};

/// What every robot tells the others of itself: topic_state.
struct News {
    Recurrent state = Recurrent::ready;
    int since = 0;        ///< step at which it came to stand there
    Cell place;           ///< where it is going, or stands
    bool failed = false;  ///< it is on its way home because nobody was to be heard there

    std::vector<std::int64_t> values() const {
        return {static_cast<std::int64_t>(state), since, place.x, place.y, failed};
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
            intent.motive = RandomStep{};
            news_.since = belief.step() + 1;
        } else {
            listen(belief);
            change_state(belief);
            intent = act(belief);
        }
        intent.words.push_back({topic_state, to_all, news_.values()});
        if (plan_.id > 0) intent.words.push_back({topic_plan, to_all, plan_.values()});
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
                if (word.topic == topic_plan) take(Plan::read(word.values));
                if (word.topic == topic_state && word.values.size() == 5 && word.values[4] != 0)
                    note_failure(
                        {static_cast<std::int32_t>(word.values[2]), static_cast<std::int32_t>(word.values[3])});
            }
        }
    }
    void take(std::optional<Plan> plan) {
        if (!plan || plan->id <= plan_.id) return;
        plan_ = std::move(*plan);
        new_plan_ = true;
        for (const Plan::Task& task : plan_.tasks)
            if (task.look != task.place) given_out_.push_back(task.place);
    }
    void note_failure(Cell place) {
        if (!failed(place)) failures_.push_back(place);
    }
    bool failed(Cell place) const {
        return std::any_of(failures_.begin(), failures_.end(), [&](Cell c) { return near(c, place); });
    }
    const Plan::Task* own_task(const Belief& belief) const {
        const auto mine = std::find_if(plan_.tasks.begin(), plan_.tasks.end(),
                                       [&](const Plan::Task& t) { return t.robot == belief.self(); });
        return mine == plan_.tasks.end() ? nullptr : &*mine;
    }

    void change_state(const Belief& belief) {
        looks_home_ = false;
        if (news_.state == Recurrent::ready && !new_plan_) make_plan(belief);
        const int now = belief.step(), lost_for = now - linked_step_;
        const bool home = distance(belief.home(), belief.pose().position()) < 1.5 * belief.map().lattice().cell_m ||
                          !belief.nav().reached(belief.map().lattice().cell_of(belief.home()));
        const Plan::Task* task = new_plan_ ? own_task(belief) : nullptr;
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
                return {.motive = looks_home_ ? LookHome::towards(belief) : Stay{face}};
            case Recurrent::hold:
                return {.motive = Stay{face}};
            case Recurrent::move:
                return {.motive = Goto{lattice.centre(news_.place), 0, face}};
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

    // Planning: done by the robot with the lowest number of those that are planned for.

    struct Party {
        std::vector<RobotId> robots;  ///< to be planned for
        std::vector<Cell> fixed;      ///< places of robots that are on their way
        bool everybody = true;        ///< nobody is missing
    };

    static std::optional<News> heard_news(const Belief& belief, RobotId robot) {
        for (const Word& word : belief.latest(robot).words)
            if (word.topic == topic_state && word.values.size() == 5)
                return News{static_cast<Recurrent>(word.values[0]),
                            static_cast<int>(word.values[1]),
                            {static_cast<std::int32_t>(word.values[2]), static_cast<std::int32_t>(word.values[3])},
                            word.values[4] != 0};
        return {};
    }

    /// The other robots that take part, with their last news; none: it has not said anything yet. On its way to a
    /// place of the plan a robot may be silent for longer.
    std::vector<std::pair<RobotId, std::optional<News>>> mates(const Belief& belief) const {
        std::vector<std::pair<RobotId, std::optional<News>>> out;
        for (const RobotId robot : present_team(belief, belief.step() + 1)) {
            if (robot == belief.self()) continue;
            const bool tasked = std::any_of(plan_.tasks.begin(), plan_.tasks.end(),
                                            [&](const Plan::Task& t) { return t.robot == robot; });
            const int silent = belief.step() - belief.latest(robot).step;
            if (silent > options_.lost_steps && !(tasked && belief.step() <= plan_.deadline + options_.lost_steps))
                continue;
            const auto news = heard_news(belief, robot);
            const bool other_strategy = !news && belief.latest(robot).seq > 0;
            if (other_strategy || (news && news->state == Recurrent::finished)) continue;
            out.emplace_back(robot, news);
        }
        return out;
    }

    /// Whether a base station was heard since all stood still, or is a direct neighbour.
    static bool base_heard_since(const Belief& belief, int step) {
        const auto base = home_base(belief);
        if (!base || belief.latest(*base).step >= step) return true;
        const auto& links = belief.percept().links;
        return std::any_of(links.begin(), links.end(), [&](const LinkReport& l) { return l.robot == *base; });
    }

    /// Everybody, once all stand and each was heard since, with the base: what was said since then came through a
    /// network that does not change any more, so the base knows a step later what they know now.
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
        if (!base_heard_since(belief, standing_since)) return {};
        return party;
    }

    /// Those that are ready and in contact right now, with the base; the others keep their places.
    std::optional<Party> ready_ones(const Belief& belief) const {
        Party party{{belief.self()}, {}, true};
        const int planned_at = static_cast<int>(plan_.id >> 20);
        const auto all = mates(belief);
        for (const auto& [robot, news] : all) {
            if (!news) return {};
            const auto task = std::find_if(plan_.tasks.begin(), plan_.tasks.end(),
                                           [r = robot](const Plan::Task& t) { return t.robot == r; });
            const bool unaware = task != plan_.tasks.end() && news->since <= planned_at &&
                                 belief.step() <= planned_at + 5;  // has not heard its task yet
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
        if (!base_heard_since(belief, belief.step() - 1)) return {};
        return party;
    }

    void make_plan(const Belief& belief) {
        const auto party = options_.group == Group::all ? whole_team(belief) : ready_ones(belief);
        if (!party) return;
        Plan plan{std::int64_t{belief.step()} << 20 | belief.self(), belief.step(), {}};
        const std::vector<Site> chosen = choose_sites(belief, *party);
        if (chosen.empty() && !party->everybody) return;  // with those that are missing there may be more in reach
        looks_home_ = chosen.empty() && look_home_.due(belief);
        if (looks_home_) return;
        if (!chosen.empty()) share_out(belief, *party, chosen, plan);
        take(std::move(plan));
    }

    struct Site {
        Cell place, look;
        double gain = 0;
    };

    /// First stage: places that are all linked with the base, and with those of robots on their way.
    std::vector<Site> choose_sites(const Belief& belief, const Party& party) {
        const double range = sensor_range_cells(belief);
        std::vector<Site> sites{{belief.map().lattice().cell_of(belief.home()), {}, 0}};
        for (const Cell place : party.fixed) sites.push_back({place, place, 0});
        const std::size_t first = sites.size();
        const std::vector<Frontier> frontiers = candidate_frontiers(belief);
        for (const Cell place :
             standing_places(belief, relay_spacing(belief), static_cast<std::size_t>(options_.places)))
            if (belief.nav().reached(place) && !failed(place)) sites.push_back({place, place, 0});
        for (const Frontier& f : frontiers) {
            const auto at = std::find_if(sites.begin() + static_cast<std::ptrdiff_t>(first), sites.end(),
                                         [&](const Site& s) { return s.place == f.goal; });
            const auto times =
                std::count_if(given_out_.begin(), given_out_.end(), [&](Cell c) { return near(c, f.goal); });
            if (at == sites.end() || times >= options_.repeats) continue;
            at->look = f.look;
            at->gain = std::max(f.area, unknown_in_sight(belief.map(), f.goal, range));
        }
        Neighbours graph(sites.size());
        for (std::size_t i = 0; i < sites.size(); ++i)
            for (std::size_t k = i + 1; k < sites.size(); ++k) {
                const RobotId from = i == 0 ? home_base(belief).value_or(belief.self()) : belief.self();
                if (!should_hear_well(belief, from, sites[i].place, belief.self(), sites[k].place, options_.margin_db))
                    continue;
                graph[i].push_back(static_cast<int>(k));
                graph[k].push_back(static_cast<int>(i));
            }
        std::vector<double> gain;
        for (const Site& s : sites) gain.push_back(s.gain);
        std::vector<int> terminals;
        for (std::size_t i = 1; i < first; ++i) terminals.push_back(static_cast<int>(i));
        explain_sites(belief, sites);
        const auto left = [&](int a, int b) {  // two robots that look at the same from nearby see little more than one
            const double apart = std::sqrt(static_cast<double>(
                squared_distance(sites[static_cast<std::size_t>(a)].place, sites[static_cast<std::size_t>(b)].place)));
            return std::min(1.0, apart / (2 * range));
        };
        std::vector<Site> out;
        const std::vector<int> set =
            grow_connected(graph, 0, std::move(gain), terminals, party.robots.size() + party.fixed.size(), left);
        bool any_gain = false;
        for (const int i : set) {
            const auto index = static_cast<std::size_t>(i);
            any_gain = any_gain || sites[index].gain > 0;
            if (index >= first && out.size() < party.robots.size()) out.push_back(sites[index]);
        }
        return any_gain ? out : std::vector<Site>{};
    }

    /// Second stage: the longest way is as short as can be. Who gets no place joins the nearest one, or drives home.
    static void share_out(const Belief& belief, const Party& party, const std::vector<Site>& chosen, Plan& plan) {
        const Lattice& lattice = belief.map().lattice();
        std::vector<Cell> places;
        for (const Site& s : chosen) places.push_back(s.place);
        places.push_back(lattice.cell_of(belief.home()));
        std::vector<std::vector<double>> ways;  // in steps
        for (const RobotId robot : party.robots) {
            PathSearch search = belief.search(last_cell(belief, robot), places);
            const double speed_mps = belief.briefing().team()[static_cast<std::size_t>(robot)].speed_mps;
            const double speed = std::max(0.1, lattice.cells(speed_mps * belief.briefing().step_s));
            ways.emplace_back();
            for (std::size_t i = 0; i < places.size(); ++i)
                ways.back().push_back(search.find(i) == PathStatus::found
                                          ? search.cost(i) / double(straight_cost) / speed
                                          : std::numeric_limits<double>::infinity());
        }
        const std::vector<int> robot_at = bottleneck_assignment(ways, chosen.size());
        double longest = 0;
        for (std::size_t r = 0; r < party.robots.size(); ++r) {
            const auto given = std::find(robot_at.begin(), robot_at.end(), static_cast<int>(r));
            auto i = static_cast<std::size_t>(given - robot_at.begin());
            if (given == robot_at.end())
                i = static_cast<std::size_t>(std::min_element(ways[r].begin(), ways[r].end()) - ways[r].begin());
            if (std::isinf(ways[r][i])) continue;
            longest = std::max(longest, ways[r][i]);
            const bool looks = i < chosen.size() && given != robot_at.end();
            plan.tasks.push_back({party.robots[r], places[i], looks ? chosen[i].look : places[i]});
        }
        constexpr int slack_steps = 10;
        plan.deadline = belief.step() + static_cast<int>(longest) + slack_steps;
    }

    void explain_sites(const Belief& belief, const std::vector<Site>& sites) {
        if (!belief.overlays_wanted()) return;
        Overlay overlay{Overlay::Kind::points, "candidates", {}, {}, "unknown area in sight, cells; 0: only to relay"};
        for (const Site& s : sites) {
            overlay.points.push_back(belief.map().lattice().centre(s.place));
            overlay.values.push_back(s.gain);
        }
        why_ = {std::move(overlay)};
    }

    void explain(const Belief& belief, std::vector<Overlay>& overlays) const {
        overlays = why_;
        Overlay places{Overlay::Kind::points, "plan", {}, {}, "places of the newest plan"};
        for (const Plan::Task& task : plan_.tasks) places.points.push_back(belief.map().lattice().centre(task.place));
        overlays.push_back(std::move(places));
        overlays.push_back({Overlay::Kind::text,
                            "state",
                            {},
                            {},
                            std::string(recurrent_names[static_cast<std::size_t>(news_.state)])});
    }

    RecurrentOptions options_;
    News news_;
    Cell look_;
    Plan plan_;  // the newest one heard or made
    bool new_plan_ = false;
    int linked_step_ = 0;          // step of the last contact with the base
    std::vector<Cell> failures_;   // places from which nobody was to be heard
    std::vector<Cell> given_out_;  // frontiers of all plans
    LookHome look_home_;
    bool looks_home_ = false;   // in this step, before it says that nothing is left
    std::vector<Overlay> why_;  // of the last plan made here
};

OUTRIDER_STRATEGY("recurrent", RecurrentConnectivity)

}  // namespace
}  // namespace outrider
