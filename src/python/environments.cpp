#include <deque>

#include "base/parallel.hpp"
#include "learning/episode.hpp"
#include "outrider/error.hpp"
#include "pictures/picture.hpp"
#include "python/bindings.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider::python {
namespace {

/// A numpy array that Python reads and this side fills, with room for so many numbers per environment.
template <class T>
struct Array {
    py::array_t<T> array;
    std::span<T> all;
    std::size_t per_environment = 1;

    Array() = default;
    Array(int environments, std::vector<py::ssize_t> shape) {
        for (const py::ssize_t n : shape) per_environment *= static_cast<std::size_t>(n);
        shape.insert(shape.begin(), environments);
        array = py::array_t<T>(shape);
        all = {array.mutable_data(), static_cast<std::size_t>(array.size())};
        std::fill(all.begin(), all.end(), T{});
    }
    std::span<T> of(int environment) const {
        return all.subspan(static_cast<std::size_t>(environment) * per_environment, per_environment);
    }
    /// The part of an agent; `agents`: how many there are.
    std::span<T> of(int environment, int agent, int agents) const {
        const std::size_t size = per_environment / static_cast<std::size_t>(agents);
        return of(environment).subspan(static_cast<std::size_t>(agent) * size, size);
    }
};

/// Environments that take their steps together, with one set of arrays.
class Environments {
  public:
    Environments(const Wanted& wanted, int count, const AgentOptions& options, bool frontiers, int threads)
        : options_(options), with_frontiers_(frontiers), threads_(get_threads(threads)) {
        if (count < 1) fail("num_envs: expected 1 or more, got {}", count);
        const Scenarios scenarios = scenarios_of(wanted, notes_);
        seed_ = scenarios.seed;
        for (int e = 0; e < count; ++e) episodes_.emplace_back(scenarios.make, options);
        episodes_[0].reset(seed_);
        allocate();
        fill(0);
    }
    Environments(const Environments&) = delete;
    Environments& operator=(const Environments&) = delete;

    /// Begins episodes anew: those of `which`, with these seeds.
    void reset(const std::vector<int>& which, const std::vector<std::uint64_t>& seeds) {
        if (which.size() != seeds.size()) fail("reset: expected as many seeds as environments");
        end_moment();
        for (const int e : which) expect_environment(e);
        const py::gil_scoped_release released;
        in_parallel(static_cast<int>(which.size()), [&](int k) {
            const int e = which[static_cast<std::size_t>(k)];
            episodes_[static_cast<std::size_t>(e)].reset(seeds[static_cast<std::size_t>(k)]);
            fill(e);
        });
    }
    /// Another scenario for an environment, from its next reset on.
    void reset_to(int environment, std::uint64_t seed, py::object scenario, py::dict settings,
                  std::optional<std::string> strategy) {
        end_moment();
        expect_environment(environment);
        const Scenarios scenarios =
            scenarios_of({std::move(scenario), std::move(settings), std::move(strategy), {}}, notes_);
        const py::gil_scoped_release released;
        episodes_[static_cast<std::size_t>(environment)].reset(seed, scenarios.make);
        fill(environment);
    }

    /// An episode up to now: its seed, calls of step(), and (call, agent, what it was told).
    using Saved = std::tuple<std::uint64_t, int, std::vector<std::tuple<int, int, decltype(EpisodeChoice::what)>>>;
    Saved save(int environment) const {
        expect_environment(environment);
        const EpisodeHistory& history = episodes_[static_cast<std::size_t>(environment)].history();
        Saved out{history.seed, history.steps, {}};
        for (const auto& [step, agent, what] : history.choices) std::get<2>(out).emplace_back(step, agent, what);
        return out;
    }
    /// Takes the steps of saved episodes again. The arrays are left to the caller, who saved their rows.
    void restore(const std::vector<int>& which, const std::vector<Saved>& saved) {
        if (which.size() != saved.size()) fail("restore: expected as many episodes as environments");
        std::vector<EpisodeHistory> histories;
        for (const auto& [seed, steps, choices] : saved) {
            histories.push_back({seed, steps, {}});
            for (const auto& [step, agent, what] : choices) {
                expect_agent(which[histories.size() - 1], agent);
                histories.back().choices.push_back({step, agent, what});
            }
        }
        end_moment();
        const py::gil_scoped_release released;
        in_parallel(static_cast<int>(which.size()), [&](int k) {
            episodes_[static_cast<std::size_t>(which[static_cast<std::size_t>(k)])].replay(
                histories[static_cast<std::size_t>(k)]);
        });
    }

    /// An intent in place of an action, for an agent that is due.
    void decide(int environment, int agent, const py::object& intent) {
        expect_agent(environment, agent);
        episodes_[static_cast<std::size_t>(environment)].decide(agent, intent_of(intent));
    }
    /// What an agent knows, until the next step.
    BeliefView belief(int environment, int agent) const {
        expect_agent(environment, agent);
        return {episodes_[static_cast<std::size_t>(environment)].belief(agent), moment_};
    }

    /// Steps of those environments that are not over, until some agent of each is due again. actions: int64 (n, agents)
    /// or float64 (n, agents, 2).
    void step(const py::array& actions) {
        const bool discrete = episodes_[0].actions() > 0;
        std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(episodes_.size()), agents_};
        if (!discrete) shape.push_back(2);
        const bool whole = actions.dtype().kind() == 'i' || actions.dtype().kind() == 'u';
        const bool fits = std::equal(shape.begin(), shape.end(), actions.shape(), actions.shape() + actions.ndim());
        if (!fits || (discrete && !whole))
            fail("actions: expected {} of shape ({}), got {} of shape ({})", discrete ? "whole numbers" : "numbers",
                 fmt::join(shape, ", "), std::string(py::str(actions.dtype())),
                 fmt::join(actions.shape(), actions.shape() + actions.ndim(), ", "));
        const auto chosen = discrete ? py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(actions)
                                     : py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>();
        const auto values = discrete ? py::array_t<double, py::array::c_style | py::array::forcecast>()
                                     : py::array_t<double, py::array::c_style | py::array::forcecast>(actions);
        const std::int64_t* choices = discrete ? chosen.data() : nullptr;
        const double* numbers = discrete ? nullptr : values.data();
        const auto each = [&](int e, auto&& use) {
            Episode& episode = episodes_[static_cast<std::size_t>(e)];
            for (int a = 0; a < agents_; ++a) {
                if (episode.outcome().over() || !episode.due(a)) continue;
                const std::ptrdiff_t at = std::ptrdiff_t{e} * agents_ + a;
                if (choices)
                    use(episode, a, choices[at]);
                else
                    use(episode, a, std::array{numbers[2 * at], numbers[2 * at + 1]});
            }
        };
        end_moment();
        const py::gil_scoped_release released;
        for (int e = 0; e < std::ssize(episodes_); ++e)  // before anything moves
            each(e, [&](const Episode& episode, int a, const auto& action) {
                try {
                    episode.expect_valid(a, action);
                } catch (const Error& error) {
                    fail("environment {}: {}", e, error.what());
                }
            });
        in_parallel(static_cast<int>(episodes_.size()), [&](int e) {
            Episode& episode = episodes_[static_cast<std::size_t>(e)];
            if (episode.outcome().over()) return;
            each(e, [](Episode& of, int a, const auto& action) { of.choose(a, action); });
            episode.step();
            fill(e);
        });
    }

    py::dict arrays() const {
        py::dict out;
        out["due"] = due_.array;
        out["alive"] = alive_.array;
        out["settled"] = settled_.array;
        out["terms"] = terms_.array;
        out["since"] = since_.array;
        out["waited"] = waited_.array;
        out["terminated"] = terminated_.array;
        out["truncated"] = truncated_.array;
        out["steps"] = steps_.array;
        out["team_share"] = team_share_.array;
        out["way_m"] = way_m_.array;
        out["own"] = own_.array;
        if (options_.action == AgentAction::frontier || with_frontiers_) out["mask"] = mask_.array;
        if (options_.action == AgentAction::node) out["slots"] = slots_.array;
        if (with_frontiers_) out["frontiers"] = frontiers_.array;
        if (options_.window) out["window"] = window_.array;
        if (options_.graph) {
            out["nodes"] = nodes_.array;
            out["neighbours"] = neighbours_.array;
            out["node_mask"] = node_mask_.array;
            out["node"] = node_.array;
        }
        return out;
    }
    std::vector<std::string> agents() const {
        std::vector<std::string> names;
        for (int a = 0; a < agents_; ++a) names.push_back(episodes_[0].belief(a).briefing().me().name);
        return names;
    }
    std::pair<double, double> bounds(int agent) const {
        const auto most = episodes_[0].mind(agent).bounds(episodes_[0].belief(agent));
        return {most[0], most[1]};
    }
    /// Truth, for centralised critics: walls, cells known to the team, robots, bases.
    py::array_t<std::uint8_t> state(int environment) const {
        expect_environment(environment);
        const Simulation& sim = episodes_[static_cast<std::size_t>(environment)].simulation();
        const Grid<std::uint8_t>& walls = sim.scenario().walls;
        const py::ssize_t width = walls.width(), height = walls.height();
        py::array_t<std::uint8_t> out({py::ssize_t{4}, height, width});
        auto at = out.mutable_unchecked<3>();
        const Cell origin = sim.scenario().team_origin();
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const Cell c = Cell{x, y} - origin;
                at(0, y, x) = walls[{x, y}];
                at(1, y, x) = std::any_of(sim.team().begin(), sim.team().end(),
                                          [&](const Robot& r) { return r.map().state(c) != CellState::unknown; });
                at(2, y, x) = at(3, y, x) = 0;
            }
        const auto& bodies = sim.driver().world().bodies();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const Cell c = sim.briefings()[i].lattice.cell_of(bodies[i].pose.position()) + origin;
            if (c.x < 0 || c.y < 0 || c.x >= width || c.y >= height) continue;
            at(sim.briefings()[i].is_base() ? 3 : 2, c.y, c.x) = 1;
        }
        return out;
    }
    /// Picture of what the team knows: uint8 (height, width, 3).
    py::array_t<std::uint8_t> render(int environment) const {
        expect_environment(environment);
        const Simulation& sim = episodes_[static_cast<std::size_t>(environment)].simulation();
        const std::vector<std::vector<Point>> no_tracks(sim.team().size());
        scene::Stage stage(sim.scenario());
        const Raster raster = draw_run(moment_of(sim, no_tracks, stage), fmt::format("step {}", sim.progress().steps));
        py::array_t<std::uint8_t> out({py::ssize_t{raster.height}, py::ssize_t{raster.width}, py::ssize_t{3}});
        std::copy(raster.values.begin(), raster.values.end(), out.mutable_data());
        return out;
    }
    /// How many actions of whole numbers an agent has; 0: actions are pairs of numbers.
    int actions() const { return episodes_[0].actions(); }
    std::uint64_t seed() const { return seed_; }
    std::string digest(int environment) const {
        expect_environment(environment);
        return episodes_[static_cast<std::size_t>(environment)].simulation().progress().digest.hex();
    }

  private:
    void expect_environment(int e) const {
        if (e < 0 || e >= std::ssize(episodes_)) fail("environment {}: expected 0 to {}", e, episodes_.size() - 1);
    }
    void expect_agent(int e, int a) const {
        expect_environment(e);
        if (a < 0 || a >= agents_) fail("agent {}: expected 0 to {}", a, agents_ - 1);
    }
    /// Beliefs that were given out may not be used any more.
    void end_moment() {
        *moment_ = false;
        moment_ = std::make_shared<bool>(true);
    }
    template <class Part>
    void in_parallel(int count, Part&& part) {
        const ThreadLimit limit(threads_);
        parallel_for(count, part);
    }
    void allocate() {
        const auto count = static_cast<int>(episodes_.size());
        agents_ = episodes_[0].agents();
        const py::ssize_t agents = agents_, most = options_.frontiers;
        due_ = {count, {agents}};
        alive_ = {count, {agents}};
        waited_ = {count, {agents}};
        settled_ = {count, {agents}};
        terms_ = {count, {agents, py::ssize_t{reward_term_names.size()}}};
        since_ = {count, {agents, py::ssize_t{reward_term_names.size()}}};
        terminated_ = {count, {}};
        truncated_ = {count, {}};
        steps_ = {count, {}};
        team_share_ = {count, {}};
        way_m_ = {count, {}};
        own_ = {count, {agents, py::ssize_t{own_feature_names.size()}}};
        mask_ = {count, {agents, most}};
        if (options_.action == AgentAction::node) slots_ = {count, {agents, py::ssize_t{PlaceGraph::neighbours}}};
        if (with_frontiers_) frontiers_ = {count, {agents, most, py::ssize_t{frontier_feature_names.size()}}};
        if (options_.window) {
            const py::ssize_t side = options_.window->pixels;
            window_ = {count, {agents, py::ssize_t{window_channel_names.size()}, side, side}};
        }
        if (options_.graph) {
            const py::ssize_t nodes = options_.graph->most;
            nodes_ = {count, {agents, nodes, py::ssize_t{place_feature_names.size()}}};
            neighbours_ = {count, {agents, nodes, py::ssize_t{PlaceGraph::neighbours}}};
            node_mask_ = {count, {agents, nodes}};
            node_ = {count, {agents, py::ssize_t{1}}};
        }
    }
    /// What an environment shows now; of agents that are not due the observations stay.
    void fill(int e) {
        const Episode& episode = episodes_[static_cast<std::size_t>(e)];
        const EpisodeOutcome& outcome = episode.outcome();
        terminated_.of(e)[0] = outcome.terminated;
        truncated_.of(e)[0] = outcome.truncated;
        steps_.of(e)[0] = outcome.steps;
        team_share_.of(e)[0] = outcome.team_share;
        way_m_.of(e)[0] = outcome.way_m;
        for (int a = 0; a < agents_; ++a) {
            const bool due = episode.due(a);
            due_.of(e, a, agents_)[0] = due;
            alive_.of(e, a, agents_)[0] = episode.alive(a);
            waited_.of(e, a, agents_)[0] = episode.since_decision(a);
            settled_.of(e, a, agents_)[0] = episode.settled(a);
            std::ranges::copy(episode.terms(a), terms_.of(e, a, agents_).begin());
            std::ranges::copy(episode.terms_since(a), since_.of(e, a, agents_).begin());
            if (due || outcome.steps == 0) observe(e, a);
        }
    }
    void observe(int e, int a) {
        Episode& episode = episodes_[static_cast<std::size_t>(e)];
        const Belief& belief = episode.belief(a);
        Agent::Observation out{};
        out.own = own_.of(e, a, agents_);
        out.mask = mask_.of(e, a, agents_);
        if (with_frontiers_) out.frontiers = frontiers_.of(e, a, agents_);
        if (options_.window) out.window = window_.of(e, a, agents_);
        if (options_.graph) {
            out.graph = {nodes_.of(e, a, agents_), neighbours_.of(e, a, agents_), node_mask_.of(e, a, agents_)};
            out.node = node_.of(e, a, agents_);
        }
        if (options_.action == AgentAction::node) out.slots = slots_.of(e, a, agents_);
        episode.mind(a).observe(belief, out);
    }

    AgentOptions options_;
    bool with_frontiers_;
    std::shared_ptr<ThreadLimit::Arena> threads_;
    Notes notes_;
    std::uint64_t seed_ = 1;
    Validity moment_ = std::make_shared<bool>(true);
    std::deque<Episode> episodes_;
    int agents_ = 0;
    Array<std::uint8_t> due_, alive_, settled_, terminated_, truncated_, window_;
    Array<std::int8_t> mask_, slots_, node_mask_;
    Array<std::int32_t> waited_, steps_, neighbours_, node_;
    Array<double> terms_, since_, team_share_, way_m_;
    Array<float> own_, frontiers_, nodes_;
};

template <std::size_t n>
py::tuple names_tuple(const std::array<std::string_view, n>& names) {
    py::tuple out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = py::str(std::string(names[i]));
    return out;
}

}  // namespace

void bind_environments(py::module_& module) {
    py::class_<Environments>(module, "Environments",
                             "Environments that take their steps together; see outrider.make_vec.")
        .def(py::init([](py::object scenario, py::dict settings, std::optional<std::string> strategy, int count,
                         const std::string& action, int most, std::optional<std::pair<int, int>> window,
                         std::optional<std::pair<int, double>> graph, std::vector<std::string> strategies, int every,
                         int patience_steps, bool frontiers, int threads) {
                 return std::make_unique<Environments>(
                     Wanted{std::move(scenario), std::move(settings), std::move(strategy), {}}, count,
                     agent_options(action, most, window, graph, std::move(strategies), every, patience_steps),
                     frontiers, threads);
             }),
             py::arg("scenario"), py::kw_only(), py::arg("settings"), py::arg("strategy"), py::arg("count"),
             py::arg("action"), py::arg("most"), py::arg("window"), py::arg("graph"), py::arg("strategies"),
             py::arg("every"), py::arg("patience_steps"), py::arg("frontiers"), py::arg("threads"))
        .def("reset", &Environments::reset, py::arg("which"), py::arg("seeds"))
        .def("reset_to", &Environments::reset_to, py::arg("environment"), py::arg("seed"), py::arg("scenario"),
             py::arg("settings"), py::arg("strategy"))
        .def("step", &Environments::step, py::arg("actions"))
        .def("save", &Environments::save, py::arg("environment"))
        .def("restore", &Environments::restore, py::arg("which"), py::arg("saved"))
        .def("decide", &Environments::decide, py::arg("environment"), py::arg("agent"), py::arg("intent"))
        .def("belief", &Environments::belief, py::arg("environment"), py::arg("agent"))
        .def("state", &Environments::state, py::arg("environment"))
        .def("render", &Environments::render, py::arg("environment"))
        .def("digest", &Environments::digest, py::arg("environment"))
        .def("bounds", &Environments::bounds, py::arg("agent"))
        .def_property_readonly("actions", &Environments::actions)
        .def_property_readonly("arrays", &Environments::arrays)
        .def_property_readonly("agents", &Environments::agents)
        .def_property_readonly("seed", &Environments::seed);
    module.attr("frontier_features") = names_tuple(frontier_feature_names);
    module.attr("own_features") = names_tuple(own_feature_names);
    module.attr("place_features") = names_tuple(place_feature_names);
    module.attr("window_channels") = names_tuple(window_channel_names);
    module.attr("reward_terms") = names_tuple(reward_term_names);
    module.attr("max_feature") = max_feature;
}

}  // namespace outrider::python
