#include "bound/anneal.hpp"

#include <algorithm>

namespace outrider {
namespace {

/// Draws a change of tours at random.
class TourChanges {
  public:
    TourChanges(const BoundTask& task, const Roads& roads, Rng& rng) : roads_(roads), rng_(rng) {
        for (std::size_t i = 0; i < task.team.size(); ++i)
            if (task.team[i].sight > 0) robots_.push_back(static_cast<int>(i));
    }

    /// Changes the tours; the robots whose tours are others now. Empty: nothing came of it.
    std::vector<int> draw(Tours& tours) {
        const std::uint32_t kind = rng_.below(100);
        if (kind < 30) return move(tours);
        if (kind < 45) return reverse(tours);
        if (kind < 57) return swap_tails(tours);
        if (kind < 72) return add(tours);
        if (kind < 84) return drop(tours);
        return shift(tours);
    }

  private:
    struct Stop {
        int robot;
        std::size_t at;
    };
    std::vector<int>& tour(Tours& tours, int robot) const { return tours[static_cast<std::size_t>(robot)]; }
    int any_robot() { return robots_[rng_.below(static_cast<std::uint32_t>(robots_.size()))]; }
    std::size_t below(std::size_t n) { return rng_.below(static_cast<std::uint32_t>(n)); }

    std::optional<Stop> any_stop(const Tours& tours) {
        std::size_t all = 0;
        for (const std::vector<int>& t : tours) all += t.size();
        if (all == 0) return {};
        std::size_t k = below(all);
        for (std::size_t i = 0; i < tours.size(); ++i) {
            if (k < tours[i].size()) return Stop{static_cast<int>(i), k};
            k -= tours[i].size();
        }
        return {};
    }
    /// A stop of the tours near a place, other than `not_at`.
    std::optional<Stop> stop_near(const Tours& tours, int place, const Stop& not_at) {
        const std::vector<int>& near = roads_.near(place);
        if (near.empty()) return {};
        for (int tries = 0; tries < 8; ++tries) {
            const int other = near[below(near.size())];
            for (const int robot : robots_) {
                const std::vector<int>& t = tours[static_cast<std::size_t>(robot)];
                const auto at = std::find(t.begin(), t.end(), other);
                const auto k = static_cast<std::size_t>(at - t.begin());
                if (at != t.end() && !(robot == not_at.robot && k == not_at.at)) return Stop{robot, k};
            }
        }
        return {};
    }
    bool fits(int robot, int place) const { return roads_.joined(roads_.start(robot), place); }

    /// Up to three stops go elsewhere.
    std::vector<int> move(Tours& tours) {
        const auto stop = any_stop(tours);
        if (!stop) return {};
        std::vector<int>& from = tour(tours, stop->robot);
        const std::size_t count = std::min<std::size_t>(1 + below(3), from.size() - stop->at);
        std::vector<int> moved(from.begin() + static_cast<std::ptrdiff_t>(stop->at),
                               from.begin() + static_cast<std::ptrdiff_t>(stop->at + count));
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(stop->at),
                   from.begin() + static_cast<std::ptrdiff_t>(stop->at + count));
        if (below(2) == 0) std::reverse(moved.begin(), moved.end());
        Stop to{any_robot(), 0};
        if (const auto near = below(8) == 0 ? std::nullopt : stop_near(tours, moved.front(), {-1, 0}))
            to = {near->robot, near->at + below(2)};
        else
            to.at = below(tour(tours, to.robot).size() + 1);
        if (!fits(to.robot, moved.front())) return {};
        std::vector<int>& into = tour(tours, to.robot);
        into.insert(into.begin() + static_cast<std::ptrdiff_t>(to.at), moved.begin(), moved.end());
        if (to.robot == stop->robot) return {to.robot};
        return {stop->robot, to.robot};
    }
    std::vector<int> reverse(Tours& tours) {
        const auto stop = any_stop(tours);
        if (!stop) return {};
        std::vector<int>& t = tour(tours, stop->robot);
        const std::size_t end = std::min(t.size(), stop->at + 2 + below(12));
        if (end < stop->at + 2) return {};
        std::reverse(t.begin() + static_cast<std::ptrdiff_t>(stop->at), t.begin() + static_cast<std::ptrdiff_t>(end));
        return {stop->robot};
    }
    std::vector<int> swap_tails(Tours& tours) {
        const auto stop = any_stop(tours);
        if (!stop) return {};
        const auto other = stop_near(tours, tour(tours, stop->robot)[stop->at], *stop);
        if (!other || other->robot == stop->robot) return {};
        std::vector<int>&a = tour(tours, stop->robot), &b = tour(tours, other->robot);
        const std::vector<int> tail(a.begin() + static_cast<std::ptrdiff_t>(stop->at), a.end());
        const auto cut = b.begin() + static_cast<std::ptrdiff_t>(other->at + below(2));
        if (!fits(other->robot, tail.front())) return {};
        a.erase(a.begin() + static_cast<std::ptrdiff_t>(stop->at), a.end());
        a.insert(a.end(), cut, b.end());
        b.erase(cut, b.end());
        b.insert(b.end(), tail.begin(), tail.end());
        return {stop->robot, other->robot};
    }
    /// A place near a stop becomes a stop before or after it.
    std::vector<int> add(Tours& tours) {
        const auto stop = any_stop(tours);
        if (!stop) {
            const int robot = any_robot(), place = static_cast<int>(below(static_cast<std::size_t>(roads_.places())));
            if (!fits(robot, place)) return {};
            tour(tours, robot).push_back(place);
            return {robot};
        }
        std::vector<int>& t = tour(tours, stop->robot);
        const std::vector<int>& near = roads_.near(t[stop->at]);
        if (near.empty()) return {};
        const int place = near[below(near.size())];
        t.insert(t.begin() + static_cast<std::ptrdiff_t>(stop->at + below(2)), place);
        return {stop->robot};
    }
    std::vector<int> drop(Tours& tours) {
        const auto stop = any_stop(tours);
        if (!stop) return {};
        std::vector<int>& t = tour(tours, stop->robot);
        t.erase(t.begin() + static_cast<std::ptrdiff_t>(stop->at));
        return {stop->robot};
    }
    /// Another place near it instead.
    std::vector<int> shift(Tours& tours) {
        const auto stop = any_stop(tours);
        if (!stop) return {};
        int& place = tour(tours, stop->robot)[stop->at];
        const std::vector<int>& near = roads_.near(place);
        if (near.empty()) return {};
        place = near[below(std::min<std::size_t>(near.size(), 12))];
        return {stop->robot};
    }

    const Roads& roads_;
    Rng& rng_;
    std::vector<int> robots_;
};

}  // namespace

Tours greedy_tours(const BoundTask& task, const Roads& roads, const Blocks& targets) {
    const auto robots = task.team.size();
    Tours tours(robots);
    BitMap known(targets.columns(), targets.rows());
    std::vector<double> steps(robots, 0);
    std::vector<int> at;
    std::vector<bool> done(robots);
    for (std::size_t i = 0; i < robots; ++i) {
        at.push_back(roads.start(static_cast<int>(i)));
        done[i] = task.team[i].sight == 0;
        known.add(roads.seen(roads.node_of(at[i])));
    }
    for (;;) {
        std::size_t robot = robots;
        for (std::size_t i = 0; i < robots; ++i)
            if (!done[i] && (robot == robots || steps[i] < steps[robot])) robot = i;
        if (robot == robots) return tours;
        int best = -1;
        double most = 0;
        for (int place = 0; place < roads.places(); ++place) {
            if (place == at[robot] || !roads.joined(at[robot], place)) continue;
            const int news = known.news(roads.seen(roads.node_of(place)));
            const double worth = news / (roads.length(at[robot], place) + 2 * task.team[robot].step);
            if (worth <= most) continue;
            most = worth;
            best = place;
        }
        done[robot] = best < 0;
        if (best < 0) continue;
        steps[robot] += roads.length(at[robot], best) / task.team[robot].step;
        at[robot] = best;
        tours[robot].push_back(best);
        known.add(roads.seen(roads.node_of(best)));
    }
}

void Annealer::run(std::int64_t evaluations, double hot, double cold, const std::atomic<bool>* interrupted) {
    constexpr std::int64_t between = 256;  // evaluations at one temperature
    TourChanges changes(task_, roads_, rng_);
    TourModel::Value now = model_.begin(model_.tours());
    Tours best = model_.tours();
    double least = now.cost, temperature = hot;
    const double cooling = log(cold / hot);
    for (std::int64_t k = 0; k < evaluations; ++k) {
        if (k % between == 0) {
            if (interrupted && interrupted->load()) break;
            model_.trim(now.time);
            temperature = hot * exp(cooling * static_cast<double>(k) / static_cast<double>(evaluations));
        }
        Tours tours = model_.tours();
        const std::vector<int> changed = changes.draw(tours);
        const double limit = now.cost - temperature * log(1 - rng_.uniform());
        if (changed.empty()) continue;
        const TourModel::Value value = model_.look_at(tours, changed, limit);
        if (value.cost > limit) continue;
        model_.accept();
        now = value;
        if (now.cost >= least) continue;
        least = now.cost;
        best = model_.tours();
    }
    model_.begin(std::move(best));
}

}  // namespace outrider
