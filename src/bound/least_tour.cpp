#include "bound/least_tour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr int rounds = 120, rounds_of_savings = 15;
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Edge {
    std::size_t a, b;
    double length;
};

/// Prim's, from the starts.
std::vector<Edge> least_tree(const Visits& v, const std::vector<double>& price) {
    const std::size_t n = v.length.size();
    std::vector<double> least(n, infinite);
    std::vector<std::size_t> to(n);
    std::vector<bool> in(n);
    std::vector<Edge> tree;
    for (std::size_t at = 0;;) {
        in[at] = true;
        std::size_t next = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (in[i]) continue;
            const double length = v.length[at][i] + price[at] + price[i];
            if (length < least[i]) {
                least[i] = length;
                to[i] = at;
            }
            if (next == 0 || least[i] < least[next]) next = i;
        }
        if (next == 0) return tree;
        tree.push_back({to[next], next, least[next]});
        at = next;
    }
}

/// Places that the tree's edges, taken by length, have joined so far; without the starts they form a moat.
struct Moat {
    double born = 0;   ///< the length at which it was formed
    double dual = 0;   ///< sum over it and all moats in it
    double price = 0;  ///< sum over its places
    std::int64_t area = 0;
    bool starts = false;
    std::vector<double> savings;  ///< by units of area, each rounded down: most that leaving out saves
};

std::size_t root_of(std::vector<std::size_t>& up, std::size_t i) {
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
}

/// It is complete at this length: it may be left out as a whole.
void close(Moat& moat, double at, double unit) {
    moat.dual += at - moat.born;
    if (moat.starts) return;
    const double first = std::floor(static_cast<double>(moat.area) / unit);
    for (std::size_t u = moat.savings.size(); u-- > 0 && static_cast<double>(u) >= first;)
        moat.savings[u] = std::max(moat.savings[u], moat.dual - 2 * moat.price);
}

void join(Moat& into, Moat& other, double at) {
    std::vector<double> both(into.savings.size(), -infinite);
    for (std::size_t u = 0; u < both.size(); ++u)
        for (std::size_t w = 0; u + w < both.size(); ++w)
            both[u + w] = std::max(both[u + w], into.savings[u] + other.savings[w]);
    into = {at,
            into.dual + other.dual,
            into.price + other.price,
            into.area + other.area,
            into.starts || other.starts,
            std::move(both)};
}

/// Most that leaving out saves of the tree's length less the prices, by units of area.
std::vector<double> most_saved(const Visits& v, std::vector<Edge> tree, const std::vector<double>& price, double unit,
                               std::size_t units) {
    std::sort(tree.begin(), tree.end(), [](const Edge& x, const Edge& y) { return x.length < y.length; });
    std::vector<Moat> moats(v.length.size());
    std::vector<std::size_t> up(moats.size());
    for (std::size_t i = 0; i < moats.size(); ++i) {
        moats[i].price = price[i];
        moats[i].area = v.area[i];
        moats[i].starts = i == 0;
        moats[i].savings.assign(units + 1, 0);
        up[i] = i;
    }
    for (const Edge& e : tree) {
        const std::size_t a = root_of(up, e.a), b = root_of(up, e.b);
        for (const std::size_t k : {a, b}) close(moats[k], e.length, unit);
        join(moats[a], moats[b], e.length);
        moats[b].savings.clear();
        up[b] = a;
    }
    return moats[root_of(up, 0)].savings;
}

}  // namespace

std::vector<double> least_tours(const Visits& v, double unit, std::size_t units, int robots) {
    const std::size_t n = v.length.size();
    OUTRIDER_CHECK(v.area.size(), ==, n);
    std::vector<double> best(units + 1, 0);
    if (n < 2) return best;
    std::vector<double> price(n, 0);
    double step = -1;
    for (int round = 0; round < rounds; ++round) {
        const std::vector<Edge> tree = least_tree(v, price);
        double length = -robots * price[0];
        std::vector<int> edges(n, 0);
        for (const Edge& e : tree) {
            length += e.length;
            ++edges[e.a];
            ++edges[e.b];
        }
        for (std::size_t i = 1; i < n; ++i) length -= 2 * price[i];
        if (step < 0) step = length / static_cast<double>(n);
        best[0] = std::max(best[0], length);
        if (round % rounds_of_savings == 0 || round == rounds - 1) {
            const std::vector<double> saved = most_saved(v, tree, price, unit, units);
            for (std::size_t u = 1; u <= units; ++u) best[u] = std::max(best[u], length - saved[u]);
        }
        for (std::size_t i = 0; i < n; ++i)
            price[i] = std::max(0.0, price[i] + step * (edges[i] - (i == 0 ? robots : 2)));
        step *= 0.97;
    }
    return best;
}

}  // namespace outrider
