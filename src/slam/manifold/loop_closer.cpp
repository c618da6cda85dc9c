#include "slam/manifold/loop_closer.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// Patches nearer than so many relations are no news.
constexpr int least_relations = 20;
/// Of the places that may be near, so many are looked at: those within so many standard deviations and a metre.
constexpr std::size_t most_places = 4;
constexpr double possible_sigmas = 3, possible_m = 1;
/// What is thought of places that no certain way leads to: standard deviations.
constexpr double unknown_m = 4, unknown_rad = 1;
/// chi2 with three degrees of freedom: two closures agree up to the first (99 %); a closure that stands is taken back
/// from the second on.
constexpr double agreeing = 11.3, contradicted = 16;
/// Two closures that confirm each other are so far apart that they have little in common, and not so far apart that the
/// way between them is uncertain.
constexpr double independent_m = 4, waiting_m = 15;
/// Standard deviations of a metre of way.
constexpr double travel_sigma_m = 0.01, travel_sigma_rad = 0.002;

struct Place {
    double distance;
    int section;
    Matrix3 covariance;
};

/// The nearest ones first.
std::vector<Place> possible_places(const PatchGraph& graph, const std::vector<Reached>& reached) {
    constexpr Matrix3 unknown{unknown_m * unknown_m,    0, 0, 0, unknown_m * unknown_m, 0, 0, 0,
                              unknown_rad * unknown_rad};
    const Point here = graph.pose(graph.count() - 1).position();
    std::vector<Place> out;
    for (int section = 0; section + 1 < graph.sections(); ++section) {
        Place best{HUGE_VAL, section, {}};
        bool news = true;
        for (int id = graph.first_of_section(section); id < graph.first_of_section(section + 1); ++id) {
            const Reached& r = reached[static_cast<std::size_t>(id)];
            news &= r.relations < 0 || r.relations >= least_relations;
            const Matrix3& covariance = r.relations < 0 ? unknown : r.covariance;
            const double d = distance(graph.pose(id).position(), here);
            if (d < best.distance && d <= possible_sigmas * position_sigma(covariance) + possible_m)
                best = {d, section, covariance};
        }
        if (news && best.distance < HUGE_VAL) out.push_back(best);
    }
    std::sort(out.begin(), out.end(), [](const Place& a, const Place& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.section < b.section;
    });
    if (out.size() > most_places) out.resize(most_places);
    return out;
}

}  // namespace

bool agree(const PatchGraph& graph, const Closure& a, const Closure& b) {
    const auto seen = [&](int from, int to) { return compose(inverse(graph.pose(from)), graph.pose(to)); };
    // Where the second one was, seen from the place of the first: by the first closure, and by the second one.
    const Pose between = seen(a.from, b.from);
    const Pose by_first = compose(a.measured, seen(a.to, b.to)), by_second = compose(between, b.measured);
    const Pose off{by_second.x - by_first.x, by_second.y - by_first.y, by_second.yaw - by_first.yaw};
    const double length = std::abs(graph.patch(a.to).travelled_m - graph.patch(b.to).travelled_m) +
                          std::abs(graph.patch(a.from).travelled_m - graph.patch(b.from).travelled_m);
    Matrix3 both =
        carried(a.covariance, by_first.position() - a.measured.position(), turned(b.covariance, between.yaw));
    both[0] += travel_sigma_m * travel_sigma_m * length;
    both[4] += travel_sigma_m * travel_sigma_m * length;
    both[8] += travel_sigma_rad * travel_sigma_rad * length;
    return mahalanobis(off, both) < agreeing;
}

void LoopCloser::accept(PatchGraph& graph, const Closure& closure) {
    standing_.push_back(static_cast<int>(graph.relations().size()));
    graph.relate(closure.from, closure.to, closure.measured, closure.covariance);
    ++counters_.accepted;
}

bool LoopCloser::look(PatchGraph& graph, const std::vector<Reached>& reached) {
    const double length = graph.patch(graph.count() - 1).travelled_m;
    const auto travelled_since = [&](const Closure& c) { return length - graph.patch(c.to).travelled_m; };
    std::erase_if(waiting_, [&](const Closure& c) { return travelled_since(c) > waiting_m; });
    const std::vector<Place> places = possible_places(graph, reached);
    if (places.empty()) return false;
    const std::vector<Point> ends = PlaceMatcher::recent_ends(graph);
    const int before = counters_.accepted;
    for (const Place& place : places) {
        ++counters_.tried;
        const auto closure = matcher_.match(graph, place.section, ends, place.covariance);
        if (!closure) continue;
        const auto same = std::find_if(waiting_.begin(), waiting_.end(), [&](const Closure& w) {
            return travelled_since(w) >= independent_m && agree(graph, w, *closure);
        });
        if (same != waiting_.end()) {
            accept(graph, *same);
            waiting_.erase(same);
        } else if (!closure->sure) {
            waiting_.push_back(*closure);
            continue;
        }
        accept(graph, *closure);
    }
    return counters_.accepted > before;
}

bool LoopCloser::take_back(PatchGraph& graph) {
    std::vector<int> wrong, left;
    for (const int number : standing_)
        if (graph.squared_error(number) > contradicted)
            wrong.push_back(number);
        else
            left.push_back(number - static_cast<int>(wrong.size()));  // what it will be called then
    if (wrong.empty()) return false;
    graph.forget(wrong);
    counters_.undone += static_cast<int>(wrong.size());
    standing_ = left;
    return true;
}

}  // namespace outrider
