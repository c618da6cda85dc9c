#include "radio/links.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/disjoint_sets.hpp"
#include "base/parallel.hpp"
#include "outrider/ray.hpp"

namespace outrider {
namespace {

std::optional<double> link_signal(const WallField& walls, const Lattice& lattice, const RadioOptions& radio,
                                  const Transceiver& a, const Transceiver& b, double reach_per_range,
                                  const RadioChance& chance) {
    const double d = distance(a.position, b.position), range = link_range_m(radio.range_rule, a.range_m, b.range_m);
    if (!(range > 0) || d > range * reach_per_range) return {};
    const Cell from = lattice.cell_of(a.position), to = lattice.cell_of(b.position);
    switch (radio.model) {
        case RadioModel::circle:
            return d < range ? std::optional(0.0) : std::nullopt;
        case RadioModel::line_of_sight:
            return d < range && walls.walls_between(from, to, 0) == 0 ? std::optional(0.0) : std::nullopt;
        case RadioModel::path_loss: {
            const double gain_db = chance.fading.db(a.position, b.position, chance.step);
            const int allowed = walls_allowed(better_by(radio, gain_db), range, d);
            if (allowed < 0) return {};
            const int between = walls.walls_between(from, to, allowed);
            if (between > allowed) return {};
            return path_loss_dbm(radio, range, std::max(d, lattice.cell_m), between) + gain_db;  // finite at distance 0
        }
        case RadioModel::ir2: {
            if (d >= range) return {};
            const double signal =
                ir2_dbm(ir2_line(lattice, from, to, [&](Cell c) { return walls.wall(c); }), chance.losses);
            return signal > ir2_cutoff_dbm ? std::optional(signal) : std::nullopt;
        }
    }
    return {};
}

/// All links. Of pairs of which both stand (by radio; empty: none does) those that were there `before`.
std::vector<Link> find_others(const WallField& walls, const Lattice& lattice, const RadioOptions& radio,
                              std::span<const Transceiver> radios, const RadioChance& chance,
                              std::span<const std::uint8_t> stands, std::span<const Link> before) {
    double longest = 0;
    for (const Transceiver& r : radios) longest = std::max(longest, r.range_m);
    // Far pairs need no path loss, no logarithm.
    const double reach_per_range = max_link_m(better_by(radio, chance.fading.most_db()), 1);
    const double reach = reach_per_range * (radio.range_rule == RangeRule::sum ? 2 * longest : longest);
    const double window = reach + 1e-6;  // allows for rounding
    // Sweep along x: only radios within reach of each other are compared. Each looks for those with higher numbers.
    std::vector<std::pair<double, RobotId>> by_x;
    for (std::size_t i = 0; i < radios.size(); ++i)
        if (radios[i].alive) by_x.emplace_back(radios[i].position.x, static_cast<RobotId>(i));
    std::sort(by_x.begin(), by_x.end());
    std::vector<std::vector<Link>> found(radios.size());
    const auto by_first = [](const Link& link, RobotId a) { return link.a < a; };
    parallel_for(static_cast<int>(radios.size()), [&](int a) {
        const Transceiver& ra = radios[static_cast<std::size_t>(a)];
        std::vector<Link>& links = found[static_cast<std::size_t>(a)];
        if (!ra.alive) return;
        const bool a_stands = !stands.empty() && stands[static_cast<std::size_t>(a)];
        for (auto at = a_stands ? std::lower_bound(before.begin(), before.end(), a, by_first) : before.end();
             at != before.end() && at->a == a; ++at)
            if (stands[static_cast<std::size_t>(at->b)]) links.push_back(*at);
        const auto kept = static_cast<std::ptrdiff_t>(links.size());
        auto at = std::lower_bound(by_x.begin(), by_x.end(), std::pair(ra.position.x - window, RobotId{-1}));
        for (; at != by_x.end() && at->first <= ra.position.x + window; ++at) {
            if (at->second <= a || (a_stands && stands[static_cast<std::size_t>(at->second)])) continue;
            const Transceiver& rb = radios[static_cast<std::size_t>(at->second)];
            if (std::abs(ra.position.y - rb.position.y) > reach) continue;
            if (const auto signal = link_signal(walls, lattice, radio, ra, rb, reach_per_range, chance))
                links.push_back({a, at->second, *signal});
        }
        const auto by_second = [](const Link& p, const Link& q) { return p.b < q.b; };
        std::sort(links.begin() + kept, links.end(), by_second);
        std::inplace_merge(links.begin(), links.begin() + kept, links.end(), by_second);
    });
    std::vector<Link> all;
    for (const auto& links : found) all.insert(all.end(), links.begin(), links.end());
    return all;
}

}  // namespace

RadioOptions better_by(RadioOptions radio, double gain_db) {
    radio.cutoff_dbm -= gain_db;
    return radio;
}

std::vector<Link> find_links(const WallField& walls, const Lattice& lattice, const RadioOptions& radio,
                             std::span<const Transceiver> radios, const RadioChance& chance) {
    return find_others(walls, lattice, radio, radios, chance, {}, {});
}

const std::vector<Link>& LinkFinder::find(const WallField& walls, const Lattice& lattice, const RadioOptions& radio,
                                          std::span<const Transceiver> radios, const RadioChance& chance) {
    const bool comparable = walls_.it == &walls && wall_changes_ == walls.changes() && !chance.fading.any() &&
                            radios_.size() == radios.size();
    std::vector<std::uint8_t> stands(comparable ? radios.size() : 0);
    for (std::size_t i = 0; i < stands.size(); ++i) stands[i] = radios_[i] == radios[i];
    links_ = find_others(walls, lattice, radio, radios, chance, stands, links_);
    walls_.it = &walls;
    wall_changes_ = walls.changes();
    radios_.assign(radios.begin(), radios.end());
    return links_;
}

std::vector<int> components(std::size_t n, std::span<const Link> links) {
    DisjointSets sets(n);
    for (const Link& link : links) sets.join(link.a, link.b);
    std::vector<int> component(n);
    int next = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const int r = sets.least(static_cast<int>(i));
        component[i] = r == static_cast<int>(i) ? next++ : component[static_cast<std::size_t>(r)];
    }
    return component;
}

}  // namespace outrider
