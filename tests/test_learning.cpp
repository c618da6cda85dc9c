// What policies are given to decide on, and episodes of learning.
#include <set>

#include "helpers.hpp"
#include "learning/episode.hpp"
#include "outrider/behaviours.hpp"
#include "outrider/features.hpp"
#include "scenario/scenario.hpp"

using namespace outrider;

namespace test_learning {
namespace {

constexpr const char* agents =
    "[team]\nrobots=2\nstrategy='remote'\n[run]\nsteps=600\nseed=3\n[stop]\nof='team'\nfraction=0.99\n"
    "[sensor]\nrange_m=4\n";

ScenarioMaker rooms(const std::string& toml = agents, std::uint64_t map = 4) {
    Notes notes;
    const Scenario scenario = make_scenario(parse_config(toml, "rooms"), "rooms", rooms_map(120, 90, map), notes);
    return [scenario](std::uint64_t seed) { return redrawn(scenario, seed); };
}

float value(const FrontierChoice& choice, FrontierFeature f) { return choice.features[static_cast<std::size_t>(f)]; }
double sum_of(const Episode& episode, int agent, RewardTerm term) {
    return episode.terms(agent)[static_cast<std::size_t>(term)];
}

/// To the nearest frontier, in so many steps at most.
template <class Look>
void explore(Episode& episode, int steps, Look&& look) {
    for (int k = 0; k < steps && !episode.outcome().over(); ++k) {
        for (int a = 0; a < episode.agents(); ++a)
            if (episode.due(a)) episode.choose(a, std::int64_t{0});
        episode.step();
        look();
    }
}

}  // namespace

TEST_CASE("the choices of an agent are its frontiers, the nearest first, and their features what is defined") {
    Episode episode(rooms(), {});
    episode.reset(3);
    int seen = 0;
    explore(episode, 40, [&] {
        const Belief& belief = episode.belief(0);
        const Lattice& lattice = belief.map().lattice();
        const std::vector<FrontierChoice>& choices = episode.choices(0);
        const std::vector<Frontier> frontiers = candidate_frontiers(belief);
        CHECK(choices.size() <= std::min<std::size_t>(16, frontiers.size()));
        double before = 0;
        for (const FrontierChoice& choice : choices) {
            ++seen;
            const Path path = belief.path_to(choice.frontier.goal);
            REQUIRE(path);
            const double travelled_m = lattice.metres(path.cost_cells());
            CHECK(value(choice, FrontierFeature::way) == doctest::Approx(std::min(10.0, travelled_m / 4)));
            CHECK(travelled_m >= before);
            before = travelled_m;
            const Point goal = lattice.centre(choice.frontier.goal), at = belief.pose().position();
            CHECK(value(choice, FrontierFeature::dx) == doctest::Approx((goal.x - at.x) / 4));
            CHECK(value(choice, FrontierFeature::dy) == doctest::Approx((goal.y - at.y) / 4));
            const TeamRecord& mate = belief.latest(episode.robot(1));
            if (mate.seq > 0) {
                const double away = distance(mate.pose.position(), goal);
                CHECK(value(choice, FrontierFeature::mate) == doctest::Approx(away / 4));
                CHECK(value(choice, FrontierFeature::nearer) == (away < distance(at, goal) ? 1.0f : 0.0f));
                if (mate.goal)
                    CHECK(value(choice, FrontierFeature::claim) == doctest::Approx(distance(*mate.goal, goal) / 4));
            }
            for (const float f : choice.features) CHECK(std::abs(f) <= max_feature);
        }
        // None that can be reached is left out while a farther one is there.
        if (choices.size() == frontiers.size()) return;
        for (const Frontier& f : frontiers) {
            if (std::any_of(choices.begin(), choices.end(),
                            [&](const FrontierChoice& c) { return c.frontier.goal == f.goal; }))
                continue;
            if (const Path path = belief.path_to(f.goal)) CHECK(lattice.metres(path.cost_cells()) >= before);
        }
    });
    CHECK(seen > 50);
}

TEST_CASE("a window shows what its cells are, at each scale") {
    for (const int scale : {1, 2, 4, 8}) {
        CAPTURE(scale);
        AgentOptions options;
        options.window = WindowShape{40, scale};
        Episode episode(rooms(), options);
        episode.reset(3);
        explore(episode, 30, [] {});
        const Belief& belief = episode.belief(0);
        std::vector<std::uint8_t> out(window_channel_names.size() * 40 * 40, 7);
        draw_window(belief, *options.window, episode.mind(0).track(), out);
        const Cell low{belief.cell().x - 20 * scale, belief.cell().y - 20 * scale};
        int drawn = 0;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x) {
                std::array<int, 3> counts{};
                bool mate = false, track = false;
                for (int dy = 0; dy < scale; ++dy)
                    for (int dx = 0; dx < scale; ++dx) {
                        const Cell c{low.x + x * scale + dx, low.y + y * scale + dy};
                        counts[0] += belief.map().is_free(c);
                        counts[1] += belief.map().is_occupied(c);
                        counts[2] += belief.nav().frontier(c) && belief.nav().reached(c);
                        const TeamRecord& other = belief.latest(episode.robot(1));
                        mate = mate || (other.seq > 0 && belief.map().lattice().cell_of(other.pose.position()) == c);
                        track =
                            track || std::count(episode.mind(0).track().begin(), episode.mind(0).track().end(), c) > 0;
                    }
                const auto at = static_cast<std::size_t>(y * 40 + x);
                for (std::size_t k = 0; k < 3; ++k) {
                    if (out[k * 1600 + at] != counts[k] * 255 / (scale * scale))
                        FAIL("channel " << k << " at " << x << ", " << y);
                    drawn += counts[k] > 0;
                }
                CHECK_MESSAGE(out[3 * 1600 + at] == (mate ? 255 : 0), x << ", " << y);
                CHECK_MESSAGE(out[6 * 1600 + at] == (track ? 255 : 0), x << ", " << y);
            }
        CHECK(drawn > 100);
    }
}

TEST_CASE("an episode ends when the team knows the area, and its terms add up to what the run measured") {
    for (const int every : {1, 5, 0}) {
        CAPTURE(every);
        AgentOptions options;
        options.every = every;
        Episode episode(rooms(), options);
        episode.reset(3);
        std::array<double, 2> team{}, travelled{}, own{}, steps{}, done{}, settled{};
        int decisions = 0;
        explore(episode, 600, [&] {
            ++decisions;
            for (int a = 0; a < 2; ++a) {
                const auto k = static_cast<std::size_t>(a);
                team[k] += sum_of(episode, a, RewardTerm::area_team);
                if (episode.settled(a)) settled[k] += episode.terms_since(a)[0];
                travelled[k] += sum_of(episode, a, RewardTerm::way);
                own[k] += sum_of(episode, a, RewardTerm::area_own);
                steps[k] += sum_of(episode, a, RewardTerm::steps);
                done[k] += sum_of(episode, a, RewardTerm::done);
            }
        });
        const EpisodeOutcome& outcome = episode.outcome();
        CHECK(outcome.terminated);
        CHECK_FALSE(outcome.truncated);
        CHECK(outcome.team_share >= 0.99);
        const Simulation& sim = episode.simulation();
        const StepMetrics& last = sim.metrics().steps().back();
        CHECK(team[0] == doctest::Approx(static_cast<double>(last.team_cells) * 0.01));
        CHECK(team[1] == team[0]);
        CHECK(settled[0] == doctest::Approx(team[0]));
        CHECK(settled[1] == doctest::Approx(team[0]));
        CHECK(travelled[0] + travelled[1] == doctest::Approx(last.distance_m));
        CHECK(outcome.travelled_m == doctest::Approx(last.distance_m));
        CHECK(own[1] == doctest::Approx(0.01 * static_cast<double>(sim.metrics().coverage().sensed()[2])));
        CHECK(steps[0] == outcome.steps);
        CHECK(done[0] == 1);
        if (every == 1) CHECK(decisions == outcome.steps);
        if (every == 5) CHECK(decisions == doctest::Approx(outcome.steps / 5.0).epsilon(0.2));
        if (every == 0) CHECK(decisions < outcome.steps);
    }
}

TEST_CASE("begun anew with a seed an episode is what it was with that seed, at first or later") {
    const auto digest_of = [](Episode& episode, std::uint64_t seed) {
        episode.reset(seed);
        explore(episode, 50, [] {});
        return episode.simulation().progress().digest;
    };
    std::string jittered = agents;
    jittered += "[start]\njitter_cells=8\n";
    Episode one(rooms(jittered), {}), other(rooms(jittered), {});
    const Hash128 first = digest_of(one, 5), second = digest_of(one, 6);
    CHECK(first != second);
    CHECK(digest_of(other, 6) == second);
    CHECK(digest_of(one, 5) == first);
    one.reset(6, rooms(jittered, 9));  // another map
    explore(one, 5, [] {});
    REQUIRE_FALSE(one.outcome().over());
    CHECK(one.simulation().progress().digest != second);
    const Hash128 before = one.simulation().progress().digest;
    CHECK_THROWS_WITH_AS(one.reset(6, rooms("[team]\nrobots=3\nstrategy='nearest'\n")),
                         "rooms: no robot has the strategy 'remote', so there is no agent", Error);
    CHECK(one.simulation().progress().digest == before);  // it is as it was
    one.reset(6, rooms("[team]\nrobots=3\nstrategy='remote'\n"));
    CHECK(one.agents() == 3);
}

TEST_CASE("an agent observes nothing of what its team has not seen: two worlds that differ there look the same") {
    const std::vector<std::string> here{
        "########################################", "#B.........#...........................#",
        "#.1........#...........................#", "#..........#...........................#",
        "#....2.....#...........................#", "########################################"};
    std::vector<std::string> there = here;
    there[2].replace(20, 8, "########");
    const auto observe = [](const std::vector<std::string>& map) {
        AgentOptions options;
        options.window = WindowShape{64, 1};
        options.graph.emplace();
        const Scenario s = text_scenario(map, "[team]\nstrategy='remote'\n[sensor]\nrange_m=3\n[run]\nsteps=20\n");
        Episode episode([s](std::uint64_t seed) { return redrawn(s, seed); }, options);
        episode.reset(1);
        std::vector<float> numbers;
        explore(episode, 20, [&] {
            for (int a = 0; a < 2; ++a) {
                for (const FrontierChoice& c : episode.choices(a))
                    numbers.insert(numbers.end(), c.features.begin(), c.features.end());
                const OwnFeatures own = own_features(episode.belief(a));
                numbers.insert(numbers.end(), own.begin(), own.end());
                std::vector<std::uint8_t> window(window_channel_names.size() * 64 * 64);
                draw_window(episode.belief(a), *options.window, episode.mind(a).track(), window);
                numbers.insert(numbers.end(), window.begin(), window.end());
                std::vector<float> places(512 * place_feature_names.size());
                std::vector<std::int32_t> neighbours(512 * PlaceGraph::neighbours);
                std::vector<std::int8_t> mask(512);
                numbers.push_back(
                    static_cast<float>(episode.mind(a).graph().fill(episode.belief(a), {places, neighbours, mask})));
                numbers.insert(numbers.end(), places.begin(), places.end());
                numbers.insert(numbers.end(), neighbours.begin(), neighbours.end());
            }
        });
        return numbers;
    };
    CHECK(observe(here) == observe(there));
}

TEST_CASE("robots out of service are not asked, and waypoints and velocities move the others") {
    std::string dying = agents;
    dying += "[[robot]]\ndies_at_step=5\n";
    AgentOptions options;
    options.action = AgentAction::waypoint;
    Episode episode(rooms(dying), options);
    episode.reset(1);
    const Point before = episode.belief(1).pose().position();
    const std::array<double, 2> most = episode.mind(1).bounds(episode.belief(1));
    CHECK(most[0] == 4);
    double farthest = 0;
    for (int k = 0; k < 8; ++k) {
        for (int a = 0; a < 2; ++a) {
            if (!episode.due(a)) continue;
            const Belief& own = episode.belief(a);
            Point to = own.map().lattice().centre(own.frontiers().at(0).goal) - own.pose().position();
            if (norm(to) > 2) to = to * (2 / norm(to));
            episode.choose(a, std::array{to.x, to.y});
        }
        episode.step();
        farthest = std::max(farthest, distance(before, episode.belief(1).pose().position()));
    }
    CHECK_FALSE(episode.alive(0));
    CHECK_FALSE(episode.due(0));
    CHECK(episode.due(1));
    CHECK(farthest > 0.5);
    options.action = AgentAction::velocity;
    Episode driven(rooms(), options);
    driven.reset(1);
    const Pose from = driven.belief(0).pose();
    driven.choose(0, std::array{0.0, 0.5});
    driven.choose(1, std::array{0.0, 0.0});
    driven.step();
    CHECK(std::abs(wrap_angle(driven.belief(0).pose().yaw - from.yaw)) == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("an agent that always lets the same strategy decide does what a robot with that strategy does") {
    AgentOptions options;
    options.action = AgentAction::meta;
    options.strategies = {"nearest", "minpos", "burgard(beta=0.5)"};
    options.every = 7;
    std::set<std::string> digests;
    for (int k = 0; k < 3; ++k) {
        Episode episode(rooms(), options);
        for (const std::uint64_t seed : {5u, 1u}) {  // also after a reset
            episode.reset(seed);
            while (!episode.outcome().over()) {
                for (int a = 0; a < episode.agents(); ++a)
                    if (episode.due(a)) episode.choose(a, std::int64_t{k});
                episode.step();
            }
        }
        std::string toml = agents;
        toml.replace(toml.find("remote"), 6, options.strategies[static_cast<std::size_t>(k)]);
        Simulation native(rooms(toml), 1, {});
        native.run();
        CHECK(episode.simulation().progress().digest == native.progress().digest);
        digests.insert(native.progress().digest.hex());
    }
    CHECK(digests.size() == 3);
    Episode episode(rooms(), options);
    episode.reset(1);
    CHECK_THROWS_WITH_AS(episode.choose(0, std::int64_t{3}), "action of r1: expected 0 to 2, got 3", Error);
    options.strategies = {"neerest"};
    Episode wrong(rooms(), options);
    CHECK_THROWS_WITH_AS(wrong.reset(1), doctest::Contains("nearest"), Error);
    options.strategies.clear();
    CHECK_THROWS_WITH_AS(Episode(rooms(), options), doctest::Contains("expected some for the action 'meta'"), Error);
}

TEST_CASE("a network computes what its layers say, and a wrong file is refused with its place") {
    const Network network = Network::parse(
        R"({"outrider_network": 1, "inputs": ["way", "sight"], "about": "a test", "most": 4, "layers": [
            {"weights": [[1, -2], [0.5, 0.25], [3, 0]], "bias": [0.1, -0.2, 0]}, {"weights": [[2, -1, 0.5]], "bias": [4]}]})",
        "here");
    for (const float travelled : {0.0f, 0.3f, 2.5f, 10.0f})
        for (const float sight : {0.0f, 0.7f}) {
            FrontierFeatures features{};
            features.fill(9);
            features[static_cast<std::size_t>(FrontierFeature::way)] = travelled;
            features[static_cast<std::size_t>(FrontierFeature::sight)] = sight;
            const double cut = std::min(travelled, 4.0f);
            const double expected = 2 * std::tanh(cut - 2 * sight + 0.1) - std::tanh(0.5 * cut + 0.25 * sight - 0.2) +
                                    0.5 * std::tanh(3.0 * cut) + 4;
            CHECK(network.score(features) == doctest::Approx(expected).epsilon(1e-6));
        }
    const std::string layer = R"({"weights": [[1]], "bias": [0]})";
    const auto with = [&](const std::string& inputs, const std::string& layers) {
        return R"({"outrider_network": 1, "inputs": )" + inputs + R"(, "layers": )" + layers + "}";
    };
    for (const auto& wrong : std::vector<std::pair<std::string, std::string>>{
             {"{", "f: line 1, column 2"},
             {"{}", "f: 'outrider_network' is missing"},
             {R"({"outrider_network": 2})", "f: outrider_network: expected 1, the version of the format"},
             {with("[]", "[" + layer + "]"), "f: inputs: expected an array of 1 to 12 names of features"},
             {with(R"(["weight"])", "[" + layer + "]"), "f: inputs[0]: expected one of dx, dy, way"},
             {R"({"outrider_network": 1, "inputs": ["way"], "most": 0, "layers": [)" + layer + "]}",
              "f: most: expected"},
             {with(R"(["way"])", "[]"), "f: layers: expected an array of 1 to 16"},
             {with(R"(["way", "dx"])", "[" + layer + "]"), "f: layers[0].weights[0]: expected 2 numbers"},
             {with(R"(["way"])", R"([{"weights": [[1]], "bias": []}])"), "f: layers[0]: expected as many rows"},
             {with(R"(["way"])", R"([{"weights": [["1"]], "bias": [0]}])"),
              "f: layers[0].weights[0][0]: expected a number"},
             {with(R"(["way"])", R"([{"weights": [[1e7]], "bias": [0]}])"),
              "f: layers[0].weights[0][0]: expected a number"},
             {with(R"(["way"])", R"([{"weights": [[1], [1]], "bias": [0, 0]}])"),
              "f: the last layer: expected one output"}}) {
        CAPTURE(wrong.first);
        try {
            Network::parse(wrong.first, "f");
            FAIL("taken: " << wrong.first);
        } catch (const Error& error) {
            CHECK_MESSAGE(std::string(error.what()).starts_with(wrong.second), error.what());
        }
    }
    CHECK_THROWS_AS(Network::read("/dev/zero"), Error);
}

TEST_CASE("mistakes are named") {
    Episode episode(rooms(), {});
    episode.reset(1);
    CHECK_THROWS_WITH_AS(episode.choose(0, std::int64_t{16}), "action of r1: expected 0 to 15, got 16", Error);
    CHECK_THROWS_WITH_AS(episode.choose(1, std::int64_t{-1}), "action of r2: expected 0 to 15, got -1", Error);
    AgentOptions options;
    options.action = AgentAction::waypoint;
    Episode travelled(rooms(), options);
    travelled.reset(1);
    CHECK_THROWS_WITH_AS(travelled.choose(0, std::array{0.0, 5.0}), "action of r1: expected -4 to 4, got 5", Error);
    CHECK_THROWS_AS(travelled.choose(0, std::array{0.0, std::nan("")}), Error);
    Episode none(rooms("[team]\nstrategy='nearest'\n"), {});
    CHECK_THROWS_WITH_AS(none.reset(1), "rooms: no robot has the strategy 'remote', so there is no agent", Error);
    const auto refuses = [](auto change, const std::string& text) {
        AgentOptions wrong;
        change(wrong);
        CHECK_THROWS_WITH_AS(Episode(rooms(), wrong), text.c_str(), Error);
    };
    refuses([](AgentOptions& o) { o.frontiers = 0; }, "frontiers: expected 1 to 1000, got 0");
    refuses(
        [](AgentOptions& o) {
            o.window = WindowShape{30, 1};
        },
        "window: expected pixels in a multiple of 8, up to 1024, got 30");
    refuses([](AgentOptions& o) { o.window = WindowShape{64, 3}; }, "window: expected a scale of 1, 2, 4 or 8, got 3");
    refuses([](AgentOptions& o) { o.graph = PlaceGraphOptions{.spacing_m = 0, .most = 0}; },
            "nodes: expected 1 to 100000, got 0");
    refuses([](AgentOptions& o) { o.graph = PlaceGraphOptions{.spacing_m = -1, .most = 9}; },
            "spacing_m: expected 0 to 1000, got -1");
    refuses([](AgentOptions& o) { o.patience_steps = 0; }, "patience_steps: expected 1 or more, got 0");
}

}  // namespace test_learning
