#include "python/environments.hpp"

#include "outrider/error.hpp"

namespace outrider::python {

Environments::Environments(const Wanted& wanted, int count, const AgentOptions& options, bool frontiers, int threads)
    : options_(options), with_frontiers_(frontiers), threads_(get_threads(threads)) {
    if (count < 1) fail("num_envs: expected 1 or more, got {}", count);
    const Scenarios scenarios = scenarios_of(wanted, notes_);
    seed_ = scenarios.seed;
    for (int e = 0; e < count; ++e) episodes_.emplace_back(scenarios.make, options);
    episodes_[0].reset(seed_);
    allocate(episodes_[0].agents());
    fill(0);
}

Environments::Environments(const Environments& other)
    : options_(other.options_),
      with_frontiers_(other.with_frontiers_),
      threads_(other.threads_),
      notes_(other.notes_),
      seed_(other.seed_) {
    for (const Episode& episode : other.episodes_) {
        std::optional<Episode> copy = episode.copy();
        if (!copy) refuse_copy();
        episodes_.push_back(std::move(*copy));
    }
    allocate(other.agents_);
    take_arrays(other);
}

/// Its scenarios, which may have no more agents than there is room for.
ScenarioMaker Environments::maker_of(const Wanted& wanted) const {
    return [make = later_scenarios_of(wanted), most = agents_,
            name = std::string(py::repr(wanted.scenario))](std::uint64_t seed) {
        Scenario scenario = [&] {
            try {
                return make(seed);
            } catch (const Error& error) {
                fail("{}, seed {}: {}", name, seed, error.what());
            }
        }();
        const auto agents = std::ssize(agents_of(scenario));
        if (agents > most) fail("{}: expected {} agents at most, got {}", scenario.name, most, agents);
        return scenario;
    };
}

void Environments::reset(const std::vector<int>& which, const std::vector<std::uint64_t>& seeds,
                         const std::vector<Wanted>& scenarios) {
    if (which.size() != seeds.size() || (!scenarios.empty() && scenarios.size() != which.size()))
        fail("reset: expected as many seeds and scenarios as environments");
    std::vector<ScenarioMaker> makers;
    for (const Wanted& wanted : scenarios) makers.push_back(maker_of(wanted));
    for (const int e : which) end_moment(e);
    const py::gil_scoped_release released;
    in_parallel(static_cast<int>(which.size()), [&](int number) {
        const auto k = static_cast<std::size_t>(number);
        const int e = which[k];
        if (makers.empty())
            episode(e).reset(seeds[k]);
        else
            episode(e).reset(seeds[k], makers[k]);
        fill(e);
    });
}

Environments::Saved Environments::save(int environment) const {
    expect_environment(environment);
    const EpisodeHistory& history = episode(environment).history();
    Saved out{history.seed, history.steps, {}};
    for (const auto& [step, agent, what] : history.choices) std::get<2>(out).emplace_back(step, agent, what);
    return out;
}

void Environments::restore(const std::vector<int>& which, const std::vector<Saved>& saved) {
    if (which.size() != saved.size()) fail("restore: expected as many episodes as environments");
    std::vector<EpisodeHistory> histories;
    for (const auto& [seed, steps, choices] : saved) {
        histories.push_back({seed, steps, {}});
        for (const auto& [step, agent, what] : choices) {
            expect_agent(which[histories.size() - 1], agent);
            histories.back().choices.push_back({step, agent, what});
        }
    }
    for (const int e : which) end_moment(e);
    const py::gil_scoped_release released;
    in_parallel(static_cast<int>(which.size()), [&](int k) {
        episodes_[static_cast<std::size_t>(which[static_cast<std::size_t>(k)])].replay(
            histories[static_cast<std::size_t>(k)]);
    });
}

void Environments::decide(int environment, int agent, const py::object& intent) {
    expect_agent(environment, agent);
    episode(environment).decide(agent, intent_of(intent));
}

BeliefView Environments::belief(int environment, int agent) const {
    expect_agent(environment, agent);
    return {episode(environment).belief(agent), moments_[static_cast<std::size_t>(environment)]};
}

void Environments::step(const std::vector<int>& which, const py::array& actions) {
    const bool discrete = episodes_[0].actions() > 0;
    std::vector<py::ssize_t> shape{std::ssize(which), agents_};
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
    const auto each = [&](int k, auto&& use) {
        Episode& episode = this->episode(which[static_cast<std::size_t>(k)]);
        for (int a = 0; a < episode.agents(); ++a) {
            if (episode.outcome().over() || !episode.due(a)) continue;
            const std::ptrdiff_t at = std::ptrdiff_t{k} * agents_ + a;
            if (choices)
                use(episode, a, choices[at]);
            else
                use(episode, a, std::array{numbers[2 * at], numbers[2 * at + 1]});
        }
    };
    for (const int e : which) end_moment(e);
    const py::gil_scoped_release released;
    const auto count = static_cast<int>(which.size());
    for (int k = 0; k < count; ++k)  // before anything moves
        each(k, [&](const Episode& episode, int a, const auto& action) {
            try {
                episode.expect_valid(a, action);
            } catch (const Error& error) {
                fail("environment {}: {}", which[static_cast<std::size_t>(k)], error.what());
            }
        });
    in_parallel(count, [&](int k) {
        const int e = which[static_cast<std::size_t>(k)];
        Episode& episode = this->episode(e);
        if (episode.outcome().over()) return;
        each(k, [](Episode& of, int a, const auto& action) { of.choose(a, action); });
        episode.step();
        fill(e);
    });
}

std::vector<std::string> Environments::agents() const {
    std::vector<std::string> names;
    for (int a = 0; a < agents_; ++a) names.push_back(episode(0).belief(a).briefing().me().name);
    return names;
}

std::pair<double, double> Environments::bounds(int agent) const {
    const auto most = episode(0).mind(agent).bounds(episode(0).belief(agent));
    return {most[0], most[1]};
}

std::string Environments::digest(int environment) const {
    expect_environment(environment);
    return episode(environment).simulation().progress().digest.hex();
}

void Environments::expect_environment(int e) const {
    if (e < 0 || e >= std::ssize(episodes_)) fail("environment {}: expected 0 to {}", e, episodes_.size() - 1);
}

void Environments::expect_agent(int e, int a) const {
    expect_environment(e);
    if (a < 0 || a >= episode(e).agents()) fail("agent {}: expected 0 to {}", a, episode(e).agents() - 1);
}

void Environments::end_moment(int e) {
    expect_environment(e);
    Validity& moment = moments_[static_cast<std::size_t>(e)];
    *moment = false;
    moment = std::make_shared<bool>(true);
}

}  // namespace outrider::python
