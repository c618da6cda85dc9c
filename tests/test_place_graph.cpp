// The graph of places against one that is made from the whole map at once.
#include <cmath>
#include <numeric>
#include <set>

#include "helpers.hpp"
#include "learning/episode.hpp"
#include "learning/place_graph.hpp"
#include "outrider/ray.hpp"
#include "scenario/scenario.hpp"

using namespace outrider;

namespace test_place_graph {
namespace {

ScenarioMaker rooms(std::uint64_t map, const std::string& more = "") {
    Notes notes;
    const std::string toml =
        "[team]\nrobots=2\nstrategy='remote'\n[run]\nsteps=400\nseed=3\n[sensor]\nrange_m=4\n" + more;
    const Scenario scenario = make_scenario(parse_config(toml, "rooms"), "rooms", rooms_map(130, 100, map), notes);
    return [scenario](std::uint64_t seed) { return redrawn(scenario, seed); };
}

Point middle(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

/// All cells but the last that the line between two cells touches, corners included, are passable.
bool straight(const Belief& belief, Cell from, Cell to) {
    const NavView nav = belief.nav();
    // Every cell whose closed square the line meets in more than its end: distance of the square's middle to the line.
    const Point a = middle(from), b = middle(to);
    for (int y = std::min(from.y, to.y); y <= std::max(from.y, to.y); ++y)
        for (int x = std::min(from.x, to.x); x <= std::max(from.x, to.x); ++x) {
            if (Cell{x, y} == to) continue;
            // The corners lie on both sides of the line, or on it.
            int above = 0, below = 0;
            for (const Cell corner : {Cell{x, y}, {x + 1, y}, {x, y + 1}, {x + 1, y + 1}}) {
                const double side = (b.x - a.x) * (corner.y - a.y) - (b.y - a.y) * (corner.x - a.x);
                above += side >= 0;
                below += side <= 0;
            }
            if (above > 0 && below > 0 && !nav.passable({x, y})) return false;
        }
    return true;
}

using Ahead = std::array<std::uint16_t, PlaceGraph::headings>;

/// Frontier cells that count for a place, by heading, by the definition in place_graph.cpp.
Ahead frontier_cells(const Belief& belief, Cell place, int reach) {
    const NavView nav = belief.nav();
    Ahead out{};
    for (int by = (place.y - reach) & ~3; by <= place.y + reach; by += 4)
        for (int bx = (place.x - reach) & ~3; bx <= place.x + reach; bx += 4) {
            int cells = 0;
            std::optional<Cell> first;
            for (int y = by; y < by + 4; ++y)
                for (int x = bx; x < bx + 4; ++x) {
                    const bool near = std::abs(x - place.x) <= reach && std::abs(y - place.y) <= reach;
                    if (!near || !nav.edge({x, y})) continue;
                    ++cells;
                    if (!first) first = {x, y};
                }
            if (!first || squared_distance(place, *first) > reach * reach || !straight(belief, place, *first)) continue;
            const Cell d = *first - place;
            const auto eighths = std::lround(std::atan2(d.y, d.x) / (pi / 4));
            std::uint16_t& ahead = out[static_cast<std::size_t>(eighths + PlaceGraph::headings) % PlaceGraph::headings];
            ahead = static_cast<std::uint16_t>(ahead + cells);
        }
    return std::accumulate(out.begin(), out.end(), 0) < 4 ? Ahead{} : out;
}

int row_of(const std::vector<Cell>& places, Cell c) {
    const auto at = std::find(places.begin(), places.end(), c);
    return at == places.end() ? -1 : static_cast<int>(at - places.begin());
}

void check(PlaceGraph& graph, const Belief& belief, const std::set<Cell>& visited) {
    graph.refresh(belief);
    const int s = graph.spacing_cells();
    std::vector<Cell> expected;
    const auto [low, high] = belief.nav().extent();
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x)
            if (x % s == 0 && y % s == 0 && belief.nav().reached({x, y})) expected.push_back({x, y});
    REQUIRE(graph.places(belief) == expected);
    for (const Cell place : expected) {
        for (int slot = 0; slot < PlaceGraph::neighbours; ++slot) {
            const int k = slot < 12 ? slot : slot + 1;
            const Cell to{place.x + (k % 5 - 2) * s, place.y + (k / 5 - 2) * s};
            const bool open = belief.nav().passable(to) && straight(belief, place, to);
            REQUIRE((graph.edges_of(place) >> slot & 1) == open);
        }
        const Ahead ahead = visited.contains(place) ? Ahead{} : frontier_cells(belief, place, 2 * s);
        REQUIRE(graph.ahead_of(place) == ahead);
        REQUIRE(graph.utility_of(place) == std::accumulate(ahead.begin(), ahead.end(), 0));
    }
}

}  // namespace

TEST_CASE("places, neighbours and utilities stay what they would be from scratch, while the map grows and is merged") {
    for (const char* more : {"", "[body]\nradius_m=0.15\n[comm]\nrange_m=3\nbase_range_m=3\n"})
        for (const std::uint64_t map : {1u, 2u}) {
            AgentOptions options;
            options.graph.emplace();
            options.graph->spacing_m = map == 1 ? 0 : 0.5;
            Episode episode(rooms(map, more), options);
            episode.reset(map);
            std::vector<std::set<Cell>> visited(2);
            for (int k = 0; k < 120 && !episode.outcome().over(); ++k) {
                for (int a = 0; a < 2; ++a) {
                    const Belief& belief = episode.belief(a);
                    episode.mind(a).graph().refresh(belief);
                    const int s = episode.mind(a).graph().spacing_cells();
                    const auto nearest = [s](int v) {
                        return static_cast<int>(std::floor((v + s / 2) / double(s))) * s;
                    };
                    const Cell here{nearest(belief.cell().x), nearest(belief.cell().y)};
                    const Cell off = belief.cell() - here;
                    if (2 * std::max(std::abs(off.x), std::abs(off.y)) <= s)
                        visited[static_cast<std::size_t>(a)].insert(here);
                    if (k % 7 == 0) check(episode.mind(a).graph(), belief, visited[static_cast<std::size_t>(a)]);
                    if (episode.due(a)) episode.choose(a, std::int64_t{0});
                }
                episode.step();
            }
        }
}

TEST_CASE("guideposts lead over neighbours to the nearest place with utility, and rows name each other") {
    AgentOptions options;
    options.graph.emplace();
    options.graph->most = 300;
    Episode episode(rooms(3), options);
    episode.reset(1);
    int guided = 0;
    for (int k = 0; k < 100 && !episode.outcome().over(); ++k) {
        PlaceGraph& graph = episode.mind(0).graph();
        const Belief& belief = episode.belief(0);
        std::vector<float> features(300 * place_feature_names.size());
        std::vector<std::int32_t> neighbour(300 * PlaceGraph::neighbours);
        std::vector<std::int8_t> mask(300);
        const int current = graph.fill(belief, {features, neighbour, mask});
        const std::vector<Cell> places = graph.places(belief);
        REQUIRE(places.size() <= 300);
        CHECK(std::count(mask.begin(), mask.end(), 1) == std::ssize(places));
        CHECK(current == (graph.current() ? row_of(places, *graph.current()) : -1));
        const auto feature = [&](std::size_t row, PlaceFeature f) {
            return features[row * place_feature_names.size() + static_cast<std::size_t>(f)];
        };
        // Lengths of ways over the graph, by relaxing all edges as often as there are places.
        std::vector<double> length(places.size(), std::numeric_limits<double>::infinity());
        if (current >= 0) length[static_cast<std::size_t>(current)] = 0;
        for (bool better = true; better;) {
            better = false;
            for (std::size_t i = 0; i < places.size(); ++i)
                for (int slot = 0; slot < PlaceGraph::neighbours; ++slot) {
                    const int to = neighbour[i * PlaceGraph::neighbours + static_cast<std::size_t>(slot)];
                    if (to < 0) continue;
                    const auto j = static_cast<std::size_t>(to);
                    // Both name each other, in opposite slots.
                    REQUIRE(neighbour[j * PlaceGraph::neighbours +
                                      static_cast<std::size_t>(PlaceGraph::neighbours - 1 - slot)] ==
                            static_cast<int>(i));
                    const double further = length[i] + distance(middle(places[i]), middle(places[j]));
                    if (further >= length[j] - 1e-9) continue;
                    length[j] = further;
                    better = true;
                }
        }
        double least = std::numeric_limits<double>::infinity(), posts = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (feature(i, PlaceFeature::utility) > 0) least = std::min(least, length[i]);
            if (feature(i, PlaceFeature::guidepost) > 0) {
                ++posts;
                CHECK(length[i] <= least + 1e-9);
            }
        }
        CHECK(graph.guided() == std::isfinite(least));
        CHECK((posts > 0) == std::isfinite(least));
        if (posts > 0) {
            ++guided;
            CHECK(feature(static_cast<std::size_t>(current), PlaceFeature::guidepost) == 1);
            // The farthest post is the place itself.
            double farthest = 0;
            for (std::size_t i = 0; i < places.size(); ++i)
                if (feature(i, PlaceFeature::guidepost) > 0) farthest = std::max(farthest, length[i]);
            CHECK(farthest == doctest::Approx(least));
        }
        if (episode.due(0)) episode.choose(0, std::int64_t{0});
        if (episode.due(1)) episode.choose(1, std::int64_t{0});
        episode.step();
    }
    CHECK(guided > 20);
}

TEST_CASE("agents that go from place to place explore everything, with the last corners on their own") {
    AgentOptions options;
    options.action = AgentAction::node;
    options.graph.emplace();
    options.every = 0;
    Episode episode(rooms(5, "[stop]\nof='team'\nfraction=0.99\n"), options);
    episode.reset(1);
    int asked = 0;
    while (!episode.outcome().over()) {
        for (int a = 0; a < episode.agents(); ++a) {
            if (!episode.due(a)) continue;
            ++asked;
            // Along the guideposts, to one that was not visited if there is one.
            const auto around = episode.mind(a).graph().around();
            const auto slots = episode.mind(a).slots();
            int best = -1;
            for (int slot = 0; slot < PlaceGraph::neighbours; ++slot) {
                const auto& cell = around[static_cast<std::size_t>(slot)];
                CHECK(slots[static_cast<std::size_t>(slot)] == cell.has_value());
                if (cell &&
                    (best < 0 || episode.mind(a).graph().utility_of(*cell) >
                                     episode.mind(a).graph().utility_of(*around[static_cast<std::size_t>(best)])))
                    best = slot;
            }
            REQUIRE(best >= 0);
            episode.choose(a, std::int64_t{best});
        }
        episode.step();
    }
    CHECK(asked > 10);
    CHECK(episode.outcome().team_share > 0.6);
    AgentOptions none;
    none.action = AgentAction::node;
    CHECK_THROWS_WITH_AS(Episode(rooms(5), none), "action: 'node' needs the observation 'graph'", Error);
    options.graph->spacing_m = 0.04;
    Episode fine(rooms(5), options);
    CHECK_THROWS_WITH_AS(fine.reset(1), "graph: spacing_m = 0.04: expected 0.1 m, a cell, or more", Error);
}

}  // namespace test_place_graph
