// Environments that take their steps together, with one set of arrays that Python reads.
#pragma once

#include <deque>
#include <tuple>

#include "base/parallel.hpp"
#include "learning/episode.hpp"
#include "python/bindings.hpp"

namespace outrider::python {

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
    void take_from(const Array& other) { std::copy(other.all.begin(), other.all.end(), all.begin()); }
    std::span<T> of(int environment) const {
        return all.subspan(static_cast<std::size_t>(environment) * per_environment, per_environment);
    }
    /// The part of an agent; `agents`: how many there are.
    std::span<T> of(int environment, int agent, int agents) const {
        const std::size_t size = per_environment / static_cast<std::size_t>(agents);
        return of(environment).subspan(static_cast<std::size_t>(agent) * size, size);
    }
};

class Environments {
  public:
    /// All arrays have as many agents as `wanted`; teams that are drawn later may be smaller.
    Environments(const Wanted& wanted, int count, const AgentOptions& options, bool frontiers, int threads);
    /// The same at the same moment, which go their own way from here. Raises NotImplementedError where it cannot be.
    Environments(const Environments& other);
    Environments& operator=(const Environments&) = delete;

    /// Begins episodes anew: those of `which`, with these seeds; in these scenarios from now on, unless there are none.
    void reset(const std::vector<int>& which, const std::vector<std::uint64_t>& seeds,
               const std::vector<Wanted>& scenarios);
    /// An episode up to now: its seed, calls of step(), and (call, agent, its action).
    using Saved = std::tuple<std::uint64_t, int, std::vector<std::tuple<int, int, decltype(EpisodeChoice::what)>>>;
    Saved save(int environment) const;
    /// Takes the steps of saved episodes again. The arrays are left to the caller, who saved their rows.
    void restore(const std::vector<int>& which, const std::vector<Saved>& saved);

    /// An intent in place of an action, for an agent that is due.
    void decide(int environment, int agent, const py::object& intent);
    /// What an agent knows, until the next step.
    BeliefView belief(int environment, int agent) const;
    /// Steps of these environments, unless they are over, until some agent of each is due again. actions: int64 (n,
    /// agents) or float64 (n, agents, 2), in the order of `which`. May be called in several threads at once, which step
    /// different environments.
    void step(const std::vector<int>& which, const py::array& actions);
    /// Of the episode up to now: a page that plays it in a browser.
    py::bytes page(int environment) const;

    py::dict arrays() const;
    std::vector<std::string> agents() const;
    std::pair<double, double> bounds(int agent) const;
    /// Truth, for centralised critics: walls, cells known to the team, robots, bases.
    py::array_t<std::uint8_t> state(int environment) const;
    /// Likewise: the graph of places on the true map (learning/true_graph.hpp) as arrays, of `most` places.
    py::dict true_graph(int environment, int most) const;
    /// Picture of what the team knows: uint8 (height, width, 3).
    py::array_t<std::uint8_t> render(int environment) const;
    /// How many actions of whole numbers an agent has; 0: actions are pairs of numbers.
    int actions() const { return episodes_[0].actions(); }
    std::uint64_t seed() const { return seed_; }
    std::string digest(int environment) const;

  private:
    const Episode& episode(int e) const { return episodes_[static_cast<std::size_t>(e)]; }
    Episode& episode(int e) { return episodes_[static_cast<std::size_t>(e)]; }
    void expect_environment(int e) const;
    void expect_agent(int e, int a) const;
    ScenarioMaker maker_of(const Wanted& wanted) const;
    /// Beliefs of it that were given out may not be used any more.
    void end_moment(int e);
    template <class Part>
    void in_parallel(int count, Part&& part) {
        const ThreadLimit limit(threads_);
        parallel_for(count, part);
    }
    void allocate(int agents);
    void take_arrays(const Environments& other);
    void fill(int e);
    void observe(int e, int a);
    void leave_out(int e, int a);

    AgentOptions options_;
    bool with_frontiers_;
    std::shared_ptr<ThreadLimit::Arena> threads_;
    Notes notes_;
    std::uint64_t seed_ = 1;
    std::deque<Episode> episodes_;
    std::vector<Validity> moments_;  // by environment
    int agents_ = 0;
    Array<std::uint8_t> members_, due_, alive_, settled_, terminated_, truncated_, window_;
    Array<std::int8_t> mask_, slots_, node_mask_;
    Array<std::int32_t> waited_, steps_, neighbours_, node_;
    Array<double> terms_, since_, team_share_, travelled_m_;
    Array<float> own_, frontiers_, nodes_, ahead_;
};

}  // namespace outrider::python
