// Leaders and roles without a centre.
#include <algorithm>
#include <limits>

#include "helpers.hpp"
#include "shared/election.hpp"

using namespace outrider;

namespace test_election {
namespace {

constexpr int bound = 2 * 20;  // two maximal time-outs

/// Robots that hear all that was said a step before in their component, but for losses.
struct Town {
    int now = 0;
    std::vector<Election> robots;
    std::vector<std::vector<std::int64_t>> sent;
    std::vector<int> component;  // -1: dead
    double loss = 0;
    std::uint64_t seed;
    int changes = 0;  // of the leader that a robot knows, from one to another

    Town(int n, double loss_rate, std::uint64_t s)
        : component(static_cast<std::size_t>(n), 0), loss(loss_rate), seed(s) {
        for (RobotId id = 0; id < n; ++id) robots.emplace_back(id, Election::Options{});
        sent.resize(robots.size());
    }

    void step() {
        std::vector<std::vector<std::int64_t>> next(robots.size());
        for (std::size_t i = 0; i < robots.size(); ++i) {
            if (component[i] < 0) continue;
            std::vector<Election::Received> received;
            for (std::size_t k = 0; k < robots.size(); ++k) {
                if (k == i || component[k] != component[i] || sent[k].empty()) continue;
                const auto pair = static_cast<RobotId>(i * robots.size() + k);
                if (Rng(seed, pair, Purpose::message_loss, now).uniform() < loss) continue;
                received.push_back({static_cast<RobotId>(k), sent[k]});
            }
            Rng rng(seed, static_cast<RobotId>(i), Purpose::strategy, now);
            const Fitness fitness{static_cast<int>(rng.below(5)), 1 - 0.001 * static_cast<double>(i)};
            const RobotId before = robots[i].leader();
            next[i] = robots[i].step(now, received, fitness, rng);
            changes += before >= 0 && robots[i].leader() >= 0 && robots[i].leader() != before;
        }
        sent = next;
        ++now;
    }
    void run(int steps) {
        for (int k = 0; k < steps; ++k) step();
    }
    std::vector<std::size_t> alive(int c) const {
        std::vector<std::size_t> out;
        for (std::size_t i = 0; i < robots.size(); ++i)
            if (component[i] == c) out.push_back(i);
        return out;
    }
    /// The one leader that everybody in the component follows in the same term; -1: they do not agree.
    RobotId agreed(int c) const {
        RobotId leader = -1;
        std::int64_t term = -1;
        int leaders = 0;
        for (const std::size_t i : alive(c)) {
            const Election& e = robots[i];
            leaders += e.office() == Office::leader;
            if (e.leader() < 0 || (leader >= 0 && (e.leader() != leader || e.term() != term))) return -1;
            leader = e.leader();
            term = e.term();
        }
        return leaders == 1 && leader >= 0 && component[static_cast<std::size_t>(leader)] == c ? leader : -1;
    }
    /// Leaders of one component in one term: never two.
    void check_terms() const {
        for (std::size_t i = 0; i < robots.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (component[i] >= 0 && component[i] == component[k] && robots[i].office() == Office::leader &&
                    robots[k].office() == Office::leader)
                    CHECK(robots[i].term() != robots[k].term());
    }
};

}  // namespace

TEST_CASE("election: a robot alone leads itself after a time-out") {
    Town town(1, 0, 3);
    town.run(10);
    CHECK(town.robots[0].office() == Office::follower);
    town.run(30);
    CHECK(town.robots[0].office() == Office::leader);
    CHECK(town.agreed(0) == 0);
}

TEST_CASE("election: one leader, whom everybody knows, and no change while it lives") {
    for (const double loss : {0.0, 0.1, 0.2})
        for (const int robots : {2, 3, 8, 16})
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                CAPTURE(loss);
                CAPTURE(robots);
                CAPTURE(seed);
                Town town(robots, loss, seed);
                town.run(bound + 20);  // a first election begins a time-out later
                const RobotId leader = town.agreed(0);
                CHECK(leader >= 0);
                for (int k = 0; k < 400; ++k) {
                    town.step();
                    CHECK(town.agreed(0) == leader);
                    town.check_terms();
                }
            }
}

TEST_CASE("election: two maximal time-outs after the leader's death there is another one") {
    for (const double loss : {0.0, 0.2})
        for (const int robots : {2, 3, 8, 16})
            for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                CAPTURE(loss);
                CAPTURE(robots);
                CAPTURE(seed);
                Town town(robots, loss, seed);
                town.run(bound + 20);
                for (int death = 0; death < std::min(3, robots - 1); ++death) {
                    const RobotId leader = town.agreed(0);
                    REQUIRE(leader >= 0);
                    town.component[static_cast<std::size_t>(leader)] = -1;
                    town.run(bound);
                    CHECK(town.agreed(0) >= 0);
                    CHECK(town.agreed(0) != leader);
                }
            }
}

TEST_CASE("election: a leader per component when the team parts, and one again when it meets") {
    for (const double loss : {0.0, 0.2})
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            CAPTURE(loss);
            CAPTURE(seed);
            const int robots = 4 + static_cast<int>(seed % 9);
            Town town(robots, loss, seed);
            town.run(bound + 20);
            for (int round = 0; round < 4; ++round) {
                Rng rng(seed, round, Purpose::placement, 0);
                for (int& c : town.component) c = static_cast<int>(rng.below(3));
                town.run(bound + 20);
                for (int c = 0; c < 3; ++c)
                    if (!town.alive(c).empty()) CHECK(town.agreed(c) >= 0);
                for (int& c : town.component) c = 0;
                town.run(bound);
                CHECK(town.agreed(0) >= 0);
                const int before = town.changes;
                for (int k = 0; k < 60; ++k) {
                    town.step();
                    town.check_terms();
                }
                CHECK(town.changes == before);
            }
        }
}

TEST_CASE("election: of two leaders the higher term stays, then the larger component, then the lower number") {
    const auto hear = [](std::int64_t term, std::int64_t size, RobotId from, Election& e, int now) {
        const std::vector<std::int64_t> values{2, term, from, from, size, 0, 1000};
        const std::vector<Election::Received> received{{from, values}};
        Rng rng(1, 0, Purpose::strategy, now);
        e.step(now, received, {}, rng);
    };
    const auto leader_of_itself = [] {
        Election e(5, {});
        for (int now = 0; e.office() != Office::leader; ++now) {
            Rng rng(1, 5, Purpose::strategy, now);
            e.step(now, {}, {}, rng);
        }
        return e;
    };
    const std::int64_t term = leader_of_itself().term();
    const auto outcome = [&](std::int64_t other_term, std::int64_t size, RobotId other) {
        Election e = leader_of_itself();
        hear(other_term, size, other, e, 200);
        return e.leader();
    };
    CHECK(outcome(term + 1, 1, 9) == 9);
    CHECK(outcome(term - 1, 50, 1) == 5);
    CHECK(outcome(term, 50, 9) == 9);
    CHECK(outcome(term, 2, 9) == 5);  // two robots are what this one counts as well
    CHECK(outcome(term, 2, 1) == 1);
}

TEST_CASE("election: the fittest is chosen, and words of another form are left alone") {
    std::vector<Election> robots;
    for (RobotId id = 0; id < 5; ++id) robots.emplace_back(id, Election::Options{});
    std::vector<std::vector<std::int64_t>> sent(5);
    const std::vector<std::int64_t> nonsense{1, 2, 3}, no_office{7, 1, 1, 1, 1, 1, 1};
    for (int now = 0; now < 60; ++now) {
        std::vector<std::vector<std::int64_t>> next(5);
        for (std::size_t i = 0; i < 5; ++i) {
            std::vector<Election::Received> received{{7, nonsense}, {8, no_office}};
            for (std::size_t k = 0; k < 5; ++k)
                if (k != i && !sent[k].empty()) received.push_back({static_cast<RobotId>(k), sent[k]});
            Rng rng(4, static_cast<RobotId>(i), Purpose::strategy, now);
            next[i] = robots[i].step(now, received, {i == 3 ? 4 : 1, 1}, rng);
        }
        sent = next;
    }
    for (const Election& e : robots) CHECK(e.leader() == 3);
}

TEST_CASE("a role for one goes to the lowest number of those that hold it") {
    const std::vector<RobotId> holders{4, 7};
    CHECK(may_hold(4, holders));
    CHECK_FALSE(may_hold(7, holders));
    CHECK(may_hold(2, holders));
    CHECK(may_hold(9, {}));
}

}  // namespace test_election
